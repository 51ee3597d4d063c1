"""What the carrier does: the only place with behaviour."""

from typing import Any

from parcels.records import Parcel
from tenure.world import Act

ARRIVED = "parcels.arrived"
A_DAY_MS = 24 * 3_600_000


class Refused(Exception):
    """The carrier says no; ``status`` is the HTTP status of its answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def listed(act: Act) -> list[Parcel]:
    """The customer's parcels, oldest first."""
    found = act.all(Parcel, "account", act.actor)
    for parcel in found:
        act.put(parcel.model_copy(update={"looked_at": act.now}))
        act.show(parcel)
    return found


def divert(act: Act, id: str, address: str) -> Parcel:
    """Send a parcel to another address; it arrives there a day later."""
    parcel = act.get(Parcel, id)
    if parcel is None or parcel.account != act.actor:
        raise Refused(404, f"There is no parcel {id}.")
    if parcel.status != "on the way":
        raise Refused(409, f"The parcel is {parcel.status}; it can no longer be diverted.")
    diverted = parcel.model_copy(update={"status": "diverted", "address": address})
    change = act.put(diverted)
    act.later(A_DAY_MS, ARRIVED, {"parcel": id}, cause=change)
    act.show(diverted)
    return diverted


def arrived(act: Act, payload: dict[str, Any]) -> None:
    """The due event: the parcel is there."""
    parcel = act.get(Parcel, payload["parcel"])
    if parcel is not None:
        act.put(parcel.model_copy(update={"status": "arrived"}))
