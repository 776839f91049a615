"""Keeps what was computed, so that nothing is computed twice."""
