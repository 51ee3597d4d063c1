"""Walks about money: payments, fees, materials, the report."""

from datetime import UTC, datetime

from tenure.oracle.grow import Act, Walk

from .ways import (
    ask_to_cancel,
    book,
    call_off,
    cancel,
    choose_zone,
    credit,
    in_hours,
    pay,
    plan,
    share_cost,
    sign_in,
    sign_up,
    together,
    workshop,
)

LINEN, WOOL = "Linen basics", "Wool spinning"


async def amounts(walk: Walk) -> None:
    await sign_in(walk, "mara", "ann")
    for amount in ("0", "-5", "5000.01", "1.005"):
        await pay(walk, "mara", "ann", amount)
        await walk.reads("refused", "mara", "The amount must be from 0.01 to 5000.00", role="alert")
    await walk.click("mara", "People", "ann")
    await walk.reads("unchanged", "mara", "Credit: €0.00", "There are no movements yet.")
    await pay(walk, "mara", "ann", "5000.00", "Bank transfer March")
    await pay(walk, "mara", "ann", "0.01")
    await credit(walk, "added", "ann", "€5000.01")
    await walk.reads("words", "ann", "Bank transfer March €5000.00", "Payment €0.01")


async def late(walk: Walk) -> None:
    await sign_in(walk, "ann", "mara")
    await ask_to_cancel(walk, "ann", LINEN)
    await walk.reads("said", "ann", "You get back €9.86.", "The school keeps €2.47.")
    await walk.click("ann", "No, keep it")
    await walk.reads("still", "ann", LINEN)
    await cancel(walk, "ann", LINEN)
    await credit(walk, "kept", "ann", "€9.86")
    await call_off(walk, "mara", WOOL)
    await credit(walk, "all", "ann", "€25.41")


async def configured(walk: Walk) -> None:
    await sign_up(walk, "mara", "mara")
    await plan(walk, "mara", "Early bird", in_hours(10), 4, "7.70")
    await plan(walk, "mara", "Late bird", in_hours(2), 4, "7.70")
    await sign_up(walk, "ann", "ann")
    await pay(walk, "mara", "ann", "20.00")
    await book(walk, "ann", "Early bird")
    await book(walk, "ann", "Late bird")
    await cancel(walk, "ann", "Early bird")
    await credit(walk, "hours", "ann", "€12.30")
    await ask_to_cancel(walk, "ann", "Late bird")
    await walk.reads("asked", "ann", "You get back €3.85.", "The school keeps €3.85.")
    await walk.press("ann", "Yes, cancel it")
    await credit(walk, "credit", "ann", "€16.15")


async def split(walk: Walk) -> None:
    await sign_in(walk, "tess", "cleo", "ann", "ben", "dora")
    await workshop(walk, "tess", LINEN)
    await walk.tick("tess", "cleo", "ann", "ben")
    await walk.press("tess", "Save who is present")
    await share_cost(walk, "tess", LINEN, "10.00", "Yarn")
    await credit(walk, "odd-cent", "cleo", "€1.66")
    await walk.reads("line", "cleo", f"Yarn ({LINEN}) -€3.34")
    await credit(walk, "third", "ben", "€6.67")
    await credit(walk, "absent", "dora", "€4.00")
    await book(walk, "ann", WOOL)
    await walk.reads("refused", "ann", "€2.33 is missing", role="alert")
    await credit(walk, "negative", "ann", "-€1.33")


async def take_back(walk: Walk) -> None:
    await sign_in(walk, "tess", "otto", "mara", "ann", "cleo")
    await share_cost(walk, "tess", LINEN, "10.01", "Warp")
    await workshop(walk, "otto", LINEN)
    await workshop(walk, "mara", LINEN)
    await walk.press("mara", "Take back Warp")
    await credit(walk, "ann", "ann", "€20.00")
    await credit(walk, "cleo", "cleo", "€20.00")
    await walk.reads("marked", "mara", "Warp: €10.01 (taken back)")
    await walk.press("otto", "Take back Warp")
    await walk.reads("refused", "otto", "Warp has been taken back already.", role="alert")
    await walk.click("ann", "Workshops")
    await credit(walk, "unchanged", "ann", "€20.00")


async def double_click(walk: Walk) -> None:
    await sign_in(walk, "tess", "ann")
    await workshop(walk, "tess", LINEN)
    await walk.fill("tess", Amount_in_euros="9.00", What_for="Heddles")
    await walk.do(Act("tess", "double", "button", "Share the cost"))
    await workshop(walk, "tess", LINEN)
    shown = await walk.text("tess")
    walk.record("one", shown.count("Heddles: €9.00") == 1, "Heddles: €9.00")
    await credit(walk, "charged", "ann", "€11.00")


async def month(walk: Walk) -> None:
    await sign_in(walk, "ann", "ben", "tess", "mara")
    await together(walk, "ann", "Course one", "Course two", "Course three")
    await walk.press("ann", "Book all of them")
    await book(walk, "ben", "Course one")
    await cancel(walk, "ann", "Course two")
    await workshop(walk, "tess", "Course one")
    await walk.tick("tess", "ann", "ben")
    await walk.press("tess", "Save who is present")
    await share_cost(walk, "tess", "Course one", "5.02", "Silk")
    await workshop(walk, "mara", "Rag rugs")
    shown = (await walk.text("mara")).partition("Start ")[2].partition(",")[0]
    await call_off(walk, "mara", "Rag rugs")
    begins = datetime.strptime(shown, "%a %d %b %Y").replace(tzinfo=UTC)
    await walk.click("mara", "Report")
    await walk.fill("mara", Month=f"{begins:%Y-%m}")
    await walk.press("mara", "Show")
    await walk.reads("one", "mara", "Course one 2 2 €21.28 €5.02", role="row", name="Course one")
    await walk.reads("two", "mara", "Course two 0 0 €1.44 €0.00", role="row", name="Course two")
    await walk.reads("two", "mara", "Course three 1 0 €18.00 €0.00", role="row", name="Course three")
    await walk.reads("off", "mara", "€0.00 €0.00", role="row", name="Rag rugs")
    await walk.reads("total", "mara", "Total €40.72 €5.02")
    await walk.reads("sum", "mara", "Owed to members: €114.25")
    await walk.click("mara", "People")
    await walk.reads("sum", "mara", "ann €67.97", "ben €46.28")


async def month_in_utc(walk: Walk) -> None:
    await sign_in(walk, "mara")
    await choose_zone(walk, "mara", "Pacific/Auckland")
    await walk.click("mara", "Report")
    await walk.fill("mara", Month="2031-06")
    await walk.press("mara", "Show")
    await walk.reads("in-june", "mara", LINEN)
    await walk.fill("mara", Month="2031-07")
    await walk.press("mara", "Show")
    await walk.lacks("not-july", "mara", LINEN)


WALKS = {
    "amounts": amounts,
    "late": late,
    "configured": configured,
    "split": split,
    "take-back": take_back,
    "double-click": double_click,
    "report-money": month,
    "report-utc": month_in_utc,
}
