"""The claim as the checks work it out of what the three apps' generators make."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from tenure.apps.recipe import find_recipe
from tenure.grading.operate import grade, load_answers
from tenure.schema.evidence import Evidence, Got
from tenure.schema.folder import CATALOG, find_operate
from tenure.schema.modules import load_module
from tenure.schema.words import Outcome

claim = load_module(CATALOG / "operate" / "supplier-claim" / "checks.py")
Rows = list[dict[str, Any]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _data(app: str) -> Any:
    return load_module(find_recipe(app).path / "data.py")


def _books() -> dict[str, Rows]:
    """Rows of the books as the task's probes give them."""
    made = _data("tryton").books(0)
    products = {one["code"]: one for one in made["products"]}
    price = {(one["code"], by["name"]): by["price"] for one in products.values() for by in one["suppliers"]}
    held: dict[str, Rows] = {"purchases": [], "lines": [], "offers": [], "invoices": [], "parties": []}
    for number, one in enumerate(made["purchases"], 1):
        state = one["state"]
        row = {"id": number, "number": str(number), "reference": one["reference"], "party": one["partner"]}
        row |= {"state": "done" if state == "delivered" else state, "day": one["date"]}
        row["shipment_state"] = {"delivered": "received", "processing": "waiting"}.get(state, "none")
        held["purchases"].append(row)
        for line in one["lines"]:
            product = products[line["code"]]
            row = {"id": len(held["lines"]) + 1, "purchase": number, "product": product["name"]}
            row |= {"quantity": line["quantity"], "tax": float(product["vat"])}
            row["price"] = float(price[line["code"], one["partner"]])
            held["lines"].append(row)
    for (code, party), cost in price.items():
        row = {"id": len(held["offers"]) + 1, "party": party, "product": products[code]["name"]}
        held["offers"].append(row | {"price": float(cost)})
    for number, one in enumerate(made["partners"], 1):
        held["parties"].append({"id": number, "name": one["name"], "terms": one["terms"]})
    return held


def _entries() -> Rows:
    entries = _data("actual").ledger(0)["entries"]
    return [
        {
            **one,
            "id": f"entry {n}",
            "day": int(one["date"].replace("-", "")),
            "category": one["category"] or None,
        }
        for n, one in enumerate(entries)
    ]


def _bugs() -> Rows:
    held: dict[str, dict[str, Any]] = {}
    for act in _data("roundup").tracker(0)["actions"]:
        if act["item"].startswith("bug"):
            new = {"id": len(held) + 1, "created": act["at"], "resolution": None, "assignee": None}
            held.setdefault(act["item"], new).update(act["values"])
    return list(held.values())


def _evidence(**more: Rows) -> Evidence:
    rows: dict[str, Rows] = {**_books(), "entries": _entries(), "bugs": _bugs(), "tasks": [], "links": []}
    for name, new in more.items():
        rows[name] = [*rows[name], *new]
    got = {name: Got(rows=tuple(held)) for name, held in rows.items()}
    return Evidence(got={**got, "files": Got(files=())})


def test_the_right_things_are_found_among_near_misses() -> None:
    before = _evidence()
    assert [bug["title"][15:21] for bug in claim._bugs(before)] == ["NR-561", "HR-189", "KS-791"]
    assert (claim._bottles(before), claim._refund(before)) == (252, Decimal("64.03"))
    assert claim._arrived(before)["reference"] == "PO-48760"
    assert claim._with_bottles(before, state="quotation")["reference"] == "PO-65806"
    offer = claim._other_offer(before)
    assert (offer["party"], offer["price"]) == ("Lowe Haulage", 0.22)
    assert (claim._bill(before)["amount"], claim._bare(before)["day"]) == (-8660, 20261008)
    assert claim._usual(before) == "Repairs"


async def _outcomes(after: Evidence) -> dict[str, Outcome]:
    folder = find_operate("operate/supplier-claim")
    load_answers(folder)
    return {one.check: one.outcome for one in await grade(folder, _evidence(), after, judges=[])}


@pytest.mark.anyio
@pytest.mark.parametrize("count", [1, 2])
async def test_half_made_and_doubled_records_fail_checks_and_break_none(count: int) -> None:
    def empty(names: Sequence[str], *bases: dict[str, Any]) -> Rows:
        return [{**dict.fromkeys(names), **base, "id": 9000 + n} for n, base in enumerate(bases * count)]

    before = _evidence()
    made = empty(
        [*before.rows("purchases")[0]],
        {"party": "Stroud Mill"},
        {"party": "Lowe Haulage"},
        {"party": "Gale Inn"},
    )
    after = _evidence(
        purchases=made,
        lines=[{**dict.fromkeys(before.rows("lines")[0]), "id": 9000, "purchase": made[0]["id"]}],
        invoices=empty(["type", "state", "day", "party", "purchase"], {"purchase": made[0]["id"]}),
        entries=empty([*before.rows("entries")[0]], {}),
        tasks=empty(["title", "type", "priority", "assigned", "components"], {}),
    )
    outcomes = await _outcomes(after)
    passed = {check for check, outcome in outcomes.items() if outcome is Outcome.PASSED}
    assert set(outcomes.values()) == {Outcome.FAILED, Outcome.PASSED}
    assert passed == {"ledger", "tracker"}, "a purchase of a stranger is harm"


@pytest.mark.anyio
async def test_untouched_apps_pass_guards_alone() -> None:
    outcomes = await _outcomes(_evidence())
    passed = {check for check, outcome in outcomes.items() if outcome is Outcome.PASSED}
    assert passed == {"books", "ledger", "tracker"}
    assert set(outcomes.values()) == {Outcome.FAILED, Outcome.PASSED}
