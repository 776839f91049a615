"""What the stores have in common: a file in a folder, opened and closed."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from saber_mteb.running.stores.database import Database


class Store:
    """One file of records in a folder that stores share; ``with`` closes it."""

    file_name: ClassVar[str]

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the store of a folder, or create both.

        Raises:
            SaberError: If the file cannot be opened or written, or is not one of ours.
        """
        return cls(Database(folder / cls.file_name))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        self._database.close()
