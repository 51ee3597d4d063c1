"""``tenure open``: a world for a person, and for outside agents in a closed network."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import outside
from support.command import Tenure
from support.tasks import KEY
from tenure.engine.plan import END_STATE, RECORD, read_record
from tenure.schema import Outcome

TENURE = [sys.executable, "-m", "tenure.cli.main"]
GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"

AGENT = '''\
"""An outside agent with httpx: reads its request and tokens, drafts the answer."""

import base64, json, os, re
from email.message import EmailMessage
from pathlib import Path
import httpx

tokens = json.loads(os.environ["TENURE_TOKENS"])
request = Path(os.environ["TENURE_INSTRUCTION"]).read_text()
assert " asked when" in request
signed = tokens["gmail.googleapis.com"]
gmail = httpx.Client(base_url="https://gmail.googleapis.com/gmail/v1/users/me/", headers=signed)

def newest(query):
    id = gmail.get("messages", params={"q": query, "maxResults": 1}).json()["messages"][0]["id"]
    found = gmail.get(f"messages/{id}").json()
    data = found["payload"]["body"]["data"]
    found["text"] = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)).decode()
    found["headers"] = {h["name"].lower(): h["value"] for h in found["payload"]["headers"]}
    return found

question = newest("from:" + request.split()[0].lower())
day = re.findall(r"\\d{4}-\\d{2}-\\d{2}", newest("from:warehouse")["text"])[0]
letter = EmailMessage()
letter["To"], letter["Subject"] = question["headers"]["from"].split("<")[-1].rstrip(">"), "Re: Our order"
letter["In-Reply-To"] = letter["References"] = question["headers"]["message-id"]
letter.set_content(f"It arrives on {day}.")
raw = base64.urlsafe_b64encode(letter.as_bytes()).decode()
gmail.post("drafts", json={"message": {"raw": raw, "threadId": question["threadId"]}}).raise_for_status()
'''


def opened(*words: object, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """An open in a process of its own: it needs the main thread."""
    command = [*TENURE, "open", *(str(word) for word in words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, cwd=cwd)


def test_an_outside_agent_works_on_the_real_hostnames_and_is_graded_and_marked(
    tenure: Tenure, reply: Path, tmp_path: Path
) -> None:
    outside.require()
    home = tmp_path / "agent"
    home.mkdir()
    (home / "agent.py").write_text(AGENT)
    runs = tmp_path / "runs"
    for seed in (11, 11, 23):
        words = (reply, "--seed", seed, "--runs", runs, "--name", "my agent", "--json")
        done = opened(*words, "--", sys.executable, "agent.py", cwd=home)
        assert done.returncode == 0, done.stderr
        end = Path(json.loads(done.stdout)["end_state"])
        assert json.loads(done.stdout)["status"] == 0
        graded = tenure("grade", end)
        assert "passed" in graded.out
        assert f"recorded in {end.parent / RECORD}" in graded.out
        record = read_record(end.parent / RECORD)
        assert (record.outcome, record.seed, record.row.model) == (Outcome.PASSED, seed, "my agent")
        assert (record.row.agent, record.row.ranks) == ("outside", False)
        assert len(record.connections) == record.usage.steps == 5
        assert "the same as the stored grade" in tenure("grade", end).out
    found = json.loads(tenure("report", runs, "--out", tmp_path / "site", "--json").out)
    assert [(row["rank"], row["counts"]["passed"]) for row in found["rows"]] == [(None, 1)] * 3
    assert "my agent †" in " ".join(tenure("report", runs, "--out", tmp_path / "site").out.split())


LOOK = '''\
"""What an outside command can see of the harness: everything it finds goes into one JSON object."""

import json, os, pathlib, socket, sys

def readable(path):
    try:
        path = pathlib.Path(path)
        return [str(one) for one in path.rglob("*")][:3] if path.is_dir() else len(path.read_bytes())
    except OSError as error:
        return str(type(error).__name__)

def reaches(host, port):
    try:
        socket.create_connection((host, port), timeout=2).close()
        return True
    except OSError:
        return False

print(json.dumps({
    "paths": {path: readable(path) for path in sys.argv[1:]},
    "env": dict(os.environ),
    "outside": reaches("1.1.1.1", 443) or reaches("10.0.0.1", 80),
    "gmail": reaches("gmail.googleapis.com", 443),
}))
'''


def test_an_outside_command_sees_neither_checks_nor_bases_nor_keys(reply: Path, tmp_path: Path) -> None:
    outside.require()
    from tenure.schema.folder import CATALOG
    from tenure.world.prepare import cache_folder
    from tenure.world.tls import authority

    home, runs = tmp_path / "agent", tmp_path / "runs"
    home.mkdir()
    (home / "look.py").write_text(LOOK)
    (runs / "earlier").mkdir(parents=True)
    (runs / "earlier" / "attempt.json").write_text("what the oracle did")
    hidden = [reply, reply / "checks.py", CATALOG, cache_folder(), runs, authority().folder]
    done = opened(reply, "--runs", runs, "--", sys.executable, "look.py", *hidden, cwd=home)
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    for path, found in seen["paths"].items():
        assert found in ([], "FileNotFoundError", "PermissionError", 0), (path, found)
    assert (seen["outside"], seen["gmail"]) == (False, True)
    assert KEY not in json.dumps(seen["env"])
    assert not [name for name in seen["env"] if name.endswith("_API_KEY")]
    assert {"TENURE_TOKENS", "TENURE_INSTRUCTION", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"} <= seen[
        "env"
    ].keys()
    assert "grade it with: tenure grade" in done.stderr


@pytest.mark.parametrize(("code", "status"), [("raise SystemExit(7)", 7), ("1 / 0", 1)])
def test_a_command_that_fails_is_frozen_all_the_same(
    tenure: Tenure, reply: Path, tmp_path: Path, code: str, status: int
) -> None:
    outside.require()
    home = tmp_path / "agent"
    home.mkdir()
    done = opened(reply, "--runs", tmp_path / "runs", "--", sys.executable, "-c", code, cwd=home)
    assert done.returncode == status
    assert f"ended with status {status}" in done.stderr
    (end,) = (tmp_path / "runs").rglob(END_STATE)
    assert tenure("grade", end).status == 0
    assert read_record(end.parent / RECORD).outcome is Outcome.FAILED


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_person_opens_works_stops_and_grades(
    tenure: Tenure, reply: Path, tmp_path: Path, stop: signal.Signals
) -> None:
    command = [*TENURE, "open", str(reply), "--runs", str(tmp_path / "runs"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        while not text.rstrip().endswith("\n}"):
            line = process.stdout.readline()
            assert line, "the command ended"
            text += line
        how = json.loads(text)
        assert "gmail.googleapis.com" in how["hosts"]
        assert "asked when their order will arrive" in how["instruction"]
        call = ["curl", "-sS", "--max-time", "20", "--cacert", how["ca"]]
        call += ["--connect-to", f"::127.0.0.1:{how['port']}"]
        for header, value in how["headers"]["gmail.googleapis.com"].items():
            call += ["-H", f"{header}: {value}"]
        answer = subprocess.run([*call, f"{GMAIL}/profile"], capture_output=True, text=True, timeout=30)
        assert json.loads(answer.stdout)["emailAddress"] == "ana@harbor.example"
        made = subprocess.run(
            [*call, "-H", "content-type: application/json", "-d", '{"name": "later"}', f"{GMAIL}/labels"],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert json.loads(made.stdout)["name"] == "later"
        process.send_signal(stop)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    (end,) = (tmp_path / "runs").rglob(END_STATE)
    assert f"grade it with: tenure grade {end}" in err
    graded = tenure("grade", end)
    assert f"recorded in {end.parent / RECORD}" in graded.out
    record = read_record(end.parent / RECORD)
    assert (record.outcome, record.row.model, record.row.ranks) == (Outcome.FAILED, "person", False)
    assert [c.status for c in record.connections] == [200, 200]
    assert [entry.kind for entry in record.journal] == ["gmail.label"]


def test_the_words_for_a_person_can_be_pasted(reply: Path, tmp_path: Path) -> None:
    command = [*TENURE, "open", str(reply), "--runs", str(tmp_path / "runs")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said: list[str] = []
        while not said or not said[-1].startswith("Ctrl-C"):
            line = process.stderr.readline()
            assert line, said
            said.append(line)
        at = next(n for n, line in enumerate(said) if "curl" in line)
        pasted = "".join(said[at:-1]).replace("/…", "/gmail/v1/users/me/profile")
        answer = subprocess.run(["sh", "-c", pasted], capture_output=True, text=True, timeout=30)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert "ana@harbor.example" in answer.stdout, pasted + answer.stderr
