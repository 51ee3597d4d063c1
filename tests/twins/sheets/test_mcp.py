"""The hosted MCP server's tools."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from tenure.schema import Via
from tenure.twins.sheets.mcp import TOOLS, URL
from tenure.twins.sheets.readme import README, part
from tenure.twins.wire.readme import renewed

from .make import BO, Book


class Tools:
    """Calls tools of one spreadsheet."""

    def __init__(self, book: Book, account: str = "") -> None:
        self.book, self.account = book, account

    def call(self, tool: str, **arguments: Any) -> tuple[bool, Any]:
        """(failed, result or text)."""
        arguments = {"spreadsheetId": self.book.id, **arguments}
        request = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }
        status, body = self.book.send(
            "POST", "/mcp/v1", request, host="sheetsmcp.googleapis.com", account=self.account
        )
        assert status == 200 and "error" not in body, body
        result = body["result"]
        text = result["content"][0]["text"]
        return result["isError"], text if result["isError"] else orjson.loads(text)

    def ok(self, tool: str, **arguments: Any) -> Any:
        failed, result = self.call(tool, **arguments)
        assert not failed, result
        return result


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(Book(tmp_path))


def test_reading(tools: Tools) -> None:
    assert tools.ok("get_values", range="Items!A2:D2") == {
        "range": "Items!A2:D2",
        "values": [["Pen", "3", "$1.50", "$4.50"]],
    }
    assert tools.ok("get_values", range="Items!K1")["values"] == []
    found = tools.ok("get_spreadsheet", fields=["properties.title", "sheets.properties.sheetId"])
    assert found["properties"] == {"title": "Budget"}
    assert found["sheets"][0] == {"properties": {"sheetId": 0}}
    whole = tools.ok("get_spreadsheet", includeGridData=True)
    assert whole["revisionId"] == "1"
    assert whole["sheets"][1]["data"][0]["rowData"][0]["values"][1]["formattedValue"] == "$22.90"
    line = tools.book.gateway.log[-1]
    assert (line.via, line.tool) == (Via.MCP, "get_spreadsheet") and line.records


def test_writing(tools: Tools) -> None:
    done = tools.ok("update_values", range="Items!G1", values=[["=1+1", 2, True, None]])
    assert done == {
        "updatedRange": "Items!G1:J1",
        "updatedRows": 1,
        "updatedColumns": 3,
        "updatedCells": 3,
        "status": "success",
    }
    assert tools.book.raw("Items!G1:J1") == [["=1+1", 2, True]]
    tools.ok("update_formulas", range="Items!G1", formulas=[["=1+1"]])
    assert tools.book.one("Items!G1") == 2
    tools.ok("append_values", range="Items!A1", values=[["Cup", "$3"]])
    assert tools.book.values("Items!A6:B6") == [["Cup", "$3"]]
    tools.ok("insert_dimension", sheetId=0, dimension="ROWS", startIndex=0, endIndex=2)
    assert tools.book.raw("Items!A1:A3") == [[], [], ["Item"]]
    tools.ok("batch_clear_values", ranges=["Items!A3"])
    reply = tools.ok("update_spreadsheet", requests=[{"addSheet": {"properties": {"title": "New"}}}])
    assert reply["replies"][0]["addSheet"]["properties"]["title"] == "New"
    copied = tools.ok("copy_sheet_to_another_spreadsheet", sheetId=0, destinationSpreadsheetId=tools.book.id)
    assert copied["title"] == "Copy of Items"
    assert all(entry.via in (Via.MCP, Via.WORLD) for entry in tools.book.end().journal)


def test_refusals_are_texts_and_undo_their_call(tools: Tools) -> None:
    assert tools.call("get_values", range="Nope!A1") == (True, "Unable to parse range: Nope!A1")
    wrong = [{"addSheet": {"properties": {"title": "New"}}}, {"deleteSheet": {"sheetId": 9}}]
    failed, text = tools.call("update_spreadsheet", requests=wrong)
    assert failed and text == "Invalid requests[1].deleteSheet: No grid with id: 9"
    failed, text = tools.call("update_spreadsheet", requests=[{"addShet": {}}])
    assert failed and 'Unknown name "addShet"' in text
    failed, text = tools.call("get_values")
    assert failed and text.startswith("Invalid arguments for tool get_values")
    reader = Tools(tools.book, BO)
    assert reader.ok("get_values", range="Items!A1")["values"] == [["Item"]]
    assert reader.call("update_values", range="Items!A1", values=[[1]]) == (
        True,
        "The caller does not have permission",
    )
    assert tools.book.changed() == []


def test_the_tools_are_marked_where_their_arguments_were_not_captured() -> None:
    assert URL == "https://sheetsmcp.googleapis.com/mcp/v1"
    assert [tool.name for tool in TOOLS if not tool.assumed] == [
        "get_values",
        "get_spreadsheet",
        "update_values",
        "update_formulas",
        "update_spreadsheet",
    ]
    assert all(tool.description and tool.schema["required"][0] == "spreadsheetId" for tool in TOOLS)


def test_the_readme_is_up_to_date() -> None:
    assert renewed(README.read_text(), part()) == README.read_text()
