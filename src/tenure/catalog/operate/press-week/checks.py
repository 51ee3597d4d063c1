"""What the press house and the handbook must hold at the end."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate import Answers, wiki
from tenure.grading.operate.content import extracted
from tenure.grading.operate.state import new_rows, one_row, same, same_rows
from tenure.grading.values import number
from tenure.schema.evidence import Evidence

from .facts import (
    DATES,
    DAY,
    JUICE,
    LATER,
    PERRY,
    PROBES,
    QUARANTINE,
    RECALL,
    STORAGE,
    WAITS,
    Bottling,
    Row,
    again,
    decides,
    delivery,
    given_up,
    made,
    owner,
    paper,
    planned,
    price,
    production,
    recalled,
    stock,
    used,
    written,
)

LAB, CLAIMS = "works/lab-bench", "purchasing/claims"
_LISTED = re.compile(r"[-*] (\S+): ([\d.,]+) (kg|l)")
checks = Answers(PROBES)


def _all(parts: Mapping[str, Saw]) -> Saw:
    """All of several findings; what is shown is what is wrong."""
    wrong = [f"{name}: {saw.text}" for name, saw in parts.items() if not saw.ok]
    return Saw(bool(parts) and not wrong, "; ".join(wrong) or "; ".join(saw.text for saw in parts.values()))


def _new(before: Evidence, after: Evidence, probe: str) -> list[Row]:
    return new_rows(before.rows(probe), after.rows(probe))


@checks("place")
def place(before: Evidence, after: Evidence) -> Saw:
    expects = {"type": "storage", "parent": "Warehouse", "active": True}
    return one_row(_new(before, after, "locations"), {"name": QUARANTINE}, expects)


def _moved(after: Evidence, wanted: Mapping[str, float]) -> Saw:
    """Whether all that was left of some lots, and no more, is in quarantine."""
    there, left = stock(after, QUARANTINE), stock(after, STORAGE)
    seen = {lot: (there.get(lot, 0.0), left.get(lot, 0.0)) for lot in wanted}
    right = {lot: (amount, 0.0) for lot, amount in wanted.items()}
    return Saw(bool(wanted) and seen == right, f"in quarantine and in storage: {seen}")


@checks("apples")
def apples(before: Evidence, after: Evidence) -> Saw:
    return _moved(after, recalled(before)[0])


@checks("must")
def must(before: Evidence, after: Evidence) -> Saw:
    return _moved(after, recalled(before)[1])


@checks("shipment")
def shipment(before: Evidence, after: Evidence) -> Saw:
    new = [row for row in _new(before, after, "shipments") if row["state"] != "cancelled"]
    expects = {"state": "done", "day": DAY, "source": STORAGE, "target": QUARANTINE}
    seen = one_row(new, {}, {"reference": delivery(before)["grower"], **expects})
    there, wanted = (stock(after, QUARANTINE), [lot for lots in recalled(before) for lot in lots])
    return _all(
        {"shipment": seen, "lots": Saw(sorted(there) == sorted(wanted), f"in quarantine: {sorted(there)}")}
    )


@checks("cancelled")
def cancelled(before: Evidence, after: Evidence) -> Saw:
    meant = given_up(before)
    rows = after.rows("productions")
    return _all({r["reference"]: one_row(rows, {"id": r["id"]}, {**r, "state": "cancelled"}) for r in meant})


def _bottled(before: Evidence, after: Evidence, bottling: Bottling, state: str) -> Saw:
    """Whether a production has used what was planned of the right must, and gives the new lot."""
    run = production(before, bottling.reference)["id"]
    took = used(after, run, ("done",))
    gave = made(after, run, ("draft", "assigned", "done") if state == "running" else ("done",))
    wanted = {(bottling.product, bottling.reference): bottling.came_out}
    return _all(
        {
            "materials": Saw(took == planned(before, bottling), str(took)),
            "bottles": Saw(gave == wanted, str(gave)),
        }
    )


@checks("juice")
def juice(before: Evidence, after: Evidence) -> Saw:
    expects = {"state": "done", "begun": DAY, "ended": DAY, "quantity": 636}
    return one_row(after.rows("productions"), {"reference": JUICE.reference}, expects)


@checks("juice-made")
def juice_made(before: Evidence, after: Evidence) -> Saw:
    return _bottled(before, after, JUICE, "done")


@checks("perry")
def perry(before: Evidence, after: Evidence) -> Saw:
    expects = {"state": "running", "begun": DAY}
    seen = one_row(after.rows("productions"), {"reference": PERRY.reference}, expects)
    return _all({"production": seen, "bottling": _bottled(before, after, PERRY, "running")})


@checks("lots")
def lots(before: Evidence, after: Evidence) -> Saw:
    keeps = {row["product"]: row["keeps"] for row in before.rows("lots")}
    return _all(
        {
            bottling.reference: one_row(
                _new(before, after, "lots"),
                {"number": bottling.reference},
                {"product": bottling.product, "until": DAY + timedelta(keeps[bottling.product])},
            )
            for bottling in (JUICE, PERRY)
        }
    )


def _inspected(
    before: Evidence, after: Evidence, bottling: Bottling, state: str, found: dict[str, Any]
) -> Saw:
    """Whether a bottling has one inspection, in a state, with what was measured."""
    origin = f"production,{production(before, bottling.reference)['id']}"
    mine = [row for row in _new(before, after, "inspections") if row["origin"] == origin]
    seen = one_row(mine, {}, {"control": "Bottling check", "state": state})
    if not seen.ok:
        return seen
    held = json.loads(mine[0]["points"] or "{}")
    return Saw(all(same(held.get(name), value) for name, value in found.items()), str(held))


@checks("juice-inspected")
def juice_inspected(before: Evidence, after: Evidence) -> Saw:
    found = {"alcohol": Decimal(0), "pressure": Decimal("2.1"), "label": True}
    return _inspected(before, after, JUICE, "passed", found)


@checks("perry-inspected")
def perry_inspected(before: Evidence, after: Evidence) -> Saw:
    found = {"alcohol": Decimal("7.7"), "pressure": Decimal("3.3"), "label": True}
    return _inspected(before, after, PERRY, "failed", found)


@checks("alert")
def alert(before: Evidence, after: Evidence) -> Saw:
    run = f"production,{production(before, PERRY.reference)['id']}"
    origins = [f"quality.inspection,{row['id']}" for row in after.rows("inspections") if row["origin"] == run]
    mine = [row for row in _new(before, after, "alerts") if row["origin"] in origins]
    says = f"{owner(before, LAB)} checks it again on {written(again(before, LAB))}"
    seen = one_row(mine, {}, {"state": "processing", "title": f"Bottling check of {PERRY.reference}"})
    held = mine[0]["description"] if len(mine) == 1 else None
    return _all({"alert": seen, "description": Saw(same((held or "").strip(" ."), says), f"{held!r}")})


def _settled(before: Evidence) -> list[Row]:
    return [row for row in before.rows("alerts") if row["state"] == "open"]


@checks("settled")
def settled(before: Evidence, after: Evidence) -> Saw:
    rows = after.rows("alerts")
    return _all(
        {
            f"alert {row['id']}": one_row(rows, {"id": row["id"]}, {**row, "state": "resolved"})
            for row in _settled(before)
        }
    )


@checks("later")
def later(before: Evidence, after: Evidence) -> Saw:
    was = production(before, WAITS)
    return one_row(after.rows("productions"), {"id": was["id"]}, {**was, "planned": LATER})


@checks("page")
def page(before: Evidence, after: Evidence) -> Saw:
    expects = {"title": "Recall of 2 November 2026", "deleted": False}
    grower = extracted(wiki.text(after, RECALL), r"(?m)^Grower: *(.+?)\.?\s*$", delivery(before)["grower"])
    return _all({"page": one_row(after.rows("pages"), {"path": RECALL}, expects), "grower": grower})


@checks("list")
def listed(before: Evidence, after: Evidence) -> Saw:
    units = {row["lot"]: row["unit"] for row in before.rows("moves")}
    wanted = [
        (lot, number(amount), units[lot])
        for lot, amount in sorted({**recalled(before)[0], **recalled(before)[1]}.items())
    ]
    held = [line for line in wiki.lines(after, RECALL) if line[0] in "-*"]
    found = [(one[1], number(one[2]), one[3]) for line in held if (one := _LISTED.fullmatch(line))]
    return Saw(len(found) == len(held) and found == wanted, "; ".join(held))


@checks("claim")
def claim(before: Evidence, after: Evidence) -> Saw:
    text = wiki.text(after, RECALL)
    return _all(
        {
            "claim": extracted(text, r"(?m)^Claim: *([\d.,]*\d) *euros?\.?\s*$", price(before)),
            "decides": extracted(text, r"(?m)^Decides: *(.+?)\.?\s*$", decides(before, CLAIMS)),
        }
    )


@checks("dates")
def dates(before: Evidence, after: Evidence) -> Saw:
    (keeps,) = {row["keeps"] for row in before.rows("lots") if row["product"] == JUICE.product}
    until, copy = written(DAY + timedelta(keeps)), written(paper(before, DATES))
    line = f"{JUICE.reference}: best before {until}, paper copy until {copy}"
    text = wiki.text(after, DATES)
    return Saw(text.rstrip(".") == f"{wiki.text(before, DATES)}\n\n{line}", text[-200:])


def _runs(before: Evidence) -> list[Row]:
    """The productions that are worked on."""
    return [*(production(before, one.reference) for one in (JUICE, PERRY)), *given_up(before)]


def _same(before: Evidence, probe: str, left: Sequence[Row], but: Collection[Any] = ()) -> Saw:
    return same_rows(before.rows(probe), left, key="id", but=but)


@checks("other-stock")
def other_stock(before: Evidence, after: Evidence) -> Saw:
    runs = {row["id"] for row in _runs(before)}
    meant = {lot for lots in recalled(before) for lot in lots}
    numbers = {JUICE.reference, PERRY.reference}

    def touched(move: Row) -> bool:
        return bool({move["used_by"], move["made_by"]} & runs) or (
            move["target"] == QUARANTINE and move["lot"] in meant
        )

    old = {row["id"] for row in before.rows("lots")}
    return _all(
        {
            "movements": same_rows(
                [move for move in before.rows("moves") if not touched(move)],
                [move for move in after.rows("moves") if not touched(move)],
                key="id",
            ),
            "lots": _same(
                before,
                "lots",
                [row for row in after.rows("lots") if row["id"] in old or row["number"] not in numbers],
            ),
            "deliveries": _same(before, "deliveries", after.rows("deliveries")),
            "locations": _same(
                before, "locations", [row for row in after.rows("locations") if row["name"] != QUARANTINE]
            ),
        }
    )


@checks("other-work")
def other_work(before: Evidence, after: Evidence) -> Saw:
    runs = {row["id"] for row in (*_runs(before), production(before, WAITS))}
    juice, perry = (f"production,{production(before, one.reference)['id']}" for one in (JUICE, PERRY))
    failed = [row for row in _new(before, after, "inspections") if row["origin"] == perry]
    fresh = {f"quality.inspection,{row['id']}" for row in failed}
    return _all(
        {
            "productions": _same(before, "productions", after.rows("productions"), runs),
            "inspections": _same(
                before,
                "inspections",
                [row for row in after.rows("inspections") if row["origin"] not in (juice, perry)],
            ),
            "alerts": _same(
                before,
                "alerts",
                [row for row in after.rows("alerts") if row["origin"] not in fresh],
                {row["id"] for row in _settled(before)},
            ),
        }
    )


@checks("other-pages")
def other_pages(before: Evidence, after: Evidence) -> Saw:
    return wiki.untouched(before, after, written=[DATES], new=[RECALL])
