"""Bi-encoders: one vector for each text."""
