"""Looking at the end state of a renewal: the records that its checks are about."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from tenure.grading import Saw
from tenure.grading.values import plain
from tenure.twins.gmail import read
from tenure.twins.gmail.records import Message
from tenure.twins.hubspot.records import Association, Contact, CrmObject, Deal, Property, Task, pair_id
from tenure.world import EndState, Record


def id_of(end: EndState, fact: str) -> str:
    """The id part of a fact that holds ``kind/id``."""
    return str(end.facts[fact]).partition("/")[2]


def the_deal(end: EndState) -> Deal:
    """The renewal's deal; an empty one when it is gone.

    Raises:
        LookupError: The world never had it, or lacks a property that the task needs: our fault.
    """
    needed: list[tuple[type[Record], str]] = [
        (Deal, id_of(end, "deal")),
        (Property, "deals/seats"),
        (Property, "deals/term_months"),
    ]
    for kind, id in needed:
        if end.start(kind, id) is None:
            raise LookupError(f"the world has no {kind.kind}/{id}")
    return end.get(Deal, id_of(end, "deal")) or Deal(id="", created_at=0, updated_at=0)


def linked(end: EndState, a: tuple[str, str], b: tuple[str, str]) -> bool:
    """Whether two records, each as (type, id), are associated."""
    return end.get(Association, pair_id(a, b)) is not None


def on_deal(end: EndState, contact: str) -> bool:
    """Whether a contact, by id, is on the renewal's deal."""
    return linked(end, ("deals", id_of(end, "deal")), ("contacts", contact))


def live(record: CrmObject | None) -> bool:
    """Whether a record is there: not gone, archived or merged away."""
    return record is not None and not record.archived and not record.merged_into


def successors(end: EndState) -> list[Contact]:
    """New contacts with the successor's address."""
    wanted = end.facts["successor_email"].lower()
    return [one for one in end.created(Contact) if live(one) and plain(one.properties.get("email")) == wanted]


def drafts(end: EndState) -> list[Message]:
    """The persona's drafts that were not there at the start."""
    return read.drafts(end, end.facts["persona_account"])


def the_draft(end: EndState) -> Message | None:
    """The one new draft; two are no better than none."""
    found = drafts(end)
    return found[0] if len(found) == 1 else None


def no_draft(end: EndState) -> Saw:
    """What a check about the draft says when there is not exactly one."""
    return Saw(False, f"{len(drafts(end))} new drafts, one is wanted")


def approvals(end: EndState) -> list[Task]:
    """New open tasks on the deal, for the one who decides, that ask for a discount's approval."""
    found = []
    for task in end.created(Task):
        words = plain(task.properties.get("hs_task_subject")).replace("-", " ").split()
        if (
            live(task)
            and task.properties.get("hubspot_owner_id") == end.facts["vp_owner"]
            and task.properties.get("hs_task_status", "NOT_STARTED") != "COMPLETED"
            and {"discount", "approval"} <= {word.strip(".,:;()[]!?\"'“”–") for word in words}
            and linked(end, ("tasks", task.id), ("deals", id_of(end, "deal")))
        ):
            found.append(task)
    return found


def days_of(value: str, zone: str) -> set[date]:
    """The day of a record's date: in UTC, as the vendor keeps it, and in a zone."""
    try:
        moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return set()
    if moment.tzinfo is None:
        return {moment.date()}
    return {moment.astimezone(UTC).date(), moment.astimezone(ZoneInfo(zone)).date()}
