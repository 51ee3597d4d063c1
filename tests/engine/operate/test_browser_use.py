"""browser-use itself, its model a scripted endpoint, in a machine that reaches the apps alone."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.endpoint import Endpoint, Heard, Said
from support.machines import CACHE, isolated
from support.operating import APPS, CASHBOOK, make
from tenure.engine.build.settings import Agent, cli_version
from tenure.engine.operate.machine import GIVEN
from tenure.engine.operate.params import ACTIONS
from tenure.engine.operate.prompt import outside_rules
from tenure.engine.operate.stored import AFTER
from tenure.engine.plan import RECORD
from tenure.schema import AttemptRecord, BadInput, Ending, Outcome
from tenure.schema.evidence import Evidence
from tenure.schema.operate import OperateScorecard
from tenure.workspace.browsing import missing

from .test_killed import below, listening, proven, reached, running, scratch

__all__ = ["proven", "scratch"]
pytestmark = [
    pytest.mark.full,
    isolated,
    pytest.mark.skipif(bool(missing()), reason=missing() or "there"),
    pytest.mark.usefixtures("apps", "installed"),
]
HOME = "http://cashbook.localhost"
MODEL = "openai/gpt-4o"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """browser-use, where ``scripts/agents`` has installed it."""
    monkeypatch.setenv("TENURE_AGENTS", os.environ.get("TENURE_AGENTS", str(CACHE / "agents")))
    try:
        cli_version(Agent.BROWSER_USE)
    except BadInput as absent:
        pytest.skip(str(absent))


class Act(NamedTuple):
    """One action of a script.

    Attributes:
        name: The action.
        given: Its arguments.
        words: Find its element: the last one stands in it, each below the one before.
    """

    name: str
    given: dict[str, Any]
    words: tuple[str, ...] = ()

    def on(self, page: str) -> dict[str, dict[str, Any]]:
        """The action as browser-use takes it."""
        index = {"index": number(page, *self.words)} if self.words else {}
        return {self.name: {**index, **self.given}}


def act(name: str, *words: str, **given: Any) -> Act:
    return Act(name, given, words)


def number(page: str, *words: str) -> int:
    """The number of the element that the last word stands in."""
    lines, at = page.splitlines(), 0
    for word in words[:-1]:
        at = next(n for n in range(at, len(lines)) if word in lines[n]) + 1
    at = next(n for n in range(at, len(lines)) if words[-1] in lines[n])
    above = (re.search(r"\[(\d+)\]<", line) for line in reversed(lines[: at + 1]))
    return next(int(found[1]) for found in above if found)


def playing(script: Sequence[Act], slow: Callable[[int], float] = lambda step: 0) -> Callable[[Heard], Said]:
    """A model that plays a script by the step that browser-use says it is at, its last action for ever."""

    def model(heard: Heard) -> Said:
        told = "\n".join(text for role, text in heard.said if role == "user")
        found = re.search(r"<step_info>Step ?(\d+)", told)
        if found is None:
            return Said("Forty entries, as the page says.")
        step = min(int(found[1]), len(script))
        action = script[step - 1].on(told.partition("<browser_state>")[2])
        thought = {"evaluation_previous_goal": "Good.", "memory": "Noted.", "next_goal": "Next."}
        return Said(json.dumps({"thinking": "", **thought, "action": [action]}), delay=slow(step))

    return model


DONE = act("done", text="All in order.", success=True, files_to_display=[])
SIGNED_IN = [
    act("navigate", url=HOME, new_tab=False),
    act("input", "name=user", text="mara", clear=True),
    act("input", "type=password", text="till-and-drawer", clear=True),
    act("click", "type=password", "Sign in"),
]
JOB = [
    *SIGNED_IN,
    act("click", "New entry"),
    act("input", "name=day", text="2026-04-14", clear=True),
    act("input", "name=shop", text="Lantern Café", clear=True),
    act("select_dropdown", "name=category", text="Food"),
    act("input", "name=amount", text="23.80", clear=True),
    act("click", "name=amount", "Save"),
    act("navigate", url=f"{HOME}/entries", new_tab=False),
    act("click", "2026-01-09", "Edit"),
    act("select_dropdown", "name=category", text="Travel"),
    act("click", "name=amount", "Save"),
    act("navigate", url=f"{HOME}/entries", new_tab=False),
    act("click", "2026-01-05", "2026-01-05", "Delete"),
    act("extract", query="How many entries are there?", extract_links=False, start_from_char=0),
    act("write_file", file_name="todo.md", content="- [x] All of it", append=False),
    act("read_file", file_name="todo.md"),
    DONE,
]


def card_of(record: AttemptRecord) -> OperateScorecard:
    assert record.operate is not None, record.error
    return record.operate


def results(record: AttemptRecord) -> list[str]:
    """What the actions of an attempt gave."""
    return [message["text"] for message in record.transcript if message["role"] == "tool"]


def test_it_does_a_job_by_the_22_actions_and_is_recorded_as_every_agent_is(tmp_path: Path) -> None:
    with Endpoint(playing(JOB)) as endpoint:
        record = make(tmp_path, MODEL, agent="browser-use", base_url=f"{endpoint.url}/v1")
        bodies = [body for _, _, body in endpoint.requests]
    card = card_of(record)
    assert (record.outcome, card.resolved, card.claimed) == (Outcome.PASSED, True, True), results(record)
    assert (card.ending, record.answer) == (Ending.DONE, "All in order.")
    assert record.usage.steps == len(JOB), "what extract asks is no turn"
    assert len(bodies) == len(JOB) + 1
    assert (record.row.agent, record.provenance.settings["loop"]) == ("browser-use", "browser-use's own")
    assert record.provenance.versions["agent"] == cli_version(Agent.BROWSER_USE)
    assert record.provenance.settings["machine"].startswith(("pinned:", "host:"))

    for body in bodies:
        if "response_format" in body:
            schema = body["response_format"]["json_schema"]["schema"]
            offered = [one["properties"] for one in schema["properties"]["action"]["items"]["anyOf"]]
            assert sorted(name for one in offered for name in one) == sorted(ACTIONS)
    told = [json.dumps(body["messages"], ensure_ascii=False) for body in bodies]
    assert outside_rules().strip() in bodies[0]["messages"][0]["content"]
    assert "- [ ] Book the new receipt" in told[0]
    assert "Delete this entry?" in "".join(told), "what a page's message said is told"

    assert [message["role"] for message in record.transcript[:2]] == ["system", "user"]
    assert record.transcript[1]["text"] == record.instruction
    calls = [call["tool"] for message in record.transcript for call in message.get("calls", ())]
    assert calls == [one.name for one in JOB]
    (folder,) = {path.parent for path in tmp_path.rglob(RECORD)}
    assert (folder / "files" / "todo.md").read_text() == "- [x] All of it\n"
    looks = [message for message in record.transcript if "image" in message]
    assert len(looks) == len(JOB) - 1, "of the first, blank page there is none"
    assert all((folder / look["image"]).is_file() for look in looks)
    assert "an earlier look" in looks[0]["text"] and "Page:" in looks[-1]["text"]
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    assert [event["event"] for event in events] == ["begin", *["step"] * len(JOB), "end"]


ELSEWHERE = (
    *(
        "file:///etc/passwd",
        "view-source:http://cashbook.localhost",
        "javascript:alert(1)",
        "data:text/html,a",
    ),
    *("chrome://version", "https://example.com", "https://cashbook.localhost", "http://other.localhost"),
    *(
        "http://cashbook.localhost:9222",
        "http://127.0.0.1:9222/json",
        "http://127.0.0.1:13131",
        "http://[::1",
    ),
    "http://cashbook.localhost@example.com",
)


def test_nothing_but_the_apps_can_be_opened_and_no_script_is_run(tmp_path: Path) -> None:
    task = Path(shutil.copytree(CASHBOOK, tmp_path / "task", ignore=shutil.ignore_patterns("__pycache__")))
    about = task / "task.toml"
    inputs = '[[inputs]]\nfile = "plan.pdf"\ntype = "pdf"\n\n'
    about.write_text(
        about.read_text()
        .replace("steps =", 'track = "multimodal"\nsteps =')
        .replace("[[checks]]", f"{inputs}[[checks]]", 1)
    )
    (task / "inputs").mkdir()
    (task / "inputs" / "plan.pdf").write_bytes(b"%PDF-1.4 of no use")
    given = f"{GIVEN}/plan.pdf"
    script = [
        act("search", query="cash books", engine="duckduckgo"),
        *(act("navigate", url=url, new_tab=bool(n % 2)) for n, url in enumerate(ELSEWHERE)),
        act("navigate", url=HOME, new_tab=False),
        act("evaluate", code="document.title"),
        act("read_file", file_name="/etc/passwd"),
        act("read_file", file_name=given),
        act("upload_file", "name=user", path="/etc/passwd"),
        act("write_file", file_name="notes.md", content="Seen.", append=False),
        DONE._replace(given={"text": "Nothing done.", "success": False, "files_to_display": []}),
    ]
    for n in range(4, len(ELSEWHERE) + 4, 5):  # Five failures in a row end it.
        script.insert(n, act("read_file", file_name="todo.md"))
    with Endpoint(playing(script)) as endpoint:
        runs = tmp_path / "runs"
        record = make(runs, MODEL, task, agent="browser-use", base_url=f"{endpoint.url}/v1")
        last = json.dumps(endpoint.requests[-1][2]["messages"])
    card = card_of(record)
    assert (record.outcome, card.ending, card.claimed) == (Outcome.FAILED, Ending.DONE, False)
    said = results(record)
    assert "no web to search" in said[0]
    refused = [f"{url} cannot be opened; these addresses can: {HOME}." for url in ELSEWHERE]
    assert [text for text in said if "cannot be opened" in text] == refused
    assert "root:" not in json.dumps(record.transcript)
    (evaluated,) = [m for m in record.transcript if "evaluate" in m["text"] and m["role"] == "user"]
    assert "Extra inputs are not permitted" in evaluated["text"]
    assert given in last
    addresses = {m["text"] for m in record.transcript if "an earlier look" in m["text"]}
    assert {re.search(r"look: (\S+)", text)[1] for text in addresses} == {"about:blank", f"{HOME}/login"}  # type: ignore[index]
    (folder,) = {path.parent for path in runs.rglob(RECORD)}
    assert sorted(path.name for path in (folder / "files").iterdir()) == ["notes.md", "plan.pdf", "todo.md"]


EXPORT = """        if url.path == "/export.csv":
            content = b"day,shop\\n2026-01-05,Quay Taxi\\n"
            self.send_response(200)
            self.send_header("Content-Type", "text/csv")
            self.send_header("Content-Disposition", 'attachment; filename="export.csv"')
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            return self.wfile.write(content)
"""
IMPORT = """        if self.path == "/import":
            with store() as held:
                held.execute("INSERT INTO entry (day, shop) VALUES (?, ?)", ("2026-05-01", body))
            return self.leave("/entries")
