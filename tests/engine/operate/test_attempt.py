"""Whole attempts through the engine, by stand-ins and by models behind an endpoint."""

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.command import Tenure
from support.endpoint import Endpoint, Heard, Said
from support.machines import isolated
from support.operating import CASHBOOK, make, run_of
from support.tasks import KEY
from tenure.engine.operate.looks import MOST
from tenure.engine.operate.stored import AFTER, BEFORE, VERIFIER, score_stored
from tenure.engine.plan import ENDED, LEFT, RECORD
from tenure.engine.run import make_missing
from tenure.grading.operate import VerifierRun
from tenure.oracle import Action
from tenure.schema import BadInput, Ending, Outcome
from tenure.schema.evidence import Evidence
from tenure.schema.folder import find_operate

pytestmark = [pytest.mark.usefixtures("apps"), isolated]
FOLDER = find_operate(str(CASHBOOK))
Turn = Callable[[Heard], Said]


def act(name: str, **arguments: Any) -> Said:
    return Said(calls=(Action(name, arguments),))


def turns(*said: Said) -> Turn:
    """A model that says these things in turn, by how many actions have been answered; then it is done."""
    return lambda heard: said[len(heard.results)] if len(heard.results) < len(said) else Said("Done.")


def copy(folder: Path, **edits: tuple[str, str]) -> Path:
    """A copy of the smallest task with one text replaced in each named file."""
    task = Path(shutil.copytree(CASHBOOK, folder / "task", ignore=shutil.ignore_patterns("__pycache__")))
    for stem, (old, new) in edits.items():
        path = next(task.glob(f"{stem}.*"))
        assert path.read_text().count(old) == 1
        path.write_text(path.read_text().replace(old, new))
    return task


def test_the_oracle_passes_and_all_that_the_grade_needs_is_kept(tmp_path: Path, tenure: Tenure) -> None:
    run = run_of(tmp_path)
    (record,) = make_missing(run)
    (planned,) = run.planned()
    card = record.operate
    assert card is not None
    assert (record.outcome, card.resolved, card.checkpoint, card.claimed) == (Outcome.PASSED, True, 1.0, True)
    assert record.usage.steps == 20
    assert sorted(path.name for path in planned.folder.iterdir()) == sorted(
        [RECORD, ENDED, LEFT, BEFORE, AFTER, "files", "screens"]
    )
    assert "- [ ]" not in (planned.folder / "files" / "todo.md").read_text()
    assert len(Evidence.model_validate_json((planned.folder / BEFORE).read_bytes()).rows("entries")) == 40
    looks = [message for message in record.transcript if message["role"] == "user" and "image" in message]
    assert len(looks) == record.usage.steps
    assert all((planned.folder / look["image"]).is_file() for look in looks)
    assert looks[0]["text"].startswith("[an earlier look: about:blank")
    assert "New entry - Cashbook" in [look["text"] for look in looks][8]
    assert not [turn for turn in record.transcript if turn.get("tool") and "There is no" in turn["text"]]
    settings = record.provenance.settings
    assert settings["vision"] is True
    assert settings["browser"].startswith("Chromium ")
    assert len(settings["cashbook: snapshot"]) == 64

    assert asyncio.run(score_stored(FOLDER, planned.folder)) == card, "graded again from its files"
    again = tenure("grade", str(tmp_path))
    assert "passed, checkpoint score 100.0" in again.out
    assert "the same as the stored grade" in again.out
    (planned.folder / RECORD).unlink()
    assert make_missing(run) == [record], "what was not graded is graded and not made again"
    (planned.folder / AFTER).write_bytes((planned.folder / BEFORE).read_bytes())
    assert "differs from the stored grade" in tenure("grade", str(planned.folder / LEFT)).out


@pytest.mark.parametrize(
    ("model", "fails", "checkpoint", "claimed"),
    [
        ("tenure/idle", {"booked", "corrected", "twice"}, 0.0, None),
        ("tenure/oracle:skip=remove", {"twice"}, 0.8, True),
        ("tenure/oracle:mutant=another amount", {"booked"}, 0.6, True),
        ("tenure/vandal", {"others"}, 0.8, True),
    ],
)
def test_stand_ins_fail_what_they_leave_undone(
    tmp_path: Path, model: str, fails: set[str], checkpoint: float, claimed: bool | None
) -> None:
    card = make(tmp_path, model).operate
    assert card is not None
    assert {f.check for f in card.findings if f.outcome is Outcome.FAILED} == fails
    assert (card.outcome, card.claimed) == (Outcome.FAILED, claimed)
    assert card.checkpoint == pytest.approx(checkpoint)


def test_an_unknown_stand_in_is_one_line(tmp_path: Path) -> None:
    for model, says in (
        ("tenure/oracle:mutant=none", "operate/cashbook has no mutant 'none'"),
        ("tenure/vandal:none", "operate/cashbook has no vandal 'none'"),
        ("tenure/judge", "there is no stand-in tenure/judge"),
    ):
        with pytest.raises(BadInput, match=says):
            make_missing(run_of(tmp_path, model))


