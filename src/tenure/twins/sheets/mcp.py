"""Sheets' hosted MCP server: the tools seen in October 2026.

Names and arguments are the captured ones; where they were not captured a tool is marked assumed.
"""

from collections.abc import Callable
from typing import Any

import orjson

from tenure.twins.google import GoogleError
from tenure.twins.google.fields import Mask, select
from tenure.twins.sheets import service, values
from tenure.twins.sheets.book import Refusal
from tenure.twins.sheets.formats import mask_of
from tenure.twins.sheets.rest import DOCUMENT
from tenure.world import Act, Tool, ToolError

URL = "https://sheetsmcp.googleapis.com/mcp/v1"
SCOPES = (
    "https://www.googleapis.com/auth/spreadsheets",
    "https://www.googleapis.com/auth/drive",
    "https://www.googleapis.com/auth/drive.file",
)
Arguments = dict[str, Any]
_BATCH = {"$ref": "BatchUpdateSpreadsheetRequest"}
_STRING: dict[str, Any] = {"type": "string"}
_INTEGER: dict[str, Any] = {"type": "integer"}
_BOOLEAN: dict[str, Any] = {"type": "boolean"}
_RANGE: dict[str, Any] = {"type": "string", "description": "A1 notation, such as 'Sheet1!A1:C5'."}
_ROWS: dict[str, Any] = {
    "type": "array",
    "items": {"type": "array", "items": {"type": ["string", "number", "boolean", "null"]}},
}


def _get_values(act: Act, given: Arguments) -> Any:
    (found,) = values.get(act, given["spreadsheetId"], [given["range"]], {})
    return {"range": found["range"], "values": found.get("values", [])}


def _get_spreadsheet(act: Act, given: Arguments) -> Any:
    found = service.get(act, given["spreadsheetId"], [], with_data=given.get("includeGridData", False))
    found["revisionId"] = service.revision(act, given["spreadsheetId"])
    tree: Mask = mask_of(",".join(given["fields"])) if given.get("fields") else {}
    return select(found, tree)


def _written(act: Act, given: Arguments, rows: list[Any], option: str) -> Any:
    found = values.update(act, given["spreadsheetId"], given["range"], rows, {"valueInputOption": option})
    counts = {f"updated{name}": found.get(f"updated{name}", 0) for name in ("Rows", "Columns", "Cells")}
    return {"updatedRange": found["updatedRange"], **counts, "status": "success"}


def _update_values(act: Act, given: Arguments) -> Any:
    return _written(act, given, given["values"], "RAW")


def _update_formulas(act: Act, given: Arguments) -> Any:
    return _written(act, given, given["formulas"], "USER_ENTERED")


def _update_spreadsheet(act: Act, given: Arguments) -> Any:
    body = DOCUMENT.bind_body(_BATCH, orjson.dumps({"requests": given["requests"]}))
    return service.batch_update(act, given["spreadsheetId"], body)


def _insert_dimension(act: Act, given: Arguments) -> Any:
    names = ("sheetId", "dimension", "startIndex", "endIndex")
    request = {
        "range": {name: given[name] for name in names},
        "inheritFromBefore": given.get("inheritFromBefore", False),
    }
    return service.batch_update(act, given["spreadsheetId"], {"requests": [{"insertDimension": request}]})


def _append_values(act: Act, given: Arguments) -> Any:
    options = {"valueInputOption": given.get("valueInputOption", "USER_ENTERED")}
    return values.append(act, given["spreadsheetId"], given["range"], given["values"], options)


def _batch_clear_values(act: Act, given: Arguments) -> Any:
    cleared = values.clear(act, given["spreadsheetId"], given["ranges"])
    return {"spreadsheetId": given["spreadsheetId"], "clearedRanges": cleared}


def _copy_sheet(act: Act, given: Arguments) -> Any:
    return service.copy_to(act, given["spreadsheetId"], given["sheetId"], given["destinationSpreadsheetId"])


def _tool(
    name: str,
    description: str,
    properties: dict[str, Any],
    required: tuple[str, ...],
    run: Callable[[Act, Arguments], Any],
    *,
    assumed: bool = False,
) -> Tool:
    def refusing(act: Act, given: Arguments) -> Any:
        try:
            return run(act, given)
        except GoogleError as error:
            raise ToolError(error.message) from None
        except Refusal as refusal:
            raise ToolError(str(refusal)) from None

    schema = {
        "type": "object",
        "properties": {"spreadsheetId": _STRING, **properties},
        "required": ["spreadsheetId", *required],
        "additionalProperties": False,
    }
    return Tool(name, description, schema, refusing, assumed)


TOOLS: tuple[Tool, ...] = (
    _tool(
        "get_values",
        "Read the values of a range as they are displayed.",
        {"range": _RANGE},
        ("range",),
        _get_values,
    ),
    _tool(
        "get_spreadsheet",
        "Read a spreadsheet's properties and sheets; with includeGridData its cells too.",
        {
            "includeGridData": _BOOLEAN,
            "fields": {
                "type": "array",
                "items": _STRING,
                "description": "Paths to return, such as 'sheets.properties.sheetId'.",
            },
        },
        (),
        _get_spreadsheet,
    ),
    _tool(
        "update_values",
        "Write literal values to a range; nothing is read as a formula.",
        {"range": _RANGE, "values": _ROWS},
        ("range", "values"),
        _update_values,
    ),
    _tool(
        "update_formulas",
        "Write formulas to a range, as if they were typed.",
        {"range": _RANGE, "formulas": _ROWS},
        ("range", "formulas"),
        _update_formulas,
    ),
    _tool(
        "update_spreadsheet",
        "Apply batchUpdate requests to a spreadsheet, all or none.",
        {"requests": {"type": "array", "items": {"type": "object"}}},
        ("requests",),
        _update_spreadsheet,
    ),
    _tool(
        "insert_dimension",
        "Insert empty rows or columns before startIndex.",
        {
            "sheetId": _INTEGER,
            "dimension": {"type": "string", "enum": ["ROWS", "COLUMNS"]},
            "startIndex": _INTEGER,
            "endIndex": _INTEGER,
            "inheritFromBefore": _BOOLEAN,
        },
        ("sheetId", "dimension", "startIndex", "endIndex"),
        _insert_dimension,
        assumed=True,
    ),
    _tool(
        "append_values",
        "Write rows after the last row of the table that a range finds.",
        {
            "range": _RANGE,
            "values": _ROWS,
            "valueInputOption": {"type": "string", "enum": ["RAW", "USER_ENTERED"]},
        },
        ("range", "values"),
        _append_values,
        assumed=True,
    ),
    _tool(
        "batch_clear_values",
        "Clear the values of ranges; formats stay.",
        {"ranges": {"type": "array", "items": _RANGE}},
        ("ranges",),
        _batch_clear_values,
        assumed=True,
    ),
    _tool(
        "copy_sheet_to_another_spreadsheet",
        "Copy a sheet into another spreadsheet.",
        {"sheetId": _INTEGER, "destinationSpreadsheetId": _STRING},
        ("sheetId", "destinationSpreadsheetId"),
        _copy_sheet,
        assumed=True,
    ),
)
