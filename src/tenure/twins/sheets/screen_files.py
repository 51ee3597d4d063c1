"""The list of spreadsheets that the screen opens with, its templates, and the trash."""

from typing import Any, NamedTuple

from tenure.twins.google.errors import not_found
from tenure.twins.google.files import File, Permission, role_of
from tenure.twins.sheets import service
from tenure.twins.sheets.records import MIME
from tenure.twins.wire.screen import Refused
from tenure.world import Act

PAGE = 50
_HEAD = {"textFormat": {"bold": True}, "backgroundColor": {"red": 0.9, "green": 0.95, "blue": 0.93}}


class Template(NamedTuple):
    """A spreadsheet to start from.

    Attributes:
        title: Its name in the gallery, and of what is made from it.
        sheets: Sheet → rows of texts as typed; the first row is its head.
    """

    title: str
    sheets: dict[str, list[list[str]]]


TEMPLATES = {
    "todo": Template(
        "To-do list",
        {"To-do": [["Done", "Task", "Owner", "Due", "Notes"], ["FALSE", "", "", "", ""]]},
    ),
    "budget": Template(
        "Monthly budget",
        {
            "Budget": [
                ["Category", "Planned", "Actual", "Difference"],
                ["Rent", "0", "0", "=B2-C2"],
                ["Food", "0", "0", "=B3-C3"],
                ["Travel", "0", "0", "=B4-C4"],
                ["Other", "0", "0", "=B5-C5"],
                ["Total", "=SUM(B2:B5)", "=SUM(C2:C5)", "=B6-C6"],
            ]
        },
    ),
    "project": Template(
        "Project tracker",
        {
            "Tasks": [["Task", "Owner", "Status", "Start", "End", "Days"], ["", "", "", "", "", ""]],
            "Summary": [
                ["Status", "Tasks"],
                ["Done", "=COUNTIF(Tasks!C2:C,A2)"],
                ["Open", "=COUNTIF(Tasks!C2:C,A3)"],
            ],
        },
    ),
    "invoice": Template(
        "Invoice",
        {
            "Invoice": [
                ["Item", "Quantity", "Unit price", "Amount"],
                ["", "0", "0", "=B2*C2"],
                ["", "0", "0", "=B3*C3"],
                ["Total", "", "", "=SUM(D2:D3)"],
            ]
        },
    ),
}
_SORTS = ("modified", "mine", "title")


def listed(act: Act, owner: str, sort: str, text: str, page: int) -> dict[str, Any]:
    """One page of the spreadsheets that the actor may open.

    Args:
        act: The act.
        owner: ``anyone``, ``me`` or ``others``.
        sort: ``modified`` (newest first), ``mine`` (last changed by the actor first) or ``title``.
        text: A part of the title.
        page: From 0.
    """
    if sort not in _SORTS:
        raise Refused(400, "There is no such order.")
    files = [
        file
        for file in act.all(File, "mime", MIME, descending=True)
        if not file.trashed
        and (owner == "anyone" or (file.owner == act.actor) == (owner == "me"))
        and text.casefold() in file.name.casefold()
        and role_of(act, file)
    ]
    if sort == "title":
        files.sort(key=lambda file: file.name.casefold())
    elif sort == "mine":
        files.sort(key=lambda file: file.modified_by != act.actor)
    shown = files[page * PAGE : (page + 1) * PAGE]
    return {
        "files": [_row(act, file) for file in shown],
        "first": page * PAGE,
        "total": len(files),
        "more": len(files) > (page + 1) * PAGE,
    }


def _row(act: Act, file: File) -> dict[str, Any]:
    act.show(file)
    owner = act.account(file.owner)
    return {
        "id": file.id,
        "title": file.name,
        "owner": "me" if file.owner == act.actor else owner.name or owner.email,
        "mine": file.owner == act.actor,
        "shared": role_of(act, file) != "owner" or _shared(act, file),
        "modified": file.modified,
        "role": role_of(act, file),
    }


def _shared(act: Act, file: File) -> bool:
    return len(act.ids(Permission, "file", file.id)) > 1


def make(act: Act, template: str) -> str:
    """Make a spreadsheet, blank or from a template; returns its id."""
    if not template:
        return str(service.create(act, {})["spreadsheetId"])
    chosen = TEMPLATES.get(template)
    if chosen is None:
        raise Refused(404, "There is no such template.")
    sheets = [
        {
            "properties": {"title": title, "gridProperties": {"frozenRowCount": 1}},
            "data": [{"rowData": [_row_data(row, head=n == 0) for n, row in enumerate(rows)]}],
        }
        for title, rows in chosen.sheets.items()
    ]
    made = service.create(act, {"properties": {"title": chosen.title}, "sheets": sheets})
    return str(made["spreadsheetId"])


def _row_data(row: list[str], *, head: bool) -> dict[str, Any]:
    return {"values": [_cell_data(text, head=head) for text in row]}


def _cell_data(text: str, *, head: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"userEnteredFormat": _HEAD} if head else {}
    if text.startswith("="):
        found["userEnteredValue"] = {"formulaValue": text}
    elif text.isdecimal():
        found["userEnteredValue"] = {"numberValue": int(text)}
    elif text in ("TRUE", "FALSE"):
        found["userEnteredValue"] = {"boolValue": text == "TRUE"}
        found["dataValidation"] = {"condition": {"type": "BOOLEAN"}, "strict": True}
    elif text:
        found["userEnteredValue"] = {"stringValue": text}
    return found


def trash(act: Act, id: str, *, on: bool) -> None:
    """Move a spreadsheet of the actor's to the trash, or back."""
    file = act.get(File, id)
    if file is None:
        raise not_found()
    if file.owner != act.actor:
        raise Refused(403, "Only its owner can move this spreadsheet to the trash.")
    act.put(file.model_copy(update={"trashed": on}))
