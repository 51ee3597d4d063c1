"""The reference agent."""

from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, calibre_web, css, link, wiki, words
from tenure.oracle.operate.calibre_web import DETAILS

ROPEWALK = (
    "Forty Ways with Herring",
    "Forty Ways with Pickles",
    "Forty Ways with Samphire",
    "Herring and Other Suppers",
)
PAPERS = ("Forty Ways with Mussels", "Pies and Other Suppers", "Samphire at Home")
ACCOUNT = ("ines.brandt", "harbour-light-7")
WHY = "Winter Market Dinner"


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
    await wiki.sign_in(hands, *ACCOUNT)
    await hands.click(link("Events", exact=True))
    await hands.click(link("House rules", exact=True))
    await hands.wait(css("#owner, #wiki-toc-owner, h2", having="Owner"))
    paragraphs = await hands.texts(css("#wiki-toc-owner + p, h2:nth-of-type(2) + p"))
    notes.owner = paragraphs[0].strip()


async def _enter_room(hands: OperateHands, notes: Notes) -> None:
    await calibre_web.sign_in(hands, *ACCOUNT)


async def _shelf(hands: OperateHands, notes: Notes) -> None:
    await calibre_web.create_shelf(hands, f"Dinner table ({notes.owner})", public=notes.public)
    await hands.tick("Make the shelf for the table")


async def _shelve(hands: OperateHands, notes: Notes) -> None:
    for title in notes.books:
        await calibre_web.look_up(hands, title)
        notes.authors[title] = (await calibre_web.authors(hands))[0]
        await hands.click(css("#add-to-shelf"))
        await hands.click(css("#add-to-shelves a", having="Dinner table"))
        await hands.wait(words("Books have been added to shelf: Dinner table"))
    await hands.tick("Put the cookery books on it")


async def _yearbooks(hands: OperateHands, notes: Notes) -> None:
    for year in range(2019, 2025):
        await calibre_web.edit(hands, f"Harbourline Yearbook {year}")
        await hands.fill(css("#series"), notes.series)
        await hands.fill(css("#series_index"), str(year - notes.first + 1))
        await hands.fill(css("#publisher"), notes.publisher)
        await calibre_web.leave(hands)
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
    lines = [f"- {title}, {notes.authors[title]}" for title in sorted(notes.books)]
    await wiki.create(hands, "events", "Book table", notes.slug, "\n".join(lines), WHY)
    await hands.tick("Write the page in the handbook")


async def _team(hands: OperateHands, notes: Notes) -> None:
    await wiki.append(hands, "events", f"\n{notes.link}", WHY)


async def _volunteers(hands: OperateHands, notes: Notes) -> None:
    await wiki.append(hands, "events/volunteers", f"\n\n{notes.line}", WHY)
    await hands.tick("Tell the team and the volunteers")
