"""The screen's routes without a browser: sign-in, refusals, what they show, what they keep."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tenure.schema import Via
from tenure.twins.hubspot import TWIN
from tenure.twins.hubspot.records import Comment
from tenure.world import Gateway, World, open_session
from tenure.world.session import csrf_token
from twins.hubspot.make import ADA, BIG, BO, NOTE, TASK, TOKEN, ZOE

HOST = "app.hubspot.com"


class Page:
    """An account's signed-in page, without the page."""

    def __init__(self, gateway: Gateway, account: str) -> None:
        self.gateway = gateway
        with gateway.world.act(Via.WORLD) as act:
            self.secret = open_session(act, account)

    def __call__(
        self, method: str, path: str, body: Any = None, *, status: int = 200, csrf: bool = True
    ) -> Any:
        sent = {"cookie": f"session={self.secret}"} | (
            {"x-csrf-token": csrf_token(self.secret)} if csrf else {}
        )
        path, _, query = path.partition("?")
        raw = b"" if body is None else orjson.dumps(body)
        reply = self.gateway.answer(method, HOST, f"/_screen/hubspot{path}", query, sent, raw)
        assert not self.gateway.log[-1].fault, self.gateway.log[-1].fault
        assert reply.status == status, reply.body
        return reply.body if status < 300 else reply.body["error"]

    @property
    def shown(self) -> set[tuple[str, str]]:
        """The records that the last answer showed."""
        return set(self.gateway.log[-1].records)


@pytest.fixture
def gateway(base: Path) -> Iterator[Gateway]:
    world = World(base, [TWIN])
    yield Gateway(world)
    world.close()


@pytest.fixture
def ada(gateway: Gateway) -> Page:
    return Page(gateway, ADA)


def test_only_a_session_opens_the_screen(gateway: Gateway, ada: Page) -> None:
    sent = {"authorization": f"Bearer {TOKEN}"}
    reply = gateway.answer("GET", HOST, "/_screen/hubspot/start", "", sent, b"")
    assert reply.status == 401
    assert gateway.answer("GET", HOST, "/contacts/4242/record/0-1/1", "", sent, b"").status == 401
    assert (
        "did not come from the page"
        in ada("POST", "/everywhere", {"query": "x"}, status=403, csrf=False)["message"]
    )
    rest = gateway.answer(
        "GET", "api.hubapi.com", "/crm/v3/owners", "", {"cookie": f"session={ada.secret}"}, b""
    )
    assert rest.status == 401


def test_the_opening_knows_the_account(ada: Page) -> None:
    facts = ada("GET", "/start")["facts"]
    assert (facts["portal"], facts["owner"]) == (4242, "11")
    assert [one["id"] for one in facts["types"]] == ["0-1", "0-2", "0-3", "0-5", "0-27"]
    assert facts["pipelines"]["deals"][0]["stages"][0]["id"] == "appointmentscheduled"


def test_a_table_shows_its_rows_and_what_they_are_linked_with(ada: Page) -> None:
    ask = {"query": "zoë", "properties": ["email"], "links": ["companies"]}
    answer = ada("POST", "/table/contacts", ask)
    (row,) = answer["rows"]
    assert answer["total"] == 1 and (row["title"], row["properties"]["email"]) == (
        "Zoë Quist",
        "zoe@north.test",
    )
    assert [end["title"] for end in row["links"]["companies"]] == ["North Freight", "South Yards"]
    assert ada.shown == {("hubspot.contacts", "1"), ("hubspot.companies", "1"), ("hubspot.companies", "2")}
    assert ada("POST", "/table/contacts", {"listId": "22"})["total"] == 2
    assert ada("POST", "/ids/contacts", {"listId": "21"})["ids"] == ["2"]
    refusal = ada("POST", "/table/contacts", {"sorts": ["nonsense"]}, status=400)
    assert "nonsense does not exist" in refusal["message"]


def test_invalid_values_are_refused_in_sentences(ada: Page) -> None:
    change = {"properties": {"amount": "lots", "hubspot_owner_id": "99"}}
    message = ada("PATCH", f"/records/deals/{BIG.id}", change, status=400)["message"]
    assert message == "lots was not a valid number. Owner with id 99 does not exist"
    taken = ada("POST", "/records/contacts", {"properties": {"email": "ivo@south.test"}}, status=409)
    assert taken["message"] == "Contact already exists. Existing ID: 2"


