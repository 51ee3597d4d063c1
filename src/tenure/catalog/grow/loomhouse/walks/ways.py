"""Ways through Loomhouse's pages that many walks take."""

from datetime import UTC, datetime, timedelta

from tenure.oracle.grow import Walk

from ..seeds import PASSWORD


async def sign_in(walk: Walk, *users: str) -> None:
    """Sign people in who have accounts."""
    for user in users:
        await walk.open(user, "/")
        await walk.fill(user, Username=user, Password=PASSWORD)
        await walk.press(user, "Sign in")


async def sign_up(walk: Walk, user: str, name: str, password: str = PASSWORD) -> None:
    """Create an account from the page for signing in."""
    await walk.open(user, "/")
    await walk.click(user, "Create an account")
    await walk.fill(user, Username=name, Password=password)
    await walk.press(user, "Create an account")


async def workshop(walk: Walk, user: str, title: str) -> None:
    """Open a workshop's page from the list."""
    await walk.click(user, "Workshops", title)


async def book(walk: Walk, user: str, title: str) -> None:
    """Book a seat."""
    await workshop(walk, user, title)
    await walk.press(user, "Book a seat")


async def together(walk: Walk, user: str, *titles: str) -> None:
    """Choose workshops, up to the confirmation."""
    await walk.click(user, "Workshops")
    await walk.tick(user, *(f"Choose {title}" for title in titles))
    await walk.press(user, "Book the chosen together")


async def ask_to_cancel(walk: Walk, user: str, title: str) -> None:
    """Begin to cancel a booking."""
    await walk.click(user, "My bookings")
    await walk.click(user, "Cancel the booking", inside=("article", title))


async def cancel(walk: Walk, user: str, title: str) -> None:
    """Cancel a booking."""
    await ask_to_cancel(walk, user, title)
    await walk.press(user, "Yes, cancel it")


async def credit(walk: Walk, check: str, user: str, amount: str) -> None:
    """A check: the person's own credit."""
    await walk.click(user, "My credit")
    await walk.reads(check, user, f"Credit: {amount}")


async def pay(walk: Walk, manager: str, person: str, amount: str, words: str = "") -> None:
    """Record a payment."""
    await walk.click(manager, "People", person)
    await walk.fill(manager, Amount_in_euros=amount, Words=words)
    await walk.press(manager, "Record the payment")


async def fill_workshop(
    walk: Walk, user: str, title: str, start: datetime | str, seats: int, price: str, teacher: str = ""
) -> None:
    """Fill in the form for a new workshop; a start is in the person's own zone."""
    start = start if isinstance(start, str) else f"{start:%Y-%m-%d %H:%M}"
    day, _, time = start.partition(" ")
    await walk.click(user, "Plan a workshop")
    await walk.fill(user, Title=title, Day=day, Time=time, Seats=str(seats), Price_in_euros=price)
    if teacher:
        await walk.select(user, "Teacher", teacher)


async def plan(
    walk: Walk, user: str, title: str, start: datetime | str, seats: int, price: str, teacher: str = ""
) -> None:
    """Plan a workshop."""
    await fill_workshop(walk, user, title, start, seats, price, teacher)
    await walk.press(user, "Plan")


async def begin_change(walk: Walk, user: str, title: str) -> None:
    """Open a workshop for changing."""
    await workshop(walk, user, title)
    await walk.click(user, "Change")


async def change(walk: Walk, user: str, title: str, **fields: str) -> None:
    """Change a workshop."""
    await begin_change(walk, user, title)
    await walk.fill(user, **fields)
    await walk.press(user, "Save")


async def call_off(walk: Walk, user: str, title: str) -> None:
    """Call a workshop off."""
    await workshop(walk, user, title)
    await walk.click(user, "Call off")
    await walk.press(user, "Yes, call it off")


async def choose_zone(walk: Walk, user: str, zone: str) -> None:
    """Choose a time zone."""
    await walk.click(user, "Settings")
    await walk.select(user, "Time zone", zone)
    await walk.press(user, "Save")


async def share_cost(walk: Walk, user: str, title: str, amount: str, what: str) -> None:
    """Enter a cost of a workshop."""
    await workshop(walk, user, title)
    await walk.fill(user, Amount_in_euros=amount, What_for=what)
    await walk.press(user, "Share the cost")


async def give_role(walk: Walk, manager: str, person: str, role: str) -> None:
    """Change somebody's role."""
    await walk.click(manager, "Team")
    await walk.select(manager, f"Role of {person}", role)
    await walk.press(manager, f"Save the role of {person}")


def in_days(days: int, hour: int, minute: int = 0) -> datetime:
    """A moment in UTC on a day from today."""
    today = datetime.now(UTC).replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today + timedelta(days=days)


def in_hours(hours: int) -> datetime:
    """A moment in UTC some hours from now."""
    return datetime.now(UTC) + timedelta(hours=hours)


def shown(moment: datetime) -> str:
    """A moment as the pages show it in UTC."""
    return f"{moment:%a} {moment.day} {moment:%b %Y, %H:%M} UTC"
