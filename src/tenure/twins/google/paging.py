"""Page tokens: opaque to clients, bound to the question that they continue."""

import base64
import binascii
import hashlib

import orjson

from tenure.twins.google.errors import invalid

Place = tuple[str | int | float, str]


def _mark(question: object) -> str:
    return hashlib.blake2b(orjson.dumps(question), digest_size=6).hexdigest()


def page_token(place: Place, question: object) -> str:
    """A token that continues after a place.

    Args:
        place: (sort, id) of the last record returned: what is written meanwhile moves nothing.
        question: What was asked, JSON-able; the token is refused for another one.
    """
    return base64.urlsafe_b64encode(orjson.dumps([*place, _mark(question)])).decode().rstrip("=")


def place_of(token: str, question: object) -> Place | None:
    """The place that a token continues after; ``None`` for an empty token.

    Raises:
        GoogleError: 400, the token is none of this question's.
    """
    if not token:
        return None
    try:
        sort, id, mark = orjson.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (binascii.Error, ValueError, TypeError):
        raise invalid("Invalid pageToken") from None
    if mark != _mark(question) or not isinstance(sort, str | int | float) or not isinstance(id, str):
        raise invalid("Invalid pageToken")
    return sort, id
