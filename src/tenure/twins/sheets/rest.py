"""The REST API: what each method of the discovery document does."""

from collections.abc import Callable
from typing import Any

from tenure.twins.google import Api, Document, Operation, Request
from tenure.twins.google.errors import invalid
from tenure.twins.sheets import service, values
from tenure.twins.sheets.book import Refusal

DOCUMENT = Document("tenure.twins.sheets", "sheets.v4.json")
HOST = "sheets.googleapis.com"


def _open(request: Request) -> None:
    """Every method decides by the spreadsheet that it opens."""


def _refusing(run: Callable[[Request], Any]) -> Operation:
    def operation(request: Request) -> Any:
        try:
            return run(request)
        except Refusal as refusal:
            raise invalid(str(refusal)) from None

    return operation


def _id(request: Request) -> str:
    return str(request.params["spreadsheetId"])


def _get(request: Request) -> Any:
    params = request.params
    with_data = bool(params.get("includeGridData")) or _asks_for_data(request.selector)
    return service.get(request.act, _id(request), params.get("ranges", []), with_data=with_data)


def _asks_for_data(selector: str) -> bool:
    # A field mask that names cells is as good as includeGridData.
    return "data" in selector.replace("/", ",").replace("(", ",").replace(".", ",").split(",")


def _values_get(request: Request) -> Any:
    return values.get(request.act, _id(request), [request.params["range"]], request.params)[0]


def _batch_get(request: Request) -> Any:
    found = values.get(request.act, _id(request), request.params.get("ranges", []), request.params)
    return {"spreadsheetId": _id(request), "valueRanges": found}


def _written(request: Request) -> tuple[str, list[Any], dict[str, Any]]:
    text, body = request.params["range"], request.body
    if body.get("range") and body["range"].replace("'", "") != text.replace("'", ""):
        raise Refusal(f"Requested writing within range [{text}], but the body's range is [{body['range']}]")
    return text, body.get("values", []), {**request.params, "majorDimension": body.get("majorDimension")}


def _batch_clear(request: Request) -> Any:
    cleared = values.clear(request.act, _id(request), request.body.get("ranges", []))
    return {"spreadsheetId": _id(request), "clearedRanges": cleared}


def _clear(request: Request) -> Any:
    (cleared,) = values.clear(request.act, _id(request), [request.params["range"]])
    return {"spreadsheetId": _id(request), "clearedRange": cleared}


def _copy_to(request: Request) -> Any:
    target = request.body.get("destinationSpreadsheetId", "")
    return service.copy_to(request.act, _id(request), int(request.params["sheetId"]), target)


_OPERATIONS: dict[str, Callable[[Request], Any]] = {
    "create": lambda r: service.create(r.act, r.body),
    "get": _get,
    "batchUpdate": lambda r: service.batch_update(r.act, _id(r), r.body),
    "values.get": _values_get,
    "values.batchGet": _batch_get,
    "values.update": lambda r: values.update(r.act, _id(r), *_written(r)),
    "values.append": lambda r: values.append(r.act, _id(r), *_written(r)),
    "values.batchUpdate": lambda r: values.batch_update(r.act, _id(r), r.body),
    "values.clear": _clear,
    "values.batchClear": _batch_clear,
    "sheets.copyTo": _copy_to,
}
OPERATIONS: dict[str, Operation] = {
    f"sheets.spreadsheets.{name}": _refusing(run) for name, run in _OPERATIONS.items()
}
API = Api(DOCUMENT, HOST, OPERATIONS, _open, bare_errors=True)
