"""Records out of a CSV file: known ones are updated, others created; what fails is told row by row."""

import csv
import io
from typing import Any

from tenure.twins.hubspot.definitions import PIPELINE_PROPERTIES
from tenure.twins.hubspot.records import CrmObject, Owner, Property
from tenure.twins.hubspot.service import entry, lookup, objects, pipelines, properties
from tenure.twins.hubspot.service.errors import HubSpotError, invalid
from tenure.twins.hubspot.service.export import owner_name
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

MAX_ROWS = 5_000
"""Rows of one file, the heading left out."""
SAMPLE = 3
_KEYS = {"contacts": "email", "companies": "domain"}
"""The property that says which record a row is about, beside the record's id."""


def _table(text: str) -> tuple[list[str], list[list[str]]]:
    rows = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"))) if any(map(str.strip, row))]
    if len(rows) < 2:
        raise invalid("The file needs a heading and at least one row")
    if len(rows) - 1 > MAX_ROWS:
        raise invalid(f"A file may have at most {MAX_ROWS} rows, this one has {len(rows) - 1}")
    return rows[0], rows[1:]


def preview(act: Act, t: Type, text: str) -> dict[str, Any]:
    """What a file holds: ``header``, ``guesses`` (property names, empty for none), ``sample``, ``total``.

    Raises:
        HubSpotError: 400, it is empty or too long.
    """
    header, rows = _table(text)
    known = {p.label.lower(): name for name, p in properties.definitions(act, t).items()}
    known |= {name: name for name in properties.definitions(act, t)}
    guesses = [known.get(cell.strip().lower(), "") for cell in header]
    return {"header": header, "guesses": guesses, "sample": rows[:SAMPLE], "total": len(rows)}


def run(act: Act, t: Type, text: str, columns: list[str]) -> dict[str, Any]:
    """Take a file's rows in.

    Args:
        act: The act.
        t: The type of its records.
        text: The file.
        columns: For each column the property it fills, empty to leave it out.

    Returns:
        ``created``, ``updated`` and ``errors`` (rows of ``row``, counted as a spreadsheet does, and
        ``message``).

    Raises:
        HubSpotError: 400, the file or the columns do not fit.
    """
    header, rows = _table(text)
    if len(columns) != len(header) or not any(columns):
        raise invalid("Choose a property for at least one column of the file")
    done, errors = {"created": 0, "updated": 0}, []
    for number, row in enumerate(rows, start=2):
        cells = {
            name: cell.strip() for name, cell in zip(columns, row, strict=False) if name and cell.strip()
        }
        try:
            with act.nested():
                done[_take(act, t, cells)] += 1
        except HubSpotError as error:
            errors.append({"row": number, "message": error.sentence})
    return {**done, "errors": errors}


def _take(act: Act, t: Type, cells: dict[str, str]) -> str:
    id = cells.pop("hs_object_id", "")
    given = {name: _stored(act, t, name, cell) for name, cell in cells.items()}
    record: CrmObject | None = lookup.alive(act, t, id) if id else None
    key = _KEYS.get(t.key, "")
    if record is None and given.get(key):
        record = objects.holder(act, t, key, given[key])
    if record is None:
        entry.make(act, t, given, ())
        return "created"
    objects.change(act, t, record, given)
    return "updated"


def _stored(act: Act, t: Type, name: str, cell: str) -> str:
    """A cell as the value it stands for: files say labels and names as often as values."""
    words = _words(act, t, properties.definition(act, t, name))
    return (
        ";".join(words.get(part.strip().lower(), part.strip()) for part in cell.split(";")) if words else cell
    )


def _words(act: Act, t: Type, p: Property | None) -> dict[str, str]:
    """Lower-case words → the value of a property of choices."""
    if p is None:
        return {}
    if p.name == "hubspot_owner_id":
        owners = act.all(Owner, "all", False)
        return {o.email.lower(): o.id for o in owners} | {owner_name(o).lower(): o.id for o in owners}
    if p.name in PIPELINE_PROPERTIES.get(t.key, ()):
        every = pipelines.every(act, t)
        if p.name == PIPELINE_PROPERTIES[t.key][0]:
            return {one.label.lower(): one.pipeline_id for one in every}
        return {stage.label.lower(): stage.id for one in every for stage in pipelines.live_stages(one)}
    return {o.label.lower(): o.value for o in p.options}
