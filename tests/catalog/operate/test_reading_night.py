"""The reading aboard as the checks work it out of what the two apps' generators make."""

from collections.abc import Sequence
from typing import Any

import pytest

from tenure.apps.recipe import find_recipe
from tenure.grading.operate import grade, load_answers
from tenure.schema.evidence import Evidence, Got
from tenure.schema.folder import CATALOG, find_operate, load_module
from tenure.schema.words import Outcome

reading = load_module(CATALOG / "operate" / "reading-night" / "checks.py")
Rows = list[dict[str, Any]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _box_office() -> dict[str, Rows]:
    """Rows of the box office as the task's probes give them."""
    made = load_module(find_recipe("pretix").path / "data.py").box_office(0, "ines@h.example", "a@h.example")
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
            held["orders"].append({**where, **row})
            for ticket in order["tickets"]:
                row = {"id": len(held["tickets"]) + 1, "order": order["code"], "status": order["state"]}
                row |= {"canceled": 0, "price": ticket["price"], "guest": ticket["guest"]}
                held["tickets"].append({**where, **row, "product": event["items"][ticket["item"]]["name"]})
    return held


def _reading_room() -> dict[str, Rows]:
    recipe = find_recipe("calibre-web")
    made = load_module(recipe.path / "data.py").library(0, recipe.accounts.agent)
    books = [
        {
            **{name: book[name] for name in ("id", "title", "publisher", "about")},
            "authors": ", ".join(book["authors"]),
            "tags": ", ".join(book["tags"]),
            "identifiers": f"isbn:{book['isbn']}",
        }
        for book in made["books"]
    ]
    shelves = [
        {"id": number, "name": shelf["name"], "is_public": shelf["public"], "book_id": book}
        | {"keeper": keeper["username"], "place": f"{number} / {book}"}
        for number, (keeper, shelf) in enumerate(
            ((keeper, shelf) for keeper in made["readers"] for shelf in keeper["shelves"]), 1
        )
        for book in shelf["books"]
    ]
    return {"books": books, "shelves": shelves}


def _evidence(**more: Rows) -> Evidence:
    rows = {**_box_office(), **_reading_room()}
    return Evidence(got={name: Got(rows=(*held, *more.get(name, ()))) for name, held in rows.items()})


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
