"""The direct driver and the model provider perform the same script to the same end."""

from pathlib import Path

import pytest

from support.tasks import copy_reply, make
from tenure.engine.plan import END_STATE
from tenure.oracle import Changes, Mutant, ScriptError, idle, load_mutants, load_solve, perform
from tenure.oracle.estimate import estimate
from tenure.schema import BadInput, Outcome
from tenure.schema.folder import TaskFolder
from tenure.twins import load
from tenure.world import reopen
from tenure.world.prepare import base_for


def fingerprint(task: Path, seed: int, prefer: str = "rest", changes: Changes | None = None) -> str:
    """Of the end state that the direct driver leaves."""
    folder = TaskFolder(task)
    twins = load(folder.task.twins)
    done = perform(folder, base_for(folder, seed), load_solve(folder), twins, prefer=prefer, changes=changes)
    found = done.end.fingerprint
    assert done.refusals == []
    assert done.steps == ["read", "draft"]
    assert len(done.actions) == len(done.response_chars) == 5 - (bool(changes) * 1)
    done.close()
    return found


@pytest.mark.parametrize("prefer", ["rest", "mcp"])
def test_the_provider_ends_where_the_direct_driver_ends(reply: Path, tmp_path: Path, prefer: str) -> None:
    folder = TaskFolder(reply)
    records = make(reply, tmp_path / "runs", f"tenure/oracle:prefer={prefer}", attempts=2, seeds=(11, 23))
    states = sorted((tmp_path / "runs").rglob(END_STATE))
    for record, state, seed in zip(records, states, (11, 23), strict=True):
        assert record.outcome is Outcome.PASSED
        end = reopen(state, load(folder.task.twins), base_for(folder, seed), scratch=tmp_path)
        assert end.fingerprint == fingerprint(reply, seed, prefer)
        assert {c.via for c in end.connections} == {prefer}
        end.close()


def test_equal_work_ends_in_equal_states_and_other_seeds_in_others(reply: Path) -> None:
    assert fingerprint(reply, 11) == fingerprint(reply, 11)
    assert fingerprint(reply, 11) != fingerprint(reply, 23)
    skipped = Mutant("skips", kills=(), skip="draft").changes
    assert fingerprint(reply, 11, changes=skipped) != fingerprint(reply, 11)


@pytest.mark.parametrize(
    ("model", "outcome", "missed"),
    [
        ("tenure/idle", Outcome.FAILED, {"draft", "date", "answers"}),
        ("tenure/oracle:skip=draft", Outcome.FAILED, {"draft", "date", "answers"}),
        ("tenure/oracle:mutant=the superseded date", Outcome.FAILED, {"date"}),
        ("tenure/oracle:mutant=two drafts", Outcome.FAILED, {"draft"}),
        ("tenure/vandal", Outcome.FAILED, {"draft", "date", "unsent", "answers"}),
        ("tenure/vandal:sends the draft", Outcome.FAILED, {"draft", "date", "unsent", "answers"}),
    ],
)
def test_stand_ins_fail_what_they_should(
    reply: Path, tmp_path: Path, model: str, outcome: Outcome, missed: set[str]
) -> None:
    (record,) = make(reply, tmp_path / "runs", model)
    assert record.outcome is outcome
    assert record.scorecard is not None
    failed = {f.check for f in record.scorecard.findings if f.outcome is Outcome.FAILED}
    assert failed == missed
    assert not record.row.ranks
    assert record.usage.cost == 0


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("tenure/genius", "no stand-in tenure/genius; stand-ins: oracle, idle, vandal"),
        ("tenure/oracle:mutant=none such", "no mutant 'none such'"),
        ("tenure/vandal:none such", "no vandal 'none such'; vandals: 'sends the draft'"),
    ],
)
def test_a_stand_in_that_the_task_does_not_know_is_one_line(
    reply: Path, tmp_path: Path, model: str, says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        make(reply, tmp_path / "runs", model)


def test_a_step_that_the_oracle_does_not_have_is_an_error(reply: Path, tmp_path: Path) -> None:
    (record,) = make(reply, tmp_path / "runs", "tenure/oracle:skip=nothing")
    assert record.outcome is Outcome.ERROR
    assert "oracle has no step nothing" in record.error


def test_a_script_that_cannot_go_on_raises_and_releases_its_world(tmp_path: Path) -> None:
    task = copy_reply(tmp_path, oracle=("from:warehouse", "from:nobody"))
    folder = TaskFolder(task)
    with pytest.raises(ScriptError, match="KeyError: 'messages'"):
        perform(folder, base_for(folder, 11), load_solve(folder), load(folder.task.twins))


def test_idle_leaves_the_world_as_it_was(reply: Path) -> None:
    folder = TaskFolder(reply)
    done = perform(folder, base_for(folder, 11), idle, load(folder.task.twins))
    assert (done.actions, done.end.differences, done.end.journal) == ([], [], [])
    done.close()


@pytest.mark.parametrize(
    ("stem", "old", "new", "says"),
    [
        ("oracle", "async def solve(", "async def solves(", "no async def solve"),
        ("mutants", "VANDALS = [", "VANDAL = [", "must have MUTANTS and VANDALS"),
        ("mutants", 'Mutant("two drafts"', 'Mutant("no draft"', "uses a name twice"),
    ],
)
def test_a_broken_script_file_is_one_line(tmp_path: Path, stem: str, old: str, new: str, says: str) -> None:
    folder = TaskFolder(copy_reply(tmp_path, **{stem: (old, new)}))
    with pytest.raises(BadInput, match=says):
        (load_solve if stem == "oracle" else load_mutants)(folder)


def test_the_estimate_grows_with_what_the_oracle_reads(reply: Path) -> None:
    folder = TaskFolder(reply)
    guess = estimate(folder, base_for(folder, 11))
    assert guess.turns == 2 * 5 + 1
    assert guess.tools > 5
    assert guess.input_tokens > guess.turns * guess.tool_tokens > 0
    assert guess.output_tokens == guess.turns * 150
