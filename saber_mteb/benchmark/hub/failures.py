"""Says what went wrong at the hub, and what to do, without repeating a token."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from saber_mteb._errors import SaberError

ALTERNATIVE = (
    "Or, with saber-mteb, name a folder that holds queries.parquet and documents.parquet: "
    "`--benchmark DIR`."
)


# Names, since the client moved from httpx to its successor between versions that we accept.
BROKEN = frozenset({"RemoteProtocolError", "ReadError"})


class HubError(SaberError):
    """The hub did not give what was asked; a complete copy in the cache may stand in."""


def may_pass(error: Exception) -> bool:
    """Return True for a 5xx answer or a broken connection: asking again soon may help."""
    status: int = getattr(getattr(error, "response", None), "status_code", 0)
    return status >= 500 or type(error).__name__ in BROKEN


def explain(error: Exception, repo: str, revision: str, endpoint: str) -> HubError:
    """Return the message for whatever the hub client raised while it fetched ``repo``."""
    error = _root(error)
    subject = f"the data set '{repo}' (revision '{revision}')"
    host = shown_endpoint(endpoint)
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is None:
        return _without_answer(error, subject, host)
    found = f"The hub at {host} answered {status} for {subject}"
    kind = type(error).__name__
    if kind == "GatedRepoError" or status == 403:
        told = f"{found}: this account has no access. Ask for it on the data set's page, log in"
        return HubError(f"{told} with `hf auth login` (or set HF_TOKEN). {ALTERNATIVE}")
    if status == 401:
        told = f"{found}: it is private or gated, or does not exist. Log in with `hf auth login`"
        return HubError(f"{told} (or set HF_TOKEN) as a user who has access. {ALTERNATIVE}")
    if kind == "RevisionNotFoundError":
        return HubError(
            f"{found}: there is no such revision. Check the revision that was asked for "
            "(option or SABER_MTEB_QUERIES_REVISION, SABER_MTEB_DOCUMENTS_REVISION)."
        )
    if status == 404:
        return HubError(f"{found}: it is not there. Check HF_ENDPOINT if it is set. {ALTERNATIVE}")
    if status == 429:
        return HubError(f"{found}: too many requests. Wait some minutes, or log in. {ALTERNATIVE}")
    return HubError(f"{found}: the hub is at fault. Try again later. {ALTERNATIVE}")


def offline_without_copy(repos: tuple[str, ...]) -> HubError:
    """Return the message for offline mode without a complete copy."""
    named = " and ".join(f"'{repo}'" for repo in repos)
    return HubError(
        f"HF_HUB_OFFLINE is set and the cache holds no complete copy of {named} in the wanted "
        "revisions. Run once with HF_HUB_OFFLINE=0 where there is a network (a half download does "
        f"not count). {ALTERNATIVE}"
    )


def shown_endpoint(endpoint: str) -> str:
    """Return scheme, host and port only: an endpoint may carry a password.

    >>> shown_endpoint("https://me:secret@hub.example:8443/path?token=x")
    'https://hub.example:8443'
    """
    parts = urlsplit(endpoint)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}"


def _root(error: Exception) -> Exception:
    """Return what stands behind the client's 'not found in the local cache'."""
    while type(error).__name__ == "LocalEntryNotFoundError" and isinstance(
        error.__cause__, Exception
    ):
        error = error.__cause__
    return error


def _without_answer(error: Exception, subject: str, host: str) -> HubError:
    reason = _scrubbed(error)
    if isinstance(error, OSError) and error.errno and not isinstance(error, ConnectionError):
        return HubError(
            f"Fetching {subject} failed on this machine: {reason}. "
            "Free some space or set HF_HOME to a folder you can write to."
        )
    # An OSError without a number is the client's own check of the received size.
    own_check = isinstance(error, OSError) and not error.errno
    if own_check or type(error).__name__ in BROKEN:
        return HubError(
            f"The connection to the hub at {host} broke while fetching {subject} ({reason}). "
            f"What had arrived is not used. Run it again. {ALTERNATIVE}"
        )
    return HubError(
        f"The hub at {host} cannot be reached for {subject} ({reason}). Check the network and "
        f"proxy, or set HF_ENDPOINT to a mirror. {ALTERNATIVE}"
    )


def _scrubbed(error: Exception) -> str:
    """Return the first line of an error without tokens, passwords and query strings."""
    text = str(error).strip().splitlines()
    line = text[0] if text else type(error).__name__
    line = re.sub(r"hf_\w+|(?<=Bearer )\S+", "…", line)
    line = re.sub(r"(?<=://)[^/\s@]+@", "", line)
    return re.sub(r"\?\S+", "", line)[:200].rstrip(".")
