"""The kinds of ``batchUpdate`` requests that this copy knows, and running a batch of them."""

from collections.abc import Callable
from typing import Any

from tenure.twins.google.errors import GoogleError, invalid
from tenure.twins.sheets import blocks, cells, lines, rules, tabs
from tenure.twins.sheets.book import Book, Refusal

KINDS: dict[str, Callable[[Book, dict[str, Any]], dict[str, Any]]] = {
    **tabs.REQUESTS,
    **cells.REQUESTS,
    **lines.REQUESTS,
    **blocks.REQUESTS,
    **rules.REQUESTS,
}
"""Request kind → (book, request) → reply; an empty reply is silent."""


def run(book: Book, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Apply requests in order; each sees what the ones before it did. One reply each.

    Raises:
        GoogleError: 400 ``Invalid requests[1].addSheet: …``; nothing of the batch may be kept.
    """
    if not requests:
        raise invalid("Must specify at least one request.")
    replies = []
    for number, request in enumerate(requests):
        if len(request) != 1:
            raise invalid(f"Invalid requests[{number}]: No request set.")
        ((kind, given),) = request.items()
        run_one = KINDS.get(kind)
        try:
            if run_one is None:
                raise Refusal(
                    f"This kind of request is not supported here. Supported: {', '.join(sorted(KINDS))}"
                )
            reply = run_one(book, given)
        except Refusal as refusal:
            raise invalid(f"Invalid requests[{number}].{kind}: {refusal}") from None
        except GoogleError as error:
            raise invalid(f"Invalid requests[{number}].{kind}: {error.message}") from None
        replies.append({kind: reply} if reply else {})
    return replies
