"""What requests name: grid ranges, dimension ranges, field masks."""

from typing import Any, NamedTuple

from tenure.twins.google import fields as selectors
from tenure.twins.sheets.a1 import Area
from tenure.twins.sheets.book import Book, Grid, Refusal, beyond
from tenure.twins.sheets.formats import mask_of

NO_FIELDS = "At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)"


def mask(request: dict[str, Any]) -> selectors.Mask:
    """A request's field mask; the empty mask is ``*``.

    Raises:
        Refusal: There is none.
    """
    if not request.get("fields"):
        raise Refusal(NO_FIELDS)
    return mask_of(request["fields"])


def wanted(tree: selectors.Mask, name: str) -> bool:
    """Whether a mask lists a field."""
    return not tree or name in tree


def area_of(book: Book, given: dict[str, Any] | None) -> tuple[Grid, Area]:
    """The cells of a ``GridRange``; open bounds end at the grid's edge.

    Raises:
        Refusal: There is no such sheet, or the range leaves the grid.
    """
    if given is None:
        raise Refusal("range is required")
    grid = book.numbered(given.get("sheetId", 0))
    where = Area(
        given.get("startRowIndex", 0),
        given.get("startColumnIndex", 0),
        given.get("endRowIndex", grid.record.rows),
        given.get("endColumnIndex", grid.record.columns),
    )
    if where.top < 0 or where.left < 0 or where.height < 1 or where.width < 1:
        raise Refusal("The range is empty or starts after its end")
    if not grid.whole.covers(where):
        raise Refusal(beyond(grid, where))
    return grid, where


class Stretch(NamedTuple):
    """The rows or columns of a ``DimensionRange``.

    Attributes:
        grid: Their sheet.
        across: Columns.
        low: First.
        high: One past the last.
    """

    grid: Grid
    across: bool
    low: int
    high: int


def across_of(given: dict[str, Any], name: str = "dimension") -> bool:
    """Whether a dimension is COLUMNS.

    Raises:
        Refusal: It is neither ROWS nor COLUMNS.
    """
    if given.get(name) not in ("ROWS", "COLUMNS"):
        raise Refusal("No dimension specified.")
    return bool(given[name] == "COLUMNS")


def stretch_of(book: Book, given: dict[str, Any] | None, *, past: bool = False) -> Stretch:
    """The rows or columns of a ``DimensionRange``.

    Args:
        book: The spreadsheet.
        given: The range.
        past: It may start at the grid's end and reach beyond (for insertions).

    Raises:
        Refusal: It is none, or leaves the grid.
    """
    if given is None:
        raise Refusal("range is required")
    grid, across = book.numbered(given.get("sheetId", 0)), across_of(given)
    size = grid.record.columns if across else grid.record.rows
    low, high = given.get("startIndex", 0), given.get("endIndex", size)
    if low < 0 or high <= low:
        raise Refusal("The range is empty or starts after its end")
    if low > size or (not past and high > size):
        kind = "columns" if across else "rows"
        raise Refusal(f"The range {low}..{high} is beyond the sheet's {size} {kind}")
    return Stretch(grid, across, low, high)
