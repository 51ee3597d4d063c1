"""The reference agent."""

from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, button, css, field, link, words

ROOM, HANDBOOK = "http://calibre-web.localhost", "http://wiki.localhost"
ROPEWALK = (
    "Forty Ways with Herring",
    "Forty Ways with Pickles",
    "Forty Ways with Samphire",
    "Herring and Other Suppers",
)
PAPERS = ("Forty Ways with Mussels", "Pies and Other Suppers", "Samphire at Home")
DETAILS = css("#bookDetailsModal")
ACCOUNT = ("ines.brandt", "harbour-light-7")


async def solve(hands: OperateHands) -> None:
    notes = Notes(
        owner="",
        public=True,
        authors={},
        books=[*ROPEWALK, *PAPERS],
        series="Harbourline Yearbooks",
        first=2019,
        publisher="Harbourline Papers",
        bring="Repairs",
        slug="book-table",
        link="- [Book table](book-table/)",
        line="Book table: two volunteers from 17:30 to 22:00.",
    )
    await hands.step("enter the handbook", _enter_handbook, notes)
    await hands.step("enter the reading room", _enter_room, notes)
    await hands.step("make the shelf", _shelf, notes)
    await hands.step("shelve", _shelve, notes)
    await hands.step("yearbooks", _yearbooks, notes)
    await hands.step("take off", _take_off, notes)
    await hands.step("write", _write, notes)
    await hands.step("tell the team", _team, notes)
    await hands.step("tell the volunteers", _volunteers, notes)


async def _enter_handbook(hands: OperateHands, notes: Notes) -> None:
    await hands.open(HANDBOOK)
    await hands.fill(css("#id_username"), ACCOUNT[0])
    await hands.fill(css("#id_password"), ACCOUNT[1])
    await hands.press("Enter")
    await hands.click(link("Events", exact=True))
    await hands.click(link("House rules", exact=True))
    await hands.wait(css("#owner, #wiki-toc-owner, h2", having="Owner"))
    paragraphs = await hands.texts(css("#wiki-toc-owner + p, h2:nth-of-type(2) + p"))
    notes.owner = paragraphs[0].strip()


async def _enter_room(hands: OperateHands, notes: Notes) -> None:
    await hands.open(ROOM)
    await hands.fill(css("#username"), ACCOUNT[0])
    await hands.fill(css("#password"), ACCOUNT[1])
    await hands.click(button("Login"))
    await hands.wait(link("Create a Shelf"))


async def _shelf(hands: OperateHands, notes: Notes) -> None:
    await hands.click(link("Create a Shelf"))
    await hands.fill(css("input[name=title]"), f"Dinner table ({notes.owner})")
    if notes.public:
        await hands.click(css("input[name=is_public]"))
    await hands.click(button("Save"))
    await hands.wait(words(f"Dinner table ({notes.owner})").number(0))
    await hands.tick("Make the shelf for the table")


async def _look_up(hands: OperateHands, title: str) -> None:
    """Find one book by the search box."""
    await hands.fill(css("#query"), title)
    await hands.click(css("#query_submit"))
    await hands.wait(css("h2", having=f"1 Results for: {title}"))


async def _shelve(hands: OperateHands, notes: Notes) -> None:
    for title in notes.books:
        await _look_up(hands, title)
        notes.authors[title] = (await hands.texts(css("p.author a")))[0].strip()
        await hands.click(css("#add-to-shelf"))
        await hands.click(css("#add-to-shelves a", having="Dinner table"))
        await hands.wait(words("Books have been added to shelf: Dinner table"))
    await hands.tick("Put the cookery books on it")


async def _yearbooks(hands: OperateHands, notes: Notes) -> None:
    for year in range(2019, 2025):
        await _look_up(hands, f"Harbourline Yearbook {year}")
        await hands.click(css("div.book .cover a"))
        await hands.click(css("a[href^='/admin/book/']").inside(DETAILS))
        await hands.fill(css("#series"), notes.series)
        await hands.fill(css("#series_index"), str(year - notes.first + 1))
        await hands.fill(css("#publisher"), notes.publisher)
        await hands.click(css("#submit"))
        await hands.wait(css("h2#title"))
    await hands.tick("Make the yearbooks a series")


async def _take_off(hands: OperateHands, notes: Notes) -> None:
    await hands.click(link("Lent to the clinic"))
    for _ in await hands.texts(css("div.book .cover a")):
        await hands.click(css("div.book .cover a"))
        lent = css("#remove-from-shelves a", having="Lent to the clinic").inside(DETAILS)
        await hands.click(lent)
        await hands.wait(lent, gone=True)
        await hands.click(css("#add-to-shelf").inside(DETAILS))
        await hands.click(css("#add-to-shelves a", having=notes.bring).inside(DETAILS))
        await hands.wait(css("#remove-from-shelves a", having=notes.bring).inside(DETAILS))
        await hands.click(css("#details_close"))
        await hands.click(link("Lent to the clinic"))
    await hands.tick("Take the clinic's books back")


async def _write(hands: OperateHands, notes: Notes) -> None:
    await hands.open(f"{HANDBOOK}/events/")
    await hands.open(f"{HANDBOOK}/events/_create/")
    await hands.fill(field("Title"), "Book table")
    await hands.fill(css("#id_slug"), notes.slug)
    lines = [f"- {title}, {notes.authors[title]}" for title in sorted(notes.books)]
    await hands.fill(css("#id_content"), "\n".join(lines))
    await hands.fill(css("#id_summary"), "For the Winter Market Dinner")
    await hands.click(button("Create article"))
    await hands.wait(css("h1", having="Book table"))
    await hands.tick("Write the page in the handbook")


async def _append(hands: OperateHands, address: str, text: str) -> None:
    """Add to the end of a page."""
    await hands.open(f"{HANDBOOK}/{address}/")
    await hands.click(link("Edit"))
    await hands.wait(css("#id_content"))
    held = await hands.text(css("#id_content"))
    await hands.fill(css("#id_content"), held.strip() + text)
    await hands.fill(css("#id_summary"), "Winter Market Dinner")
    await hands.click(button("Save changes"))
    await hands.wait(css("#id_content"), gone=True)


async def _team(hands: OperateHands, notes: Notes) -> None:
    await _append(hands, "events", f"\n{notes.link}")


async def _volunteers(hands: OperateHands, notes: Notes) -> None:
    await _append(hands, "events/volunteers", f"\n\n{notes.line}")
    await hands.tick("Tell the team and the volunteers")
