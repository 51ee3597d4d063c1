"""Walks about planning, changing and calling off."""

from tenure.oracle.grow import Walk

from .ways import (
    begin_change,
    book,
    call_off,
    cancel,
    change,
    choose_zone,
    credit,
    in_days,
    in_hours,
    plan,
    shown,
    sign_in,
    together,
    workshop,
)

LINEN = "Linen basics"


async def planning(walk: Walk) -> None:
    await sign_in(walk, "mara")
    bands, tapestry = in_days(20, 14, 30), in_days(6, 9)
    await plan(walk, "mara", "Band looms", bands, 6, "32.50")
    await plan(walk, "mara", "Tapestry", tapestry, 4, "0.99")
    await walk.click("mara", "Workshops")
    await walk.reads("facts", "mara", shown(bands), "€32.50", "6 free", role="row", name="Band looms")
    await walk.reads("facts", "mara", shown(tapestry), "€0.99", "4 free", role="row", name="Tapestry")
    await walk.order("order", "mara", "Tapestry", "Band looms")
    await plan(walk, "mara", "Too late", in_days(-1, 10), 4, "10.00")
    await walk.reads("refused", "mara", "The start must not be in the past.", role="alert")
    await walk.click("mara", "Workshops")
    await walk.lacks("absent", "mara", "Too late")


async def old_price(walk: Walk) -> None:
    await sign_in(walk, "mara", "ben", "ann")
    await change(walk, "mara", LINEN, Price_in_euros="24.00")
    await book(walk, "ben", LINEN)
    await credit(walk, "new", "ben", "€26.00")
    await cancel(walk, "ann", LINEN)
    await credit(walk, "old", "ann", "€20.00")


async def stale_price(walk: Walk) -> None:
    await sign_in(walk, "ben", "mara")
    await workshop(walk, "ben", LINEN)
    await begin_change(walk, "mara", LINEN)
    await walk.fill("mara", Price_in_euros="24.00")
    await walk.press("mara", "Save")
    await walk.press("ben", "Book a seat")
    await walk.reads("told", "ben", "The price is €24.00 now.", role="alert")
    await walk.click("ben", "My bookings")
    await walk.reads("unpaid", "ben", "You have no bookings.")
    await credit(walk, "unpaid", "ben", "€50.00")


async def stale_edit(walk: Walk) -> None:
    await sign_in(walk, "mara", "otto")
    await begin_change(walk, "mara", LINEN)
    await begin_change(walk, "otto", LINEN)
    await walk.fill("mara", Price_in_euros="22.00")
    await walk.press("mara", "Save")
    await walk.fill("otto", Title="Linen for all")
    await walk.press("otto", "Save")
    await walk.reads("told", "otto", "has been changed in the meantime", role="alert")
    await walk.click("otto", "Workshops")
    await walk.reads("first-stands", "otto", LINEN, "€22.00", role="row", name="Linen")
    await begin_change(walk, "otto", LINEN)
    await walk.holds("first-stands", "otto", "Price in euros", "22.00")


async def moved(walk: Walk) -> None:
    await sign_in(walk, "mara", "ann")
    start = in_hours(33)
    await change(walk, "mara", LINEN, Day=f"{start:%Y-%m-%d}", Time=f"{start:%H:%M}")
    await walk.click("ann", "Notices")
    await walk.reads("notice", "ann", f"“{LINEN}” has a new start: {shown(start)}")
    await cancel(walk, "ann", LINEN)
    await credit(walk, "nothing-kept", "ann", "€12.33")


