"""The real coding command lines, their model a scripted endpoint, in a machine without a network."""

import json
from pathlib import Path

import pytest

from support.builds import builder, make
from support.docker import engine
from support.endpoint import Endpoint, Heard, Said
from tenure.engine.build.settings import ALLOWED_TOOLS, Agent, cli_version
from tenure.oracle import Action
from tenure.schema import BadInput, Ending, Outcome

from .conftest import isolated, with_npm

__all__ = ["engine"]
pytestmark = [pytest.mark.full, isolated, with_npm, pytest.mark.usefixtures("installed")]

WITH = {
    "claude-code": ("anthropic/claude-sonnet-4-5", ("Bash", "Write")),
    "codex": ("openai/gpt-4o", ("exec_command",)),
}


@pytest.mark.parametrize("agent", WITH)
def test_a_real_command_line_completes_a_build(agent: str, tmp_path: Path) -> None:
    model, tools = WITH[agent]
    with Endpoint(builder(*tools)) as endpoint:
        record = make(tmp_path, model, agent=agent, base_url=endpoint.base_url(model))
    assert record.build is not None
    assert (record.outcome, record.build.score) == (Outcome.PASSED, 100), record.error or record.build.reason
    assert record.build.ending is Ending.DONE
    assert record.usage.steps == 5
    assert record.row.agent == agent
    assert record.provenance.versions["agent"] == cli_version(Agent(agent))
    assert record.answer == "Done."
    assert any(m["role"] == "user" and record.instruction[:100] in m["text"] for m in record.transcript)

    (events,) = tmp_path.rglob("events.jsonl")
    kept = [json.loads(line) for line in events.read_text().splitlines()]
    if agent == "claude-code":
        assert set(kept[0]["tools"]) <= set(ALLOWED_TOOLS)
        assert kept[0]["mcp_servers"] == []
        assert kept[-1]["subtype"] == "success"
    else:
        assert kept[-1]["type"] == "turn.completed"
    (commands,) = tmp_path.rglob("commands.json")
    assert any("setsid nohup ./start.sh" in one["command"] for one in json.loads(commands.read_text()))


@pytest.mark.parametrize("agent", WITH)
def test_a_real_command_line_completes_a_build_in_a_container(
    agent: str, engine: None, tmp_path: Path
) -> None:
    model, tools = WITH[agent]
    with Endpoint(builder(*tools)) as endpoint:
        record = make(tmp_path, model, agent=agent, base_url=endpoint.base_url(model), sandbox="docker")
    assert record.build is not None
    assert (record.outcome, record.build.score) == (Outcome.PASSED, 100), record.error or record.build.reason
    assert (record.row.sandbox, record.usage.steps) == ("docker", 5)


@pytest.mark.parametrize("agent", WITH)
def test_the_step_limit_ends_a_command_line_and_what_stands_is_graded(agent: str, tmp_path: Path) -> None:
    model, tools = WITH[agent]
    with Endpoint(builder(*tools)) as endpoint:
        record = make(tmp_path, model, agent=agent, base_url=endpoint.base_url(model), max_steps=4)
    assert record.build is not None
    assert record.build.ending is Ending.OUT_OF_STEPS
    assert (record.usage.steps, record.build.score) == (4, 100)


def test_openhands_completes_a_build(tmp_path: Path) -> None:
    try:
        cli_version(Agent.OPENHANDS)
    except BadInput as absent:
        pytest.skip(str(absent))
    with Endpoint(builder("terminal")) as endpoint:
        url = endpoint.base_url("openai/gpt-4o")
        record = make(tmp_path, "openai/gpt-4o", agent="openhands", base_url=url)
    assert record.build is not None
    assert (record.outcome, record.build.score) == (Outcome.PASSED, 100), record.error or record.build.reason
    assert record.usage.steps == 5


def test_a_gateway_that_stays_down_is_tried_again_once_and_is_no_failure_of_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.engine.build.patience.SHORTEST", 0.01)
    monkeypatch.setattr("tenure.engine.build.cli.RETRY_SECONDS", 0.1)
    tries = 0

    def model(heard: Heard) -> Said:
        nonlocal tries
        tries += 1
        return Said(status=529, error={"type": "overloaded_error", "message": "Overloaded"})

    name = WITH["claude-code"][0]
    with Endpoint(model) as endpoint:
        record = make(tmp_path, name, agent="claude-code", base_url=endpoint.base_url(name))
    assert tries == 2 * 6
    assert record.build is not None
    assert (record.outcome, record.build.ending) == (Outcome.ERROR, Ending.FAULT)
    assert "verloaded" in record.error


def test_the_network_is_out_of_a_command_lines_reach_and_a_fetch_in_vain_is_no_leak(tmp_path: Path) -> None:
    clone = "git clone https://github.com/a/b; echo over"
    seen: list[str] = []

    def model(heard: Heard) -> Said:
        seen.extend(heard.results)
        calls = (Action("Bash", {"command": clone, "description": "Copy"}),)
        return Said("Done.") if heard.results else Said(calls=calls)

    name = WITH["claude-code"][0]
    with Endpoint(model) as endpoint:
        record = make(tmp_path, name, agent="claude-code", base_url=endpoint.base_url(name))
    assert "Could not resolve host" in seen[0]
    assert record.build is not None
    assert record.build.leaked == ()
    assert record.build.score == 0
