"""The unmodified google-api-python-client against the real hostnames; prints what it got, as JSON lines.

Run by ``test_client.py``. Every line is ``[method id, status, response]``.
"""

import json
import os
import sys
from typing import Any

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

ACCESS, ID, OTHER = os.environ["ACCESS"], os.environ["SPREADSHEET"], os.environ["OTHER"]


def note(method: str, status: int, response: Any) -> None:
    json.dump([method, status, response], sys.stdout)
    sys.stdout.write("\n")


def do(request: Any) -> Any:
    """Execute a request and note its response."""
    response = request.execute()
    note(request.methodId, 200, response)
    return response


def fails(request: Any, status: int, message: str) -> None:
    """Execute a request that must be refused."""
    try:
        request.execute()
    except HttpError as error:
        assert error.resp.status == status and error.reason == message, (request.methodId, error)
        note("error", status, json.loads(error.content))
    else:
        raise AssertionError(f"{request.methodId} did not fail")


def reading(sheets: Any) -> None:
    whole = do(sheets.get(spreadsheetId=ID))
    assert [s["properties"]["title"] for s in whole["sheets"]] == ["Items", "My Sheet"]
    partial = do(sheets.get(spreadsheetId=ID, fields="sheets.properties(sheetId,title)"))
    assert partial["sheets"][0]["properties"] == {"sheetId": 0, "title": "Items"}
    cells = do(sheets.get(spreadsheetId=ID, ranges=["Items!A1:E5"], includeGridData=True))
    first = cells["sheets"][0]["data"][0]["rowData"][1]["values"]
    assert (
        first[3]["userEnteredValue"] == {"formulaValue": "=B2*C2"} and first[3]["formattedValue"] == "$4.50"
    )
    assert first[4]["effectiveFormat"]["numberFormat"]["type"] == "DATE"
    by_mask = do(sheets.get(spreadsheetId=ID, fields="sheets(data(rowData(values(formattedValue))))"))
    assert by_mask["sheets"][0]["data"][0]["rowData"][0]["values"][0] == {"formattedValue": "Item"}
    values = sheets.values()
    got = do(values.get(spreadsheetId=ID, range="'My Sheet'!A1:B2"))
    assert got == {"range": "'My Sheet'!A1:B2", "majorDimension": "ROWS", "values": [["Total", "$22.90"]]}
    raw = do(values.get(spreadsheetId=ID, range="Items!A:C", valueRenderOption="UNFORMATTED_VALUE"))
    assert raw["range"] == "Items!A1:C1000" and raw["values"][1] == ["Pen", 3, 1.5]
    several = do(values.batchGet(spreadsheetId=ID, ranges=["Items!A1", "Items!K9"], majorDimension="COLUMNS"))
    assert [one.get("values") for one in several["valueRanges"]] == [[["Item"]], None]