async def called_off(walk: Walk) -> None:
    course = ("Course one", "Course two", "Course three")
    await sign_in(walk, "ann", "cleo", "mara", "ben")
    await together(walk, "ann", *course)
    await walk.press("ann", "Book all of them")
    await credit(walk, "reduced", "ann", "€64.72")
    await workshop(walk, "cleo", "Course one")
    await walk.press("cleo", "Join the waiting list")
    await call_off(walk, "mara", "Course one")
    await walk.reads("list", "cleo", "This workshop is called off.", within=5)
    await walk.lacks("list", "cleo", "You are at place")
    await credit(walk, "reduced", "ann", "€74.80")
    await credit(walk, "full", "ben", "€11.20")
    await walk.click("cleo", "Notices")
    await walk.reads("told", "cleo", "“Course one” is called off.")
    await credit(walk, "list", "cleo", "€50.00")
    await walk.click("ann", "Workshops")
    await walk.reads("gone", "ann", *course[1:])
    await walk.lacks("gone", "ann", "Course one")
    await walk.click("ann", "My bookings")
    await walk.reads("marked", "ann", "Called off", role="article", name="Course one")
    await walk.click("ann", "Notices")
    await walk.reads("noticed", "ann", "“Course one” is called off.")


async def zones(walk: Walk) -> None:
    await sign_in(walk, "mara", "ann")
    await choose_zone(walk, "mara", "America/New_York")
    await plan(walk, "mara", "Overshot", "2031-02-20 18:00", 5, "0.00")
    await walk.reads("entered", "mara", "20 Feb 2031, 18:00 America/New_York", role="row", name="Overshot")
    await walk.click("ann", "Workshops")
    await walk.reads("utc", "ann", "20 Feb 2031, 23:00 UTC", role="row", name="Overshot")
    await book(walk, "ann", "Overshot")
    await choose_zone(walk, "ann", "Asia/Tokyo")
    await walk.click("ann", "Workshops")
    await walk.reads("list", "ann", "21 Feb 2031, 08:00 Asia/Tokyo", role="row", name="Overshot")
    await walk.click("ann", "My bookings")
    await walk.reads("bookings", "ann", "21 Feb 2031, 08:00 Asia/Tokyo", role="article", name="Overshot")
    await change(walk, "mara", "Overshot", Time="19:30")
    await walk.click("ann", "Notices")
    await walk.reads("tokyo", "ann", "“Overshot” has a new start: Fri 21 Feb 2031, 09:30 Asia/Tokyo")
    await choose_zone(walk, "ann", "Europe/Berlin")
    await walk.click("ann", "Notices")
    await walk.reads("berlin", "ann", "“Overshot” has a new start: Fri 21 Feb 2031, 01:30 Europe/Berlin")


async def summer(walk: Walk) -> None:
    await sign_in(walk, "mara", "ann")
    await choose_zone(walk, "mara", "Europe/Berlin")
    months = {"Winter weave": ("2031-01-15", "17:00 UTC"), "Summer weave": ("2031-07-15", "16:00 UTC")}
    for title, (day, _) in months.items():
        await plan(walk, "mara", title, f"{day} 18:00", 5, "10.00")
    await walk.click("mara", "Workshops")
    await walk.click("ann", "Workshops")
    for title, (_, utc) in months.items():
        await walk.reads("berlin", "mara", "18:00 Europe/Berlin", role="row", name=title)
        await walk.reads("utc", "ann", utc, role="row", name=title)
    old = await walk.text("mara", "row", LINEN)
    await plan(walk, "mara", "Night weave", "2031-03-30 02:30", 5, "10.00")
    await walk.reads("refused", "mara", "There is no 02:30 on 2031-03-30", role="alert")
    await change(walk, "mara", LINEN, Day="2031-03-30", Time="02:30")
    await walk.reads("refused", "mara", "There is no 02:30 on 2031-03-30", role="alert")
    await walk.click("mara", "Workshops")
    await walk.lacks("absent", "mara", "Night weave")
    await walk.reads("absent", "mara", old, role="row", name=LINEN)


WALKS = {
    "planning": planning,
    "old-price": old_price,
    "stale-price": stale_price,
    "stale-edit": stale_edit,
    "moved": moved,
    "called-off": called_off,
    "zone-shown": zones,
    "summer": summer,
}