def test_a_model_sees_pages_as_text_and_picture_and_only_the_newest_in_full(tmp_path: Path) -> None:
    model = turns(*[act("navigate", url=f"http://cashbook.localhost/login?{n}") for n in range(MOST + 2)])
    with Endpoint(model) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
    asked = [body["messages"] for _, _, body in endpoint.requests]
    users = [message for message in asked[-1] if message["role"] == "user"]
    shown = [user for user in users if isinstance(user["content"], list)]
    assert [part["type"] for part in shown[-1]["content"]] == ["text", "image_url"]
    assert shown[-1]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert f"Current URL: http://cashbook.localhost/login?{MOST + 1}" in shown[-1]["content"][0]["text"]
    assert "Sign in" in shown[-1]["content"][0]["text"]
    assert len(shown) < MOST < len(users) - 1
    assert "[an earlier look: http://cashbook.localhost/login?1 - Sign in - Cashbook]" in json.dumps(users)
    tools = [tool["function"] for tool in endpoint.requests[0][2]["tools"]]
    assert len(tools) == 22
    click = next(tool for tool in tools if tool["name"] == "click")
    assert click["parameters"]["required"] == ["index"]
    assert record.operate is not None
    assert (record.operate.ending, record.operate.claimed) == (Ending.DONE, None)
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_text_only_model_is_shown_no_picture(tmp_path: Path) -> None:
    given = copy(
        tmp_path,
        task=(
            'steps = ["Book',
            'track = "multimodal"\ninputs = [{ file = "r.png", type = "image" }]\nsteps = ["Book',
        ),
    )
    (given / "inputs").mkdir()
    (given / "inputs" / "r.png").write_bytes(PNG)
    model = turns(act("read_file", file_name="r.png"), act("done", text="No.", success=False))
    with Endpoint(model) as endpoint:
        url = f"{endpoint.url}/v1"
        blind = make(tmp_path, "openai/gpt-4o", given, base_url=url, vision=False)
        assert "image_url" not in json.dumps([body for _, _, body in endpoint.requests])
        assert [turn["text"] for turn in blind.transcript if turn.get("tool") == "read_file"] == [
            "r.png, a picture:\n[Pictures are not shown to you: you take none.]"
        ]
        seeing = make(tmp_path, "openai/gpt-4o", given, base_url=url)
    assert json.loads(blind.row.settings)["vision"] is False
    assert [turn["text"] for turn in seeing.transcript if turn.get("tool") == "read_file"] == [
        "r.png, a picture:"
    ]
    assert blind.operate is not None
    assert (blind.operate.claimed, blind.answer) == (False, "No.")


def test_reading_a_page_by_the_model_costs_and_is_no_turn(tmp_path: Path) -> None:
    def model(heard: Heard) -> Said:
        if "The page, as Markdown" in heard.request:
            return Said("It asks for a password.", tokens=(1_000, 10))
        return (
            act("navigate", url="cashbook.localhost"),
            act("extract", query="What does it ask for?"),
            act("done", text="Read."),
        )[len(heard.results)]

    with Endpoint(model) as endpoint:
        record = make(
            tmp_path, "openai/gpt-4o", base_url=f"{endpoint.url}/v1", price={"input": 10, "output": 0}
        )
    assert [turn["text"] for turn in record.transcript if turn.get("tool") == "extract"] == [
        "It asks for a password."
    ]
    assert record.usage.steps == 3
    assert record.usage.input_tokens == 1_300
    assert record.usage.cost == pytest.approx(0.013)


def test_halves_of_characters_break_no_attempt(tmp_path: Path) -> None:
    model = turns(
        act("write_file", file_name="a.md", content="x\ud83d"),
        act("write_file", file_name="b\ud83d.md", content="x"),
        act("read_file", file_name="a.md"),
        Said("Done \ud83d."),
    )
    with Endpoint(model) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
    assert (record.outcome, record.error, record.answer) == (Outcome.FAILED, "", "Done ?.")
    said = [turn["text"] for turn in record.transcript if turn["role"] == "tool"]
    assert [text.splitlines()[-1] for text in said] == ["Wrote a.md.", "Wrote b?.md.", "x?"]


def test_a_grade_that_failed_is_told_and_the_attempt_is_made_again(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    make_missing(run)
    (planned,) = run.planned()
    (planned.folder / RECORD).unlink()
    (planned.folder / AFTER).write_text("{")
    (broken,) = make_missing(run)
    assert (broken.outcome, broken.operate and broken.operate.checkpoint) == (Outcome.ERROR, None)
    assert "grading failed: BadInput" in broken.error
    assert "after.json" in broken.error
    (again,) = make_missing(run)
    assert again.outcome is Outcome.PASSED


def test_a_seed_is_refused_because_tasks_do_not_vary(tmp_path: Path, tenure: Tenure) -> None:
    words = (
        "run",
        "operate",
        "--task",
        CASHBOOK,
        "--model",
        "tenure/oracle",
        "--seed",
        7,
        "--runs",
        tmp_path,
    )
    assert "--seed goes with carry only: tasks of operate do not vary" in tenure.complains(*words)


def test_the_steps_are_counted_and_the_work_so_far_is_graded(tmp_path: Path) -> None:
    model = turns(*[act("wait", seconds=1)] * 9)
    with Endpoint(model) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=f"{endpoint.url}/v1", max_steps=2)
    assert record.operate is not None
    assert (record.usage.steps, record.operate.ending) == (2, Ending.OUT_OF_STEPS)
    assert (record.outcome, record.operate.checkpoint) == (Outcome.FAILED, 0.0)