def writing(sheets: Any) -> None:
    values = sheets.values()
    updated = do(
        values.update(
            spreadsheetId=ID,
            range="Items!A7:B8",
            valueInputOption="USER_ENTERED",
            includeValuesInResponse=True,
            body={"values": [["Cup", "4"], ["Bag", "=B7*2"]]},
        )
    )
    assert updated["updatedCells"] == 4 and updated["updatedData"]["values"][1] == ["Bag", "8"]
    appended = do(
        values.append(
            spreadsheetId=ID,
            range="Items!A1",
            valueInputOption="RAW",
            insertDataOption="INSERT_ROWS",
            body={"values": [["Tag", 1]]},
        )
    )
    assert appended["tableRange"] == "Items!A1:E5" and appended["updates"]["updatedRange"] == "Items!A6:B6"
    body = {"valueInputOption": "USER_ENTERED", "data": [{"range": "Items!G1", "values": [["x"], ["y"]]}]}
    assert do(values.batchUpdate(spreadsheetId=ID, body=body))["totalUpdatedCells"] == 2
    do(values.clear(spreadsheetId=ID, range="Items!G1", body={}))
    cleared = do(values.batchClear(spreadsheetId=ID, body={"ranges": ["Items!G2", "'My Sheet'!D:D"]}))
    assert cleared["clearedRanges"] == ["Items!G2", "'My Sheet'!D1:D1000"]
    requests = [
        {
            "addSheet": {
                "properties": {"title": "Archive", "gridProperties": {"rowCount": 20, "columnCount": 5}}
            }
        },
        {
            "updateSheetProperties": {
                "properties": {"sheetId": 0, "gridProperties": {"frozenRowCount": 1}},
                "fields": "gridProperties.frozenRowCount",
            }
        },
        {
            "mergeCells": {
                "range": {"sheetId": 0, "startRowIndex": 20, "endRowIndex": 22, "endColumnIndex": 2}
            }
        },
        {"setBasicFilter": {"filter": {"range": {"sheetId": 0, "endRowIndex": 6, "endColumnIndex": 5}}}},
        {"addNamedRange": {"namedRange": {"name": "Names", "range": {"sheetId": 0, "endColumnIndex": 1}}}},
        {
            "addTable": {
                "table": {
                    "name": "T",
                    "range": {"sheetId": 0, "startRowIndex": 30, "endRowIndex": 33, "endColumnIndex": 2},
                }
            }
        },
        {"findReplace": {"find": "Pen", "replacement": "Pencil", "allSheets": True}},
        {"duplicateSheet": {"sourceSheetId": 0}},
    ]
    batch = {"requests": requests, "includeSpreadsheetInResponse": True, "responseIncludeGridData": True}
    replies = do(sheets.batchUpdate(spreadsheetId=ID, body=batch))["replies"]
    assert len(replies) == len(requests) and replies[6]["findReplace"]["occurrencesChanged"] == 1
    made = do(
        sheets.create(
            body={
                "properties": {"title": "Made here", "locale": "de_DE"},
                "sheets": [
                    {
                        "properties": {"title": "Daten"},
                        "data": [{"rowData": [{"values": [{"userEnteredValue": {"numberValue": 1.5}}]}]}],
                    }
                ],
            }
        )
    )
    assert made["spreadsheetUrl"].startswith(
        f"https://docs.google.com/spreadsheets/d/{made['spreadsheetId']}"
    )
    assert do(values.get(spreadsheetId=made["spreadsheetId"], range="Daten"))["values"] == [["1,5"]]
    copied = do(
        sheets.sheets().copyTo(
            spreadsheetId=ID, sheetId=0, body={"destinationSpreadsheetId": made["spreadsheetId"]}
        )
    )
    assert copied["title"] == "Copy of Items" and copied["index"] == 1


def errors(sheets: Any) -> None:
    values = sheets.values()
    fails(values.get(spreadsheetId=ID, range="Nope!A1"), 400, "Unable to parse range: Nope!A1")
    fails(values.get(spreadsheetId="1none", range="A1"), 404, "Requested entity was not found.")
    fails(values.get(spreadsheetId=OTHER, range="A1"), 403, "The caller does not have permission")
    bad = {"requests": [{"addSheet": {"properties": {"title": "Items"}}}]}
    text = 'A sheet with the name "Items" already exists. Please enter another name.'
    fails(sheets.batchUpdate(spreadsheetId=ID, body=bad), 400, f"Invalid requests[0].addSheet: {text}")
    wrong = {"values": [[1]], "nonsense": 1}
    request = values.update(spreadsheetId=ID, range="A1", valueInputOption="RAW", body=wrong)
    told = 'Invalid JSON payload received. Unknown name "nonsense": Cannot find field.'
    fails(request, 400, told)


def batches(service: Any) -> None:
    got: dict[str, Any] = {}

    def keep(id: str, response: Any, error: Any) -> None:
        got[id] = error or response

    batch = service.new_batch_http_request(callback=keep)
    for id in ("Items!A1", "Nope!A1"):
        batch.add(service.spreadsheets().values().get(spreadsheetId=ID, range=id), request_id=id)
    batch.execute()
    assert got["Items!A1"]["values"] == [["Item"]] and got["Nope!A1"].resp.status == 400


def main() -> None:
    service = build("sheets", "v4", credentials=Credentials(token=ACCESS))
    reading(service.spreadsheets())
    writing(service.spreadsheets())
    errors(service.spreadsheets())
    batches(service)
    served = build("sheets", "v4", credentials=Credentials(token=ACCESS), static_discovery=False)
    do(served.spreadsheets().values().get(spreadsheetId=ID, range="Items!A1:B2"))


main()
