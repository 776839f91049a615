"""The systems that answer, one module per paradigm, described by cards."""
