"""How a benchmark is made."""
