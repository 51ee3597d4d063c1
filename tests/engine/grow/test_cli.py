"""The real coding command lines as builders: one session over all stages, in a machine without a network."""

import json
import tarfile
from pathlib import Path

import pytest

from support.endpoint import Endpoint, Heard, Said
from support.grown import SHELF, build, grower, records, run_of, stage_of
from tenure.oracle import Action
from tenure.oracle.grow import packed, reference_at
from tenure.schema import Ending
from tenure.schema.folder import find_grow
from tenure.schema.grow import BASICS

from ..build.conftest import installed, isolated, with_npm
from .test_kill import killed, leaves_marks, seen

__all__ = ["installed"]
pytestmark = [pytest.mark.full, isolated, with_npm, pytest.mark.usefixtures("installed")]

FOLDER = find_grow(str(SHELF))
STAGES = [placed.path.name for placed in FOLDER.stages]
WITH = {
    "claude-code": ("anthropic/claude-sonnet-4-5", ("Bash", "Write"), "command"),
    "codex": ("openai/gpt-4o", ("exec_command",), "cmd"),
}


@pytest.mark.parametrize("agent", WITH)
def test_a_command_line_builds_all_stages_in_one_session(agent: str, tmp_path: Path) -> None:
    model, tools, _ = WITH[agent]
    with Endpoint(grower(*tools)) as endpoint:
        ended, folder = build(run_of(tmp_path, model, agent=agent, base_url=endpoint.base_url(model)))
        asked = [json.dumps(body) for _, _, body in endpoint.requests]
        offered = {tool.get("name") for _, _, body in endpoint.requests for tool in body.get("tools", ())}
    assert (ended.ending, ended.error) == (Ending.DONE, "")
    assert [(r.ending, r.steps) for r in records(folder)] == [(Ending.DONE, n) for n in (9, 5, 5)]
    assert (folder / "code.tar.gz").read_bytes() == packed(reference_at(FOLDER, 3))
    for stage in STAGES[:-1]:
        assert f"{stage} is done." in asked[-1], "one session"
    for sentence in BASICS.values():
        assert sentence in asked[0] and sentence in asked[-1]
    assert not offered & {"WebFetch", "WebSearch", "web_search"}
    assert FOLDER.task.canary not in "".join(asked)
    assert not any(STAGES[2] in one for one in asked[:-5])
    assert [m["stage"] for m in ended.transcript if "stage" in m] == STAGES
    assert ended.answer == f"{STAGES[2]} is done."
    assert (folder / "events.jsonl").stat().st_size > 0


def test_the_oracle_builds_with_a_command_lines_tools(tmp_path: Path) -> None:
    ended, folder = build(run_of(tmp_path, "tenure/oracle", agent="codex"))
    assert (ended.ending, ended.error, ended.usage.steps) == (Ending.DONE, "", 19)
    assert (folder / "code.tar.gz").read_bytes() == packed(reference_at(FOLDER, 3))


@pytest.mark.parametrize("agent", WITH)
def test_the_step_budget_ends_a_stage_and_the_next_one_begins(agent: str, tmp_path: Path) -> None:
    model, tools, _ = WITH[agent]
    with Endpoint(grower(*tools)) as endpoint:
        run = run_of(tmp_path, model, agent=agent, base_url=endpoint.base_url(model), max_steps=3)
        ended, folder = build(run)
    assert [(r.ending, r.steps) for r in records(folder)] == [(Ending.OUT_OF_STEPS, 3)] * 3
    assert (ended.ending, ended.usage.steps) == (Ending.OUT_OF_STEPS, 9)


@pytest.mark.parametrize("agent", WITH)
def test_a_killed_session_goes_on_at_its_stage(agent: str, tmp_path: Path) -> None:
    name, tools, argument = WITH[agent]
    slow, reached, last = True, 0, {}
    plain = leaves_marks(tools[0], argument)

    def model(heard: Heard) -> Said:
        nonlocal reached
        said, now = plain(heard), stage_of(heard)[0]
        waits = slow and now == STAGES[1] and not said.calls
        reached += waits
        if not said.calls:
            last[now] = heard
        return Said(said.text, said.calls, delay=60 if waits else 0)

    with Endpoint(model) as endpoint:
        killed(tmp_path, endpoint, name, lambda: reached > 0, agent)
        slow = False
        ended, folder = build(run_of(tmp_path, name, agent=agent, base_url=endpoint.base_url(name)))
    assert (ended.ending, ended.error) == (Ending.DONE, "")
    assert ended.also["resumed"] == STAGES[1]
    assert [r.steps for r in records(folder)] == [2, 2, 2]
    marks = "".join(f"{one}\n" for one in STAGES)
    assert f"{marks}{marks}rows {STAGES}" in seen(last[STAGES[2]])
    said = str(last[STAGES[2]].said)
    assert all(said.count(f"{one} is done.") == 1 for one in STAGES[:-1]), "one session"
    results = [m for m in ended.transcript if m["role"] == "tool"]
    assert len(results) == 3, "no stage's result is heard twice"


def test_out_of_time_ends_the_build(tmp_path: Path) -> None:
    model, tools, argument = WITH["claude-code"]

    def sleeps(heard: Heard) -> Said:
        command = "echo begun > begun; sleep 300"
        return Said(calls=(Action(tools[0], {argument: command, "description": "Wait", "timeout": 400_000}),))

    with Endpoint(sleeps) as endpoint:
        run = run_of(tmp_path, model, agent="claude-code", base_url=endpoint.base_url(model), time_limit=60)
        ended, folder = build(run)
    assert [r.ending for r in records(folder)] == [Ending.OUT_OF_TIME]
    assert (ended.ending, ended.error) == (Ending.OUT_OF_TIME, "")
    assert (folder / "events.jsonl").stat().st_size > 0
    with tarfile.open(folder / "code.tar.gz") as code:
        assert code.getnames() == ["begun"]
