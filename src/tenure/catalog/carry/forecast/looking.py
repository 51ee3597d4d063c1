"""Looking at the end state of a forecast: the rows and figures that its checks are about."""

from typing import NamedTuple

from tenure.grading import Saw
from tenure.grading.values import plain
from tenure.twins.gmail import read as letters
from tenure.twins.gmail.records import Message
from tenure.twins.sheets import read
from tenure.twins.sheets.book import Book, Grid
from tenure.twins.sheets.records import Scalar, Spreadsheet
from tenure.twins.sheets.trace import Place, sources
from tenure.world import EndState

MONEY = 1.0
"""Sums that differ by less than this are the same: somebody may have rounded."""
_CATEGORIES = ("Commit", "Best case")


class Listed(NamedTuple):
    """A row of the pipeline tab.

    Attributes:
        stage: Stage.
        amount: Amount; ``None`` when it is no number.
        currency: Currency.
        category: ``Commit``, ``Best case`` or, for anything else, empty.
        left: What stands under *Left out*.
        amount_at: The amount's cell.
        category_at: The category's cell.
    """

    stage: str
    amount: float | None
    currency: str
    category: str
    left: str
    amount_at: Place
    category_at: Place

    @property
    def seen(self) -> str:
        """In one line."""
        return f"{self.stage}, {self.amount} {self.currency}, {self.category or 'no category'}, {self.left!r}"


class Figure(NamedTuple):
    """A figure of the summary: what it comes to, whether it is a formula, and what it depends on."""

    value: Scalar | None
    formula: bool
    sources: set[Place]


def book_id(end: EndState, fact: str = "book") -> str:
    """The id of one of the story's spreadsheets.

    Raises:
        LookupError: The world never had it: our fault.
    """
    id = str(end.facts[fact]).partition("/")[2]
    if end.start(Spreadsheet, id) is None:
        raise LookupError(f"the world has no spreadsheet {id}")
    return id


def the_book(end: EndState) -> Book:
    """The forecast's spreadsheet at the end."""
    return read.book(end, book_id(end))


def _table(grid: Grid | None, first: str) -> tuple[int, dict[str, int]]:
    """The row of a table's headings, and heading → column; no headings when there is none."""
    if grid is None:
        return 0, {}
    for index in sorted(grid.rows):
        heads = {plain(str(grid.effective(index, c).value)): c for c in range(grid.record.columns)}
        if plain(first) in heads:
            return index, heads
    return 0, {}


def listed(end: EndState) -> dict[str, list[Listed]]:
    """The rows of the pipeline tab, by deal id; columns are found by their headings."""
    grid = the_book(end).titled("Pipeline")
    top, heads = _table(grid, "Deal ID")
    found: dict[str, list[Listed]] = {}
    if grid is None or not heads.keys() >= {"stage", "amount", "currency", "category", "left out"}:
        return found
    for index in sorted(grid.rows):
        if index <= top:
            continue

        def held(heading: str, index: int = index) -> Scalar | None:
            return grid.effective(index, heads[heading]).value

        def text(heading: str, index: int = index) -> str:
            value = held(heading, index)
            return "" if value is None else str(value).strip()

        amount, category = held("amount"), text("category")
        found.setdefault(_id(held("deal id")), []).append(
            Listed(
                text("stage"),
                float(amount) if isinstance(amount, int | float) and not isinstance(amount, bool) else None,
                text("currency"),
                next((one for one in _CATEGORIES if plain(one) == plain(category)), ""),
                text("left out"),
                Place(grid.record.number, index, heads["amount"]),
                Place(grid.record.number, index, heads["category"]),
            )
        )
    return found


def _id(value: Scalar | None) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value or "").strip()


def rows_of(end: EndState, fact: str) -> dict[str, Listed | None]:
    """The one row of each deal that a fact names; ``None`` when there is none, or two."""
    found = listed(end)
    return {id: rows[0] if len(rows := found.get(id, [])) == 1 else None for id in end.facts[fact]}


def figure(end: EndState, label: str, heading: str) -> Figure:
    """A figure of the summary, by the label in its row and the heading of its column."""
    book = the_book(end)
    grid = book.titled("Summary")
    top, heads = _table(grid, "Category")
    if grid is None or plain(heading) not in heads:
        return Figure(None, False, set())
    for index in sorted(grid.rows):
        if index > top and plain(str(grid.effective(index, heads["category"]).value)) == plain(label):
            column = heads[plain(heading)]
            return Figure(
                grid.effective(index, column).value,
                bool(grid.cell(index, column).formula),
                sources(book, grid.record.number, index, column),
            )
    return Figure(None, False, set())


def rate_cells(end: EndState) -> dict[Place, Scalar | None]:
    """What the rates tab says of this quarter: cell → value, for each row of that name."""
    grid = the_book(end).titled("Rates")
    if grid is None:
        return {}
    return {
        Place(grid.record.number, index, 1): grid.effective(index, 1).value
        for index in sorted(grid.rows)
        if plain(str(grid.effective(index, 0).value)) == plain(end.facts["quarter"])
    }


def beside(end: EndState, label: str) -> Scalar | None:
    """What stands beside a label in the first column of the summary."""
    grid = the_book(end).titled("Summary")
    for index in sorted(grid.rows) if grid else ():
        if grid and plain(str(grid.effective(index, 0).value)) == plain(label):
            return grid.effective(index, 1).value
    return None


def near(value: Scalar | None, wanted: float) -> bool:
    """Whether a value is a number and, but for rounding, the wanted one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value - wanted) < MONEY


def drafts(end: EndState) -> list[Message]:
    """The persona's drafts that were not there at the start."""
    return letters.drafts(end, end.facts["persona_account"])


def the_draft(end: EndState) -> Message | None:
    """The one new draft; two are no better than none."""
    found = drafts(end)
    return found[0] if len(found) == 1 else None


def no_draft(end: EndState) -> Saw:
    """What a check about the draft says when there is not exactly one."""
    return Saw(False, f"{len(drafts(end))} new drafts, one is wanted")
