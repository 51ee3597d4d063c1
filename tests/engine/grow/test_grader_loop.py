"""A scripted model in the grader's loop: what it is told, what of its answers counts, and how it may end."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.crews import code_of, crew_of, shelf
from support.endpoint import Endpoint, Heard, Model, Said
from support.grading import Graded, graded_at
from tenure.engine.grow.grading.stored import CLAIMS
from tenure.oracle import Action
from tenure.schema import Fault
from tenure.schema.verdict import Standing
from tenure.workspace.product import standing
from tenure.workspace.ready import Workspace

from .conftest import isolated

pytestmark = isolated
FOLDER = shelf()
WHOLE = next(plan for plan in FOLDER.plans if plan.id == "first")
PLAN = WHOLE.model_copy(update={"steps": WHOLE.steps[:1]})
MODEL = "openai/gpt-4o"
OPEN = "await page('ann').goto('http://127.0.0.1:8000/')"


def run(script: str, user: str = "") -> Said:
    return Said(calls=(Action("run_script", {"code": script, "user": user}),))


def record(*quotes: str, step: str = "empty", check: str = "empty", passed: bool = True) -> Said:
    checks = [{"check": check, "passed": passed, "quotes": list(quotes)}]
    return Said(calls=(Action("record_step", {"step": step, "checks": checks}),))


FINISH = Said(calls=(Action("finish", {}),))


def scripted(*answers: Said) -> Model:
    """Answers in turn, the last one for ever; some providers hand pictures on as a user's."""

    def model(heard: Heard) -> Said:
        told = sum(role == "user" and "Go on with it" in text for role, text in heard.said)
        return answers[min(len(heard.results) + told, len(answers) - 1)]

    return model


@dataclass
class Bench:
    """The shelf, standing for all tests of a module."""

    runner: asyncio.Runner
    place: Workspace

    def grade(self, root: Path, *answers: Said, seconds: float = 120.0) -> tuple[Graded, list[str], str]:
        """A grade by a model that answers so, what its tools told it, and all that it was told."""
        with Endpoint(scripted(*answers)) as endpoint:
            root.mkdir(exist_ok=True)
            crew = crew_of(root, MODEL, endpoint.base_url(MODEL))
            made = self.runner.run(
                graded_at(self.place, FOLDER, PLAN, code_of(FOLDER), root, crew, seconds=seconds)
            )
            messages = endpoint.requests[-1][2]["messages"]
        return made, [str(one["content"]) for one in messages if one["role"] == "tool"], str(messages)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with asyncio.Runner() as runner:
        opening = standing(FOLDER.task, code_of(FOLDER))
        yield Bench(runner, runner.run(opening.__aenter__()))
        runner.run(opening.__aexit__(None, None, None))


def test_a_quote_that_was_not_on_screen_is_told_at_once_and_may_be_put_right(
    bench: Bench, tmp_path: Path
) -> None:
    made, told, every = bench.grade(
        tmp_path, run(OPEN), record("The shelf is bare."), record("The shelf is empty."), FINISH
    )
    assert (made.grade.standing, made.grade.passed) == (Standing.COUNTS, True)
    assert 'RootWebArea "Shelf"' in told[0] and "data:image/png" in every
    assert "quotes 'The shelf is bare.', which was not on screen" in told[1]
    assert told[2] == "Recorded. That was the last step."


def test_what_stays_wrong_is_thrown_out(bench: Bench, tmp_path: Path) -> None:
    made, _, _ = bench.grade(tmp_path, run(OPEN), record("The shelf is bare."), FINISH)
    assert made.grade.standing is Standing.THROWN_OUT and "The shelf is bare." in made.grade.reason


def test_what_the_script_itself_wrote_is_no_evidence(bench: Bench, tmp_path: Path) -> None:
    made, told, _ = bench.grade(tmp_path, run(f"{OPEN}\nprint('All is well')"), record("All is well"), FINISH)
    assert made.grade.standing is Standing.THROWN_OUT and "not on screen" in told[1]


def test_a_broken_rule_ends_the_grade_at_once(bench: Bench, tmp_path: Path) -> None:
    made, told, _ = bench.grade(tmp_path, run(OPEN), run("await page('ann').reload()"), FINISH)
    assert made.grade.standing is Standing.THROWN_OUT and made.grade.reason.startswith("reload: ann loaded")
    assert len(told) == 1
    assert (made.into / CLAIMS).read_text().strip() == "[]"


def test_answers_that_fit_no_step_are_refused_and_a_grader_cannot_finish_early(
    bench: Bench, tmp_path: Path
) -> None:
    made, told, _ = bench.grade(
        tmp_path,
        run("print(1)", "zoe"),
        FINISH,
        record("x", step="other"),
        record("x", check="other"),
        run(OPEN),
        record("Put on the shelf", passed=False),
        FINISH,
    )
    assert "there is no user 'zoe'; users: ann" in told[0]
    assert "step empty is not recorded" in told[1]
    assert "there is no step 'other'; steps: empty" in told[2]
    assert "answer each of them once" in told[3]
    assert (made.grade.standing, made.grade.passed) == (Standing.COUNTS, False)


def test_code_can_be_read_and_decides_nothing(bench: Bench, tmp_path: Path) -> None:
    made, told, _ = bench.grade(
        tmp_path,
        Said(calls=(Action("read_code", {"path": "things.py"}),)),
        Said(calls=(Action("search_code", {"text": "the shelf is EMPTY"}),)),
        Said(calls=(Action("read_code", {"path": "../etc/passwd"}),)),
        record("The shelf is empty."),
        FINISH,
    )
    assert told[0].startswith("1\t") and ".py:" in told[1] and "there is no" in told[2]
    assert made.grade.standing is Standing.THROWN_OUT


def test_a_grader_that_stops_is_told_to_go_on_and_twice_is_enough(bench: Bench, tmp_path: Path) -> None:
    made, _, every = bench.grade(tmp_path / "a", Said("Done."))
    assert every.count("Go on with it") == 2
    assert made.grade.standing is Standing.UNFINISHED
    assert made.grade.reason == "the grader stopped before it had finished"
    again, _, _ = bench.grade(
        tmp_path / "b", Said("I begin."), run(OPEN), record("The shelf is empty."), FINISH
    )
    assert again.grade.passed is True


def test_a_grader_that_refuses_or_runs_out_of_time_has_not_finished(bench: Bench, tmp_path: Path) -> None:
    refused, _, _ = bench.grade(tmp_path / "a", Said(refusal="I will not."))
    assert refused.grade.reason == "the grader did not finish: the model refused"
    late, _, _ = bench.grade(tmp_path / "b", run("await asyncio.sleep(20)"), seconds=3)
    assert (late.grade.standing, late.grade.reason) == (
        Standing.UNFINISHED,
        "the grader did not finish: the time limit passed",
    )


def test_a_model_that_cannot_be_had_is_ours_and_leaves_no_grade(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(Fault, match="the grader's model cannot be had"):
        bench.grade(tmp_path, Said(status=401, error={"message": "no key"}))
    assert not (tmp_path / "grades").exists()
