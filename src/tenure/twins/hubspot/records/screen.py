"""What the screen keeps beside the CRM's own records: saved views and comments."""

from typing import Any

from tenure.twins.hubspot.records.part import TIMES
from tenure.world import Index, Record


class View(
    Record,
    kind="hubspot.view",
    indexes=(Index("account", lambda r: (f"{r.account}/{r.object_type}",), lambda r: int(r.id)),),
    incidental=True,
):
    """A saved view of an object index: filters, columns and order under a name. Its maker's own."""

    account: str
    object_type: str
    name: str
    filter_groups: list[dict[str, Any]] = []
    """As a search's ``filterGroups``."""
    columns: list[str] = []
    sort: str = ""
    """Property name, after ``-`` for descending."""


class Comment(
    Record,
    kind="hubspot.comment",
    indexes=(Index("activity", lambda r: (r.activity_id,), lambda r: int(r.id)),),
    incidental=TIMES,
):
    """A colleague's comment under an activity."""

    activity_id: str
    """Activities of all types are numbered together."""
    account: str
    body: str
    created_at: int
    updated_at: int
