"""The handbook: a tree of 139 pages by the company's teams, with what was changed in them and why."""

import random
from datetime import datetime, time, timedelta
from typing import Any

from tenure.apps.data.company import COMPANY, TODAY, firms, staff

from .clinic import CLINIC, clinic

_TEAMS = {
    "Quay": (
        "Berth plan",
        "Crane signals",
        "Night shift",
        "Cold store",
        "Fenders",
        "Weighbridge",
        "Lost property",
    ),
    "Sales": ("Price list", "Credit limits", "Sample orders", "Trade fairs", "Returns", "Standing orders"),
    "Purchasing": ("Preferred growers", "Delivery windows", "Pallet deposits", "Claims", "Tenders"),
    "Works": (
        "Press cleaning",
        "Yeast bank",
        "Bottle wash",
        "Best-before dates",
        "Recall drill",
        "Lab bench",
    ),
    "Finance": ("Petty cash", "Travel costs", "Month end", "VAT returns", "Payment runs"),
    "Events": ("House rules", "Seating plans", "First aid at events", "Rain plan", "Refunds", "Volunteers"),
    "Systems": ("Passwords", "Backups", "Printers", "On call", "New laptops"),
}
_KINDS = ("Checklist", "Contacts")
_RULES = (
    "Tell the head of {team} before {hour}:00 when this changes.",
    "At most {n} at one time; the rest wait behind the yellow line.",
    "Keep the paper copy for {n} months in the grey cabinet.",
    "{who} decides where it is not clear.",
    "Ask {who} for the key; it hangs on hook {n}.",
    "Check again after {n} days.",
    "Never on a Friday after {hour}:00.",
    "The limit is {n}0 euros without a second signature.",
)
_WHY = ("Spelling", "New rule after the audit", "Names brought up to date", "As agreed on Monday", "Shorter")


def handbook(seed: int, agent: str) -> dict[str, Any]:
    """All that ``inside/load.py`` loads; parents come before their children.

    Args:
        seed: What it is made from.
        agent: Name of the user who keeps the handbook.
    """
    draw = random.Random(f"wiki {seed}")
    colleagues = staff(seed)
    users = [
        {
            "username": one.person.username,
            "email": one.person.email(),
            "first": one.person.first,
            "last": one.person.last,
        }
        for one in colleagues
    ]
    keeper = {"username": agent, "email": f"{agent}@harbourline.example", "first": "Ines", "last": "Brandt"}
    names = [one["username"] for one in users]
    listed = "\n".join(f"- [{team}]({team.lower()}/)" for team in (*_TEAMS, CLINIC))
    pages = [_page(draw, "", f"{COMPANY} handbook", f"What every team writes down:\n\n{listed}", [agent])]
    for team, subjects in _TEAMS.items():
        mates = [one.person.username for one in colleagues if one.team == team]
        head = next(one.person.name for one in colleagues if one.team == team)
        listed = "\n".join(f"- [{subject}]({_slug(subject)}/)" for subject in subjects)
        text = f"Head of the team: {head}.\n\n## Pages\n\n{listed}"
        pages.append(_page(draw, team.lower(), team, text, mates))
        for subject in subjects:
            path = f"{team.lower()}/{_slug(subject)}"
            text = _text(draw, team, subject, [one.person.name for one in colleagues])
            pages.append(_page(draw, path, subject, text, [*mates, draw.choice(names)], changes=3))
            for kind in _KINDS:
                text = _list(draw) if kind == "Checklist" else _contacts(draw, seed)
                pages.append(_page(draw, f"{path}/{kind.lower()}", f"{subject}: {kind.lower()}", text, mates))
    return {"agent": agent, "users": [*users, keeper], "pages": [*pages, *clinic(seed, agent)]}


def _slug(subject: str) -> str:
    return subject.lower().replace(" ", "-")


def _text(draw: random.Random, team: str, subject: str, names: list[str]) -> str:
    rules = [
        rule.format(team=team, who=draw.choice(names), n=draw.randrange(2, 13), hour=draw.randrange(9, 18))
        for rule in draw.sample(_RULES, 4)
    ]
    numbered = "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, 1))
    return (
        f"How we handle it: {subject.lower()}.\n\n## Rules\n\n{numbered}\n\n## Owner\n\n{draw.choice(names)}"
    )


def _list(draw: random.Random) -> str:
    things = ("gate", "lights", "scales", "hoses", "log book", "radio", "keys", "pallets", "labels", "drains")
    return "\n".join(f"- {thing.capitalize()} checked" for thing in draw.sample(things, 5))


def _contacts(draw: random.Random, seed: int) -> str:
    rows = [
        f"| {one.name} | {one.contact.name} | {one.contact.email(one.domain)} |"
        for one in draw.sample(firms(seed), 4)
    ]
    return "\n".join(("| Firm | Contact | Address |", "| --- | --- | --- |", *rows))


def _page(
    draw: random.Random, path: str, title: str, text: str, authors: list[str], changes: int = 0
) -> dict[str, Any]:
    at = datetime.combine(TODAY - timedelta(draw.randrange(400, 900)), time(draw.randrange(8, 18)))
    later = []
    for _ in range(draw.randrange(changes + 1)):
        at += timedelta(draw.randrange(5, 120), minutes=draw.randrange(60))
        text = f"{text}\n\nSince {at:%d %B %Y}: {draw.choice(_RULES[1:3]).format(n=draw.randrange(2, 13))}"
        later.append({"text": text, "why": draw.choice(_WHY), "author": draw.choice(authors), "at": str(at)})
    first = later[0]["text"].split("\n\nSince ")[0] if later else text
    made = TODAY - timedelta(950)
    return {
        "path": path,
        "title": title,
        "text": first,
        "why": "First written",
        "author": draw.choice(authors),
        "at": f"{made} 09:00:00",
        "changes": later,
    }
