"""Walks about accounts, roles, and what is open to whom."""

from tenure.oracle.grow import Walk

from .ways import (
    fill_workshop,
    give_role,
    in_days,
    plan,
    share_cost,
    sign_in,
    sign_up,
    workshop,
)

PLANNING = "Plan a workshop"


async def first_accounts(walk: Walk) -> None:
    await sign_up(walk, "mara", "Mara")
    await walk.reads("opens", "mara", "There are no workshops to show.")
    await sign_up(walk, "ben", "mARA", "loomhouse-2")
    await walk.reads("refused", "ben", "This username is taken.", role="alert")
    await walk.fill("ben", Username="ben", Password="loomhouse-2")
    await walk.press("ben", "Create an account")
    await walk.reads("refused", "ben", "Workshops")
    await walk.reads("manager", "mara", PLANNING, role="navigation")
    await walk.lacks("member", "ben", PLANNING, role="navigation")
    await walk.press("mara", "Sign out")
    await walk.fill("mara", Username="Mara", Password="loomhouse-9")
    await walk.press("mara", "Sign in")
    await walk.reads("wrong", "mara", "The username or the password is wrong.", role="alert")
    await walk.fill("mara", Username="Mara", Password="loomhouse-1")
    await walk.press("mara", "Sign in")
    await walk.reads("right", "mara", "Mara", role="banner")


async def roles(walk: Walk) -> None:
    await sign_in(walk, "ann", "mara")
    await give_role(walk, "mara", "ann", "teacher")
    await plan(walk, "mara", "Inkle bands", in_days(9, 10), 5, "12.00", "ann")
    await walk.click("ann", "Workshops")
    await walk.reads("chosen", "ann", "ann", role="row", name="Inkle bands")
    await give_role(walk, "mara", "mara", "member")
    await walk.reads("refused", "mara", "There must be at least one manager.", role="alert")
    await walk.click("mara", "Team")
    await walk.reads("stays", "mara", "mara (manager)")
    await give_role(walk, "mara", "ann", "manager")
    await walk.click("ann", "Workshops")
    await fill_workshop(walk, "ann", "Secret", in_days(9, 12), 5, "12.00")
    await give_role(walk, "mara", "ann", "member")
    await walk.press("ann", "Plan")
    await walk.reads("message", "ann", "This is not open to you.", role="alert")
    await walk.click("ann", "Workshops")
    await walk.lacks("absent", "ann", "Secret")


async def teacher(walk: Walk) -> None:
    await sign_in(walk, "ann", "tess", "mara")
    await walk.reads("taught", "ann", "tess", role="row", name="Linen basics")
    await walk.reads("taught", "ann", "theo", role="row", name="Rag rugs")
    await walk.lacks("private", "ann", "cleo")
    await workshop(walk, "ann", "Linen basics")
    await walk.reads("taught", "ann", "tess")
    await walk.lacks("private", "ann", "cleo")
    await workshop(walk, "tess", "Linen basics")
    await walk.order("order", "tess", "cleo", "ann", role="region", name="People")
    await workshop(walk, "tess", "Rag rugs")
    await walk.lacks("others", "tess", "ben")
    await workshop(walk, "mara", "Linen basics")
    await walk.order("manager", "mara", "cleo", "ann", role="region", name="People")
    await workshop(walk, "tess", "Linen basics")
    await walk.tick("tess", "ann")
    await walk.press("tess", "Save who is present")
    for check, user in (("kept", "tess"), ("seen", "mara")):
        await workshop(walk, user, "Linen basics")
        await walk.holds(check, user, "ann", "checked", inside=("region", "People"))
        await walk.holds(check, user, "cleo", "unchecked", inside=("region", "People"))


async def closed_doors(walk: Walk) -> None:
    await sign_in(walk, "mara", "ann", "tess")
    await walk.click("mara", "People", "ben")
    person = await walk.address("mara")
    await walk.lacks("plan", "ann", PLANNING, role="navigation")
    await walk.lacks("credit", "ann", "People", role="navigation")
    await walk.lacks("credit", "tess", "People", role="navigation")
    for user in ("ann", "tess"):
        await walk.lacks("report", user, "Report", role="navigation")
    await walk.open("ann", "/workshops/new")
    await walk.reads("plan", "ann", "This is not open to you.", role="alert")
    for user in ("ann", "tess"):
        for check, path in (("credit", person), ("report", "/report")):
            await walk.open(user, path)
            await walk.reads(check, user, "This is not open to you.", role="alert")
            await walk.lacks(check, user, "€33.00", "Owed to members")


async def cost_doors(walk: Walk) -> None:
    await sign_in(walk, "tess", "theo", "ann")
    await share_cost(walk, "tess", "Linen basics", "8.00", "Dye")
    await walk.reads("refused", "tess", "Nobody is ticked off as present", role="alert")
    await walk.click("ann", "My credit")
    await walk.reads("unchanged", "ann", "Credit: €2.00")
    for check, user in (("teacher", "theo"), ("member", "ann")):
        await workshop(walk, user, "Linen basics")
        await walk.lacks(check, user, "Share the cost")


WALKS = {
    "sign-in": first_accounts,
    "roles": roles,
    "teacher": teacher,
    "closed-doors": closed_doors,
    "split-doors": cost_doors,
}
