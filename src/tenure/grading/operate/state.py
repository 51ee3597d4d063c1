"""State checks: rows, answers, numbers, files and messages, compared by type (seed 002, key design 4)."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from tenure.grading.check import Saw
from tenure.grading.values import addresses, day, number, plain, states
from tenure.schema.evidence import KeptFile, Response, SentMessage

Rows = Sequence[Mapping[str, Any]]
SHOWN = 200
"""Characters of evidence."""


def same(value: Any, expected: Any) -> bool:
    """Whether a value that an app holds is the expected one, by the expected one's type.

    Numbers are compared as numbers however they are written, dates as days, texts without regard to case
    and spacing, truth also as an app's 0 and 1. Nothing is found within something else.
    """
    if isinstance(expected, bool):
        return value is expected or (not isinstance(value, bool) and number(value) == int(expected))
    if expected is None:
        return value is None or value == ""
    if isinstance(expected, int | float | Decimal):
        return number(value) == number(expected)
    if isinstance(expected, date):
        return day(value) == expected
    return isinstance(value, str | int | float | Decimal) and plain(str(value)) == plain(str(expected))


def one_row(rows: Rows, where: Mapping[str, Any], expects: Mapping[str, Any] | None = None) -> Saw:
    """Whether exactly one row is the one that is meant, and holds what is expected.

    Args:
        rows: All of them: a cut list hides a second row.
        where: Column → value that names the row.
        expects: Column → value that it must hold.
    """
    found = _where(rows, where)
    if len(found) != 1:
        return Saw(False, f"{len(found)} rows with {_shown(where)}")
    wrong = {c: found[0].get(c) for c, value in (expects or {}).items() if not same(found[0].get(c), value)}
    return Saw(not wrong, _shown(wrong or found[0]))


def row_count(rows: Rows, where: Mapping[str, Any], count: int) -> Saw:
    """Whether so many rows, no more and no fewer, hold these values."""
    found = len(_where(rows, where))
    return Saw(found == count, f"{found} rows with {_shown(where)}")


def new_rows(before: Rows, after: Rows, key: str = "id") -> list[Mapping[str, Any]]:
    """The rows that were not there before, by the column that names a row."""
    known = {row[key] for row in before}
    return [row for row in after if row[key] not in known]


def same_rows(before: Rows, after: Rows, key: str, but: Collection[Any] = ()) -> Saw:
    """A guard: whether rows are as they were, none gone, none new, none changed.

    Args:
        before: On the untouched app.
        after: At the end.
        key: Column that names a row.
        but: Names of rows that may differ.

    Raises:
        ValueError: Two rows have one name, so that a change could hide.
    """
    was, now = (_by(rows, key, but) for rows in (before, after))
    touched = sorted(str(name) for name in was.keys() | now.keys() if was.get(name) != now.get(name))
    shown = f"changed: {', '.join(touched)}" if touched else f"{len(was)} rows as before"
    return Saw(not touched, shown[:SHOWN])


def near(value: Any, expected: int | float | Decimal, tolerance: int | float | Decimal = 0) -> Saw:
    """Whether a number is the expected one, give or take a tolerance that is itself allowed."""
    held, wanted, room = number(value), number(expected), number(tolerance)
    if wanted is None or room is None or room < 0:
        raise ValueError(f"{expected} ± {tolerance} is no expectation")
    return Saw(held is not None and abs(held - wanted) <= room, f"{value!r}"[:SHOWN])


def answered(response: Response, expects: Mapping[str, Any], status: int = 200) -> Saw:
    """Whether an API answered with a status and these values.

    Args:
        response: The answer.
        expects: Path into the document (``items.0.total``) → value.
        status: The status.
    """
    if response.status != status:
        return Saw(False, f"status {response.status}")
    held = {path: _at(response.body, path) for path in expects}
    wrong = {path: value for path, value in held.items() if not same(value, expects[path])}
    return Saw(not wrong, _shown(wrong or held))


def one_file(files: Sequence[KeptFile], name: str, says: Collection[Any] = ()) -> Saw:
    """Whether exactly one file has a name, and states these values.

    Args:
        files: All that there are.
        name: Its last name, case and all.
        says: What its text must state; a file without text states nothing.
    """
    found = [file for file in files if file.path.rpartition("/")[2] == name]
    if len(found) != 1:
        return Saw(False, f"{len(found)} files called {name}")
    missing = [value for value in says if not states(found[0].text or "", value)]
    return Saw(not missing, f"does not say {missing}"[:SHOWN] if missing else found[0].path)


def same_file(files: Sequence[KeptFile], name: str, sha256: str) -> Saw:
    """Whether a file of a name is, byte for byte, the one that is meant."""
    found = [file for file in files if file.path.rpartition("/")[2] == name]
    return Saw([file.sha256 for file in found] == [sha256], f"{len(found)} files called {name}")


def sent_once(
    messages: Sequence[SentMessage],
    to: Collection[str],
    *,
    subject: Any = "",
    says: Collection[Any] = (),
    attached: Collection[str] = (),
) -> Saw:
    """Whether exactly one message went to exactly these addresses and says what it must.

    Args:
        messages: All that were sent.
        to: Every address, of To, Cc and Bcc together.
        subject: What the subject must state.
        says: What the text must state.
        attached: Names of files that must be with it.
    """
    wanted = addresses(list(to))
    mine = [m for m in messages if addresses([*m.to, *m.cc, *m.bcc]) == wanted]
    if len(mine) != 1:
        return Saw(False, f"{len(mine)} of {len(messages)} messages went to {', '.join(sorted(wanted))}")
    missing = [value for value in says if not states(mine[0].text, value)]
    missing += [name for name in attached if name not in mine[0].attachments]
    missing += [subject] if subject and not states(mine[0].subject, subject) else []
    return Saw(not missing, f"lacks {missing}"[:SHOWN] if missing else mine[0].subject[:SHOWN])


def _by(rows: Rows, key: str, but: Collection[Any]) -> dict[Any, dict[str, Any]]:
    held = {row[key]: dict(row) for row in rows}
    if len(held) < len(rows):
        raise ValueError(f"column {key} does not name rows: a value is there twice")
    return {name: row for name, row in held.items() if name not in but}


def _where(rows: Rows, where: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if unknown := [column for column in where if rows and column not in rows[0]]:
        raise KeyError(f"no column {unknown[0]}")
    return [row for row in rows if all(same(row[column], value) for column, value in where.items())]


def _at(body: Any, path: str) -> Any:
    held = body
    for part in path.split("."):
        if isinstance(held, Mapping):
            held = held.get(part)
        elif isinstance(held, Sequence) and not isinstance(held, str) and part.isdecimal():
            held = held[int(part)] if int(part) < len(held) else None
        else:
            return None
    return held


def _shown(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in values.items())[:SHOWN]
