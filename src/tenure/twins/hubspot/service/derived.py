"""Values that the vendor computes, derived when they are read."""

from collections.abc import Callable

from tenure.twins.hubspot.associationtypes import PARENT_COMPANY, primary_type
from tenure.twins.hubspot.records import Association, CrmObject
from tenure.twins.hubspot.service import pipelines
from tenure.twins.hubspot.service.types import Type, resolve
from tenure.twins.hubspot.times import DAY_MS, iso, moment
from tenure.world import Act

Rule = Callable[[Act, CrmObject], str | None]
ACTIVITIES = ("notes", "tasks", "calls", "emails", "meetings", "communications", "postal_mail")


def linked(act: Act, record: CrmObject, to: str) -> list[str]:
    """Ids of the live objects of a type that a record is associated with, in numeric order."""
    end = (record.type_key, record.id)
    found = act.all(Association, "between", f"{end[0]}/{end[1]}>{to}")
    return sorted((a.other(end)[1] for a in found), key=int)


def _company(type_id: int) -> Rule:
    """The id of the company that a record is associated with under a type."""

    def rule(act: Act, record: CrmObject) -> str | None:
        end = (record.type_key, record.id)
        found = act.all(Association, "between", f"{end[0]}/{end[1]}>companies")
        return next((a.other(end)[1] for a in found if type_id in a.types_from(end)), None)

    return rule


def _count(to: str) -> Rule:
    return lambda act, record: str(len(linked(act, record, to)))


def _activities(act: Act, record: CrmObject) -> list[CrmObject]:
    found: list[CrmObject] = []
    for name in ACTIVITIES:
        kind = resolve(act, name).kind
        found += [a for id in linked(act, record, name) if (a := act.get(kind, id)) is not None]
    return found


def _last_activity(act: Act, record: CrmObject) -> str | None:
    times = [at for a in _activities(act, record) if (at := moment(a.properties.get("hs_timestamp", "")))]
    past = [at for at in times if at <= act.now]
    return iso(max(past)) if past else None


def _stage(act: Act, deal: CrmObject) -> dict[str, str]:
    pipeline = pipelines.find(act, resolve(act, "deals"), deal.properties.get("pipeline", ""))
    for stage in pipeline.stages if pipeline else ():
        if stage.id == deal.properties.get("dealstage"):
            return stage.metadata
    return {}


def _closed(act: Act, deal: CrmObject) -> bool:
    return _stage(act, deal).get("isClosed", "").lower() == "true"


def _chance(act: Act, deal: CrmObject) -> float:
    return float(_stage(act, deal).get("probability", "0") or 0)


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _money(value: float) -> str:
    return str(int(value)) if value == int(value) else str(round(value, 4))


def _amount(deal: CrmObject) -> float:
    return float(deal.properties.get("amount") or 0)


def _days_to_close(act: Act, deal: CrmObject) -> str | None:
    close = moment(deal.properties.get("closedate", ""))
    return None if close is None else str(max(0, (close - deal.created_at) // DAY_MS))


def _full_name(act: Act, contact: CrmObject) -> str | None:
    p = contact.properties
    return f"{p.get('firstname', '')} {p.get('lastname', '')}".strip() or p.get("email")


def _weighted(act: Act, deal: CrmObject) -> str | None:
    return _money(_amount(deal) * _chance(act, deal)) if "amount" in deal.properties else None


_COMMON: dict[str, Rule] = {
    "hs_object_id": lambda act, r: r.id,
    "hs_merged_object_ids": lambda act, r: ";".join(r.merged) or None,
    "notes_last_updated": _last_activity,
    "num_notes": lambda act, r: str(len(_activities(act, r))),
}
_BY_TYPE: dict[str, dict[str, Rule]] = {
    "contacts": {
        "hs_full_name_or_email": _full_name,
        "hs_email_domain": lambda act, r: r.properties.get("email", "").rpartition("@")[2] or None,
        "associatedcompanyid": _company(primary_type("contacts", "companies")[0]),
        "num_associated_deals": _count("deals"),
    },
    "companies": {
        "hs_parent_company_id": _company(PARENT_COMPANY),
        "num_associated_contacts": _count("contacts"),
        "num_associated_deals": _count("deals"),
    },
    "deals": {
        "num_associated_contacts": _count("contacts"),
        "hs_is_closed": lambda act, r: _truth(_closed(act, r)),
        "hs_is_closed_won": lambda act, r: _truth(_closed(act, r) and _chance(act, r) > 0),
        "hs_is_closed_lost": lambda act, r: _truth(_closed(act, r) and _chance(act, r) == 0),
        "hs_deal_stage_probability": lambda act, r: _stage(act, r).get("probability"),
        "hs_projected_amount": _weighted,
        "hs_closed_amount": lambda act, r: _money(_amount(r) if _closed(act, r) and _chance(act, r) else 0),
        "amount_in_home_currency": lambda act, r: r.properties.get("amount"),
        "days_to_close": _days_to_close,
    },
    "tickets": {
        "hs_ticket_id": lambda act, r: r.id,
        "num_associated_companies": _count("companies"),
    },
    "tasks": {
        "hs_task_is_completed": lambda act, r: str(int(r.properties.get("hs_task_status") == "COMPLETED"))
    },
    "line_items": {
        "amount": lambda act, r: _money(
            float(r.properties.get("price") or 0) * float(r.properties.get("quantity") or 0)
            - float(r.properties.get("discount") or 0)
        ),
    },
}


def value(act: Act, t: Type, record: CrmObject, name: str) -> str | None:
    """A property's value, computed or stored; ``None`` when it has none."""
    if name == t.spec.modified:
        return iso(record.updated_at)
    if name == t.created:
        return iso(record.created_at)
    rule = _BY_TYPE.get(t.key, {}).get(name) or _COMMON.get(name)
    return rule(act, record) if rule else record.properties.get(name)


def computed(t: Type) -> set[str]:
    """The names of the type's computed properties."""
    return {t.spec.modified, t.created, *_COMMON, *_BY_TYPE.get(t.key, {})}
