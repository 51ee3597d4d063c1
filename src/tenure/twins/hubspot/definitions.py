"""The standard property definitions, groups and pipelines that every account has."""

import re
from functools import cache

from tenure.twins.hubspot.objecttypes import OBJECT_TYPES
from tenure.twins.hubspot.propertylines import PropertyLine, property_lines
from tenure.twins.hubspot.records import Group, Option, Pipeline, Property, Stage

_FIELDS = {
    "string": "text",
    "number": "number",
    "date": "date",
    "datetime": "date",
    "enumeration": "select",
    "bool": "booleancheckbox",
}
"""The field type of a value type, where the file names none."""
_BOOLEAN = [
    Option(label="True", value="true", display_order=0),
    Option(label="False", value="false", display_order=1),
]
_NEXT_OPTION = re.compile(r", (?=[^\s,=]+(?:=|,|$))")
SINCE = 1_577_836_800_000
"""When standard definitions say that they were made: 2020-01-01."""


def _options(text: str) -> list[Option]:
    found = []
    for n, part in enumerate(_NEXT_OPTION.split(text)):
        value, _, label = part.partition("=")
        found.append(Option(label=label or value, value=value, display_order=n))
    return found


def _property(object_type: str, line: PropertyLine) -> Property:
    flags = line.flags
    options = _BOOLEAN if line.type == "bool" else [] if flags or not line.more else _options(line.more)
    return Property(
        id=f"{object_type}/{line.name}",
        object_type=object_type,
        name=line.name,
        label=line.label,
        type=line.type,
        field_type=line.field or _FIELDS[line.type],
        group_name=f"{OBJECT_TYPES[object_type].singular}information",
        options=options,
        read_only="!" in flags,
        hidden="~" in flags,
        external_options="@" in flags,
        referenced_object_type="OWNER" if line.name == "hubspot_owner_id" else "",
        form_field=object_type in {"contacts", "companies", "tickets"} and "!" not in flags,
        has_unique_value=line.name == "hs_object_id" or (object_type, line.name) == ("contacts", "email"),
        hubspot_defined=True,
        created_at=SINCE,
        updated_at=SINCE,
    )


@cache
def standard_properties() -> dict[str, dict[str, Property]]:
    """Object type → name → definition. The records are shared: callers copy before they change."""
    return {
        object_type: {name: _property(object_type, line) for name, line in lines.items()}
        for object_type, lines in property_lines().items()
    }


def custom_properties(object_type: str) -> dict[str, Property]:
    """The definitions that every custom type has."""
    return {
        name: made.model_copy(
            update={"id": f"{object_type}/{name}", "object_type": object_type, "group_name": "custom"}
        )
        for name, made in standard_properties()["services"].items()
        if name
        in {
            "hs_createdate",
            "hs_lastmodifieddate",
            "hs_object_id",
            "hubspot_owner_id",
            "hs_merged_object_ids",
        }
    }


def standard_groups(object_type: str) -> dict[str, Group]:
    """Name → group, of one standard type."""
    spec = OBJECT_TYPES[object_type]
    name = f"{spec.singular}information"
    made = Group(
        id=f"{object_type}/{name}",
        object_type=object_type,
        name=name,
        label=f"{spec.label} information",
        display_order=0,
    )
    return {name: made}


def _pipeline(object_type: str, id: str, label: str, *stages: tuple[str, str, dict[str, str]]) -> Pipeline:
    made = [
        Stage(id=stage, label=text, display_order=n, metadata=metadata, created_at=SINCE, updated_at=SINCE)
        for n, (stage, text, metadata) in enumerate(stages)
    ]
    return Pipeline(
        id=f"{object_type}/{id}",
        object_type=object_type,
        pipeline_id=id,
        label=label,
        stages=made,
        created_at=SINCE,
        updated_at=SINCE,
    )


def _deal(probability: str) -> dict[str, str]:
    return {"isClosed": "true" if probability in {"0.0", "1.0"} else "false", "probability": probability}


def _ticket(closed: bool) -> dict[str, str]:
    return {"isClosed": str(closed).lower(), "ticketState": "CLOSED" if closed else "OPEN"}


STANDARD_PIPELINES: dict[str, Pipeline] = {
    pipeline.id: pipeline
    for pipeline in (
        _pipeline(
            "deals",
            "default",
            "Sales Pipeline",
            ("appointmentscheduled", "Appointment Scheduled", _deal("0.2")),
            ("qualifiedtobuy", "Qualified To Buy", _deal("0.4")),
            ("presentationscheduled", "Presentation Scheduled", _deal("0.6")),
            ("decisionmakerboughtin", "Decision Maker Bought-In", _deal("0.8")),
            ("contractsent", "Contract Sent", _deal("0.9")),
            ("closedwon", "Closed Won", _deal("1.0")),
            ("closedlost", "Closed Lost", _deal("0.0")),
        ),
        _pipeline(
            "tickets",
            "0",
            "Support Pipeline",
            ("1", "New", _ticket(False)),
            ("2", "Waiting on contact", _ticket(False)),
            ("3", "Waiting on us", _ticket(False)),
            ("4", "Closed", _ticket(True)),
        ),
        _pipeline(
            "leads",
            "lead-pipeline-id",
            "Lead pipeline",
            ("new-stage-id", "New", {"isClosed": "false"}),
            ("attempting-stage-id", "Attempting", {"isClosed": "false"}),
            ("connected-stage-id", "Connected", {"isClosed": "false"}),
            ("qualified-stage-id", "Qualified", {"isClosed": "true"}),
            ("unqualified-stage-id", "Unqualified", {"isClosed": "true"}),
        ),
    )
}
"""The pipelines of a new account, by record id."""
PIPELINE_PROPERTIES: dict[str, tuple[str, str]] = {"deals": ("pipeline", "dealstage")} | dict.fromkeys(
    ("tickets", "leads", "orders", "services"), ("hs_pipeline", "hs_pipeline_stage")
)
"""Object type → the names of its pipeline and stage properties."""
