"""``python -m saber_mteb`` is the same as ``saber-mteb``."""

from saber_mteb.cli import main

if __name__ == "__main__":
    main()
