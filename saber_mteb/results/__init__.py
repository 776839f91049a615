"""What was answered: run files, result files in MTEB format, published figures."""
