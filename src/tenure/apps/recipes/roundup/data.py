"""What the tracker holds: half a year of work on Quayside, the software that Harbourline's quay runs on.

A pure function of the seed: who reported what when, who worked on it, what was said, and where it stands
on the day that all data lead up to. Every moment is before that day. Lists show ages,
which grow with the real clock: a task names days, never ages.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tenure.apps.data.company import DOMAIN, TODAY, Colleague, staff

BEGINS = datetime(2026, 5, 4, 8, tzinfo=UTC)
ENDS = datetime(TODAY.year, TODAY.month, TODAY.day, 17, tzinfo=UTC)
BUGS, TASKS = 130, 36
COMPONENTS = {
    "berth planning": (
        ("Berth {n} is offered twice for the same tide", "critical"),
        ("A draught above {m} m is accepted for berth {n}", "major"),
        ("The plan shows {vessel} a day late after the clocks change", "urgent"),
        ("Dragging {vessel} to another berth loses its agent", "normal"),
        ("The tide table of {month} is missing its last day", "major"),
        ("Printing the week's plan cuts berth {n} off", "minor"),
        ("{vessel} cannot be cancelled once it is confirmed", "normal"),
    ),
    "gate": (
        ("The barrier stays open when number plate {plate} is read twice", "critical"),
        ("Trailers of {m} m are weighed as empty", "major"),
        ("The gate screen forgets the driver's language", "minor"),
        ("Visitor passes of {month} can still be used", "urgent"),
        ("The second lane does not count lorries after {n} o'clock", "normal"),
        ("A plate with a hyphen, such as {plate}, is not found", "normal"),
    ),
    "invoicing": (
        ("Quay dues of {vessel} are rounded down twice", "major"),
        ("Credit notes of {month} lack the reference of the invoice", "normal"),
        ("VAT is left out when the customer moves to another country", "critical"),
        ("The reminder of {month} goes to the old address", "major"),
        ("A discount of {n} % is applied before the minimum charge", "normal"),
        ("The total of page {n} is printed on page 1", "minor"),
    ),
    "customer portal": (
        ("Signing in with a capital letter in the address fails", "urgent"),
        ("The list of calls is empty for agents with more than {n}0 vessels", "major"),
        ("The download of {month}'s documents stops half way", "normal"),
        ("The page of {vessel} shows the draught in feet", "minor"),
        ("The password mail arrives after {n} hours", "major"),
        ("An agent sees the calls of another agent", "critical"),
    ),
    "stock": (
        ("Counting hall {n} twice doubles the difference", "major"),
        ("Pallets of lot {plate} cannot be moved between halls", "normal"),
        ("The label of lot {plate} is printed without its date", "minor"),
        ("Negative stock after a return in {month}", "urgent"),
        ("The scanner asks for hall {n} after every pallet", "normal"),
    ),
    "reports": (
        ("Turnover of {month} differs from the ledger by {m}", "major"),
        ("The export opens with shifted columns", "normal"),
        ("Tonnage per berth leaves berth {n} out", "major"),
        ("The report on {vessel} takes more than {n} minutes", "normal"),
        ("Charts are black and white when printed", "minor"),
    ),
}
TASK_TITLES = (
    ("Write down how the tide table is imported", "documentation"),
    ("Move the gate's readers to the new network", "operations"),
    ("Let agents download all documents of a call at once", "feature"),
    ("Show the weather beside the week's plan", "feature"),
    ("Replace the label printer's driver", "operations"),
    ("Train the box office in the customer portal", "training"),
    ("Offer the portal in Dutch", "feature"),
    ("Delete passes that are older than two years", "operations"),
    ("Agree on the rounding of quay dues with Finance", "decision"),
    ("Test the restore of the stock database", "operations"),
    ("Describe the interface to the customs office", "documentation"),
    ("Warn when a draught is within 20 cm of the limit", "feature"),
)
VERSIONS = {
    "3.4": "2026-03-16",
    "3.5": "2026-06-01",
    "3.6": "2026-08-24",
    "3.7": "2026-11-16",
    "3.8": "2027-02-15",
}
VESSELS = ("Agatha", "Brisk", "Cormorant", "Dolly Gray", "Elsinore", "Fulmar", "Grete", "Hopewell", "Iduna")
MONTHS = ("May", "June", "July", "August", "September", "October")
ORDER = ("critical", "urgent", "major", "normal", "minor")
PRIORITY = {"critical": "immediate", "urgent": "urgent", "major": "high", "normal": "normal", "minor": "low"}
STEPS = (
    "It happened at {hour} and again the next day. Restarting the browser does not help.",
    "Steps: open the page, choose the second entry, save. What we see is not what we entered.",
    "Two colleagues see the same. Before {version} it was right.",
    "We have a workaround on paper, but it costs half an hour a day.",
    "I attach no picture; call me on extension {extension} and I can show it.",
)
FOUND = (
    "Reproduced on the test system with {version}.",
    "The cause is in {component}: a value is read before it is saved.",
    "This comes from the change of last month. I have a fix and write a test for it.",
    "I can see it in the log since {hour}.",
)
ASKED = (
    "Which browser is this, and does it happen on another computer?",
    "Can you send me the number of the record?",
    "Is this still so since {version}?",
)
TOLD = ("Yes, still the same here.", "It is record {extension}.", "It happens on every computer of the team.")
DONE = {
    "fixed": "Fixed; it is part of {version}.",
    "wont fix": "We discussed this and leave it as it is: the rule is the harbour master's.",
    "works for me": "I cannot see this any more on the test system. Please open it again if it comes back.",
    "duplicate": "This is the same as an earlier report; work goes on there.",
    "invalid": "The entry was made by hand and not by the software.",
}


def tracker(seed: int) -> dict[str, Any]:
    """Everything that is loaded: lists, people, and actions in the order of their moments.

    Args:
        seed: Varies people, reports, moments and outcomes.
    """
    colleagues = staff(seed)
    actions = sorted([*_bugs(seed, colleagues), *_tasks(seed, colleagues)], key=lambda one: str(one["at"]))
    return {
        "components": list(COMPONENTS),
        "versions": VERSIONS,
        "keywords": ["customer waits", "month end", "regression", "security", "tide", "workaround"],
        "domain": DOMAIN,
        "people": [
            {
                "username": c.person.username,
                "name": c.person.name,
                "team": c.team,
                "phone": f"{200 + n}",
                "roles": "User,Developer" if c.team == "Systems" else "User",
            }
            for n, c in enumerate(colleagues)
        ],
        "begins": _stamp(BEGINS - timedelta(days=30)),
        "actions": actions,
        "day": TODAY.isoformat(),
    }


def _bugs(seed: int, colleagues: tuple[Colleague, ...]) -> Iterator[dict[str, Any]]:
    draw = random.Random(f"roundup bugs {seed}")
    pool = [
        (component, title, severity) for component, known in COMPONENTS.items() for title, severity in known
    ]
    systems = [c.person.username for c in colleagues if c.team == "Systems"]
    others = [c.person.username for c in colleagues if c.team != "Systems"]
    titles: set[str] = set()
    while len(titles) < BUGS:
        component, pattern, severity = draw.choice(pool)
        title = pattern.format(
            n=draw.randint(2, 9),
            m=f"{draw.randint(40, 139) / 10:.1f}",
            vessel=draw.choice(VESSELS),
            month=draw.choice(MONTHS),
            plate=f"{draw.choice('BHKLNT')}{draw.choice('ARSZ')}-{draw.randint(100, 999)}",
        )
        if title in titles:
            continue
        titles.add(title)
        yield from _life(draw, f"bug-{len(titles)}", title, component, severity, systems, draw.choice(others))


def _life(
    draw: random.Random,
    key: str,
    title: str,
    component: str,
    severity: str,
    systems: list[str],
    reporter: str,
) -> Iterator[dict[str, Any]]:
    """One bug from its report to where it stands."""
    moment = _moment(draw, BEGINS, ENDS - timedelta(hours=6))
    version = _released(moment)
    fill = {
        "version": version,
        "component": component,
        "hour": f"{draw.randint(6, 20)}:{draw.choice('0134')}5",
    }
    fill["extension"] = str(draw.randint(200, 229))

    def say(texts: tuple[str, ...], count: int = 1) -> str:
        return " ".join(draw.sample(texts, count)).format(**fill)

    values: dict[str, Any] = {
        "title": title,
        "components": [component],
        "severity": severity,
        "versions": [version],
    }
    values |= {"type": "rfe" if severity == "minor" and draw.random() < 0.3 else "behavior", "status": "new"}
    if draw.random() < 0.35:
        values["keywords"] = [
            draw.choice(["customer waits", "month end", "regression", "tide", "workaround"])
        ]
    yield _action(moment, reporter, key, "create", values, say(STEPS, 2))
    worker = draw.choice(systems)
    moment = _after(draw, moment, 1, 60)
    if moment > ENDS or draw.random() < 0.08:
        return
    opened = {"status": "open", "assignee": worker, "priority": PRIORITY[severity]}
    yield _action(moment, systems[0], key, "set", opened, "")
    if (moment := _after(draw, moment, 2, 90)) > ENDS:
        return
    if draw.random() < 0.3:
        yield _action(moment, worker, key, "set", {"status": "pending"}, say(ASKED))
        if (moment := _after(draw, moment, 4, 120)) > ENDS or draw.random() < 0.25:
            return
        yield _action(moment, reporter, key, "set", {"status": "open"}, say(TOLD))
        if (moment := _after(draw, moment, 2, 60)) > ENDS:
            return
    yield _action(moment, worker, key, "set", {}, say(FOUND, draw.randint(1, 2)))
    span = 14 * (1 + ORDER.index(severity))
    if (moment := _after(draw, moment, 8, 24 * span)) > ENDS or draw.random() < 0.12:
        return
    resolution = draw.choices(list(DONE), weights=(70, 9, 9, 6, 6))[0]
    fill["version"] = _next(moment)
    closed = {"status": "closed", "resolution": resolution}
    yield _action(moment, worker, key, "set", closed, DONE[resolution].format(**fill))


def _tasks(seed: int, colleagues: tuple[Colleague, ...]) -> Iterator[dict[str, Any]]:
    draw = random.Random(f"roundup tasks {seed}")
    systems = [c.person.username for c in colleagues if c.team == "Systems"]
    for n in range(TASKS):
        title, kind = TASK_TITLES[n % len(TASK_TITLES)]
        round_ = ("", " (second round)", " (third round)")[n // len(TASK_TITLES)]
        moment = _moment(draw, BEGINS, ENDS - timedelta(days=3))
        key = f"task-{n + 1}"
        values = {
            "title": f"{title}{round_}",
            "type": kind,
            "status": "new",
            "assignee": [draw.choice(systems)],
        }
        values["components"] = [draw.choice(list(COMPONENTS))]
        values["priority"] = draw.choice(["urgent", "high", "normal", "normal", "low"])
        yield _action(
            moment, systems[0], key, "create", values, f"Asked for by {draw.choice(colleagues).team}."
        )
        if (moment := _after(draw, moment, 12, 900)) < ENDS:
            yield _action(moment, draw.choice(systems), key, "set", {"status": "open"}, "")
        if (moment := _after(draw, moment, 24, 1400)) < ENDS:
            closed = {"status": "closed", "resolution": "accepted"}
            yield _action(
                moment, draw.choice(systems), key, "set", closed, "Done and shown to those who asked."
            )


def _action(at: datetime, by: str, key: str, do: str, values: dict[str, Any], says: str) -> dict[str, Any]:
    return {"at": _stamp(at), "by": by, "item": key, "do": do, "values": values, "says": says}


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d.%H:%M:%S")


def _moment(draw: random.Random, first: datetime, last: datetime) -> datetime:
    return _at_work(first + timedelta(seconds=draw.randrange(int((last - first).total_seconds()))))


def _after(draw: random.Random, moment: datetime, least: int, most: int) -> datetime:
    later = _at_work(moment + timedelta(minutes=draw.randrange(least * 60, most * 60)))
    return later if later > moment else _at_work(later + timedelta(days=1))


def _at_work(moment: datetime) -> datetime:
    """The same moment on a working day between seven and six."""
    moment = moment.replace(hour=7 + moment.hour % 11)
    return moment + timedelta(days=(0, 0, 0, 0, 0, 2, 1)[moment.weekday()])


def _released(moment: datetime) -> str:
    return [name for name, day in VERSIONS.items() if day <= moment.date().isoformat()][-1]


def _next(moment: datetime) -> str:
    return next(name for name, day in VERSIONS.items() if day > moment.date().isoformat())
