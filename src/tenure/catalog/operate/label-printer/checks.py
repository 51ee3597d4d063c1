"""What ledger and tracker must hold at the end."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate import Answers, actual, roundup
from tenure.grading.operate.content import says
from tenure.grading.operate.state import new_rows, one_row, same_rows
from tenure.schema.evidence import Evidence

RECEIPT = Path(__file__).parent / "inputs" / "receipt.png"
DAY, SHOP, NUMBER, TOTAL = 20261029, "Zinnober Tools", "20418", -33060
LABELS = "is printed without its date"
checks = Answers({**actual.PROBES, **roundup.PROBES})
Row = Mapping[str, Any]


def _new(before: Evidence, after: Evidence, probe: str) -> list[Row]:
    return new_rows(before.rows(probe), after.rows(probe))


def _parts(before: Evidence, after: Evidence) -> list[Row]:
    return [row for row in _new(before, after, "entries") if row["part_of"]]


def _bare(before: Evidence) -> list[Row]:
    """The entries that had no category."""
    rows = before.rows("entries")
    return [row for row in rows if not (row["category"] or row["transfer_id"] or row["whole"])]


def _twice(before: Evidence) -> list[Row]:
    """The entries of the bill that was there twice."""
    names = ("day", "amount", "account", "payee", "category", "notes")
    known: dict[tuple[Any, ...], list[Row]] = {}
    for row in before.rows("entries"):
        known.setdefault(tuple(row[name] for name in names), []).append(row)
    (found,) = [rows for rows in known.values() if len(rows) > 1]
    return found


def _categorised(before: Evidence, after: Evidence, account: str) -> Saw:
    wrong = []
    for bare in _bare(before):
        if bare["account"] != account:
            continue
        others = {row["category"] for row in before.rows("entries") if row["payee"] == bare["payee"]}
        (usual,) = others - {None}
        seen = one_row(after.rows("entries"), {"id": bare["id"]}, {**bare, "category": usual})
        wrong += [] if seen.ok else [f"{bare['payee']}: {seen.text}"]
    return Saw(not wrong, "; ".join(wrong) or "all as their payees' others")


@checks("booked")
def booked(before: Evidence, after: Evidence) -> Saw:
    new = [row for row in _new(before, after, "entries") if not row["part_of"]]
    return one_row(new, {}, {"account": "Card", "day": DAY, "amount": TOTAL, "whole": True})


@checks("note")
def note(before: Evidence, after: Evidence) -> Saw:
    new = [row for row in _new(before, after, "entries") if row["whole"]]
    return one_row(new, {}, {"account": "Card", "notes": f"Receipt {NUMBER}"})


@checks("printer")
def printer(before: Evidence, after: Evidence) -> Saw:
    return one_row(_parts(before, after), {"category": "Technique"}, {"amount": -28900, "payee": SHOP})


@checks("rolls")
def rolls(before: Evidence, after: Evidence) -> Saw:
    parts = _parts(before, after)
    seen = one_row(parts, {"category": "Print and posters"}, {"amount": -4160, "payee": SHOP})
    return Saw(seen.ok and len(parts) == 2, f"{len(parts)} parts; {seen.text}")


@checks("categories-current")
def categories_current(before: Evidence, after: Evidence) -> Saw:
    return _categorised(before, after, "Current account")


@checks("categories-card")
def categories_card(before: Evidence, after: Evidence) -> Saw:
    return _categorised(before, after, "Card")


@checks("twice")
def twice(before: Evidence, after: Evidence) -> Saw:
    known = {row["id"]: row for row in _twice(before)}
    left = [row for row in after.rows("entries") if row["id"] in known]
    return Saw(len(left) == 1 and left[0] == known[left[0]["id"]], f"{len(left)} of {len(known)} entries")


@checks("ledger")
def ledger(before: Evidence, after: Evidence) -> Saw:
    new = _new(before, after, "entries")
    added = [row["id"] for row in new if not row["part_of"]]
    strays = [row for row in new if row["part_of"] and row["part_of"] not in added]
    if len(added) > 1 or strays:
        return Saw(False, f"{len(added)} new entries, {len(strays)} new parts of others")
    meant = [row["id"] for row in (*_bare(before), *_twice(before), *new)]
    return same_rows(before.rows("entries"), after.rows("entries"), key="id", but=meant)


def _task(before: Evidence, after: Evidence) -> Row | None:
    new = _new(before, after, "tasks")
    return new[0] if len(new) == 1 else None


@checks("task")
def task(before: Evidence, after: Evidence) -> Saw:
    expects = {"title": "Label printer LP-270 in service", "type": "operations", "priority": "high"}
    return one_row(_new(before, after, "tasks"), {}, expects)


@checks("assigned")
def assigned(before: Evidence, after: Evidence) -> Saw:
    return one_row(_new(before, after, "tasks"), {}, {"assigned": "yorick.crane", "components": "stock"})


@checks("attached")
def attached(before: Evidence, after: Evidence) -> Saw:
    new = _task(before, after)
    ids = [
        row["id"]
        for row in after.rows("links")
        if new and (row["kind"], row["what"], row["item"]) == ("task", "file", new["id"])
    ]
    held = {file.path.rpartition("/")[2]: file.sha256 for file in after.files("files")}
    found = [held.get(f"file{id}") for id in ids]
    return Saw(found == [sha256(RECEIPT.read_bytes()).hexdigest()], f"{len(found)} files")


@checks("told")
def told(before: Evidence, after: Evidence) -> Saw:
    new = _task(before, after)
    return says(roundup.said(before, after, "task", new["id"]) if new else "", [NUMBER, 330.6])


def _label_bugs(before: Evidence) -> list[Row]:
    return [row for row in before.rows("bugs") if LABELS in row["title"] and row["status"] != "closed"]


@checks("closed")
def closed(before: Evidence, after: Evidence) -> Saw:
    wrong = []
    for bug in _label_bugs(before):
        expects = {**bug, "status": "closed", "resolution": "fixed"}
        seen = one_row(after.rows("bugs"), {"id": bug["id"]}, expects)
        wrong += [] if seen.ok else [f"bug {bug['id']}: {seen.text}"]
    return Saw(not wrong, "; ".join(wrong) or "both")


@checks("because")
def because(before: Evidence, after: Evidence) -> Saw:
    new = _task(before, after)
    if new is None:
        return Saw(False, "there is no new task, or more than one")
    missing = [
        str(bug["id"])
        for bug in _label_bugs(before)
        if not says(roundup.said(before, after, "bug", bug["id"]), [f"task{new['id']}"]).ok
    ]
    return Saw(not missing, f"not in {', '.join(missing)}" if missing else "in both")


@checks("tracker")
def tracker(before: Evidence, after: Evidence) -> Saw:
    return roundup.untouched(before, after, [row["id"] for row in _label_bugs(before)])
