"""Tables of records as CSV, in words: labels for names, names for ids."""

import csv
import io

from tenure.twins.hubspot.definitions import PIPELINE_PROPERTIES
from tenure.twins.hubspot.records import CrmObject, Owner, Property
from tenure.twins.hubspot.service import derived, pipelines, properties
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def owner_name(owner: Owner) -> str:
    """What an owner is called."""
    return f"{owner.first_name} {owner.last_name}".strip() or owner.email


def csv_text(act: Act, t: Type, records: list[CrmObject], names: list[str]) -> str:
    """Some properties of records, a heading first. Every record is shown."""
    known = [p for name in names if (p := properties.definition(act, t, name)) is not None]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["Record ID", *(p.label for p in known)])
    for record in records:
        act.show(record)
        writer.writerow([record.id, *(_cell(act, t, record, p) for p in known)])
    return out.getvalue()


def _cell(act: Act, t: Type, record: CrmObject, p: Property) -> str:
    text = in_words(act, t, record, p)
    # A spreadsheet would run what begins like a formula; numbers are none.
    return f"'{text}" if text.startswith(_FORMULA) and p.type == "string" else text


def in_words(act: Act, t: Type, record: CrmObject, p: Property) -> str:
    """A property's value as people read it."""
    text = derived.value(act, t, record, p.name) or ""
    if not text:
        return ""
    if p.name == "hubspot_owner_id":
        owner = act.get(Owner, text)
        return owner_name(owner) if owner else text
    if p.name in PIPELINE_PROPERTIES.get(t.key, ()):
        return _pipeline_words(act, t, record, p.name, text)
    labels = {o.value: o.label for o in p.options}
    return "; ".join(labels.get(part, part) for part in text.split(";")) if labels else text


def _pipeline_words(act: Act, t: Type, record: CrmObject, name: str, text: str) -> str:
    of_pipeline, of_stage = PIPELINE_PROPERTIES[t.key]
    pipeline = pipelines.find(act, t, record.properties.get(of_pipeline, ""))
    if pipeline is None:
        return text
    if name == of_stage:
        return next((s.label for s in pipeline.stages if s.id == text), text)
    return pipeline.label
