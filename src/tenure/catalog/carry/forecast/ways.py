"""The three ways to the mail, the deals and the spreadsheets: REST, MCP and the screen.

At the screen a script reads what is shown and types what it writes; where an API takes and gives
values, texts stand for them. Only what the oracle does is there.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any, NamedTuple

from typing_extensions import override

from tenure.oracle import Hands
from tenure.oracle.desk import CRM, Desk, Letter
from tenure.oracle.sheets import Books, Rows
from tenure.twins.gmail.pilot import Gmail
from tenure.twins.hubspot.pilot import HubSpotPages
from tenure.twins.sheets.a1 import area, cell_name, place_of, quoted, split_sheet
from tenure.twins.sheets.pilot import SheetsPilot
from tenure.twins.wire.pilot import Screen

_PROPERTIES = (
    *("dealname", "dealstage", "amount", "deal_currency_code", "closedate", "last_contact", "createdate"),
)
_COLUMNS = ("Record ID", "Last contact", "Is deal closed")
_SYMBOLS = {"€": "EUR", "£": "GBP", "$": "USD"}
_FORMULAS = {"Pipeline": ("J2",), "Summary": ("B7", "C7", "B8", "C8")}
"""Tab → the cells whose formulas the script needs; each has to be selected to be read."""
_LONGEST = "A1:J40"
"""More than any tab holds, and no more than a screen shows at once."""


class Listed(NamedTuple):
    """A deal as a way lists it.

    Attributes:
        id: HubSpot's.
        name: Its name.
        stage: The label of its stage.
        close: Close date.
        contact: Last contact.
        amount: In its currency.
        currency: ISO code.
        shut: It is signed or lost.
    """

    id: str
    name: str
    stage: str
    close: date
    contact: date
    amount: float
    currency: str
    shut: bool


def desk_of(hands: Hands) -> Desk:
    """The mail and the CRM by the way that the hands prefer."""
    return _ScreenDesk(hands) if hands.prefer == "screen" else Desk(hands)


def books_of(hands: Hands) -> Books:
    """The spreadsheets by the way that the hands prefer."""
    return _ScreenBooks(hands) if hands.prefer == "screen" else Books(hands)


async def deals_of(hands: Hands, label: str) -> list[Listed]:
    """Every deal of a pipeline by the way that the hands prefer, in the order in which they were entered."""
    return await (_shown(hands.screen, label) if hands.prefer == "screen" else _found(hands, label))


async def _found(hands: Hands, label: str) -> list[Listed]:
    """There is no tool for pipelines."""
    pipelines = (await hands.http.get(f"{CRM}/v3/pipelines/deals"))["results"]
    pipeline = next(one for one in pipelines if one["label"] == label)
    stages = {stage["id"]: stage for stage in pipeline["stages"]}
    found = await Desk(hands).find("deals", "", *_PROPERTIES, pipeline=pipeline["id"])
    listed = []
    for one in sorted(found, key=lambda one: str(one["properties"]["createdate"])):
        held = one["properties"]
        stage = stages[held["dealstage"]]
        listed.append(
            Listed(
                one["id"],
                held["dealname"],
                stage["label"],
                date.fromisoformat(held["closedate"][:10]),
                date.fromisoformat(held["last_contact"][:10]),
                float(held["amount"]),
                held["deal_currency_code"],
                stage["metadata"].get("isClosed") == "true",
            )
        )
    return listed


async def _shown(screen: Screen, label: str) -> list[Listed]:
    """The index has the newest first."""
    pages = HubSpotPages(screen)
    await pages.open_index("deals")
    await pages.narrow("Pipeline", label)
    await pages.show_columns(*_COLUMNS)
    listed = []
    for row in reversed(await pages.read_rows()):
        unit, amount = re.findall(r"^(\D+?)\s?([\d,.]+)$", row["Amount"])[0]
        listed.append(
            Listed(
                row["Record ID"],
                row["Deal name"],
                row["Deal stage"],
                _day(row["Close date"]),
                _day(row["Last contact"]),
                float(amount.replace(",", "")),
                _SYMBOLS.get(unit, unit),
                row["Is deal closed"] == "Yes",
            )
        )
    return listed


def _day(text: str) -> date:
    return datetime.strptime(text, "%b %d, %Y").replace(tzinfo=UTC).date()


class _ScreenDesk(Desk):
    """The mail and the CRM on their screens."""

    def __init__(self, hands: Hands) -> None:
        super().__init__(hands)
        self._gmail, self._pages = Gmail(hands.screen), HubSpotPages(hands.screen)

    @override
    async def letters(self, query: str) -> list[Letter]:
        await self._gmail.open()
        await self._gmail.search(query)
        letters: list[Letter] = []
        for nth in reversed(range(len(await self._gmail.rows()))):
            await self._gmail.open_thread("", nth)
            subject = await self._gmail.read_subject()
            for shown in await self._gmail.read_thread():
                sender = shown.sender.partition("<")[2].rstrip("> ").lower()
                order = f"{len(letters):015d}"
                letters.append(Letter("", "", sender, (), subject, shown.text, order))
            await self._gmail.back()
        return letters

    @override
    async def linked(self, kind: str, id: str, to: str, *properties: str) -> list[dict[str, Any]]:
        """Notes only; what is shown of one stands for its text."""
        await self._pages.open_id(kind, id)
        shown = await self._pages.read_timeline()
        return [{"properties": {"hs_note_body": text}} for text in shown if text.startswith("Note")]

    @override
    async def draft(
        self,
        to: Sequence[str],
        cc: Sequence[str],
        text: str,
        *,
        answering: Letter | None = None,
        subject: str = "",
    ) -> str:
        """Of its own; it has no id on the screen."""
        await self._gmail.open()
        await (await self._gmail.compose(to, subject, text, cc=cc)).close()
        return ""


class _ScreenBooks(Books):
    """The spreadsheets on their screens."""

    def __init__(self, hands: Hands) -> None:
        super().__init__(hands)
        self._pilot = SheetsPilot(hands.screen)

    @override
    async def shown(self, id: str, range: str) -> Rows:
        await self._pilot.open_id(id)
        title, cells = split_sheet(range)
        names = _names(cells)
        await self._pilot.go_to(f"{quoted(title)}!{names[0][0]}")
        seen = await self._pilot.read_sight()
        rows = [[seen.get(name, "") for name in line] for line in names]
        while rows and not any(rows[-1]):
            rows.pop()
        return rows

    @override
    async def entered(self, id: str, title: str) -> Rows:
        """As it is shown, but for the formulas that the script needs."""
        rows = await self.shown(id, f"{quoted(title)}!{_LONGEST}")
        for name in _FORMULAS.get(title, ()):
            row, column = place_of(name)
            rows[row][column] = await self._pilot.read_formula(f"{quoted(title)}!{name}")
        return rows

    @override
    async def _write(self, id: str, ranges: Mapping[str, Rows], option: str) -> None:
        """Column by column, each typed downwards."""
        await self._pilot.open_id(id)
        for range, rows in ranges.items():
            title, cells = split_sheet(range)
            columns = zip(zip(*_names(cells), strict=True), zip(*rows, strict=True), strict=True)
            for names, values in columns:
                await self._type(quoted(title), names, [_typed(value) for value in values])
        await self._pilot.saved()

    async def _type(self, title: str, names: Sequence[str], texts: Sequence[str]) -> None:
        if "" in texts:
            await self._pilot.clear(f"{title}!{names[0]}:{names[-1]}")
        await self._pilot.go_to(f"{title}!{names[0]}")
        for empty, run in groupby(texts, key=lambda text: not text):
            if empty:
                for _ in run:
                    await self._pilot.screen.press("ArrowDown")
            else:
                await self._pilot.screen.type("".join(f"{text}\n" for text in run))


def _names(cells: str) -> list[list[str]]:
    """The names of a range's cells, row by row."""
    where = area(cells)
    return [
        [cell_name(row, column) for column in range(where.left, where.right)]
        for row in range(where.top, where.bottom)
    ]


def _typed(value: object) -> str:
    """A value as a person types it."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
