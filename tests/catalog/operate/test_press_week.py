"""What the press house's week asks for, worked out of what the two apps' generators make."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from tenure.schema.evidence import Evidence
from tenure.schema.folder import CATALOG, load_module

from .held import Held, data, evidence, fails, handbook, the

facts = load_module(CATALOG / "operate" / "press-week" / "facts.py")
BOTTLE = ("P-01", "P-02", "P-03")


def _press_house() -> dict[str, list[dict[str, Any]]]:
    """Rows as the task's probes give them."""
    made = data("orchard").press_house(0)
    contacts = {one["name"]: one["contact"] for one in made["growers"]}
    names = {one["code"]: one["name"] for one in made["apples"]}
    parts = {one["code"]: [(code, each / 100) for code, each in one["of"]] for one in made["musts"]}
    parts |= {one["code"]: [(one["of"], 0.75), *((code, 1.0) for code in BOTTLE)] for one in made["bottled"]}
    moves: list[dict[str, Any]] = []
    deliveries: list[dict[str, Any]] = []
    productions: list[dict[str, Any]] = []

    def move(product: str, lot: str | None, quantity: float, source: str, target: str, **more: Any) -> None:
        usual = {"name": names.get(product, ""), "state": "done", "shipment": None}
        usual |= {"used_by": None, "made_by": None, "source": source, "target": target}
        moves.append(
            {"id": len(moves), "product": product, "lot": lot, "quantity": quantity, **usual, **more}
        )

    for number, one in enumerate(made["deliveries"], 1):
        grower, shipment = one["grower"], f"stock.shipment.in,{number}"
        told = {"id": number, "shipment": shipment, "grower": grower, "contact": contacts[grower]}
        deliveries.append({**told, "day": one["day"]})
        for line in one["lines"]:
            way = (line["code"], line["lot"], float(line["kilograms"]))
            move(*way, "Supplier", "Input Zone", shipment=shipment)
            move(*way, "Input Zone", "Storage Zone", shipment=shipment)
    for number, one in enumerate(made["runs"], 1):
        lots = {each["code"]: each["lot"] for each in one["inputs"]} if one["state"] == "done" else {}
        told = {"id": number, "reference": one["lot"], "product": one["code"], "state": one["state"]}
        productions.append({**told, "quantity": float(one["quantity"])})
        for code, each in parts[one["code"]]:
            way = (code, lots.get(code), one["quantity"] * each, "Storage Zone", "Production")
            move(*way, used_by=number, state=one["state"])
        lot = one["lot"] if one["state"] == "done" else None
        way = (one["code"], lot, float(one["quantity"]), "Production", "Storage Zone")
        move(*way, made_by=number, state=one["state"])
    return {"moves": moves, "deliveries": deliveries, "productions": productions}


def _evidence() -> Evidence:
    return evidence(_held())


def _held() -> Held:
    return {**_press_house(), "inspections": [], "alerts": [], "pages": handbook()}


def test_a_delivery_is_followed_to_what_is_left_of_it():
    before = _evidence()
    assert (facts.delivery(before)["grower"], facts.delivery(before)["day"]) == (
        "Winter Haulage",
        "2026-10-22",
    )
    assert facts.recalled(before) == (
        {"A-02-26084": 630.0, "A-01-26084": 1120.0, "A-03-26084": 730.0},
        {"M-01-2608": 800.0},
    )


def test_only_the_bottling_of_the_recalled_must_is_given_up():
    assert [row["reference"] for row in facts.given_up(_evidence())] == ["B-01-2608"]


def test_all_that_was_delivered_is_claimed_though_some_is_used():
    assert facts.price(_evidence()) == Decimal("1024.80")


def test_a_bottling_takes_its_plan_and_its_own_weeks_must():
    packing = {(code, None): 636.0 for code in BOTTLE}
    assert facts.planned(_evidence(), facts.JUICE) == {("M-02", "M-02-2606"): 477.0, **packing}


def test_the_handbooks_newest_rules_hold():
    before = _evidence()
    assert facts.owner(before, "works/lab-bench") == "Wim Crane"
    assert facts.decides(before, "purchasing/claims") == "Arno Kade"
    assert facts.again(before, "works/lab-bench") == date(2026, 11, 9)
    assert facts.paper(before, "works/best-before-dates") == date(2027, 1, 2)


def _inspects(held: Held, reference: str, alert: bool = False) -> None:
    run = the(held["productions"], reference=reference)["id"]
    number = len(held["inspections"]) + 1
    held["inspections"].append({"id": number, "origin": f"production,{run}", "state": "failed"})
    if alert:
        told = {"title": None, "description": None, "state": "open"}
        held["alerts"].append({"id": number, "origin": f"quality.inspection,{number}", **told})


def _cancels(held: Held, **values: Any) -> None:
    (run,) = facts.given_up(_evidence())
    the(held["productions"], id=run["id"]).update(state="cancelled", **values)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("work", "check", "wrong"),
    [
        (lambda held: _inspects(held, facts.JUICE.reference), "other-work", False),
        (lambda held: _inspects(held, facts.PERRY.reference, alert=True), "other-work", False),
        (lambda held: _inspects(held, facts.JUICE.reference, alert=True), "other-work", True),
        (lambda held: _inspects(held, facts.WAITS), "other-work", True),
        (lambda held: _inspects(held, "B-01-2608"), "other-work", True),
        (_cancels, "cancelled", False),
        (lambda held: _cancels(held, quantity=1.0), "cancelled", True),
        (lambda held: the(held["pages"], path=facts.DATES).update(content="More"), "other-pages", False),
        (lambda held: the(held["pages"], path=facts.DATES).update(title="Dates"), "other-pages", True),
    ],
)
async def test_what_is_done_too_much_is_noticed(work: Callable[[Held], None], check: str, wrong: bool):
    after = _held()
    work(after)
    assert await fails("press-week", check, _held(), after) == wrong
