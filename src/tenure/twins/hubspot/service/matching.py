"""Whether a value matches a search filter: comparison by the property's type."""

import operator
import re
from typing import Any, NamedTuple

from tenure.twins.hubspot.times import moment

_WORD = re.compile(r"\w+", re.UNICODE)


class Filter(NamedTuple):
    """One condition of a search.

    Attributes:
        name: The property, or ``associations.<type>``.
        operator: ``EQ``, ``IN``, …
        kind: The property's type; ``list`` for several choices, ``association`` for the pseudo one.
        value: What to compare with; the lower bound of BETWEEN.
        high: The upper bound of BETWEEN.
        values: The choices of IN and NOT_IN.
        association: The key of the associated type.
    """

    name: str
    operator: str
    kind: str
    value: str = ""
    high: str = ""
    values: tuple[str, ...] = ()
    association: str = ""

    def problem(self) -> str:
        """Why the filter cannot be, or empty."""
        if self.kind not in {"number", "date", "datetime"} or self.operator.endswith(("PROPERTY", "TOKEN")):
            return ""
        given = self.values if self.operator in {"IN", "NOT_IN"} else (self.value,)
        if self.operator == "BETWEEN":
            given = (*given, self.high)
        for text in given:
            if typed(self.kind, text) is None:
                return f"{text!r} is not a valid {self.kind} for property {self.name}"
        return ""


def typed(kind: str, text: str) -> Any:
    """A value as its type compares; ``None`` when it is not of the type."""
    if kind == "number":
        try:
            return float(text)
        except ValueError:
            return None
    if kind in {"date", "datetime"}:
        return moment(text)
    return text.strip().lower()


def sort_key(kind: str, text: str) -> Any:
    """A value as its type sorts; one that is not of the type goes first."""
    key = typed(kind, text)
    return float("-inf") if key is None else key


def tokens(text: str) -> set[str]:
    """A text's words, lower-case; addresses and hostnames give their parts."""
    return set(_WORD.findall(text.lower()))


def _contains(text: str, asked: str) -> bool:
    """Whether a value has the asked tokens; ``*`` stands for any characters.

    A pattern is compared with each word, with each stretch between blanks and, as the vendor does
    for addresses, with the words of the pattern in turn.
    """
    asked = asked.lower().strip()
    words = tokens(text) | set(text.lower().split())
    if "*" in asked:
        pattern = re.compile(".*".join(re.escape(part) for part in asked.split("*")))
        return any(pattern.fullmatch(word) for word in words) or bool(pattern.fullmatch(text.lower()))
    return asked in words or (bool(tokens(asked)) and tokens(asked) <= words)


def _equal(f: Filter, text: str, asked: str) -> bool:
    if f.kind in {"list", "association"}:
        return asked.lower() in text.lower().split(";")
    return bool(typed(f.kind, text) == typed(f.kind, asked))


def matches(f: Filter, text: str | None) -> bool:
    """Whether a value matches; without a value only the negative operators do.

    Text compares without case. ``IN`` expects its choices in lower case, as the vendor does for
    text: a choice with capitals matches enumerations only.
    """
    if not text:
        return f.operator in {"NOT_HAS_PROPERTY", "NEQ", "NOT_IN", "NOT_CONTAINS_TOKEN"}
    match f.operator:
        case "HAS_PROPERTY" | "NOT_HAS_PROPERTY":
            return f.operator == "HAS_PROPERTY"
        case "EQ" | "NEQ":
            return _equal(f, text, f.value) == (f.operator == "EQ")
        case "IN" | "NOT_IN":
            choices = [v for v in f.values if f.kind != "string" or v == v.lower()]
            return any(_equal(f, text, v) for v in choices) == (f.operator == "IN")
        case "CONTAINS_TOKEN" | "NOT_CONTAINS_TOKEN":
            return _contains(text, f.value) == (f.operator == "CONTAINS_TOKEN")
    return _ordered(f, text)


def _ordered(f: Filter, text: str) -> bool:
    kind = "" if f.kind in {"list", "association"} else f.kind
    left, low = typed(kind, text), typed(kind, f.value)
    if left is None or low is None:
        return False
    if f.operator == "BETWEEN":
        high = typed(kind, f.high)
        return bool(high is not None and low <= left <= high)
    compare = {"LT": operator.lt, "LTE": operator.le, "GT": operator.gt, "GTE": operator.ge}[f.operator]
    return bool(compare(left, low))
