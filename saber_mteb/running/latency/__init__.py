"""How long a system takes for one query, as published and without what distorted it there."""
