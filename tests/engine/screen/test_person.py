"""``tenure open --screen``: a person's window on a display, frozen when the work ends, and graded."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.command import Tenure
from support.computers import require
from support.screens import require as require_screens
from tenure.engine.plan import RECORD, read_record
from tenure.engine.screen.desktop import Display
from tenure.schema import Backend, Fault, Interface, Outcome

COMMAND = [sys.executable, "-m", "tenure.cli.main", "open", "--screen"]


def _title(display: Display) -> str:
    try:
        return asyncio.run(display.title())
    except Fault:
        return ""  # There is no window yet.


@pytest.mark.parametrize("end", ["interrupt", "close"])
def test_a_person_works_in_a_window_and_is_graded(reply: Path, tmp_path: Path, end: str) -> None:
    require(Backend.DESKTOP)
    require_screens()
    display = Display()
    try:
        words = [*COMMAND, str(reply), "--runs", str(tmp_path / "runs")]
        env = {**os.environ, "DISPLAY": display.name}
        with subprocess.Popen(words, env=env, stderr=subprocess.PIPE, text=True) as person:
            while person.poll() is None and not _title(display).startswith("Inbox"):
                time.sleep(0.3)
            asyncio.run(display.do("mousemove", "600", "400", "key", "c"))
            time.sleep(2)
            asyncio.run(display.do("type", "--delay", "10", "bo@customer.example\t\tIt arrives soon"))
            time.sleep(3)
            if end == "interrupt":
                person.send_signal(signal.SIGINT)
            else:
                asyncio.run(display.do("key", "ctrl+w"))
                time.sleep(1)
                asyncio.run(display.do("key", "Return"))  # Should the page ask whether to leave it.
            try:
                _, said = person.communicate(timeout=30)
            finally:
                person.kill()
        assert person.returncode == 0, said
        assert "asked when their order will arrive" in said
        state = re.findall(r"tenure grade (\S+)", said)[-1]
    finally:
        display.close()
    graded = subprocess.run([*COMMAND[:-2], "grade", state], capture_output=True, text=True, timeout=60)
    assert graded.returncode in (0, 1), graded.stderr
    record = read_record(Path(state).parent / RECORD)
    assert (record.row.interface, record.row.backend) == (Interface.SCREEN, Backend.DESKTOP)
    assert (record.outcome, record.row.ranks) == (Outcome.FAILED, False)
    assert [entry for entry in record.journal if entry.kind == "gmail.draft"], (
        "what the person wrote is there"
    )


def test_without_a_display_one_line_says_so(
    reply: Path, tmp_path: Path, tenure: Tenure, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(Backend.DESKTOP)
    monkeypatch.delenv("DISPLAY", raising=False)
    says = tenure.complains("open", reply, "--screen", "--runs", tmp_path / "runs")
    assert "needs a display of this machine" in says
    assert not list((tmp_path / "runs").iterdir()), "nothing is left of it"


def test_the_screen_is_for_people(reply: Path, tenure: Tenure) -> None:
    assert "a command gets it without" in tenure.complains("open", "--screen", reply, "--", "true")
