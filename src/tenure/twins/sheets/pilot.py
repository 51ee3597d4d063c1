"""Page objects of the Sheets screen: what oracles and tests do on it, by role and accessible name."""

from collections.abc import Sequence

from tenure.twins.sheets.a1 import area, cell_name, quoted, split_sheet
from tenure.twins.sheets.screen import HOME, HOST
from tenure.twins.wire.pilot import Screen, Spot, choose, fill

GRID = Spot("grid")
NAME_BOX = Spot("textbox", "Name box", exact=True)
FORMULA = Spot("textbox", "Formula", exact=True)
ACTIVE = Spot("status", "Active cell", exact=True)
SELECTION = Spot("status", "Selection", exact=True)
SAVED = Spot("status", "Saved", exact=True)
TABS = Spot("navigation", "Sheets", exact=True)
ROLES = {"reader": "Viewer", "commenter": "Commenter", "writer": "Editor"}


def button(name: str, within: Spot | None = None) -> Spot:
    """A button by its whole name."""
    return Spot("button", name, exact=True, within=within)


def item(name: str) -> Spot:
    """A menu's entry by its whole name."""
    return Spot("menuitem", name, exact=True)


class SheetsPilot:
    """One person's Sheets."""

    def __init__(self, screen: Screen) -> None:
        """Drive a screen."""
        self.screen = screen

    # -- files -------------------------------------------------------------------------------

    async def home(self) -> None:
        """Go to the list of spreadsheets."""
        await self.screen.goto(f"https://{HOST}{HOME}")
        await self.screen.wait(Spot("textbox", "Search spreadsheets"))

    async def open(self, title: str) -> None:
        """Open a spreadsheet from the list, by its title."""
        await self.home()
        await fill(self.screen, Spot("textbox", "Search spreadsheets"), title)
        await self.screen.click(Spot("link", title, exact=True))
        await self.screen.wait(GRID)

    async def open_id(self, id: str) -> None:
        """Open a spreadsheet by its address."""
        await self.screen.goto(f"https://{HOST}/spreadsheets/d/{id}/edit")
        await self.screen.wait(GRID)

    async def new(self, template: str = "Blank spreadsheet") -> None:
        """Start a spreadsheet from the gallery."""
        await self.home()
        await self.screen.click(button(template))
        await self.screen.wait(GRID)

    async def rename(self, title: str) -> None:
        """Give the open spreadsheet another title."""
        await fill(self.screen, Spot("textbox", "Title", exact=True), title)
        await self.screen.press("Enter")
        await self.saved()

    async def trash(self, title: str) -> None:
        """Move a spreadsheet to the trash, from the list."""
        await self.home()
        await fill(self.screen, Spot("textbox", "Search spreadsheets"), title)
        await self.screen.click(button(f"More actions on {title}"))
        await self.screen.click(item("Move to trash"))
        await self.screen.wait(Spot("link", title, exact=True), gone=True)

    async def saved(self) -> None:
        """Wait until every change is saved."""
        await self.screen.wait(SAVED)

    # -- cells -------------------------------------------------------------------------------

    async def go_to(self, address: str) -> None:
        """Select a cell, a range or a named range: ``Summary!B7``, ``A1:C9``, ``Prices``."""
        await fill(self.screen, NAME_BOX, address)
        await self.screen.press("Enter")
        await self.screen.wait(ACTIVE)

    async def read_cell(self, address: str) -> str:
        """What a cell shows."""
        await self.go_to(address)
        return (await self.screen.text(ACTIVE)).partition(":")[2].strip()

    async def read_formula(self, address: str) -> str:
        """What the formula bar shows of a cell: a formula, or the value as it was entered."""
        await self.go_to(address)
        return await self.screen.text(FORMULA)

    async def read_range(self, address: str) -> list[list[str]]:
        """What the cells of ``Summary!A1:C9`` show, row by row."""
        title, cells = split_sheet(address)
        where, prefix = area(cells), f"{quoted(title)}!" if title else ""
        return [
            [
                await self.read_cell(f"{prefix}{cell_name(row, column)}")
                for column in range(where.left, where.right)
            ]
            for row in range(where.top, where.bottom)
        ]

    async def read_sight(self) -> dict[str, str]:
        """What the cells in sight show, by their names. No cell may be merged with another."""
        columns = [text for text in await self.screen.texts(Spot("columnheader", within=GRID)) if text]
        rows = await self.screen.texts(Spot("rowheader", within=GRID))
        cells = await self.screen.texts(Spot("gridcell", within=GRID))
        names = [f"{column}{row}" for row in rows for column in columns]
        return dict(zip(names, cells, strict=True))

    async def set_cell(self, address: str, text: str) -> None:
        """Enter a value or a formula in a cell."""
        await self.go_to(address)
        await self.screen.type(text)
        await self.screen.press("Enter")
        await self.saved()

    async def set_rows(self, address: str, rows: Sequence[Sequence[str]]) -> None:
        """Enter rows from a cell on, as a person does: Tab between cells, Enter after each row."""
        await self.go_to(address)
        for row in rows:
            for place, text in enumerate(row):
                if place:
                    await self.screen.press("Tab")
                await self.screen.type(text)
            await self.screen.press("Enter")
        await self.saved()

    async def clear(self, address: str) -> None:
        """Delete the values of a range."""
        await self.go_to(address)
        await self.screen.press("Delete")
        await self.saved()

    async def copy(self, source: str, target: str) -> None:
        """Copy a range to a place, formulas and formats too."""
        await self.go_to(source)
        await self.screen.press("Control+c")
        await self.go_to(target)
        await self.screen.press("Control+v")
        await self.saved()

    async def undo(self) -> None:
        """Take the last change back."""
        await self.screen.press("Control+z")
        await self.saved()

    async def redo(self) -> None:
        """Make the last change that was taken back again."""
        await self.screen.press("Control+y")
        await self.saved()

    # -- actions -----------------------------------------------------------------------------

    async def menu(self, name: str, *path: str) -> None:
        """Choose from the menu bar: ``menu("Data", "Sort range", "Sort range A to Z")``."""
        await self.screen.click(button(name, Spot("navigation", "Menu bar")))
        for step in path:
            await self.screen.click(item(step))
        await self.saved()

    async def format(self, address: str, *path: str) -> None:
        """Format a range by the Format menu: ``format("B2:B9", "Number", "Currency")``."""
        await self.go_to(address)
        await self.menu("Format", *path)

    async def sort(self, address: str, column: str = "", *, descending: bool = False) -> None:
        """Sort the rows of a range, its header left out.

        Args:
            address: The range.
            column: The letters of the column to sort by; the first by default.
            descending: Z to A.
        """
        await self.go_to(address)
        await self.menu("Data", "Sort range", "Advanced range sorting options")
        if column:
            await choose(self.screen, Spot("combobox", "Sort column 1"), f"Column {column}")
        if descending:
            await self.screen.click(Spot("radio", "Z to A"))
        await self.screen.click(button("Sort", Spot("dialog")))
        await self.saved()

    async def find_and_replace(self, find: str, replacement: str) -> str:
        """Replace a text on all sheets; what the dialog says of it."""
        await self.menu("Edit", "Find and replace")
        dialog = Spot("dialog", "Find and replace")
        await fill(self.screen, Spot("textbox", "Find", exact=True, within=dialog), find)
        await fill(self.screen, Spot("textbox", "Replace with", within=dialog), replacement)
        await self.screen.click(button("Replace all", dialog))
        await self.saved()
        said = await self.screen.text(Spot("status", within=dialog))
        await self.screen.click(button("Close", dialog))
        return said

    async def name_range(self, address: str, name: str) -> None:
        """Give a range a name."""
        await self.go_to(address)
        await self.menu("Data", "Named ranges")
        panel = Spot("complementary", "Named ranges")
        await fill(self.screen, Spot("textbox", "Name", exact=True, within=panel), name)
        await self.screen.click(button("Add range", panel))
        await self.screen.wait(button(f"Delete {name}", panel))
        await self.screen.click(button("Close panel", panel))

    async def offer(self, address: str, values: Sequence[str]) -> None:
        """Make the cells of a range dropdowns of some values."""
        await self.go_to(address)
        await self.menu("Data", "Data validation")
        panel = Spot("complementary", "Data validation")
        await fill(self.screen, Spot("textbox", "Items, one a line", within=panel), "\n".join(values))
        await self.screen.click(button("Save rule", panel))
        await self.saved()
        await self.screen.click(button("Close panel", panel))

    async def choose(self, address: str, value: str) -> None:
        """Choose a dropdown cell's value."""
        await self.go_to(address)
        await self.screen.press("Alt+ArrowDown")
        await self.screen.click(item(value))
        await self.saved()

    # -- sheets ------------------------------------------------------------------------------

    async def sheets(self) -> list[str]:
        """The titles of the sheets in sight."""
        return [text for text in await self.screen.texts(Spot("button", within=TABS)) if text]

    async def switch_sheet(self, title: str) -> None:
        """Show a sheet."""
        await self.screen.click(button(title, TABS))
        await self.screen.wait(Spot("grid", title, exact=True))

    async def sheet_menu(self, title: str, *path: str) -> None:
        """Choose from a sheet's menu: ``sheet_menu("Summary", "Duplicate")``."""
        await self.switch_sheet(title)
        await self.screen.click(button(f"Menu of {title}", TABS))
        for step in path:
            await self.screen.click(item(step))
        await self.saved()

    async def add_sheet(self, title: str = "") -> None:
        """Add a sheet, and name it."""
        before = await self.sheets()
        await self.screen.click(button("Add sheet"))
        await self.screen.wait(Spot("button", nth=len(before), within=TABS))
        await self.saved()
        if title:
            made = next(one for one in await self.sheets() if one not in before)
            await self.rename_sheet(made, title)

    async def rename_sheet(self, title: str, new: str) -> None:
        """Give a sheet another title."""
        await self.sheet_menu(title, "Rename")
        await fill(self.screen, Spot("textbox", "Sheet name"), new)
        await self.screen.press("Enter")
        await self.screen.wait(button(new, TABS))
        await self.saved()

    # -- sharing -----------------------------------------------------------------------------

    async def share(self, email: str, role: str = "writer") -> None:
        """Share the open spreadsheet with a person as ``reader``, ``commenter`` or ``writer``."""
        dialog = await self._share_dialog()
        await fill(self.screen, Spot("textbox", "Add people", within=dialog), email)
        await choose(self.screen, Spot("combobox", "Role of the added person", within=dialog), ROLES[role])
        await self.screen.click(button("Share", dialog))
        await self.screen.wait(Spot("listitem", email, within=dialog))
        await self.screen.click(button("Done", dialog))

    async def set_role(self, email: str, choice: str) -> None:
        """Change a person's role: ``Viewer``, ``Commenter``, ``Editor`` or ``Remove access``."""
        dialog = await self._share_dialog()
        await choose(self.screen, Spot("combobox", f"Role of {email}", within=dialog), choice)
        await self.screen.click(button("Done", dialog))

    async def open_to(self, who: str) -> None:
        """Set general access: ``Restricted``, ``Anyone with the link`` or the domain."""
        dialog = await self._share_dialog()
        await choose(self.screen, Spot("combobox", "Who can open the link", within=dialog), who)
        await self.screen.click(button("Done", dialog))

    async def _share_dialog(self) -> Spot:
        await self.screen.click(button("Share"))
        dialog = Spot("dialog", "Share")
        await self.screen.wait(Spot("region", "People with access", within=dialog))
        return dialog
