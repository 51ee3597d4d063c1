"""Conformance: the vendor's own client, unmodified, on the real hostnames; responses fit the description."""

import json
from pathlib import Path

import jsonschema
import pytest

from support.outside import require, run_client
from tenure.twins.google.document import json_schema
from tenure.twins.google.files import File
from tenure.twins.sheets import TWIN, read
from tenure.twins.sheets.rest import DOCUMENT, OPERATIONS
from tenure.twins.sheets.seed import spreadsheet
from tenure.world import BaseBuilder, reopen

from .make import ADA, BO, ITEMS, NOW, SEED, accounts, token


def test_the_official_client_uses_every_operation(tmp_path: Path) -> None:
    require()
    base = tmp_path / "base.db"
    with BaseBuilder(base, now=NOW, seed=SEED) as builder:
        people = accounts(builder)
        sheets = {"Items": ITEMS, "My Sheet": [["Total", "=Items!D5"]]}
        id = spreadsheet(builder, "Budget", people[ADA], sheets, typed=True)
        other = spreadsheet(builder, "Private", people[BO], {"Sheet1": [[1]]})
    out = run_client(
        base,
        ["tenure.twins.sheets:TWIN"],
        ["python", str(Path(__file__).with_name("client.py"))],
        env={"ACCESS": token(ADA), "SPREADSHEET": id, "OTHER": other},
    ).check()
    assert not [connection.fault for connection in out.connections if connection.fault]
    lines = [json.loads(line) for line in out.stdout.splitlines()]
    for method, status, response in lines:
        if method == "error":
            continue
        described = DOCUMENT.methods[method].response
        assert described is not None and status == 200
        jsonschema.validate(response, json_schema(DOCUMENT, described["$ref"]))
    assert {method for method, _, _ in lines} - {"error"} == set(OPERATIONS)
    hosts = {connection.host for connection in out.connections}
    assert hosts == {"sheets.googleapis.com", "www.googleapis.com"}
    end = reopen(out.end_state, [TWIN], base, scratch=tmp_path / "scratch")
    assert [file.name for file in end.created(File)] == ["Made here"]
    assert read.cell(end, id, "Items!B9").value == 8
    end.close()


@pytest.mark.parametrize("name", ["Spreadsheet", "ValueRange", "AppendValuesResponse", "SheetProperties"])
def test_the_schemas_refuse_what_they_do_not_describe(name: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"spreadsheetId": 5, "nonsense": True}, json_schema(DOCUMENT, name))
