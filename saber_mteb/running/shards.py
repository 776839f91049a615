"""A shard of the queries: what one of several machines is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from saber_mteb._errors import UsageError


@dataclass(frozen=True, slots=True)
class Shard:
    """Every ``count``-th query row, from row ``index - 1`` on.

    Rows are strided because queries of a kind often stand together: each shard gets some of all.

    Attributes:
        index: Which shard, from 1 to ``count``.
        count: How many shards there are.
    """

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``i/n``.

        Raises:
            UsageError: If it is not two whole numbers with 1 ≤ i ≤ n.

        >>> Shard.parse("2/4")
        Shard(index=2, count=4)
        >>> Shard.parse("0/4")
        Traceback (most recent call last):
            ...
        saber_mteb._errors.UsageError: '0/4' is not a shard; the shards of 4 are 1/4 to 4/4.
        """
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if found is None:
            raise UsageError(
                f"'{text}' is not a shard; write which one and of how many, e.g. 1/4 to 4/4."
            )
        index, count = map(int, found.groups())
        if not 1 <= index <= count:
            count = count or 4
            raise UsageError(
                f"'{text}' is not a shard; the shards of {count} are 1/{count} to {count}/{count}."
            )
        return cls(index, count)

    @classmethod
    def of_slug(cls, slug: str) -> Shard | None:
        """Return the shard whose results lie in a folder of this name, None if it is no shard's.

        >>> Shard.of_slug("shard-2-of-4"), Shard.of_slug("limit-20")
        (Shard(index=2, count=4), None)
        """
        found = re.fullmatch(r"shard-([1-9][0-9]*)-of-([1-9][0-9]*)", slug)
        if found is None:
            return None
        shard = cls(*map(int, found.groups()))
        return shard if shard.index <= shard.count else None

    @property
    def slug(self) -> str:
        """The name of its experiment in a results tree."""
        return f"shard-{self.index}-of-{self.count}"

    def rows(self, n_queries: int) -> range:
        """Return its rows of so many queries.

        Raises:
            UsageError: If there are more shards than queries.

        >>> list(Shard(2, 4).rows(10))
        [1, 5, 9]
        """
        if self.count > n_queries:
            raise UsageError(
                f"{self.count} shards of {n_queries} queries: some would be empty; use fewer."
            )
        return range(self.index - 1, n_queries, self.count)

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"
