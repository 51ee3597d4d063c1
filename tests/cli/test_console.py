"""What an agent or its product wrote reaches a terminal as letters: no markup, no control characters."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from report.fixtures import make_record, make_row
from support.builds import make
from support.command import Tenure
from support.machines import isolated
from tenure.cli.console import nodes, percent, plain, points, verdict
from tenure.engine.plan import GRADED
from tenure.oracle.acts import STUCK
from tenure.schema import Interface, Outcome

HOSTILE = [
    "[/b]",
    "\\[/b]",
    "\\\\[/red]",
    "a\\",
    "[bold]b",
    "\\[link=http://x.test]c[/link]",
    "\x1b]0;d\x07",
    "\x1b[2J\r",
]


def printed(*shown: object) -> str:
    out = io.StringIO()
    Console(file=out, width=400, highlight=False, no_color=True).print(*shown)
    return out.getvalue()


@pytest.mark.parametrize("text", HOSTILE)
def test_letters_stay_and_nothing_else_does(text: str) -> None:
    letters = "".join(c if c.isprintable() else " " for c in text)
    assert printed(f"[red]{plain(text)}[/] it says") == f"{letters} it says\n"


@isolated
def test_a_build_that_answers_with_escapes_is_graded_for_people(tenure: Tenure, tmp_path: Path) -> None:
    record = make(tmp_path / "runs", "tenure/idle")
    assert record.build is not None
    (path,) = (tmp_path / "runs").rglob(GRADED)
    held = json.loads(path.read_bytes())
    for finding, text in zip(held["findings"], HOSTILE, strict=False):
        finding["reason"] = text
    path.write_text(json.dumps(held | {"error": HOSTILE[-1] + HOSTILE[1]}))
    said = tenure("grade", tmp_path / "runs")
    assert said.status == 0 and not {"\x1b", "\x07", "\r"} & set(said.out), said.out
    assert "\\[/b]" in said.out

    odd = [f.model_copy(update={"outcome": Outcome.ERROR}) for f in record.build.findings[:2]]
    card = record.build.model_copy(
        update={"reason": "\\[/b]\x1b[2J", "findings": (*odd, *record.build.findings[2:])}
    )
    shown = printed(verdict(record.model_copy(update={"build": card})), nodes(card))
    assert "\\[/b] [2J" in shown and "\x1b" not in shown
    assert "score 0.0, 0/5 nodes (2 error), " in shown


def test_numbers_are_those_of_the_report() -> None:
    assert [percent(share) for share in (0.5625, 0.0625, 1.0, None)] == ["56.3", "6.3", "100.0", "—"]
    assert [points(score) for score in (56.25, 57.45, 0.0, None)] == ["56.3", "57.5", "0.0", "—"]


def test_what_a_script_met_is_said_however_long_its_command_was() -> None:
    row = make_row("native", "tenure/oracle", Interface.API, ranks=False)
    answer = STUCK + ": python3 -c '" + 200 * "x = 1\n" + "': NameError: no\n[exit code 1]"
    record = make_record(row, "carry/renewal", 1, skill=1)
    line = verdict(record.model_copy(update={"scorecard": None, "error": "", "answer": answer}))
    assert "The script could not go on: … " in line and line.endswith("NameError: no \\[exit code 1]")
