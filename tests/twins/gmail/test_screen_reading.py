"""Looking at mail on Gmail's screen."""

from pathlib import Path

import pytest

from support.screens import Shown, Spot
from tenure.twins.gmail.pilot import URL, Gmail
from tenure.twins.gmail.records import Message

from . import mailboxes
from .screens import labelled, mailbox, play


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mailboxes.full(tmp_path_factory.mktemp("full") / "base.db")


def test_a_person_finds_and_reads_a_conversation(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        first = await gmail.rows()
        assert len(first) == 50
        assert "Quarterly numbers for the board" in first[0]
        await gmail.open_thread("Shipment delayed by two days")
        messages = await gmail.read_thread()
        assert messages[0].sender.startswith("Li Wei <li.wei@northgate.test>")
        assert len(messages) == 4
        assert "missed the pick-up" in messages[0].text
        assert "I will look at it today" in messages[1].text
        await shown.page.reload()
        assert "missed the pick-up" not in (await gmail.read_thread())[1].text
        await shown.page.go_back()
        await shown.screen.wait(Spot("toolbar", "Conversations"))
        assert len(await gmail.rows()) == 50
        shows = {id for line in shown.log() for kind, id in line.records if kind == "gmail.message"}
        assert len(shows) > 50

    end = play(full, tmp_path, story)
    thread = [m for m in mailbox(end) if m.subject.endswith("Shipment delayed by two days")]
    assert not any(m.unread for m in thread)
    journal = {(entry.kind, entry.via) for entry in end.journal}
    assert ("gmail.message", "rest") not in journal


def test_pages_and_places_keep_their_addresses(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        first = await gmail.rows()
        await shown.screen.click(Spot("button", "Older", exact=True))
        await shown.page.wait_for_url("**#/inbox/p2")
        await shown.screen.wait(Spot("button", "Newer", exact=True))
        await shown.page.wait_for_function("() => document.body.innerText.includes('51–100 of 120')")
        second = await gmail.rows()
        assert not {row for row in first} & {row for row in second}
        await shown.page.reload()
        await shown.page.wait_for_function("() => document.body.innerText.includes('51–100 of 120')")
        for place, count in (
            ("starred", 14),
            ("spam", 3),
            ("trash", 2),
            ("drafts", 2),
            ("label/Finance", 12),
        ):
            await gmail.open(place)
            await shown.page.wait_for_function(f"() => document.body.innerText.includes('of {count}')")
        await gmail.open("category/promotions")
        assert any("Autumn sale" in row for row in await gmail.rows())
        await gmail.open("label/Nothing")
        await shown.screen.wait(Spot("alert"))

    play(full, tmp_path, story)


def test_searching_by_words_by_the_panel_and_by_chips(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        await gmail.search("from:ines contract")
        rows = await gmail.rows()
        assert rows and all("Contract renewal" in row for row in rows)
        await gmail.open()
        await gmail.search_options(subject="invoice", attachment=True, where="Inbox")
        assert (
            await shown.screen.text(Spot("textbox", "Search mail"))
            == "subject:invoice in:inbox has:attachment"
        )
        await shown.page.wait_for_function("() => document.body.innerText.includes('of 12')")
        await shown.screen.click(Spot("button", "Is unread"))
        await shown.page.wait_for_url("**is%3Aunread")
        await gmail.search("nothing-has-this-word")
        await shown.page.get_by_text("No messages matched your search").wait_for()

    play(full, tmp_path, story)


def test_mail_that_arrives_appears_by_itself_and_looking_costs_no_time(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        other = await shown.second()
        await other.page.goto(f"{URL}#sent")
        await other.screen.wait(Spot("link", "To: "))
        before = len(shown.log())
        await shown.page.wait_for_timeout(5_000)
        assert len(shown.log()) == before
        away = Gmail(other.screen)
        letter = await away.compose(["ada@acme.test"], "Note to myself", "Buy milk")
        await letter.send()
        await shown.page.bring_to_front()
        await shown.screen.wait(Spot("link", "Note to myself"))

    end = play(full, tmp_path, story)
    assert "Note to myself" in labelled(end, "INBOX")


def test_original_print_and_attachments(full: Path, tmp_path: Path) -> None:
    async def story(shown: Shown, gmail: Gmail) -> None:
        await gmail.open_thread("Invoice 2026-118")
        async with shown.page.expect_download() as download:
            await shown.screen.click(Spot("link", "Download invoice-2026-118.pdf"))
        assert Path(await (await download.value).path()).read_bytes().startswith(b"%PDF-1.4 an invoice")
        await shown.screen.click(Spot("button", "More message options"))
        async with shown.page.context.expect_page() as opened:
            await shown.screen.click(Spot("menuitem", "Show original"))
        original = await opened.value
        await original.get_by_text("Subject: Invoice 2026-118").wait_for()
        async with shown.page.context.expect_page() as opened:
            await shown.screen.click(Spot("button", "Print all"))
        paper = await opened.value
        await paper.get_by_role("button", name="Print").wait_for()

    end = play(full, tmp_path, story)
    assert end.get(Message, mailbox(end)[0].id) is not None
