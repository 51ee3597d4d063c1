"""The reading aboard as the checks work it out of what the two apps' generators make."""

from collections.abc import Sequence
from typing import Any

import pytest

from tenure.grading.operate import grade, load_answers
from tenure.schema.evidence import Evidence
from tenure.schema.folder import CATALOG, find_operate, load_module
from tenure.schema.words import Outcome

from .held import Held, Rows, Work, data, evidence, failed, place, reading_room, the

TASK = "reading-night"
reading = load_module(CATALOG / "operate" / TASK / "checks.py")


def _box_office() -> dict[str, Rows]:
    """Rows of the box office as the task's probes give them."""
    made = data("pretix").box_office(0, "ines@h.example", "a@h.example")
    held: dict[str, Rows] = {kind: [] for kind in ("orders", "tickets", "payments", "refunds", "products")}
    held |= {"quotas": [], "questions": [], "lists": [], "vouchers": []}
    for event in made["events"]:
        where = {"event": event["slug"]}
        for item in event["items"]:
            row = {"id": len(held["products"]) + 1, "name": item["name"], "price": item["price"]}
            held["products"].append({**where, **row, "active": 1, "tax": None})
        for order in event["orders"]:
            number = len(held["orders"]) + 1
            row = {"id": number, "code": order["code"], "status": order["state"], "total": order["total"]}
            row |= {"email": order["email"], "comment": ""}
            held["orders"].append({**where, **row})
            for ticket in order["tickets"]:
                row = {"id": len(held["tickets"]) + 1, "order": order["code"], "status": order["state"]}
                row |= {"canceled": 0, "price": ticket["price"], "guest": ticket["guest"]}
                held["tickets"].append({**where, **row, "product": event["items"][ticket["item"]]["name"]})
    return held


def _held() -> Held:
    return {**_box_office(), **reading_room()}


def _evidence(**more: Rows) -> Evidence:
    return evidence({name: [*rows, *more.get(name, ())] for name, rows in _held().items()})


async def _outcomes(after: Evidence) -> dict[str, Outcome]:
    folder = find_operate("operate/reading-night")
    load_answers(folder)
    return {one.check: one.outcome for one in await grade(folder, _evidence(), after, judges=[])}


def test_paid_tickets_alone_decide_how_many_titles_are_shown():
    before = _evidence()
    assert len(reading._paid(before)) == 31
    assert len([row for row in before.rows("tickets") if row["event"] == reading.TOUR]) >= 32, "a near miss"
    assert reading._of_list_b(before) == ["Where the Anchor Was", "Where the Bell Was"]


def test_guests_are_the_authors_on_show_and_the_editor():
    before = _evidence()
    two = [row["title"] for row in reading._on_show(before).values() if ", " in row["authors"]]
    assert two, "a title has two authors"
    assert reading._guests(before)[-1] == reading.EDITOR
    held = {row["guest"] for row in reading._held(before)}
    assert held and held < set(reading._guests(before))


def test_the_annex_differs_from_the_catalogue_where_the_letter_says_so():
    shown = reading._on_show(_evidence())
    assert any(reading._isbn(row) != (reading.LIST_A | reading.LIST_B)[title] for title, row in shown.items())
    assert any(row["publisher"] == reading.TAKEN_OVER for row in shown.values())
    assert any(row["publisher"] not in (reading.TAKEN_OVER, reading.PRESS) for row in shown.values())


@pytest.mark.anyio
async def test_untouched_apps_pass_guards_alone():
    outcomes = await _outcomes(_evidence())
    passed = {check for check, outcome in outcomes.items() if outcome is Outcome.PASSED}
    assert passed == {"other-books", "other-shelves", "box-office"}
    assert set(outcomes.values()) == {Outcome.FAILED, Outcome.PASSED}


@pytest.mark.anyio
@pytest.mark.parametrize("count", [1, 2])
async def test_half_made_and_doubled_records_fail_checks_and_break_none(count: int):
    def empty(names: Sequence[str], **told: Any) -> Rows:
        return [{**dict.fromkeys(names), **told, "id": 9000 + n} for n in range(count)]

    after = _evidence(
        shelves=empty(["book_id", "keeper", "is_public"], name=reading.SHELF, place="9000 / -"),
        products=empty(["event", "price", "tax"], name="Reading seat"),
        quotas=empty(["event", "size", "products"], name="Reading"),
        questions=empty(["event", "type", "required", "products", "question"]),
        lists=empty(["event", "all", "unpaid", "products"], name="Cabin door"),
        vouchers=empty(
            ["tag", "effect", "value", "usages", "until", "reserved", "product", "event"], code="GNE-X"
        ),
        refunds=empty(["state", "amount", "provider"], order=reading._held(_evidence())[0]["order"]),
    )
    outcomes = await _outcomes(after)
    passed = {check for check, outcome in outcomes.items() if outcome is Outcome.PASSED}
    assert passed == {"other-books", "other-shelves", "box-office"}
    assert set(outcomes.values()) == {Outcome.FAILED, Outcome.PASSED}


