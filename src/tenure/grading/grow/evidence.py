"""Whether what a grader quotes was on screen.

A quotation is found or it is not: Unicode and white space are put in one form, and nothing else is
forgiven. A number is found only as a whole: ``8.33`` is not in ``18.33``, ``8`` not in ``8.33``.
"""

import re
import unicodedata
from collections.abc import Iterable

from tenure.schema.shape import Shape

EMPTY_PAGE = "(an empty page)"
"""What a look at a page without any text shows, so that emptiness can be quoted."""
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
"""Soft hyphens, joiners and byte-order marks: they are in a page's text and on no screen."""
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})
"""Straight and curly marks are one: whoever types a quotation types the straight ones."""
_SIGN = r"(?<!(?<!\w)[\-−])"
_MONEY = "$€£¥"


class Look(Shape):
    """What one script of a grader's brought back from the browser."""

    number: int
    """1 is the grade's first."""
    step: str
    """The step of the plan under way."""
    user: str = ""
    """Whose session was looked at."""
    url: str = ""
    page: str = ""
    """The page's accessible and visible text, as the harness took it."""
    printed: str = ""
    """What the grader's own script read and returned."""
    script: str = ""
    """The script's source: what a grader wrote itself was not on screen."""
    picture: str = ""
    """The screenshot's file name below the attempt's ``screens/``, where one was taken."""


def canonical(text: str) -> str:
    """A text in the form in which quotations are compared.

    Compatibility forms composed (NFKC), unseen characters left out, quotation marks straight, white
    space single, ends trimmed. Case stays.
    """
    shown = unicodedata.normalize("NFKC", text.translate(_UNSEEN)).translate(_QUOTES)
    return " ".join(shown.split())


def occurs(quote: str, texts: Iterable[str]) -> bool:
    """Whether a quotation stands, whole, in one of the texts.

    At a word character or digit the quotation must end where the text's word or number does: signs,
    decimals, groups of thousands, parts of dates and times belong to a number. An empty quotation
    stands nowhere.

    Args:
        quote: What a grader says was on screen.
        texts: What was, each on its own: a quotation never spans two.
    """
    wanted = canonical(quote)
    if not wanted:
        return False
    pattern = re.compile(_before(wanted) + re.escape(wanted) + _after(wanted))
    return any(pattern.search(canonical(text)) for text in texts)


def seen_in(quote: str, look: Look) -> bool:
    """Whether a quotation was on the page, or in what a script read from it and did not write itself."""
    if occurs(quote, [look.page or EMPTY_PAGE]):
        return True
    return occurs(quote, [look.printed]) and canonical(quote) not in canonical(look.script)


def _before(wanted: str) -> str:
    if wanted[0].isdigit():
        return rf"(?<!\w){_SIGN}(?<!\d[.,:/'\-−–])(?<!(?<!\w)\.)"
    if wanted[0] in _MONEY and wanted[1:2].isdigit():
        return _SIGN
    return r"(?<!\w)" if _is_word(wanted[0]) else ""


def _after(wanted: str) -> str:
    if wanted[-1].isdigit():
        return r"(?!\w)(?![.,:/'\-−–]\d)"
    return r"(?!\w)" if _is_word(wanted[-1]) else ""


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
