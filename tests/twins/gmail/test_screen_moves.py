"""What Gmail's screen does with conversations; the store is looked at after it."""

from pathlib import Path

import pytest

from support.screens import Shown, Spot
from tenure.twins.gmail.pilot import Gmail
from tenure.twins.gmail.screen_records import Snoozed
from tenure.world import EndState

from . import mailboxes
from .make import ADA, DAY
from .screens import labelled, mailbox, play

NUMBERS, INVOICE = "Quarterly numbers for the board", "Invoice 2026-118"
KICKOFF, CONTRACT = "Kick-off on Thursday", "Contract renewal: two open points"


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mailboxes.full(tmp_path_factory.mktemp("full") / "base.db", threads=10)


def under(end: EndState, subject: str) -> set[str]:
    """The labels of the first message with a subject."""
    return next(set(m.label_ids) for m in mailbox(end) if m.subject == subject)


def test_archive_delete_spam_and_taking_them_back(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        await gmail.select(INVOICE)
        await gmail.act("Archive")
        await shown.screen.wait(Spot("link", INVOICE), gone=True)
        await gmail.undo()
        await shown.screen.wait(Spot("link", INVOICE))
        await gmail.select(KICKOFF)
        await gmail.act("Archive")
        await gmail.select(CONTRACT, "Lunch next week?")
        await gmail.act("Delete")
        await gmail.select("Candidate shortlist")
        await gmail.act("Report spam")
        await gmail.open("spam")
        await gmail.select("You have been chosen (2)")
        await gmail.act("Not spam")
        await gmail.open("trash")
        await gmail.select("Lunch next week?")
        await gmail.act("Move to Inbox")

    end = play(full, tmp_path, story)
    assert {"INBOX", "Label_3"} <= under(end, INVOICE)
    assert "INBOX" not in under(end, KICKOFF)
    assert {"TRASH"} == under(end, CONTRACT) & {"TRASH", "INBOX"}
    assert {"SPAM"} == under(end, "Candidate shortlist") & {"SPAM", "INBOX"}
    assert {"INBOX"} == under(end, "You have been chosen (2)") & {"SPAM", "INBOX"}
    assert {"INBOX"} == under(end, "Lunch next week?") & {"TRASH", "INBOX"}
    assert {entry.via for entry in end.journal if entry.kind == "gmail.message"} == {"screen"}


def test_stars_importance_and_read_marks(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        await gmail.star(INVOICE)
        await gmail.star(KICKOFF)
        await shown.screen.click(Spot("button", f"Important: {INVOICE}"))
        await gmail.select(NUMBERS)
        await gmail.act("Mark as read")
        await shown.screen.click(Spot("button", "Refresh"))
        await gmail.select(CONTRACT)
        await gmail.act("Mark as unread")

    end = play(full, tmp_path, story)
    assert {"STARRED", "IMPORTANT"} <= under(end, INVOICE)
    assert "STARRED" not in under(end, KICKOFF)
    assert "UNREAD" not in under(end, NUMBERS)
    assert "UNREAD" in under(end, CONTRACT)


def test_labels_and_moves(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        await gmail.select(INVOICE, KICKOFF)
        await gmail.label("Hiring")
        await gmail.open_thread(INVOICE)
        await shown.screen.click(Spot("button", "Remove label Finance"))
        await shown.screen.wait(Spot("button", "Remove label Finance"), gone=True)
        await gmail.move("Clients/Meridian")
        await gmail.create_label("Northgate", "Clients")
        await gmail.select(CONTRACT)
        await gmail.label("Clients/Northgate")

    end = play(full, tmp_path, story)
    assert under(end, INVOICE) & {"INBOX", "Label_2", "Label_3", "Label_4"} == {"Label_2", "Label_4"}
    assert {"INBOX", "Label_4"} <= under(end, KICKOFF)
    assert "Label_5" in under(end, CONTRACT)


def test_a_snoozed_conversation_comes_back_at_its_time(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        await gmail.select(INVOICE)
        await gmail.snooze("Tomorrow")
        await gmail.select(KICKOFF)
        await gmail.snooze_until("2026-09-29", "14:30")
        await gmail.select(CONTRACT)
        await gmail.snooze("Next week")
        await gmail.open("snoozed")
        assert len(await gmail.rows()) == 3
        await gmail.select(CONTRACT)
        await gmail.act("Move to Inbox")

    end = play(full, tmp_path, story, horizon_ms=2 * DAY)
    assert {"INBOX", "UNREAD"} <= under(end, INVOICE)
    assert "INBOX" in under(end, CONTRACT)
    assert "INBOX" not in under(end, KICKOFF)
    waiting = end.every(Snoozed)
    assert [(w.account, w.until) for w in waiting] == [(ADA, 1_790_685_000_000)]


def test_emptying_and_deleting_forever(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        await gmail.open("spam")
        await gmail.empty("Spam")
        await shown.page.get_by_text("no spam here").wait_for()
        await gmail.open("trash")
        await gmail.select("Old newsletter (0)")
        await gmail.act("Delete forever")

    end = play(full, tmp_path, story)
    assert labelled(end, "SPAM") == []
    assert labelled(end, "TRASH") == ["Old newsletter (1)"]


def test_everything_by_keyboard(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        async def keys(*pressed: str) -> None:
            for key in pressed:
                await shown.screen.press(key)

        await keys("j", "j", "e")
        await shown.screen.wait(Spot("link", INVOICE), gone=True)
        await keys("j", "x", "j", "x", "#")
        await shown.screen.wait(Spot("status", "2 conversations moved to Trash"))
        await keys("k", "k", "k", "k", "o")
        await shown.screen.wait(Spot("list", "Messages"))
        await keys("s")
        await shown.screen.wait(Spot("button", "Star", exact=True))
        await keys("l")
        await shown.screen.click(Spot("menuitemcheckbox", "Finance", exact=True))
        await shown.screen.wait(Spot("status", "Label “Finance” added."))
        await keys("Escape", "u", "g", "s")
        await shown.page.wait_for_url("**#/starred")
        await keys("g", "i", "/")
        await shown.screen.type("from:maja")
        await keys("Enter")
        await shown.page.wait_for_url("**#/search/**")
        await keys("Escape", "?")
        await shown.screen.wait(Spot("dialog", "Keyboard shortcuts"))

    end = play(full, tmp_path, story)
    assert "INBOX" not in under(end, INVOICE)
    assert {"STARRED", "Label_3"} <= under(end, NUMBERS)
    assert len(labelled(end, "TRASH")) == 4