def _work(held: Held) -> None:
    before = evidence(held)
    annex = reading.LIST_A | reading.LIST_B
    for title in reading._on_show(before):
        book = the(held["books"], title=title)
        held["shelves"].append(place(99, reading.SHELF, book["id"]))
        if title in reading._of_old_edition(before):
            book.update(identifiers=f"isbn:{annex[title]}", about="<p>Written anew.</p>")
        if book["publisher"] == reading.TAKEN_OVER:
            book["publisher"] = reading.PRESS
    struck = the(held["books"], title=reading.STRUCK)
    struck["tags"] += f", {reading.CATEGORY}"
    open_to_all = [row for row in held["shelves"] if row["book_id"] == struck["id"] and row["is_public"]]
    for row in open_to_all:
        held["shelves"].remove(row)
    where = {"event": reading.TOUR}
    for number, (name, price) in enumerate(reading.PRICES.items(), 900):
        held["products"].append(
            {**where, "id": number, "name": name, "price": price, "active": 1, "tax": None}
        )
    seats, tag = ", ".join(sorted(reading.PRICES)), reading.SHELF
    cabin = [row for row in reading._paid(before) if row["product"] == "Cabin"]
    size = reading.CHAIRS - len(cabin)
    held["quotas"].append({**where, "id": 900, "name": "Reading", "size": size, "products": seats})
    asked = {"question": "Name for the dedication", "type": "S", "required": 1, "products": "Seat with book"}
    held["questions"].append({**where, "id": 900, **asked})
    door = {"name": "Cabin door", "all": 0, "unpaid": 0, "products": f"Cabin, {seats}"}
    held["lists"].append({**where, "id": 900, **door})
    guests = reading._held(before)
    for row in guests:
        paid = {"order": row["order"], "amount": row["price"], "state": "done", "provider": "manual"}
        held["refunds"].append({"id": 900 + len(held["refunds"]), **paid})
        the(held["tickets"], id=row["id"])["price"] = 0
        the(held["orders"], code=row["order"])["total"] = 0
    for name in sorted(set(reading._guests(before)) - {row["guest"] for row in guests}):
        usual = {"tag": tag, "effect": "set", "value": 0, "reserved": 1, "product": "Reading seat"}
        told = {"code": reading._code(name), "until": "2027-12-11 20:00:00"}
        number = {"id": 900 + len(held["vouchers"]), "usages": 2 if name == reading.EDITOR else 1}
        held["vouchers"].append({**where, **usual, **told, **number})


def _edits(title: str, **values: Any) -> Work:
    return lambda held: the(held["books"], title=title).update(values)


def _takes_all_over(held: Held) -> None:
    for title in reading._on_show(evidence(_held())):
        the(held["books"], title=title)["publisher"] = reading.PRESS


def _makes_another_shelf(held: Held) -> None:
    held["shelves"].append(place(100, "Salt", None))


def _puts_what_is_struck_out_elsewhere(held: Held) -> None:
    book = the(held["books"], title=reading.STRUCK)["id"]
    held["shelves"].append(place(13, "Selim's list", book, keeper="selim.bassett", public=0))


def _order(held: Held) -> dict[str, Any]:
    return the(held["orders"], code=reading._held(evidence(_held()))[0]["order"])


def _writes_to_another(held: Held) -> None:
    _order(held)["email"] = "nobody@h.example"


def _pays(amount: int) -> Work:
    told = {"state": "confirmed", "amount": amount, "provider": "manual"}
    return lambda held: held["payments"].append({"id": 900, "order": _order(held)["code"], **told})


@pytest.mark.anyio
@pytest.mark.parametrize("more", [[], [_pays(0)]])
async def test_the_whole_work_passes(more: list[Work]) -> None:
    assert await failed(TASK, _held(), _work, *more) == set()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("wrong", "fails"),
    [
        (_takes_all_over, "other-books"),
        (_edits("Where the Bell Was", identifiers="isbn:9789390273669, asin:B1"), "other-books"),
        (_edits("Where the Ferry Was", identifiers="isbn:9783304172581, asin:B1"), "other-books"),
        (_edits("Where the Ferry Was", tags="Novels"), "other-books"),
        (_edits(reading.STRUCK, publisher=reading.PRESS), "other-books"),
        (_makes_another_shelf, "other-shelves"),
        (_puts_what_is_struck_out_elsewhere, "other-shelves"),
        (_writes_to_another, "box-office"),
        (_pays(5), "box-office"),
    ],
)
async def test_what_is_done_too_much_is_noticed(wrong: Work, fails: str) -> None:
    assert await failed(TASK, _held(), _work, wrong) == {fails}
