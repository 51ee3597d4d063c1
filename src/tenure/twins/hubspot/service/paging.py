"""Pages: their limits, their cursors, and how an answer says that there is more."""

import re
from typing import Any

from tenure.twins.hubspot.service.errors import invalid

_NUMBER = re.compile(r"[0-9]{1,18}")


def is_number(text: str) -> bool:
    """Whether a text is a number that an id or a cursor may be."""
    return _NUMBER.fullmatch(text) is not None


def cursor(after: str) -> int | None:
    """A cursor's number; ``None`` for the first page.

    Raises:
        HubSpotError: 400, it is no number.
    """
    if not after:
        return None
    if not is_number(after):
        raise invalid(f"The paging cursor {after} is not valid: it must be a number")
    return int(after)


def check_limit(limit: int, most: int) -> None:
    """Refuse a page size.

    Raises:
        HubSpotError: 400, it is out of bounds.
    """
    if not 1 <= limit <= most:
        raise invalid(f"limit must be between 1 and {most}, was {limit}")


def listed(results: list[Any], after: str, link: str = "") -> dict[str, Any]:
    """A list answer: the results, and where the next page starts unless ``after`` is empty."""
    answer: dict[str, Any] = {"results": results}
    if after:
        answer["paging"] = {"next": {"after": after, **({"link": link} if link else {})}}
    return answer
