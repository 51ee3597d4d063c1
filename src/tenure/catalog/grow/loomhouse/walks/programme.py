"""Walks about finding workshops and importing a term."""

from tenure.oracle.grow import Act, Walk

from .ways import choose_zone, sign_in

LINEN, TWO, WOOL = "Linen basics", "Linen for two", "Wool spinning"
TWILL, INDIGO, TABLET = "Twill, plain and broken", "Indigo dyeing", "Tablet weaving"


async def search(walk: Walk, user: str, words: str) -> None:
    """Search the list for words."""
    await walk.click(user, "Workshops")
    await walk.fill(user, Title_or_teacher=words)
    await walk.press(user, "Search")


async def bring(walk: Walk, user: str, file: str) -> None:
    """Import a file."""
    await walk.click(user, "Import")
    await walk.do(Act(user, "attach", name="Or a file", value=file))
    await walk.press(user, "Import")


async def find(walk: Walk) -> None:
    await sign_in(walk, "ann")
    await search(walk, "ann", "LINEN")
    await walk.reads("titles", "ann", LINEN, TWO, "2 workshops found")
    await walk.lacks("titles", "ann", WOOL)
    await search(walk, "ann", "tess")
    await walk.reads("teachers", "ann", LINEN, WOOL, "2 workshops found")
    await walk.lacks("teachers", "ann", TWO)
    await walk.click("ann", "Workshops")
    await walk.fill("ann", Title_or_teacher="linen")
    await walk.tick("ann", "Only with free seats")
    await walk.press("ann", "Search")
    await walk.reads("both-hold", "ann", LINEN, "1 workshop found")
    await walk.lacks("both-hold", "ann", TWO, WOOL)
    await search(walk, "ann", "silk")
    await walk.reads("says", "ann", "No workshop was found")


async def find_day(walk: Walk) -> None:
    await sign_in(walk, "ann")
    await choose_zone(walk, "ann", "Europe/Berlin")
    await walk.click("ann", "Workshops")
    await walk.fill("ann", From="2031-05-11", To="2031-05-12")
    await walk.press("ann", "Search")
    await walk.reads("in", "ann", "11 May 2031, 01:30 Europe/Berlin", role="row", name="Early warp")
    await walk.reads("in", "ann", "12 May 2031, 03:00 Europe/Berlin", role="row", name="Late weft")
    await walk.lacks("out", "ann", "Outside")


async def import_all(walk: Walk) -> None:
    await sign_in(walk, "mara", "ann")
    await choose_zone(walk, "mara", "Europe/Berlin")
    await bring(walk, "mara", "winter.csv")
    await walk.reads("count", "mara", "3 workshops were added.", role="status")
    await walk.click("ann", "Workshops")
    await walk.reads("starts", "ann", "15 Jul 2031, 16:00 UTC", "€31.00", "6 free", role="row", name=INDIGO)
    await walk.reads("teacher", "ann", "tess", role="row", name=TABLET)
    await walk.reads("comma", "ann", TWILL, "15 Jan 2031, 17:00 UTC", role="row", name=TWILL)
    await bring(walk, "mara", "winter.csv")
    await walk.reads("says", "mara", "Nothing was imported.", "is there already", role="alert")
    await walk.click("mara", "Workshops")
    shown = await walk.text("mara")
    for title in (TWILL, INDIGO, TABLET):
        walk.record("once", shown.count(title) == 1, title)


async def import_none(walk: Walk) -> None:
    await sign_in(walk, "mara")
    await bring(walk, "mara", "faulty.csv")
    await walk.reads("numbers", "mara", *(f"Line {n}" for n in range(3, 8)), role="alert")
    await walk.lacks("numbers", "mara", "Line 2", role="alert")
    await walk.reads(
        "reasons",
        "mara",
        "Line 3: The seats must be",
        "Line 4: The price must be",
        "Line 5: The start must be",
        "Line 6: there is no teacher called nobody",
        "Line 7: a workshop of this title and start is there already",
        role="alert",
    )
    await walk.click("mara", "Workshops")
    await walk.reads("none", "mara", "There are no workshops to show.")
    await walk.lacks("none", "mara", "Spinning wheels")


WALKS = {"find": find, "find-day": find_day, "import-all": import_all, "import-none": import_none}
