"""Every verb: its help, its words for people, its JSON for programs."""

import json
from pathlib import Path

import pytest

from support.command import Tenure
from support.endpoint import Endpoint, oracle
from support.tasks import copy_reply
from tenure.engine.plan import END_STATE, RECORD, read_record
from tenure.schema import Outcome, Scorecard, Suite

VERBS = ("run", "prove", "open", "grade", "report", "list")


def run_of(task: Path, runs: Path, *more: object, model: str = "tenure/oracle") -> list[object]:
    """Words of a run."""
    return ["run", "carry", "--task", task, "--model", model, "--runs", runs, *more]


def test_help_names_every_verb(tenure: Tenure) -> None:
    said = tenure("--help")
    assert said.status == 0
    for verb in VERBS:
        assert f"  {verb} " in said.out
    assert tenure().out == said.out
    assert tenure("-h").out == said.out
    assert tenure("--version").out.startswith("tenure, version 0.")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example_and_json(tenure: Tenure, verb: str) -> None:
    said = tenure(verb, "--help")
    assert said.status == 0
    assert f"tenure {verb} " in said.out.split("Examples:")[1]
    assert "--json" in said.out


def test_run_for_people(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    said = tenure(*run_of(reply, tmp_path / "runs", "--parallel", 3))
    assert said.status == 0
    assert "3 attempts with tenure/oracle" in said.err
    assert said.err.count("passed, 3/3 required checks") == 3
    assert "oracle 3/3: 3 passed, 0 failed, 0 blocked, 0 error, 0 unjudged, 0 not run" in said.out
    assert "† does not rank" in said.out
    report = Path(said.out.split("report: ")[1].strip())
    assert report.is_file()
    again = tenure(*run_of(reply, tmp_path / "runs", "--parallel", 1))
    assert again.out == said.out, "how many at a time does not make another run"
    assert again.err.strip() == "All 3 attempts of this run are done; --new starts over."
    other = tenure(*run_of(reply, tmp_path / "runs", "--seed", 5, "--seed", 6, "--attempts", 2))
    assert "(seed 5)" in other.err
    assert "(seed 6)" in other.err


def test_run_for_programs(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    said = tenure(*run_of(reply, tmp_path / "runs", "--json"))
    found = json.loads(said.out)
    (row,) = found["rows"]
    assert (row["planned"], row["counts"]["passed"], row["pass_1"], row["pass_3"]) == (3, 3, 1, 1)
    assert sum(row["counts"].values()) == row["planned"]
    assert len(list(Path(found["folder"]).rglob(RECORD))) == 3
    assert Path(found["report"]).is_file()


def test_new_starts_over(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    words = run_of(reply, tmp_path / "runs", "--attempts", 1)
    tenure(*words)
    (record,) = (tmp_path / "runs").rglob(RECORD)
    first = record.stat().st_mtime_ns
    assert "1 attempt with" in tenure(*words, "--new").err
    assert record.stat().st_mtime_ns > first


def test_an_estimate_comes_first(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    with Endpoint(oracle(reply)) as endpoint:
        more = ("--base-url", f"{endpoint.url}/v1", "--price", "3/15", "--max-cost", 20, "--attempts", 1)
        said = tenure(*run_of(reply, tmp_path / "runs", *more, model="openai/gpt-4o"))
    assert said.status == 0
    lines = [line for line in said.err.splitlines() if "proven now" not in line]
    assert lines[0] == "1 attempt with openai/gpt-4o"
    assert "an attempt takes about 11 turns and" in lines[1]
    assert "about $0." in lines[1]
    assert "MCP tools take about" in lines[1]
    assert lines[2] == "The run stops at $20.00; attempts that this stops count as failed."
    assert lines[3].startswith("carry/reply attempt 1")


def test_a_task_that_is_not_proven_judges_no_model(tenure: Tenure, tmp_path: Path) -> None:
    broken = copy_reply(tmp_path / "broken", checks=("len(found) == 1", "len(found) >= 0"))
    with Endpoint(oracle(broken)) as endpoint:
        more = ("--base-url", f"{endpoint.url}/v1", "--attempts", 1)
        said = tenure(*run_of(broken, tmp_path / "runs", *more, model="openai/gpt-4o"))
        assert endpoint.requests == []
    assert said.status == 2
    assert "carry/reply is not proven, so it may not judge a model; tenure prove" in said.err
    assert not (tmp_path / "runs").exists()


def test_a_proven_task_is_not_warned_about_and_its_proof_is_provenance(
    tenure: Tenure, reply: Path, tmp_path: Path
) -> None:
    assert tenure("prove", reply).status == 0
    said = tenure(*run_of(reply, tmp_path / "runs", "--attempts", 1))
    assert "not proven" not in said.err
    (record,) = (tmp_path / "runs").rglob(RECORD)
    assert read_record(record).provenance.proof_hash


def test_prove_for_people_and_programs(tenure: Tenure, tmp_path: Path) -> None:
    task = copy_reply(tmp_path, instruction=("Do not send it", "Do not send it yet"))
    said = tenure("prove", task)
    assert said.status == 0
    assert "carry/reply 1-0: proven (quick, seeds 11," in said.out
    (record,) = json.loads(tenure("prove", task, "--json").out)
    assert (record["task"], record["tier"], record["seeds"]) == ("carry/reply", "quick", [11])
    assert all(rule["holds"] for rule in record["rules"])
    assert json.loads(tenure("prove", task, "--again", "--json").out)[0]["matrix"] == record["matrix"]
    wrong = copy_reply(tmp_path / "wrong", checks=("Saw(not sent, f", "Saw(True, f"))
    broken = tenure("prove", wrong, "--json")
    assert broken.status == 1
    assert any("no vandal fails unsent" in rule["detail"] for rule in json.loads(broken.out)[0]["rules"])


def test_list_for_people_and_programs(tenure: Tenure) -> None:
    rows = json.loads(tenure("list", "carry", "--json").out)
    assert rows
    for row in rows:
        assert row["task"].startswith("carry/")
        assert row["checks"] >= row["required"] >= row["guards"] >= 1
    every = json.loads(tenure("list", "--json").out)
    apart = [json.loads(tenure("list", suite, "--json").out) for suite in sorted(Suite)]
    assert every == [row for own in apart for row in own]
    assert {row["task"].partition("/")[0] for row in every} == set(Suite)
    said = tenure("list").out
    assert all(row["task"] in said for row in every)


def test_report_merges_folders(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    tenure(*run_of(reply, tmp_path / "a"))
    tenure(*run_of(reply, tmp_path / "b", model="tenure/idle"))
    said = tenure("report", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "site", "--json")
    found = json.loads(said.out)
    assert [row["counts"]["passed"] for row in found["rows"]] == [3, 0]
    assert Path(found["report"]).parent == tmp_path / "site"
    assert "oracle 3/3" in tenure("report", tmp_path, "--out", tmp_path / "site").out


def test_attempts_that_were_never_made_are_not_run(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    tenure(*run_of(reply, tmp_path / "runs"))
    last = sorted((tmp_path / "runs").rglob(RECORD))[-1]
    last.unlink()
    (row,) = json.loads(tenure("report", tmp_path / "runs", "--out", tmp_path / "s", "--json").out)["rows"]
    assert (row["planned"], row["counts"]["passed"], row["counts"]["not_run"]) == (3, 2, 1)


# -- grading again -------------------------------------------------------------------------------


def test_grade_for_people_and_programs(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    tenure(*run_of(reply, tmp_path / "runs", model="tenure/vandal"))
    states = sorted((tmp_path / "runs").rglob(END_STATE))
    found = json.loads(tenure("grade", tmp_path / "runs", "--json").out)
    assert [one["end_state"] for one in found] == [str(state) for state in states]
    for one, state in zip(found, states, strict=True):
        stored = read_record(state.parent / RECORD).scorecard
        assert one["same"] is True
        assert Scorecard.model_validate(one["scorecard"]) == stored
        assert stored is not None
        assert stored.outcome is Outcome.FAILED
    said = tenure("grade", states[0])
    assert "Nothing was sent" in said.out
    assert "the same as the stored grade" in said.out


def test_stored_verdicts_are_used_again_and_judges_are_asked_anew_on_request(
    tenure: Tenure, reply: Path, tmp_path: Path
) -> None:
    from support.endpoint import Heard, Said

    agent, answer = oracle(reply), '{"passed": true, "reason": "it names the day"}'

    def model(heard: Heard) -> Said:
        return Said(answer) if heard.request.startswith("Criterion:") else agent(heard)

    with Endpoint(model) as endpoint, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", f"{endpoint.url}/v1")
        patch.setenv("ANTHROPIC_BASE_URL", endpoint.url)
        judges = ("--judge", "openai/gpt-4o-mini", "--judge", "anthropic/claude-haiku-4-5")
        said = tenure(*run_of(reply, tmp_path / "runs", *judges, "--attempts", 1, model="openai/gpt-4o"))
        assert said.status == 0, said.err
        (state,) = (tmp_path / "runs").rglob(END_STATE)
        card = read_record(state.parent / RECORD).scorecard
        assert card is not None
        finding = next(f for f in card.findings if f.judged)
        assert (finding.outcome, finding.saw) == (Outcome.PASSED, "it names the day")
        assert [v.judge for v in finding.verdicts] == ["openai/gpt-4o-mini", "anthropic/claude-haiku-4-5"]
        asked = len(endpoint.requests)
        (again,) = json.loads(tenure("grade", state, "--json").out)
        assert (again["same"], len(endpoint.requests)) == (True, asked), "the stored verdicts are used"
        answer = "```json\n" + '{"passed": false, "reason": "on second thought"}' + "\n```"
        (anew,) = json.loads(tenure("grade", state, "--judge", "openai/gpt-4o-mini", "--json").out)
        assert len(endpoint.requests) == asked + 1
    assert anew["same"] is None
    found = next(f for f in anew["scorecard"]["findings"] if f["judged"])
    assert (found["outcome"], found["saw"]) == ("failed", "on second thought")
    assert read_record(state.parent / RECORD).scorecard == card, "the record stays as it is"
