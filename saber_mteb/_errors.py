"""The one exception type that means: the user can fix this."""

from __future__ import annotations


class SaberError(Exception):
    """An expected failure, told in one message: what was found, what was expected, what to do.

    The command prints it without a traceback and exits with 1; anything else that is raised is a
    bug of ours.
    """


class UsageError(SaberError):
    """A name or option that cannot be used as given; the command exits with 2."""


def nearest(name: str, known: list[str]) -> str:
    """Return `` Did you mean …?`` for the closest known names, or an empty string.

    >>> nearest("bm52", ["bm25", "tf-idf"])
    " Did you mean 'bm25'?"
    >>> nearest("zzz", ["bm25"])
    ''
    """
    import difflib

    lowered = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), list(lowered), n=3, cutoff=0.6)
    if not close:
        return ""
    return " Did you mean " + " or ".join(f"'{lowered[match]}'" for match in close) + "?"
