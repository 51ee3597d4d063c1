"""Walks about seats: booking, cancelling, several at once, the last one."""

from tenure.oracle.grow import Act, Walk

from .ways import book, cancel, credit, sign_in, together, workshop

COURSE = ("Course one", "Course two", "Course three")
LINEN, WOOL = "Linen basics", "Wool spinning"


async def seats(walk: Walk) -> None:
    await sign_in(walk, "ann")
    await book(walk, "ann", LINEN)
    await walk.click("ann", "Workshops")
    await walk.reads("free", "ann", "1 free", role="row", name=LINEN)
    await walk.click("ann", "My bookings")
    await walk.reads("mine", "ann", LINEN)
    await credit(walk, "charged", "ann", "€25.50")
    await workshop(walk, "ann", LINEN)
    await walk.lacks("once", "ann", "Book a seat")
    await walk.click("ann", "Workshops")
    await walk.reads("once", "ann", "1 free", role="row", name=LINEN)
    await credit(walk, "once", "ann", "€25.50")
    await book(walk, "ann", WOOL)
    await walk.reads("missing", "ann", "€4.50 is missing", role="alert")
    await walk.click("ann", "My bookings")
    await walk.lacks("nothing", "ann", WOOL)
    await credit(walk, "nothing", "ann", "€25.50")
    await cancel(walk, "ann", LINEN)
    await walk.click("ann", "My bookings")
    await walk.lacks("freed", "ann", LINEN)
    await walk.click("ann", "Workshops")
    await walk.reads("freed", "ann", "2 free", role="row", name=LINEN)
    await credit(walk, "returned", "ann", "€50.00")
    await walk.order(
        "lines",
        "ann",
        f"Given back: {LINEN} €24.50 €50.00",
        f"Seat: {LINEN} -€24.50 €25.50",
        "Payment €50.00 €50.00",
    )


async def last_seat(walk: Walk) -> None:
    pair = ("ann", "ben")
    await sign_in(walk, *pair)
    for user in pair:
        await workshop(walk, user, LINEN)
    await walk.do(*(Act(user, "click", "button", "Book a seat") for user in pair))
    pages = {user: await walk.text(user) for user in pair}
    have = [user for user in pair if "You have a seat." in pages[user]]
    walk.record("one", len(have) == 1, "You have a seat." if have else pages["ann"])
    winner = have[0] if have else "ann"
    loser = "ben" if winner == "ann" else "ann"
    await walk.reads("told", loser, "is full")
    await credit(walk, "payer", winner, "€0.00")
    await credit(walk, "payer", loser, "€20.00")
    await walk.click(loser, "My bookings")
    await walk.lacks("payer", loser, LINEN)


async def started(walk: Walk) -> None:
    await sign_in(walk, "ben", "ann")
    await walk.reads("gone", "ben", WOOL)
    await walk.lacks("gone", "ben", LINEN)
    await walk.click("ann", "My bookings")
    await walk.lacks("kept", "ann", "Cancel the booking")
    await credit(walk, "kept", "ann", "€5.00")


async def course_cents(walk: Walk) -> None:
    await sign_in(walk, "ann")
    await together(walk, "ann", *COURSE)
    for title in COURSE:
        await walk.reads("shown", "ann", "€", role="row", name=title)
    await walk.reads("shown", "ann", "Total")
    for title, price in zip(COURSE, ("€10.04", "€7.16", "€18.00"), strict=True):
        await walk.reads("prices", "ann", price, role="row", name=title)
    await walk.reads("prices", "ann", "Total €35.20")
    await walk.press("ann", "Book all of them")
    await walk.click("ann", "My bookings")
    await walk.reads("credit", "ann", *COURSE)
    await credit(walk, "credit", "ann", "€64.80")
    await cancel(walk, "ann", "Course two")
    await credit(walk, "back", "ann", "€71.96")
    await walk.click("ann", "My bookings")
    await walk.reads("rest", "ann", "Course one", "Course three")


async def course_full(walk: Walk) -> None:
    await sign_in(walk, "ann", "ben")
    await together(walk, "ann", LINEN, WOOL)
    await book(walk, "ben", LINEN)
    await walk.press("ann", "Book all of them")
    await walk.reads("named", "ann", f"“{LINEN}” is full", role="alert")
    await walk.click("ann", "My bookings")
    await walk.reads("none", "ann", "You have no bookings.")
    await credit(walk, "none", "ann", "€100.00")


async def course_short(walk: Walk) -> None:
    await sign_in(walk, "ann")
    await together(walk, "ann", LINEN, WOOL)
    await walk.press("ann", "Book all of them")
    await walk.reads("missing", "ann", "€5.00 is missing", role="alert")
    await walk.click("ann", "My bookings")
    await walk.reads("none", "ann", "You have no bookings.")
    await credit(walk, "none", "ann", "€30.00")


WALKS = {
    "seats": seats,
    "last-seat": last_seat,
    "started": started,
    "course-cents": course_cents,
    "course-full": course_full,
    "course-short": course_short,
}
