"""What the cash book must hold at the end."""

from tenure.grading.check import Saw
from tenure.grading.operate import Answers
from tenure.grading.operate.state import one_row, same_rows
from tenure.schema.evidence import Evidence, SqlProbe

ENTRIES = "SELECT id, day, shop, category, amount FROM entry ORDER BY id"
NEW = {"day": "2026-04-14", "shop": "Lantern Café"}
checks = Answers({"entries": SqlProbe(app="cashbook", query=ENTRIES)})


@checks("booked")
def booked(before: Evidence, after: Evidence) -> Saw:
    return one_row(after.rows("entries"), NEW, {"category": "Food", "amount": 23.80})


@checks("corrected")
def corrected(before: Evidence, after: Evidence) -> Saw:
    (was,) = [row for row in before.rows("entries") if row["day"] == "2026-01-09"]
    return one_row(after.rows("entries"), {"id": was["id"]}, {**was, "category": "Travel"})


@checks("twice")
def twice(before: Evidence, after: Evidence) -> Saw:
    same = [row for row in before.rows("entries") if row["day"] == "2026-01-05"]
    left = [row for row in after.rows("entries") if row["day"] == "2026-01-05"]
    return Saw(len(left) == 1 and left[0] in same, f"{len(left)} of {len(same)} entries")


@checks("others")
def others(before: Evidence, after: Evidence) -> Saw:
    meant = [row["id"] for row in before.rows("entries") if row["day"] in ("2026-01-05", "2026-01-09")]
    return same_rows(
        [row for row in before.rows("entries") if row["id"] not in meant],
        [row for row in after.rows("entries") if row["id"] not in meant and not NEW.items() <= row.items()],
        key="id",
    )
