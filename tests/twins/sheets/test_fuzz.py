"""Nothing that a client sends makes the twin fail inside."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tenure.twins.google.document import json_schema
from tenure.twins.sheets.mcp import TOOLS
from tenure.twins.sheets.requests import KINDS
from tenure.twins.sheets.rest import DOCUMENT, OPERATIONS

from .make import Book

IN_ROUTINE = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
SCHEMAS = DOCUMENT.content["schemas"]
VALID = Draft202012Validator(json_schema(DOCUMENT, "Spreadsheet"))
SMALL = st.one_of(st.integers(-1, 6), st.sampled_from((999, 1000, 1001, 2**31 - 1, 0, 0, 0)))
WORDS = st.sampled_from(
    (
        "Items",
        "Summary",
        "A1",
        "Items!B2:D4",
        "=SUM(D:D)",
        "=A1+",
        "'",
        "",
        "*",
        "1/2/2026",
        "$5",
        "é%00",
        "Qty",
        "(",
        "a!b!c",
    )
)
FIELDS = st.sampled_from(
    ("*", "userEnteredValue", "userEnteredFormat(textFormat/bold)", "note", "title", "a,", "pixelSize")
)


def shaped(schema: dict[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that a schema of the description allows."""
    if "$ref" in schema:
        if depth > 4:
            return st.just({})
        described = SCHEMAS[schema["$ref"]].get("properties", {})
        parts = {name: shaped(one, depth + 1) for name, one in described.items()}
        if "range" in parts or "sheetId" in parts or "source" in parts:
            keep = [
                name
                for name in (
                    "range",
                    "source",
                    "destination",
                    "cell",
                    "rows",
                    "fields",
                    "rule",
                    "filter",
                    "table",
                )
                if name in parts
            ]
            return st.fixed_dictionaries(
                {n: parts[n] for n in keep}, optional={n: p for n, p in parts.items() if n not in keep}
            )
        return st.fixed_dictionaries({}, optional=dict(list(parts.items())[:12]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "array":
            return st.lists(shaped(schema["items"], depth + 1), max_size=3)
        case "integer":
            return SMALL
        case "number":
            return st.one_of(SMALL, st.floats(allow_nan=False, allow_infinity=False))
        case "boolean":
            return st.booleans()
        case "string":
            return FIELDS if schema.get("format") == "google-fieldmask" else WORDS
    return st.one_of(SMALL, WORDS)


REQUESTS = st.one_of(
    *(st.fixed_dictionaries({kind: shaped(SCHEMAS["Request"]["properties"][kind])}) for kind in sorted(KINDS))
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    WORDS,
    st.text(max_size=12),
)
ROWS = st.lists(st.lists(SCALARS, max_size=4), max_size=4)
RANGES = st.one_of(
    WORDS,
    st.text(max_size=10),
    st.from_regex(r"'?[A-Za-z ]{0,6}'?!?\$?[A-Z]{0,3}[0-9]{0,5}(:[A-Z]{0,2}[0-9]{0,4})?", fullmatch=True),
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return Book(tmp_path_factory.mktemp("fuzz"))


@IN_ROUTINE
@given(st.lists(REQUESTS, min_size=1, max_size=3))
def test_any_batch_is_applied_or_refused(
    tmp_path_factory: pytest.TempPathFactory, requests: list[Any]
) -> None:
    book = Book(tmp_path_factory.mktemp("batch"))
    before = book.end().fingerprint
    status, body = book.send("POST", f"/v4/spreadsheets/{book.id}:batchUpdate", {"requests": requests})
    assert status in (200, 400), body
    if status == 400:
        assert book.end().fingerprint == before
    whole = book.send("GET", f"/v4/spreadsheets/{book.id}")[1]
    assert VALID.is_valid(json.loads(json.dumps(whole)))
    for sheet in whole["sheets"]:
        title = quote("'" + sheet["properties"]["title"].replace("'", "''") + "'", safe="")
        assert book.send("GET", f"/v4/spreadsheets/{book.id}/values/{title}")[0] == 200
    book.world.close()


@IN_ROUTINE
@given(
    RANGES,
    ROWS,
    st.sampled_from(("RAW", "USER_ENTERED")),
    st.sampled_from(("ROWS", "COLUMNS")),
    st.booleans(),
)
def test_any_values_are_written_or_refused(
    book: Book, range: str, rows: list[Any], option: str, major: str, append: bool
) -> None:
    path = f"/v4/spreadsheets/{book.id}/values/{quote(range, safe='')}"
    body = {"values": rows, "majorDimension": major}
    query = {"valueInputOption": option, "includeValuesInResponse": "true"}
    if append:
        status, answer = book.send("POST", f"{path}:append", body, **query)
    else:
        status, answer = book.send("PUT", path, body, **query)
    assert status in (200, 400, 404), answer
    if range:
        assert book.send("GET", path)[0] in (200, 400, 404)


BODIES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@IN_ROUTINE
@given(st.sampled_from(sorted(OPERATIONS)), BODIES, RANGES)
def test_any_request_is_answered_or_refused(book: Book, operation: str, body: Any, range: str) -> None:
    method = DOCUMENT.methods[operation]
    path = method.path.replace("{spreadsheetId}", book.id).replace("{sheetId}", quote(range, safe=""))
    path = path.replace("{range}", quote(range, safe=""))
    status, _ = book.send(method.http, path, body, valueInputOption="RAW", ranges=range)
    assert status in (200, 400, 404)


@IN_ROUTINE
@given(st.sampled_from(TOOLS), st.data())
def test_any_tool_call_is_answered_or_refused(book: Book, tool: Any, data: st.DataObject) -> None:
    given = {"spreadsheetId": book.id}
    for name, schema in tool.schema["properties"].items():
        if name != "spreadsheetId" and (name in tool.schema["required"] or data.draw(st.booleans())):
            kinds = {
                "string": RANGES,
                "integer": SMALL,
                "boolean": st.booleans(),
                "array": st.lists(BODIES, max_size=2),
            }
            given[name] = data.draw(st.just(schema["enum"][0]) if "enum" in schema else kinds[schema["type"]])
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool.name, "arguments": given},
    }
    status, _ = book.send("POST", "/mcp/v1", request, host="sheetsmcp.googleapis.com")
    assert status == 200
