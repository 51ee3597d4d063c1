"""What browser-use's events become, without browser-use; and who can play it."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool
from pydantic import ValidationError

from support.operating import run_of
from tenure.engine.operate.browser_use_log import Log

CLICK = {"click": {"index": 7}}


def events(*steps: dict[str, Any], end: dict[str, Any] | None = None) -> Log:
    lines = [
        {"event": "begin", "system": "You are an agent.", "actions": ["click", "done"]},
        *({"event": "step", "url": "http://desk.localhost", "title": "Desk", **step} for step in steps),
        *([{"event": "end", **end}] if end else []),
    ]
    return Log("\n".join(json.dumps(line) for line in lines))


def test_a_conversation_is_told_as_every_agents_is() -> None:
    failed = {"results": [{"error": "No valid answer."}]}
    acted = {
        "page": "[7]<button />\n\tSave",
        "picture": "/tmp/1.png",
        "thought": {"memory": "Saved nothing yet."},
        "actions": [CLICK, {"wait": {"seconds": 2}}],
        "results": [{"error": "It is covered."}],
    }
    log = events(acted, failed, acted, acted, end={"done": True, "success": False, "text": "Not all."})
    told, pictures = log.told("Do it.")

    assert [message.role for message in told[:2]] == ["system", "user"]
    assert told[1].text == "Do it."
    roles = [message.role for message in told[2:]]
    assert roles == ["user", "assistant", "tool", "user", "user", *["user", "assistant", "tool"] * 2]
    assert told[2].text == "[an earlier look: http://desk.localhost - Desk]"
    assert told[6].text == "No valid answer."
    assert "[7]<button />\n\tSave" in told[7].text and "[7]<button />" in told[10].text
    answer, result = told[8], told[9]
    assert isinstance(answer, ChatMessageAssistant) and isinstance(result, ChatMessageTool)
    assert answer.text == "memory: Saved nothing yet."
    calls = answer.tool_calls or []
    assert [(call.function, call.arguments) for call in calls] == [
        ("click", {"index": 7}),
        ("wait", {"seconds": 2}),
    ]
    assert result.tool_call_id == calls[0].id, "what follows an act that changed the page is left out"
    assert result.error is not None and result.error.message == "It is covered."
    looks = [message.id for message in told if message.text.startswith(("[an", "Current"))]
    assert pictures == dict.fromkeys((looks[0], looks[2], looks[3]), "/tmp/1.png") and len(looks) == 4
    assert log.actions == 6
    assert log.end is not None and (log.end.done, log.end.success, log.end.text) == (True, False, "Not all.")


def test_what_was_cut_off_by_the_end_and_what_is_no_event_is_left_out() -> None:
    whole = json.dumps({"event": "step", "url": "http://desk.localhost", "actions": [CLICK]})
    log = Log(f"a warning\n{{}}\n{whole}\n{whole[:-9]}")
    assert (len(log.steps), log.begin, log.end) == (1, None, None)
    assert [message.role for message in log.told("Do it.")[0]] == ["user", "user", "assistant"]
    assert Log("").told("Do it.")[0][0].text == "Do it."


@pytest.mark.usefixtures("apps")
def test_stand_ins_play_the_native_agent_only(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="stand-ins play the native agent only"):
        run_of(tmp_path, agent="browser-use", agent_version="1")
    spec = run_of(tmp_path, "openai/gpt-4o", agent="browser-use", agent_version="1").spec
    assert (spec.max_steps, spec.settings["loop"], spec.settings["actions"]) == (400, "browser-use's own", 22)
    assert spec.row != run_of(tmp_path, "openai/gpt-4o", agent="browser-use", agent_version="2").spec.row
