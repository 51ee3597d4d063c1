"""Sums over many records: the board of a pipeline, the reports, and the search over everything."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tenure.twins.hubspot.definitions import PIPELINE_PROPERTIES
from tenure.twins.hubspot.records import Contact, CrmObject, Deal, Stage, Task
from tenure.twins.hubspot.service import derived, pipelines, properties, search, types, view
from tenure.twins.hubspot.service.export import in_words
from tenure.twins.hubspot.service.search import Search
from tenure.twins.hubspot.service.titles import named_ends, title
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.service.view import Asked
from tenure.twins.hubspot.times import moment
from tenure.world import Act

EVERYWHERE = ("contacts", "companies", "deals", "tickets", "tasks")
"""The types that the screen has indexes of."""
HITS = 5
"""Hits of each type that the search over everything shows."""
_CARD = Asked(
    (
        "dealname",
        "subject",
        "amount",
        "closedate",
        "hubspot_owner_id",
        "deal_currency_code",
        "hs_ticket_priority",
        "hs_priority",
        "pipeline",
        "dealstage",
        "hs_pipeline",
        "hs_pipeline_stage",
    )
)


def all_found(act: Act, t: Type, wanted: Search) -> list[CrmObject]:
    """Everything that a search finds, beyond its page."""
    return search.run(act, t, wanted._replace(limit=1_000_000, offset=0))[0]


def _amount(record: CrmObject) -> float:
    return float(record.properties.get("amount") or 0)


def _chance(stage: Stage) -> float:
    return float(stage.metadata.get("probability") or 0)


def board(act: Act, t: Type, pipeline_id: str, wanted: Search, cards: int) -> list[dict[str, Any]]:
    """A pipeline's stages with what is in them.

    Args:
        act: The act.
        t: A type with pipelines.
        pipeline_id: The pipeline.
        wanted: Which records; its order holds within a stage.
        cards: How many records of each stage come with it.

    Returns:
        One row a stage: ``id, label, probability, closed, count, sum, weighted, cards``.

    Raises:
        HubSpotError: 404, there is no such pipeline.
    """
    pipeline = pipelines.get(act, t, pipeline_id)
    of_pipeline, of_stage = PIPELINE_PROPERTIES[t.key]
    inside: dict[str, list[CrmObject]] = {}
    for record in all_found(act, t, wanted):
        if record.properties.get(of_pipeline) == pipeline_id:
            inside.setdefault(record.properties.get(of_stage, ""), []).append(record)
    rows = []
    for stage in pipelines.live_stages(pipeline):
        found = inside.get(stage.id, [])
        total = sum(map(_amount, found))
        rows.append(
            {
                "id": stage.id,
                "label": stage.label,
                "probability": _chance(stage),
                "closed": stage.metadata.get("isClosed", "").lower() == "true",
                "count": len(found),
                "sum": total,
                "weighted": round(total * _chance(stage), 2),
                "cards": [_card(act, t, record) for record in found[:cards]],
            }
        )
    return rows


def _card(act: Act, t: Type, record: CrmObject) -> dict[str, Any]:
    links = [row for key in ("companies", "contacts") for row in named_ends(act, t, record, key)[:1]]
    return {**view.body(act, t, record, _CARD), "title": title(t, record), "links": links}


def everywhere(act: Act, query: str) -> list[dict[str, Any]]:
    """The records of every type that a text finds: ``type, total, hits`` for each type with any."""
    found = []
    for key in EVERYWHERE:
        t = types.resolve(act, key)
        hits, total = search.run(act, t, Search([], query, None, HITS, 0))
        rows = []
        for record in hits:
            act.show(record)
            rows.append(
                {"type": key, "id": record.id, "title": title(t, record), "detail": _detail(act, t, record)}
            )
        if rows:
            found.append({"type": key, "total": total, "hits": rows})
    return found


def _detail(act: Act, t: Type, record: CrmObject) -> str:
    """What tells records of one name apart."""
    names = {
        "contacts": ("jobtitle", "email"),
        "companies": ("domain", "city"),
        "deals": ("dealstage", "pipeline"),
        "tickets": ("hs_pipeline_stage",),
        "tasks": ("hs_task_status",),
    }
    known = (properties.definition(act, t, name) for name in names[t.key])
    return " · ".join(words for p in known if p is not None and (words := in_words(act, t, record, p)))


# -- reports ---------------------------------------------------------------------------------


def reports(act: Act) -> dict[str, Any]:
    """The dashboard's numbers, all counted from the records as they are.

    Returns:
        ``stages`` (open pipeline by stage), ``owners`` (open deals by owner), ``won`` (amounts won by
        month of closing), ``lifecycle`` (contacts by stage), ``tasks`` (open tasks: overdue, later).
    """
    deals, contacts = types.resolve(act, "deals"), types.resolve(act, "contacts")
    stages, owners, won = _deal_sums(act, deals, act.all(Deal, "state", deals.live))
    lifecycle = Counter(
        c.properties.get("lifecyclestage", "") for c in act.all(Contact, "state", contacts.live)
    )
    p = properties.definition(act, contacts, "lifecyclestage")
    labels = {o.value: o.label for o in p.options} if p else {}
    return {
        "stages": stages,
        "owners": owners,
        "won": won,
        "lifecycle": [
            {"label": labels.get(value, value) or "No stage", "count": lifecycle[value]}
            for value in (*labels, "")
            if lifecycle[value]
        ],
        "tasks": _task_counts(act),
    }


def _deal_sums(
    act: Act, t: Type, deals: list[Deal]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Open deals by stage and by owner, and what was won by month."""
    open_stages = {
        (pipeline.pipeline_id, stage.id): (pipeline, stage)
        for pipeline in pipelines.every(act, t)
        for stage in pipelines.live_stages(pipeline)
        if stage.metadata.get("isClosed", "").lower() != "true"
    }
    by_stage: dict[tuple[str, str], list[float]] = {place: [] for place in open_stages}
    by_owner: dict[str, list[float]] = {}
    won: Counter[str] = Counter()
    for deal in deals:
        p, amount = deal.properties, _amount(deal)
        place = p.get("pipeline", ""), p.get("dealstage", "")
        if place in by_stage:
            by_stage[place].append(amount)
            by_owner.setdefault(p.get("hubspot_owner_id", ""), []).append(amount)
        elif p.get("closedate") and derived.value(act, t, deal, "hs_is_closed_won") == "true":
            won[p["closedate"][:7]] += round(amount)
    stages = [
        {
            "pipeline": pipeline.label,
            "label": stage.label,
            "count": len(by_stage[place]),
            "sum": sum(by_stage[place]),
            "weighted": round(sum(by_stage[place]) * _chance(stage), 2),
        }
        for place, (pipeline, stage) in open_stages.items()
    ]
    owners = [{"owner": id, "count": len(amounts), "sum": sum(amounts)} for id, amounts in by_owner.items()]
    months = [{"month": month, "sum": won[month]} for month in _months(won)]
    return stages, sorted(owners, key=lambda one: -sum(by_owner[str(one["owner"])])), months


def _months(known: Iterable[str]) -> list[str]:
    """Every month (``2026-09``) from the first known one to the last, at most the last twelve."""
    numbers = [int(month[:4]) * 12 + int(month[5:]) - 1 for month in known]
    if not numbers:
        return []
    first = max(min(numbers), max(numbers) - 11)
    return [f"{n // 12:04d}-{n % 12 + 1:02d}" for n in range(first, max(numbers) + 1)]


def _task_counts(act: Act) -> dict[str, int]:
    t = types.resolve(act, "tasks")
    counts = {"overdue": 0, "later": 0, "completed": 0}
    for task in act.all(Task, "state", t.live):
        due = moment(task.properties.get("hs_timestamp", "")) or 0
        if task.properties.get("hs_task_status") == "COMPLETED":
            counts["completed"] += 1
        else:
            counts["overdue" if due < act.now else "later"] += 1
    return counts
