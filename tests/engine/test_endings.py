"""Every way in which an attempt ends (protocols, Carry 4), through real provider code."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.endpoint import EMPTY, Endpoint, Heard, Said, oracle, scripted
from support.tasks import make, run_of
from tenure.cli.regrade import regrade
from tenure.engine import run as engine_run
from tenure.engine.plan import END_STATE
from tenure.engine.run import make_missing
from tenure.oracle import Action
from tenure.schema import AttemptRecord, Ending, Outcome
from tenure.scoring import ENDING_TEXT, score_rows

CHAT, RESPONSES, CLAUDE = "openai/gpt-4o", "openai/gpt-5.4", "anthropic/claude-sonnet-4-5"
PROFILE = Action(
    "http_request", {"method": "GET", "url": "https://gmail.googleapis.com/gmail/v1/users/me/profile"}
)
LOOKS = Said(calls=(PROFILE,))


def attempt(
    task: Path, runs: Path, model: Callable[[Heard], Said], name: str = CHAT, **fields: Any
) -> AttemptRecord:
    """One attempt of a scripted model; graded again, it gets the same grade."""
    with Endpoint(model) as endpoint:
        (record,) = make(task, runs, name, base_url=endpoint.base_url(name), **fields)
    (state,) = runs.rglob(END_STATE)
    again = regrade(state, None, ())
    assert again.same
    assert again.card == record.scorecard
    return record


def failed(record: AttemptRecord, ending: Ending) -> None:
    """The attempt failed for the reason, and was graded all the same."""
    card = record.scorecard
    assert card is not None, record.error
    assert (record.outcome, card.outcome, card.ending) == (Outcome.FAILED, Outcome.FAILED, ending)
    assert card.reason == ENDING_TEXT[ending]
    assert (card.passed, card.clean_pass) == (False, False)
    assert {finding.check for finding in card.findings} == {"draft", "date", "unsent", "answers"}
    assert record.error == ""


def test_out_of_time(reply: Path, tmp_path: Path) -> None:
    record = attempt(reply, tmp_path, scripted(LOOKS, Said("late", delay=5)), time_limit=1)
    failed(record, Ending.OUT_OF_TIME)
    assert record.usage.steps == 1
    assert 1 <= record.usage.seconds < 4


def test_out_of_time_fails_even_when_the_work_is_done(reply: Path, tmp_path: Path) -> None:
    does = oracle(reply)

    def model(heard: Heard) -> Said:
        said = does(heard)
        return said if said.calls else Said("Done.", delay=4)

    record = attempt(reply, tmp_path, model, time_limit=2)
    failed(record, Ending.OUT_OF_TIME)
    assert record.scorecard is not None
    assert all(f.outcome is Outcome.PASSED for f in record.scorecard.findings if f.required)
    assert record.scorecard.partial == 1


def test_out_of_tokens_counts_the_turn_that_passed_the_limit(reply: Path, tmp_path: Path) -> None:
    model = scripted(Said(calls=(PROFILE,), tokens=(700, 100)))
    record = attempt(reply, tmp_path, model, max_tokens=2_000)
    failed(record, Ending.OUT_OF_TOKENS)
    assert (record.usage.input_tokens, record.usage.output_tokens, record.usage.steps) == (2_100, 300, 3)


def test_the_attempts_budget(reply: Path, tmp_path: Path) -> None:
    price = {"input": 1_000, "output": 1_000}
    record = attempt(reply, tmp_path, scripted(LOOKS), price=price, max_attempt_cost=0.3)
    failed(record, Ending.OVER_ATTEMPT_BUDGET)
    assert record.usage.cost == pytest.approx(0.36)


def test_the_runs_budget_fails_attempts_under_way_and_those_not_begun(reply: Path, tmp_path: Path) -> None:
    price = {"input": 1_000, "output": 1_000}
    with Endpoint(scripted(LOOKS)) as endpoint:
        run = run_of(
            reply, tmp_path, CHAT, base_url=f"{endpoint.url}/v1", price=price, max_cost=0.5, attempts=4
        )
        records = make_missing(run, parallel=2)
        paid = len(endpoint.requests)
    assert len(records) == 4
    for record in records:
        failed(record, Ending.OVER_RUN_BUDGET)
    steps = [record.usage.steps for record in records]
    assert steps[2:] == [0, 0], "what the budget leaves no turn for is failed too, not left out"
    assert sum(steps) == paid
    assert 0.5 <= sum(record.usage.cost or 0 for record in records) <= 0.5 + 2 * 0.12
    (row,) = score_rows(records, planned={run.spec.row: {"carry/reply": 4}})
    assert (row.planned, row.counts[Outcome.FAILED], row.pass_1) == (4, 4, 0)


def test_what_a_killed_run_has_spent_stays_spent(reply: Path, tmp_path: Path) -> None:
    price = {"input": 1_000, "output": 1_000}
    with Endpoint(scripted(LOOKS)) as endpoint:
        run = run_of(reply, tmp_path, CHAT, base_url=f"{endpoint.url}/v1", price=price, max_cost=0.5)
        (run.path / "spent.txt").write_text("0.25\n0.25\n0.1")  # killed within the third line
        (record,) = make_missing(run)
        assert endpoint.requests == []
    failed(record, Ending.OVER_RUN_BUDGET)


@pytest.mark.parametrize("name", [CHAT, RESPONSES, CLAUDE])
def test_no_valid_answer_after_one_reminder(reply: Path, tmp_path: Path, name: str) -> None:
    record = attempt(reply, tmp_path, scripted(LOOKS, Said(""), Said("")), name)
    failed(record, Ending.NO_VALID_ANSWER)
    assert record.usage.steps == 3
    assert [m["role"] for m in record.transcript].count("user") == 2


def test_an_answer_without_a_choice_is_none(reply: Path, tmp_path: Path) -> None:
    failed(attempt(reply, tmp_path, scripted(LOOKS, Said(stop=EMPTY))), Ending.NO_VALID_ANSWER)


@pytest.mark.parametrize("cut", [Said("I will now", stop="length"), Said("", stop="length")])
def test_an_answer_cut_short_is_none(reply: Path, tmp_path: Path, cut: Said) -> None:
    failed(attempt(reply, tmp_path, scripted(LOOKS, cut)), Ending.NO_VALID_ANSWER)


def test_an_empty_answer_is_forgiven_once(reply: Path, tmp_path: Path) -> None:
    record = attempt(reply, tmp_path, scripted(LOOKS, Said(""), Said("I am done.")))
    assert record.scorecard is not None
    assert (record.scorecard.ending, record.answer) == (Ending.DONE, "I am done.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (CHAT, Said(refusal="I cannot help with that.")),
        (RESPONSES, Said(refusal="I cannot help with that.")),
        (CLAUDE, Said(stop="refusal")),
        (CLAUDE, Said("I will not.", stop="refusal")),
    ],
)
def test_refusal(reply: Path, tmp_path: Path, name: str, said: Said) -> None:
    failed(attempt(reply, tmp_path, scripted(LOOKS, said), name), Ending.REFUSED)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (CHAT, Said(status=400, error={"code": "context_length_exceeded", "message": "too long"})),
        (CHAT, Said(status=400, error={"message": "This model's maximum context length is 8192 tokens."})),
        (RESPONSES, Said(status=400, error={"code": "context_length_exceeded", "message": "too long"})),
        (
            CLAUDE,
            Said(
                status=400,
                error={
                    "type": "invalid_request_error",
                    "message": "prompt is too long: 200001 tokens > 200000",
                },
            ),
        ),
    ],
)
def test_context_exhausted(reply: Path, tmp_path: Path, name: str, said: Said) -> None:
    failed(attempt(reply, tmp_path, scripted(LOOKS, said), name), Ending.CONTEXT_EXHAUSTED)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (CHAT, Said(status=400, error={"code": "content_filter", "message": "filtered"})),
        (CHAT, Said(stop="content_filter")),
        (RESPONSES, Said(status=400, error={"code": "invalid_prompt", "message": "limited access"})),
        (RESPONSES, Said(stop="content_filter")),
        (
            CLAUDE,
            Said(
                status=400,
                error={
                    "type": "invalid_request_error",
                    "message": "Output blocked by content filtering policy",
                },
            ),
        ),
    ],
)
def test_content_filter(reply: Path, tmp_path: Path, name: str, said: Said) -> None:
    failed(attempt(reply, tmp_path, scripted(LOOKS, said), name), Ending.CONTENT_FILTER)


@pytest.mark.parametrize("shell", ["bash", "Bash", "run_shell_command"])
def test_asking_for_a_shell_ends_the_attempt_before_anything_runs(
    reply: Path, tmp_path: Path, shell: str
) -> None:
    wanted = Said(calls=(PROFILE, Action(shell, {"command": "cat /etc/passwd"})))
    record = attempt(reply, tmp_path, scripted(wanted))
    failed(record, Ending.SHELL_ACCESS)
    assert record.connections == ()


def test_a_provider_that_is_down_is_an_error_that_the_same_command_makes_again(
    reply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_run, "MAX_RETRIES", 0)
    does, down = oracle(reply), True

    def model(heard: Heard) -> Said:
        if down and len(heard.results) == 2:
            return Said(status=503, error={"message": "overloaded"})
        return does(heard)

    with Endpoint(model) as endpoint:
        run = run_of(reply, tmp_path, CHAT, base_url=f"{endpoint.url}/v1", attempts=2, seeds=(11, 23))
        records = make_missing(run)
        for record in records:
            assert record.scorecard is not None
            assert (record.outcome, record.scorecard.ending) == (Outcome.ERROR, Ending.FAULT)
            assert "overloaded" in record.error
        (row,) = score_rows(records, planned={run.spec.row: {"carry/reply": 2}})
        assert (row.planned, row.counts[Outcome.ERROR], row.pass_1) == (2, 2, None)
        assert [planned.attempt for planned in run.missing()] == [1, 2]
        down = False
        assert [record.outcome for record in make_missing(run)] == [Outcome.PASSED] * 2
    assert run.missing() == []


def test_an_error_stays_in_the_denominator(
    reply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_run, "MAX_RETRIES", 0)
    does, asked = oracle(reply), []

    def model(heard: Heard) -> Said:
        asked.append(heard)
        return Said(status=500, error={"message": "broken"}) if len(asked) <= 3 else does(heard)

    with Endpoint(model) as endpoint:
        run = run_of(reply, tmp_path, CHAT, base_url=f"{endpoint.url}/v1", attempts=3)
        records = make_missing(run, parallel=1)
    (row,) = score_rows(records, planned={run.spec.row: {"carry/reply": 3}})
    assert [record.outcome for record in records] == [Outcome.ERROR, Outcome.PASSED, Outcome.PASSED]
    assert row.pass_1 == pytest.approx(2 / 3)
    from inspect_ai.log import list_eval_logs, read_eval_log

    (log,) = list_eval_logs(str(run.path / "logs"))
    results = read_eval_log(log).results
    assert results is not None
    means = {score.name: score.metrics["mean"].value for score in results.scores}
    assert means["passed"] == pytest.approx(2 / 3), "the engine's own log counts it as well"
