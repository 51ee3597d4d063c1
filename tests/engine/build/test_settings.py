"""What a build run is made of: defaults, refusals, settings records."""

from pathlib import Path

import orjson
import pytest
from pydantic import ValidationError

from support.builds import run_of
from support.tasks import REPLY
from tenure.engine.build.settings import ALLOWED_TOOLS, Agent, cli_version, sampling_of
from tenure.engine.run import config_of
from tenure.engine.spec import RunSpec, TaskRef
from tenure.schema import BadInput, Suite
from tenure.schema.folder import find_task


def test_a_build_has_the_papers_budgets(tmp_path: Path) -> None:
    spec = run_of(tmp_path).spec
    assert (spec.attempts, spec.max_steps, spec.time_limit) == (1, 500, 10_800)
    assert (spec.agent, spec.interface, spec.seeds) == (Agent.NATIVE, None, (0,))
    assert spec.row.reached_by == "workspace"
    assert spec.row.image == spec.image != "none"
    settings = orjson.loads(spec.row.settings)
    assert settings["tools"] == ["bash", "write_file"]
    assert (settings["step_limit"], settings["tool_call_seconds"]) == (500, 900)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"attempts": 3}, "one attempt per task and row"),
        ({"interface": "api"}, "no --interface"),
        ({"judges": ("a/b", "c/d")}, "one judge"),
        ({"agent": "somebody"}, "somebody"),
    ],
)
def test_what_a_build_is_not(tmp_path: Path, fields: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        run_of(tmp_path, **fields)


def test_carry_has_no_agent() -> None:
    ref = TaskRef.of(str(REPLY), find_task(str(REPLY)))
    with pytest.raises(ValidationError, match="--agent native: carry has loops of its own"):
        RunSpec(suite=Suite.CARRY, tasks=(ref,), model="tenure/oracle", agent="native")


def test_a_command_line_works_in_an_isolated_machine_only(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="needs an isolated machine"):
        run_of(tmp_path, agent="codex", agent_version="1", sandbox="process")


def test_an_unknown_machine_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--sandbox moon: unknown; choose one of bubblewrap, process"):
        run_of(tmp_path, sandbox="moon")


def test_a_read_spec_is_the_same_whatever_is_installed_by_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "agents" / "node_modules" / "@openai" / "codex" / "package.json"
    package.parent.mkdir(parents=True)
    package.write_text('{"version": "9.8.7"}')
    monkeypatch.setenv("TENURE_AGENTS", str(tmp_path / "agents"))
    spec = run_of(tmp_path, agent="codex").spec
    assert spec.agent_version == "9.8.7"
    package.write_text('{"version": "10.0.0"}')
    again = RunSpec.model_validate_json(orjson.dumps(spec.model_dump(mode="json")))
    assert (again.key, again.row) == (spec.key, spec.row)
    assert run_of(tmp_path, agent="codex").spec.row != spec.row


@pytest.mark.parametrize("agent", [Agent.CLAUDE_CODE, Agent.CODEX, Agent.OPENHANDS, Agent.BROWSER_USE])
def test_an_absent_command_line_is_refused_in_one_line(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENURE_AGENTS", str(tmp_path))
    with pytest.raises(BadInput) as refused:
        cli_version(agent)
    said = str(refused.value)
    assert f"scripts/agents {agent}" in said
    assert "\n" not in said
    assert ("3.12" in said, "3.11" in said) == (agent is Agent.OPENHANDS, agent is Agent.BROWSER_USE)


def test_sampling() -> None:
    assert sampling_of("openai/gpt-4o").temperature == 0
    assert sampling_of("openai/gpt-5.4") == (1.0, "xhigh", None, None)
    assert sampling_of("anthropic/claude-opus-4-7")[:2] == (1.0, "high")
    assert sampling_of("google/gemini-3.1-pro") == (0.0, None, 8_192, 65_536)
    assert sampling_of("openrouter/moonshotai/kimi-k2.6").temperature == 1.0


def test_the_model_is_asked_as_the_record_says(tmp_path: Path) -> None:
    spec = run_of(tmp_path, "openai/gpt-4o").spec
    config = config_of(spec, 1)
    assert (config.temperature, config.max_retries) == (0.0, 0)
    assert spec.settings["temperature"] == 0.0


def test_claude_code_has_the_papers_twelve_tools() -> None:
    assert len(ALLOWED_TOOLS) == len(set(ALLOWED_TOOLS)) == 12
