"""Walks about waiting lists, and pages that keep up by themselves."""

from tenure.oracle.grow import Walk

from .ways import book, cancel, change, credit, pay, sign_in, workshop

LIVE = 5.0
"""Seconds in which an open page keeps up."""
LINEN, WOOL = "Linen basics", "Wool spinning"
JOIN, LEAVE = "Join the waiting list", "Leave the waiting list"


def at(place: int) -> str:
    """What a place on the waiting list is shown as."""
    return f"You are at place {place} of the waiting list."


async def line(walk: Walk) -> None:
    queue = ("ben", "cleo", "dora")
    await sign_in(walk, "ann", *queue)
    for place, user in enumerate(queue, 1):
        await workshop(walk, user, LINEN)
        await walk.press(user, JOIN)
        await walk.reads("places", user, at(place))
    await credit(walk, "free", "dora", "€30.00")
    await walk.press("ben", LEAVE)
    for place, user in enumerate(queue[1:], 1):
        await workshop(walk, user, LINEN)
        await walk.reads("up", user, at(place))
    await cancel(walk, "ann", LINEN)
    await walk.click("cleo", "My bookings")
    await walk.reads("seat", "cleo", LINEN)
    await credit(walk, "seat", "cleo", "€10.00")
    await walk.click("cleo", "Notices")
    await walk.reads("notice", "cleo", f"You got a seat in “{LINEN}”")
    await workshop(walk, "dora", LINEN)
    await walk.reads("next", "dora", at(1))
    await walk.lacks("next", "dora", "You have a seat.")


async def passed_over(walk: Walk) -> None:
    await sign_in(walk, "ann", "cleo", "ben", "mara")
    await cancel(walk, "ann", LINEN)
    await walk.click("cleo", "My bookings")
    await walk.reads("seat", "cleo", LINEN)
    await credit(walk, "seat", "cleo", "€0.00")
    await workshop(walk, "ben", LINEN)
    await walk.reads("kept", "ben", at(1))
    await credit(walk, "kept", "ben", "€5.00")
    await cancel(walk, "cleo", LINEN)
    await pay(walk, "mara", "ben", "14.99")
    await workshop(walk, "ben", LINEN)
    await walk.lacks("not-yet", "ben", "You have a seat.")
    await pay(walk, "mara", "ben", "0.01")
    await walk.click("ben", "My bookings")
    await walk.reads("served", "ben", LINEN)
    await credit(walk, "served", "ben", "€0.00")


async def more_seats(walk: Walk) -> None:
    await sign_in(walk, "mara", "cleo", "dora")
    await change(walk, "mara", LINEN, Seats="1")
    await walk.reads("refused", "mara", "2 seats are booked; there cannot be fewer.", role="alert")
    await workshop(walk, "mara", LINEN)
    await walk.reads("stays", "mara", "0 of 2")
    await change(walk, "mara", LINEN, Seats="3")
    await walk.click("cleo", "My bookings")
    await walk.reads("first", "cleo", LINEN)
    await credit(walk, "first", "cleo", "€0.00")
    await workshop(walk, "dora", LINEN)
    await walk.reads("second", "dora", at(1))
    await walk.reads("full", "dora", "0 of 3")
    await credit(walk, "second", "dora", "€20.00")


async def keep_up(walk: Walk) -> None:
    await sign_in(walk, "ann", "ben", "cleo", "dora")
    await walk.reads("two", "ann", "3 free", role="row", name=WOOL)
    await book(walk, "ben", WOOL)
    await walk.reads("two", "ann", "2 free", role="row", name=WOOL, within=LIVE)
    await workshop(walk, "cleo", LINEN)
    await walk.reads("first", "cleo", at(2))
    await cancel(walk, "dora", LINEN)
    await walk.reads("first", "cleo", at(1), within=LIVE)
    await cancel(walk, "ben", LINEN)
    await walk.reads("got", "cleo", "You have a seat.", within=LIVE)
    await walk.reads("unread", "cleo", "1 unread notice", role="navigation", within=LIVE)
    await walk.click("cleo", "Notices", "My bookings")
    await walk.lacks("none", "cleo", "unread", role="navigation")


async def keep_typing(walk: Walk) -> None:
    await sign_in(walk, "tess", "ann")
    await workshop(walk, "tess", LINEN)
    await walk.fill("tess", Amount_in_euros="12.40", What_for="Reeds")
    await walk.tick("tess", "cleo")
    await book(walk, "ann", LINEN)
    await walk.reads("name", "tess", "ann", role="region", name="People", within=LIVE)
    await walk.holds("amount", "tess", "Amount in euros", "12.40")
    await walk.holds("amount", "tess", "What for", "Reeds")
    await walk.holds("tick", "tess", "cleo", "checked", inside=("region", "People"))


WALKS = {
    "wait-line": line,
    "wait-passed": passed_over,
    "more-seats": more_seats,
    "live-seats": keep_up,
    "live-roster": keep_typing,
}
