"""Gmail's screen without a browser: sessions, refusals, quiet surfaces, forwarding, built files."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from tenure.schema import Via
from tenure.twins.gmail.forwarding import MARK
from tenure.twins.gmail.screen_records import Forwarding
from tenure.twins.wire import built
from tenure.world import Gateway, Reply, World, open_session
from tenure.world.session import csrf_token

from .make import ADA, BO, CY, Client, inbox, letter, raw, token

HOST = "mail.google.com"
ROOT = "/_screen/gmail"


class Session:
    """An account's signed-in page, without the page."""

    def __init__(self, gateway: Gateway, account: str = ADA) -> None:
        self.gateway = gateway
        with gateway.world.act(Via.WORLD) as act:
            self.secret = open_session(act, account)

    def reply(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        sent = {"cookie": f"a=b; session={self.secret}", "x-csrf-token": csrf_token(self.secret)} | headers
        data = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
        path, _, query = path.partition("?")
        return self.gateway.answer(method, HOST, path, query, sent, data)

    def ok(self, method: str, path: str, body: Any = None) -> Any:
        reply = self.reply(method, ROOT + path, body)
        assert reply.status in (200, 201), reply.body
        return reply.body

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        reply = self.reply(method, ROOT + path, body)
        return reply.status, reply.body["error"]["message"]


@pytest.fixture
def session(gateway: Gateway) -> Session:
    return Session(gateway)


def test_only_a_session_opens_the_screen(gateway: Gateway, session: Session) -> None:
    bearer = {"authorization": f"Bearer {token(ADA)}"}
    for headers in (
        {},
        bearer,
        {"cookie": "session="},
        {"cookie": f"session={token(ADA)}"},
        {"cookie": "session=x"},
    ):
        assert gateway.answer("GET", HOST, f"{ROOT}/threads", "", headers).status == 401
        assert gateway.answer("GET", HOST, f"{ROOT}/pulse", "", headers).status == 401
        page = gateway.answer("GET", HOST, "/mail/u/0/", "", headers)
        assert page.status == 401 and b"signed out" in page.body
    rest = {"authorization": f"Bearer {session.secret}"}
    assert gateway.answer("GET", "gmail.googleapis.com", "/gmail/v1/users/me/profile", "", rest).status == 401


def test_writes_repeat_the_csrf_token(session: Session) -> None:
    body = {"threads": ["00000000000000a1"], "remove": ["INBOX"]}
    for forged in ("", "x", csrf_token("another")):
        assert session.reply("POST", f"{ROOT}/move", body, **{"x-csrf-token": forged}).status == 403
    assert inbox(session.gateway.world, ADA)[0].id == "00000000000000a1"
    assert session.ok("POST", "/move", body)["before"] == {
        "00000000000000a1": ["IMPORTANT", "INBOX", "Label_1"]
    }


def test_a_session_sees_its_own_mailbox_only(gateway: Gateway, session: Session) -> None:
    assert session.refused("GET", "/threads/00000000000000b1")[0] == 404
    assert session.refused("POST", "/move", {"messages": ["00000000000000b1"], "add": ["STARRED"]})[0] == 404
    assert session.refused("GET", "/threads?view=label&value=Label_9")[0] == 404
    bo = Session(gateway, BO)
    assert [row["subject"] for row in bo.ok("GET", "/threads?view=inbox")["rows"]] == ["Private"]


def test_refusals_are_sentences(session: Session) -> None:
    assert session.refused("GET", "/nothing") == (404, "This screen has no such action.")
    assert session.refused("PUT", "/threads") == (405, "This screen has no such action.")
    assert session.refused("POST", "/move", {"what": 1})[0] == 400
    assert session.refused("POST", "/move", b"{") == (400, "The request is not JSON.")
    assert session.refused("GET", "/threads?page=-1") == (400, "There is no such page.")
    assert session.refused("POST", "/delete", {"threads": ["00000000000000a1"]})[0] == 409
    assert session.refused("POST", "/empty", {"label": "INBOX"})[0] == 400
    gone = {"threads": ["00000000000000a1"], "until": 1}
    assert session.refused("POST", "/snooze", gone) == (400, "Choose a time that has not passed.")


def test_search_finds_what_is_snoozed(session: Session, ada: Client) -> None:
    until = session.gateway.world.now + 3_600_000
    assert "messages" not in ada.ok("GET", "/messages", q="is:snoozed")
    session.ok("POST", "/snooze", {"threads": ["00000000000000a1"], "until": until})
    found = ada.ok("GET", "/messages", q="is:snoozed")["messages"]
    assert {message["threadId"] for message in found} == {"00000000000000a1"}
    assert ada.ok("GET", "/messages", q="in:snoozed")["messages"] == found
    assert [row["snoozed"] for row in session.ok("GET", "/threads?view=snoozed")["rows"]] == [until]
    session.ok("POST", "/move", {"threads": ["00000000000000a1"], "add": ["INBOX"]})
    assert "messages" not in ada.ok("GET", "/messages", q="is:snoozed")


def test_looking_whether_anything_changed_costs_nothing(gateway: Gateway, session: Session) -> None:
    world = gateway.world
    before, lines = world.now, len(gateway.log)
    pulse = session.reply("GET", f"{ROOT}/pulse")
    assert (pulse.status, pulse.headers["x-world-now"]) == (204, str(before))
    assert gateway.answer("GET", HOST, f"{built.ASSETS}/nothing.js").status == 404
    assert (world.now, len(gateway.log)) == (before, lines)
    session.ok("POST", "/star", {"threads": ["00000000000000a1"], "on": True})
    after = session.reply("GET", f"{ROOT}/pulse").headers["x-world-change"]
    assert int(after) > int(pulse.headers["x-world-change"])
    assert len(gateway.log) == lines + 1 and gateway.log[-1].via == Via.SCREEN


@pytest.mark.parametrize(
    "name", ["../built.py", "%2e%2e/manifest.json", "..", ".", "", "a/b.js", "manifest.json"]
)
def test_built_files_stay_in_their_folder(gateway: Gateway, name: str) -> None:
    assert gateway.answer("GET", HOST, f"{built.ASSETS}/{name}").status == 404


def test_screens_that_are_not_built_say_so(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(built, "FOLDER", tmp_path)
    page = session.reply("GET", "/mail/u/0/")
    assert page.status == 503 and b"scripts/web" in page.body


def test_the_page_carries_its_facts_safely(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "main-1.js").write_text("1")
    chunk = {"file": "assets/main-1.js", "css": ["assets/main-1.css"]}
    (tmp_path / "manifest.json").write_bytes(orjson.dumps({"src/gmail/main.tsx": chunk}))
    monkeypatch.setattr(built, "FOLDER", tmp_path)
    session.ok("POST", "/labels", {"body": {"name": "</script><b>"}})
    page = session.reply("GET", "/mail/u/0/")
    assert page.status == 200 and b"</script><b>" not in page.body
    assert b"\\u003c/script>\\u003cb>" in page.body and b'src="/_screen/assets/main-1.js"' in page.body
    assert "script-src 'self'" in page.headers["content-security-policy"]
    script = session.reply("GET", f"{built.ASSETS}/main-1.js")
    assert (script.status, script.body) == (200, b"1") and "immutable" in script.headers["cache-control"]
    assert session.reply("GET", "/").headers["location"] == "/mail/u/0/"


def test_files_of_letters_never_run_in_the_page(session: Session) -> None:
    for name, kind, shown in (
        ("x.html", "text/html", False),
        ("x.svg", "image/svg+xml", False),
        ("x.png", "image/png", True),
    ):
        made = session.reply(
            "POST", f"{ROOT}/files?filename={name}", b"<svg/>", **{"content-type": kind}
        ).body
        file = {field: made[field] for field in ("filename", "mime", "blob")}
        draft = session.ok("POST", "/drafts", {"to": ["bo@acme.test"], "files": [file]})
        reply = session.reply("GET", f"{ROOT}/messages/{draft['rev']}/files/0?show")
        assert reply.headers["content-disposition"].startswith("inline" if shown else "attachment")
        assert (reply.headers["content-type"] == kind) is shown
    stale = {"filename": "x", "mime": "y", "blob": "0" * 64}
    assert session.refused("POST", "/drafts", {"files": [stale]})[0] == 400


def test_a_draft_is_not_saved_over_a_version_that_is_not_known(session: Session) -> None:
    first = session.ok("POST", "/drafts", {"subject": "One"})
    second = session.ok("PUT", f"/drafts/{first['id']}", {"subject": "Two", "rev": first["rev"]})
    stale = session.reply("PUT", f"{ROOT}/drafts/{first['id']}", {"subject": "Three", "rev": first["rev"]})
    assert stale.status == 409 and stale.body["error"]["current"] == second


def test_confirmed_forwarding_passes_mail_on_once(gateway: Gateway, world: World, session: Session) -> None:
    session.ok("POST", "/forwarding", {"address": "Cy@acme.test"})
    rev = session.ok("GET", "/settings")["forwarding"]["auto"]["rev"]
    wanted = {"rev": rev, "enabled": True, "address": "cy@acme.test", "disposition": "archive"}
    assert session.refused("PUT", "/settings/forwarding", wanted)[0] == 400
    (asked,) = world.store.every(Forwarding)
    assert session.refused("POST", "/forwarding/cy%40acme.test/confirm", {"code": "1"})[0] == 400
    session.ok("POST", "/forwarding/cy%40acme.test/confirm", {"code": f" {asked.code} "})
    session.ok("PUT", "/settings/forwarding", wanted)
    assert session.refused("PUT", "/settings/forwarding", wanted)[0] == 409
    Client(gateway, BO).ok("POST", "/messages/send", {"raw": raw(letter("ada@acme.test", "Passed on"))})
    assert "Passed on" not in [m.subject for m in inbox(world, ADA)]
    (passed,) = [m for m in inbox(world, CY) if m.subject == "Passed on"]
    assert (MARK, "ada@acme.test cy@acme.test") in passed.headers
    session.ok("DELETE", "/forwarding/cy%40acme.test")
    Client(gateway, BO).ok("POST", "/messages/send", {"raw": raw(letter("ada@acme.test", "Kept"))})
    assert [m.subject for m in inbox(world, ADA)][-1] == "Kept"
    assert "Kept" not in [m.subject for m in inbox(world, CY)]
