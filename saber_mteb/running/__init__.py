"""Scores systems over benchmarks."""