def test_a_change_over_another_is_a_conflict_with_the_present_value(ada: Page) -> None:
    path = f"/records/deals/{BIG.id}"
    ada("PATCH", path, {"properties": {"amount": "1"}, "was": {"amount": "12000"}})
    refusal = ada("PATCH", path, {"properties": {"amount": "2"}, "was": {"amount": "12000"}}, status=409)
    assert refusal["current"] == {"properties": {"amount": "1"}}
    ada("PATCH", path, {"properties": {"hs_next_step": "Sign"}, "was": {"hs_next_step": ""}})


def test_only_its_author_deletes_a_comment(gateway: Gateway, ada: Page) -> None:
    made = ada("POST", f"/activities/notes/{NOTE.id}/comments", {"body": " Well said "}, status=201)
    assert (made["body"], made["by"], made["own"]) == ("Well said", "Ada Ost", True)
    bo = Page(gateway, BO)
    seen = bo("GET", f"/records/deals/{BIG.id}/timeline")["rows"][0]["comments"]
    assert [(one["body"], one["own"]) for one in seen] == [("Well said", False)]
    assert "Only its author" in bo("DELETE", f"/comments/{made['id']}", status=403)["message"]
    ada("DELETE", f"/comments/{made['id']}", status=204)
    assert not ada.gateway.world.store.all(Comment, "activity", NOTE.id)
    assert ada("POST", f"/activities/notes/{NOTE.id}/comments", {"body": " "}, status=400)
    assert ada("POST", "/activities/notes/999/comments", {"body": "x"}, status=404)


def test_only_what_is_on_a_record_is_pinned_to_it(ada: Page) -> None:
    ada("POST", f"/records/deals/{BIG.id}/pin", {"activity": NOTE.id}, status=204)
    assert ada("GET", f"/records/deals/{BIG.id}/timeline?kinds=notes&limit=1")["pinned"] == NOTE.id
    ada("POST", f"/records/deals/{BIG.id}/pin", {"activity": TASK.id}, status=404)
    ada("POST", f"/records/deals/{BIG.id}/pin", {"activity": ""}, status=204)
    assert ada("GET", f"/records/deals/{BIG.id}/timeline")["pinned"] == ""


def test_views_are_their_makers_own(gateway: Gateway, ada: Page) -> None:
    made = ada("POST", "/views/deals", {"name": " Big ", "columns": ["amount"]}, status=201)
    assert made["name"] == "Big"
    assert ada("POST", "/views/deals", {"name": "big"}, status=409)
    assert ada("POST", "/views/deals", {"name": " "}, status=400)
    changed = ada("PATCH", f"/views/deals/{made['id']}", {"sort": "-amount"})
    assert (changed["columns"], changed["sort"]) == (["amount"], "-amount")
    bo = Page(gateway, BO)
    assert bo("GET", "/start")["facts"]["views"]["deals"] == []
    bo("DELETE", f"/views/deals/{made['id']}", status=404)
    ada("DELETE", f"/views/deals/{made['id']}", status=204)
    assert ada("GET", "/start")["facts"]["views"]["deals"] == []


def test_an_export_is_in_words_and_runs_nowhere(ada: Page) -> None:
    ada("PATCH", f"/records/contacts/{ZOE.id}", {"properties": {"jobtitle": '=HYPERLINK("x")'}})
    columns = ["firstname", "jobtitle", "hubspot_owner_id", "region"]
    answer = ada("POST", "/export/contacts", {"properties": columns, "query": "zoë"})
    head, row = answer["text"].splitlines()
    assert head == "Record ID,First name,Job title,Contact owner,Region"
    assert row == '1,Zoë,"\'=HYPERLINK(""x"")",Ada Ost,North; West'
    assert answer["count"] == 1
    assert ada("POST", "/export/contacts", {"properties": columns, "ids": ["2"]})["count"] == 1


def test_the_board_and_the_reports_add_up(ada: Page) -> None:
    stages = {s["id"]: s for s in ada("POST", "/board/deals", {"pipeline": "default"})["stages"]}
    sent = stages["contractsent"]
    assert (sent["count"], sent["sum"], sent["weighted"]) == (1, 12_000, 10_800)
    assert sent["cards"][0]["links"][0]["title"] == "North Freight"
    ada("POST", "/board/deals", {"pipeline": "none"}, status=404)
    reports = ada("GET", "/reports")
    assert sum(stage["count"] for stage in reports["stages"]) == 2
    assert reports["won"] == [{"month": "2026-09", "sum": 900}]
    assert reports["tasks"] == {"overdue": 0, "later": 1, "completed": 0}
    assert [one["type"] for one in ada("POST", "/everywhere", {"query": "north"})["groups"]] == [
        "contacts",
        "companies",
        "deals",
    ]
