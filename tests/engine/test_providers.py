"""Any OpenAI- or Anthropic-compatible endpoint can be the model, through the real provider code."""

import base64
import json
from pathlib import Path

import pytest

from support.endpoint import CHAT, MESSAGES, RESPONSES, Endpoint, Heard, Said, oracle, scripted
from support.tasks import KEY, make
from tenure.oracle import Action
from tenure.schema import Ending, Outcome
from tenure.world import Response

GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"


@pytest.mark.parametrize("prefer", ["rest", "mcp"])
@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("openai/gpt-4o", CHAT),
        ("openai/gpt-5.4", RESPONSES),
        ("anthropic/claude-sonnet-4-5", MESSAGES),
        ("openai-api/local/my-model", CHAT),
    ],
)
def test_a_model_behind_an_endpoint_does_the_job(
    reply: Path, tmp_path: Path, model: str, path: str, prefer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    with Endpoint(oracle(reply, prefer=prefer)) as endpoint:
        base_url = endpoint.base_url(model)
        (record,) = make(reply, tmp_path / "runs", model, base_url=base_url, price={"input": 1, "output": 5})
    assert record.outcome is Outcome.PASSED, record.error
    card = record.scorecard
    assert card is not None
    assert (card.passed, card.clean_pass, card.ending) == (True, True, Ending.DONE)
    turns = len(endpoint.requests)
    assert {where for where, _, _ in endpoint.requests} == {path}
    assert record.usage.steps == turns >= 5
    assert (record.usage.input_tokens, record.usage.output_tokens) == (100 * turns, 20 * turns)
    assert record.usage.cost == pytest.approx(turns * (100 * 1 + 20 * 5) / 1e6)
    assert record.answer == "Done."
    assert record.provenance.settings["answered_by"] == [model.rpartition("/")[2]]
    assert record.row.ranks


def test_the_provider_is_offered_one_http_tool_and_the_tasks_mcp_tools(reply: Path, tmp_path: Path) -> None:
    with Endpoint(scripted(Said("Done."))) as endpoint:
        make(reply, tmp_path / "runs", "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
    (_, headers, body) = endpoint.requests[0]
    names = [tool["function"]["name"] for tool in body["tools"]]
    assert names[0] == "http_request"
    assert len(names) > 5
    assert all(name.startswith("gmail_") for name in names[1:])
    assert headers["authorization"] == f"Bearer {KEY}"
    system, request = body["messages"][:2]
    assert "Ana Novak" in system["content"]
    assert "Monday, 2 March 2026" in system["content"]
    assert "drafts" in request["content"]
    assert "ya29" not in str(body), "the persona's token is added by the door, the model never sees it"


def test_claude_is_asked_for_high_effort_and_others_are_left_alone(reply: Path, tmp_path: Path) -> None:
    with Endpoint(scripted(Said("Done."))) as endpoint:
        (claude,) = make(reply, tmp_path / "runs", "anthropic/claude-opus-4-6", base_url=endpoint.url)
        (other,) = make(reply, tmp_path / "runs", "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
    asked, plain = (body for _, _, body in endpoint.requests)
    assert asked.get("thinking") or asked.get("output_config"), "reasoning was asked for"
    assert "reasoning_effort" not in plain
    assert claude.provenance.settings["reasoning_effort"] == "high"
    assert other.provenance.settings["reasoning_effort"] == "default"


def test_what_a_tool_returns_reaches_the_model_whole_beyond_16_kib(reply: Path, tmp_path: Path) -> None:
    raw = base64.urlsafe_b64encode(b"Subject: long\r\n\r\n" + b"word " * 8_000).decode()
    made = {"method": "POST", "url": f"{GMAIL}/drafts", "body": json.dumps({"message": {"raw": raw}})}

    def model(heard: Heard) -> Said:
        if not heard.results:
            return Said(calls=(Action("http_request", made),))
        if len(heard.results) == 1:
            id = Response.parse(heard.results[0]).json()["id"]
            url = f"{GMAIL}/drafts/{id}?format=full"
            return Said(calls=(Action("http_request", {"method": "GET", "url": url}),))
        return Said("Done.")

    with Endpoint(model) as endpoint:
        (record,) = make(reply, tmp_path / "runs", "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
    whole = [m["content"] for m in endpoint.requests[-1][2]["messages"] if m["role"] == "tool"][-1]
    body = Response.parse(whole).json()["message"]["payload"]["body"]
    assert len(whole) > 2 * 16 * 1024
    assert len(body["data"]) > 4 / 3 * 40_000
    shown = record.transcript[-2]["text"]
    assert len(shown) < 10_000
    assert "characters in all" in shown


def test_a_request_that_leads_outside_is_refused_and_the_model_goes_on(reply: Path, tmp_path: Path) -> None:
    tries = [
        "https://example.org/",
        "http://gmail.googleapis.com/gmail/v1/users/me/profile",
        "https://mail.google.com/_screen/threads",
        "file:///etc/passwd",
    ]
    calls = tuple(Action("http_request", {"method": "GET", "url": url}) for url in tries)
    wrong = (Action("no_such_tool", {}), Action("http_request", {"method": "GET"}))
    with Endpoint(scripted(Said(calls=calls + wrong), Said("I gave up."))) as endpoint:
        (record,) = make(reply, tmp_path / "runs", "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
    results = [m["content"] for m in endpoint.requests[-1][2]["messages"] if m["role"] == "tool"]
    assert len(results) == 6
    assert results[0].startswith("HTTP 421")
    assert all(result.startswith("HTTP 0") for result in results[1:4])
    assert "own routes" in results[2]
    assert record.outcome is Outcome.FAILED
    assert record.scorecard is not None
    assert record.scorecard.ending is Ending.DONE
    assert [c.status for c in record.connections] == [421], "what the door itself refuses reaches no app"