def test_a_shell_and_scripts_are_not_to_be_had(tmp_path: Path) -> None:
    with Endpoint(turns(act("evaluate", code="1"), act("bash", command="id"))) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
    refused = [turn["text"] for turn in record.transcript if turn.get("tool") == "evaluate"]
    assert "evaluate" in refused[0]
    assert record.operate is not None
    assert record.operate.ending is Ending.SHELL_ACCESS


def test_apps_that_cannot_be_asked_are_an_error_and_not_a_failure(tmp_path: Path) -> None:
    task = copy(tmp_path, checks=("SELECT id, day,", "SELECT id, absent,"))
    record = make(tmp_path, "tenure/idle", task)
    assert record.outcome is Outcome.ERROR
    assert record.operate is not None
    assert "check booked could not be answered: entries: no such column: absent" in record.operate.reason


def test_an_unknown_app_and_a_changed_task_are_one_line(tmp_path: Path) -> None:
    task = copy(tmp_path, task=('apps = ["cashbook"]', 'apps = ["nothing"]'))
    with pytest.raises(BadInput, match=r"app nothing: unknown; choose one of .*cashbook"):
        run_of(tmp_path, task=task)
    (tmp_path / "other").mkdir()
    changed = copy(tmp_path / "other")
    run = run_of(tmp_path, task=changed)
    (changed / "instruction.md").write_text("Something else.")
    (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert "has changed since the run began" in record.error


def test_a_released_verifier_is_asked_while_the_apps_run(tmp_path: Path) -> None:
    declared = (
        'suite = "operate"\nname = "released"\ntitle = "Released"\nversion = "1-0"\n'
        f'canary = "{"c" * 40}"\ndomain = "business"\napps = ["cashbook"]\nverifier = "verify.py"\n'
        '[[checks]]\nid = "1"\nsays = "It answers"\nkind = "script"\n'
        '[[checks]]\nid = "2"\nsays = "It holds forty"\nweight = 2\nkind = "script"\n'
    )
    task = tmp_path / "released"
    task.mkdir()
    (task / "task.toml").write_text(declared)
    (task / "instruction.md").write_text("Do nothing.")
    (task / "verify.py").write_text(VERIFY)
    with Endpoint(turns()) as endpoint:
        run = run_of(tmp_path, "openai/gpt-4o", task, base_url=f"{endpoint.url}/v1")
        (record,) = make_missing(run)
    (planned,) = run.planned()
    assert record.operate is not None
    assert [f.outcome for f in record.operate.findings] == [Outcome.PASSED, Outcome.FAILED]
    assert VerifierRun.model_validate_json((planned.folder / VERIFIER).read_bytes()).returncode == 0
    assert asyncio.run(score_stored(find_operate(str(task)), planned.folder)) == record.operate


VERIFY = """\
import os, subprocess, sys, requests
url = f"http://{os.environ['SERVER_HOSTNAME']}:{os.environ['CASHBOOK_PORT']}/login"
ok = requests.get(url, timeout=20).status_code == 200
print(f"[{'PASS' if ok else 'FAIL'}] (1pt) 1. It answers  ({url})", file=sys.stderr)
count = "SELECT count(*) FROM entry"
code = f"import sqlite3; print(sqlite3.connect('/app/cashbook.db').execute('{count}').fetchone())"
asked = ["docker", "exec", os.environ["CASHBOOK_CONTAINER"], "python3", "-c", code]
said = subprocess.run(asked, capture_output=True, text=True).stdout.strip()
ok2 = said == "(41,)"
print(f"[{'PASS' if ok2 else 'FAIL'}] (2pt) 2. It holds forty-one  ({said})", file=sys.stderr)
print("SCORE: 0.333  PASS: False  (1/3)", file=sys.stderr)
"""
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
    "53de0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


def test_apps_of_a_release_need_a_container_engine_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = tmp_path / "released"
    task.mkdir()
    (task / "task.toml").write_text(
        'suite = "operate"\nname = "grocy"\ntitle = "Groceries"\nversion = "1-0"\n'
        f'canary = "{"c" * 40}"\ndomain = "agriculture"\napps = ["grocy"]\nverifier = "verify.py"\n'
        '[[checks]]\nid = "1"\nsays = "It answers"\nkind = "script"\n'
    )
    (task / "instruction.md").write_text("Do nothing.")
    (task / "verify.py").write_text(VERIFY)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")
    with Endpoint(turns()) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", task, base_url=f"{endpoint.url}/v1")
    assert record.outcome is Outcome.ERROR
    assert "Docker" in record.error
