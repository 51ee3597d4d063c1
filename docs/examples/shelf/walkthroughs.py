"""A walk through each plan, on the page of the reference."""

from tenure.oracle.grow import Walk


async def put(walk: Walk, user: str, name: str) -> None:
    await walk.fill(user, Name_of_the_thing=name)
    await walk.press(user, "Put on the shelf")


async def lend(walk: Walk, user: str, name: str, borrower: str) -> None:
    await walk.fill(user, **{f"Who borrows {name}": borrower})
    await walk.press(user, f"Lend {name}")


async def first(walk: Walk) -> None:
    await walk.open("ann", "/")
    await walk.reads("empty", "ann", "The shelf is empty.")
    await put(walk, "ann", "Saw")
    await walk.open("ann", "/")
    await walk.reads("shows", "ann", "Saw", role="list")
    await put(walk, "ann", " ")
    await walk.reads("told", "ann", "A thing needs a name.", role="alert")


async def lent(walk: Walk) -> None:
    for user in ("ann", "ben"):
        await walk.open(user, "/")
    await lend(walk, "ann", "Saw", "Ann")
    await lend(walk, "ben", "Saw", "Ben")
    await walk.reads("told", "ben", "Ann has Saw.", role="alert")
    await walk.reads("kept", "ben", "Saw is with Ann")


async def back(walk: Walk) -> None:
    await walk.open("ann", "/")
    await walk.press("ann", "Saw is back")
    await lend(walk, "ann", "Saw", "Cleo")
    await walk.reads("again", "ann", "Saw is with Cleo")


async def cents(walk: Walk) -> None:
    await walk.open("ann", "/")
    for name, borrower in (("Saw", "Ann"), ("Drill", "Ben")):
        await put(walk, "ann", name)
        await lend(walk, "ann", name, borrower)
    await walk.reads("held", "ann", "Deposits held: €4.90")
    await walk.reads("repairs", "ann", "for repairs: €0.50")


WALKS = {"first": first, "lent": lent, "back": back, "cents": cents}