"""
FORM = """<a href="/export.csv">Export</a><form method="post" action="/import" enctype="multipart/form-data">
<input type="file" name="book"><button>Import</button></form></nav>"""


def test_a_download_is_a_file_of_the_agent_and_can_be_uploaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps = Path(shutil.copytree(APPS, tmp_path / "apps"))
    monkeypatch.setenv("TENURE_APPS", str(apps))
    server = apps / "cashbook" / "inside" / "server.py"
    parts = {
        "</nav>": FORM,
        '        if url.path == "/login":\n': f'{EXPORT}        if url.path == "/login":\n',
        '        if self.path == "/login":\n': f'{IMPORT}        if self.path == "/login":\n',
    }
    for old, made in parts.items():
        assert server.read_text().count(old) == 1
        server.write_text(server.read_text().replace(old, made))
    script = [
        *SIGNED_IN,
        act("click", "Export"),
        act("read_file", file_name=f"{GIVEN}/export.csv"),
        act("upload_file", "type=file", path=f"{GIVEN}/export.csv"),
        act("click", "type=file", "Import"),
        DONE,
    ]
    runs = tmp_path / "runs"
    with Endpoint(playing(script)) as endpoint:
        record = make(runs, MODEL, agent="browser-use", base_url=f"{endpoint.url}/v1")
    assert card_of(record).ending is Ending.DONE, record.error
    (folder,) = {path.parent for path in runs.rglob(RECORD)}
    after = Evidence.model_validate_json((folder / AFTER).read_bytes())
    (entered,) = [row for row in after.rows("entries") if row["day"] == "2026-05-01"]
    assert 'filename="export.csv"' in entered["shop"] and "2026-01-05,Quay Taxi" in entered["shop"], results(
        record
    )
    assert (folder / "files" / "export.csv").read_text() == "day,shop\n2026-01-05,Quay Taxi\n"
    assert "2026-01-05,Quay Taxi" in results(record)[5]


@pytest.mark.parametrize(
    ("script", "fields", "ending", "steps"),
    [
        (SIGNED_IN, {"max_tokens": 240}, Ending.OUT_OF_TOKENS, 2),
        (SIGNED_IN, {"max_steps": 2}, Ending.OUT_OF_STEPS, 2),
        ([act("evaluate", code="1")], {}, Ending.NO_VALID_ANSWER, 6),
    ],
)
def test_what_ends_it_is_told_in_the_words_of_every_agent(
    script: list[Act], fields: dict[str, int], ending: Ending, steps: int, tmp_path: Path
) -> None:
    with Endpoint(playing(script)) as endpoint:
        record = make(tmp_path, MODEL, agent="browser-use", base_url=f"{endpoint.url}/v1", **fields)
    card = card_of(record)
    assert (card.ending, record.usage.steps, card.claimed) == (ending, steps, None), record.error
    assert record.outcome is Outcome.FAILED


def test_a_killed_run_leaves_nothing_and_the_same_command_begins_the_attempt_anew(
    tmp_path: Path, scratch: Path, proven: None
) -> None:
    pause = 60.0
    script = [act("navigate", url=HOME, new_tab=False), DONE]
    with Endpoint(playing(script, lambda step: pause if step > 1 else 0)) as endpoint:
        words = [sys.executable, "-m", "tenure.cli.main", "run", "operate", "--task", str(CASHBOOK)]
        words += ["--agent", "browser-use", "--model", MODEL, "--attempts", "1", "--runs", str(tmp_path)]
        words += ["--base-url", f"{endpoint.url}/v1"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 300
        while len(endpoint.requests) < 2:
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.1)
        started = below(process.pid)
        ports = listening(started)
        assert ports
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        deadline = time.monotonic() + 60
        while left := running(started):
            assert time.monotonic() < deadline, [Path(f"/proc/{pid}/cmdline").read_text() for pid in left]
            time.sleep(0.1)
        assert not [port for port in ports if reached(port)]

        pause = 0.0
        again = subprocess.run(words, capture_output=True, text=True, timeout=400)
        assert again.returncode == 0, again.stderr
    assert len(list(tmp_path.rglob(RECORD))) == 1
    assert list(scratch.iterdir()) == [], "what a killed run left is removed by the next one"
