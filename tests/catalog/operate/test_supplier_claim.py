"""The claim as the checks work it out of what the three apps' generators make."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from tenure.grading.operate import grade, load_answers
from tenure.schema.evidence import Evidence
from tenure.schema.folder import CATALOG, find_operate
from tenure.schema.modules import load_module
from tenure.schema.words import Outcome

from .held import Held, Rows, Work, data, evidence, failed, ledger, say, the, tracker

TASK = "supplier-claim"
claim = load_module(CATALOG / "operate" / TASK / "checks.py")


def _books() -> dict[str, Rows]:
    """Rows of the books as the task's probes give them."""
    made = data("tryton").books(0)
    products = {one["code"]: one for one in made["products"]}
    price = {(one["code"], by["name"]): by["price"] for one in products.values() for by in one["suppliers"]}
    held: dict[str, Rows] = {"purchases": [], "lines": [], "offers": [], "invoices": [], "parties": []}
    for number, one in enumerate(made["purchases"], 1):
        state = one["state"]
        row = {"id": number, "number": str(number), "reference": one["reference"], "party": one["partner"]}
        row |= {"state": "done" if state == "delivered" else state, "day": one["date"]}
        row["shipment_state"] = {"delivered": "received", "processing": "waiting"}.get(state, "none")
        row["invoice_state"] = "paid" if state == "delivered" else "none"
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
        row = {"id": number, "name": one["name"], "code": one["code"], "terms": one["terms"]}
        held["parties"].append({**row, "customer_terms": "30 days", "city": one["town"], "active": 1})
    return held


def _held() -> Held:
    return {**_books(), "entries": ledger(), **tracker()}


def _evidence(**more: Rows) -> Evidence:
    held = _held()
    return evidence({name: [*rows, *more.get(name, ())] for name, rows in held.items()})


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


def _work(held: Held) -> None:
    before = evidence(held)
    mine, bottles, refund = claim._with_bottles(before, state="quotation"), claim._bottles(before), 64.03
    bought, offer = claim._bought(before), claim._other_offer(before)
    usual = {**mine, "description": None, "comment": None}
    held["purchases"] += [
        {**usual, "id": 90, "number": "99", "state": "processing", "reference": "Claim PO-48760"},
        {**usual, "id": 91, "number": "100", "party": offer["party"], "day": claim.ORDERED}
        | {"reference": "For return 99"},
    ]
    held["lines"] += [
        {**bought, "id": 90, "purchase": 90, "quantity": -bottles},
        {**bought, "id": 91, "purchase": 91, "quantity": bottles, "price": offer["price"]},
    ]
    note = {"type": "in", "state": "posted", "day": claim.REFUNDED, "party": claim.SUPPLIER}
    held["invoices"].append({**note, "id": 90, "purchase": 90, "total": -refund})
    the(held["purchases"], id=mine["id"])["state"] = "cancelled"
    the(held["parties"], name=claim.SUPPLIER)["terms"] = "60 days"
    entry = {"account": "Current account", "day": 20261030, "amount": 6403, "payee": claim.SUPPLIER}
    entry |= {"category": "Repairs", "notes": "Refund for return 99"}
    held["entries"].append({**dict.fromkeys(held["entries"][0]), **entry, "id": "refund"})
    the(held["entries"], id=claim._bare(before)["id"])["category"] = "Repairs"
    the(held["entries"], id=claim._bill(before)["id"])["amount"] = -6860
    task = {"title": "Return 99 to Stroud Mill", "type": "operations", "priority": "high"}
    assigned = claim._bugs(before)[-1]["assignee"]
    held["tasks"].append({**task, "id": 90, "assigned": assigned, "components": "stock"})
    say(held, "task", 90, f"{bottles} bottles go back; {refund} EUR were refunded.")
    for bug in claim._bugs(before):
        the(held["bugs"], id=bug["id"]).update(status="closed", resolution="invalid")
        say(held, "bug", bug["id"], "See task90.")


def _changes(probe: str, number: int, **values: Any) -> Work:
    return lambda held: the(held[probe], id=number).update(values)


def _supplier(**values: Any) -> Work:
    return lambda held: the(held["parties"], name=claim.SUPPLIER).update(values)


def _adds(probe: str, **values: Any) -> Work:
    return lambda held: held[probe].append({**held[probe][-1], "id": 9000, **values})


def _offers_more(held: Held) -> None:
    offer = the(held["purchases"], reference="PO-65806")
    held["lines"].append({**held["lines"][0], "id": 9000, "purchase": offer["id"]})


def _says_when(held: Held) -> None:
    the(held["purchases"], reference="PO-65806").update(day="2026-12-01")


def _says_of_a_closed_bug(held: Held) -> None:
    closed = [bug["id"] for bug in held["bugs"] if bug["status"] == "closed"]
    say(held, "bug", closed[0], "It was the bottles.")


def _tries_again(held: Held) -> None:
    """Leave a return that was wrong, cancelled, beside the right one."""
    held["purchases"].append({**the(held["purchases"], id=90), "id": 92, "state": "cancelled"})
    held["lines"].append({**the(held["lines"], id=90), "id": 92, "purchase": 92})


def _cancels_as_the_app_does(held: Held) -> None:
    the(held["purchases"], reference="PO-65806").update(shipment_state="exception", invoice_state="exception")


@pytest.mark.anyio
@pytest.mark.parametrize("more", [[], [_tries_again], [_cancels_as_the_app_does]])
async def test_the_whole_work_passes(more: list[Work]) -> None:
    assert await failed(TASK, _held(), _work, *more) == set()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("wrong", "fails"),
    [
        (_supplier(customer_terms="60 days"), {"terms", "books"}),
        (_supplier(active=0), {"terms", "books"}),
        (_changes("invoices", 90, total=-63.02), {"credit"}),
        (_adds("invoices", purchase=None), {"books"}),
        (_adds("invoices", purchase=12), {"books"}),
        (_adds("parties", name="Stroud Mills"), {"books"}),
        (_adds("offers", price=0.2), {"books"}),
        (_adds("purchases", party="Gale Inn"), {"books"}),
        (_offers_more, {"books"}),
        (_says_when, {"books"}),
        (_says_of_a_closed_bug, {"tracker"}),
    ],
)
async def test_what_is_done_too_much_is_noticed(wrong: Work, fails: set[str]) -> None:
    assert await failed(TASK, _held(), _work, wrong) == fails
