"""Faults that other platforms shipped, as small inputs of our own."""

import asyncio
import time
from pathlib import Path

import pytest

from support.tasks import copy_reply
from tenure.grading import grade
from tenure.oracle import Hands, Vandal, load_solve, perform
from tenure.schema import Outcome, Scorecard
from tenure.schema.folder import TaskFolder
from tenure.twins import load
from tenure.world.prepare import base_for

GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"


async def nothing(hands: Hands) -> None:
    """No harm."""


def card(task: Path, *, then: Vandal | None = None) -> tuple[Scorecard, str]:
    """The scorecard and end state of the oracle, and of what is done after it."""
    folder = TaskFolder(task)
    solve = (then or Vandal("none", kills=(), do=nothing)).after(load_solve(folder))
    done = perform(folder, base_for(folder, 11), solve, load(folder.task.twins))
    found = asyncio.run(grade(folder, done.end)), done.end.fingerprint
    done.close()
    return found


def test_reads_are_no_side_effects(reply: Path) -> None:
    async def look(hands: Hands) -> None:
        for message in (await hands.http.get(f"{GMAIL}/messages"))["messages"]:
            await hands.http.get(f"{GMAIL}/messages/{message['id']}")
        await hands.http.post(f"{GMAIL}/messages/{message['id']}/modify", {"removeLabelIds": ["UNREAD"]})

    assert card(reply, then=Vandal("looks", kills=(), do=look)) == card(reply)


def test_collateral_damage_takes_the_clean_pass(reply: Path) -> None:
    async def trash(hands: Hands) -> None:
        for message in (await hands.http.get(f"{GMAIL}/messages", labelIds="INBOX"))["messages"]:
            await hands.http.post(f"{GMAIL}/messages/{message['id']}/trash", {})

    found, _ = card(reply, then=Vandal("trashes", kills=(), do=trash))
    assert (found.passed, found.clean_pass, len(found.strays)) == (True, False, 3)


def test_a_record_behind_many_others_is_still_found(reply: Path) -> None:
    async def labels(hands: Hands) -> None:
        for n in range(30):
            await hands.http.post(f"{GMAIL}/labels", {"name": f"label {n}"})

    found, _ = card(reply, then=Vandal("labels", kills=(), do=labels))
    assert found.passed, "no check reads a page of an API"


def test_the_day_it_really_is_does_not_matter(reply: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    today, real = card(reply), time.time
    monkeypatch.setattr(time, "time", lambda: real() + 400 * 86_400)
    assert card(reply) == today


@pytest.mark.parametrize(
    ("fact", "says"),
    [('"delivery_day"', "KeyError: 'delivery_day'"), ('"customer_email"', "KeyError: 'customer_email'")],
)
def test_a_missing_precondition_is_an_error_and_not_a_fail(tmp_path: Path, fact: str, says: str) -> None:
    task = copy_reply(tmp_path, story=(f"{fact}: ", f'"not_{fact[1:]}: '))
    found, _ = card(task)
    assert found.outcome is Outcome.ERROR
    assert says in found.reason


def test_the_superseded_date_beside_the_right_one_does_not_hide_it(tmp_path: Path) -> None:
    both = "arrives on {notes.day}, not on 2026-03-01."
    task = copy_reply(tmp_path, oracle=("arrives on {notes.day}.", both))
    assert card(task)[0].passed


@pytest.mark.parametrize("written", ["{notes.day}0", "1{notes.day}", "{notes.day[:-1]}"])
def test_a_longer_or_shorter_date_is_another(tmp_path: Path, written: str) -> None:
    task = copy_reply(tmp_path, oracle=("arrives on {notes.day}.", f"arrives on {written} then."))
    assert [f.check for f in card(task)[0].findings if f.outcome is Outcome.FAILED] == ["date"]
