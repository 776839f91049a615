"""The command ``saber-mteb``: one thin module per sub-command, no logic.

Nothing heavy is imported at the top of these modules, so that ``--help`` answers at once.
"""

from saber_mteb.cli.app import main

__all__ = ["main"]
