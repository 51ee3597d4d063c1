"""A released ``description.md``, read by its bold headings (formats §1.1)."""

import re
from dataclasses import dataclass
from itertools import zip_longest

from tenure.adopt.anomaly import Findings
from tenure.schema.operate import Account
from tenure.schema.sites import site_of

_HEADING = re.compile(r"^\s*(?:\*\*\s*([^*]+?)\s*:?\s*\*\*|#+\s+(.+?)\s*:?)\s*$", re.MULTILINE)
_STEP = re.compile(r"^\s*\d+\.\s+(.*\S)\s*$", re.MULTILINE)
_LOGIN = re.compile(r"^\s*[-*]\s*([^:\n]+?)\s*:\s*(.+?)\s*$", re.MULTILINE)
_NO_USER = ("(no username)", "(none)", "-")


@dataclass(frozen=True)
class Description:
    """What a description says.

    Attributes:
        text: All of it; the agent gets it as it is.
        title: The first sentence of what is asked.
        steps: The numbered lines below "Steps", which fill the agent's list.
        credentials: Site → account.
    """

    text: str
    title: str
    steps: tuple[str, ...]
    credentials: dict[str, Account]


def read_description(text: str, task: str, apps: tuple[str, ...], found: Findings) -> Description:
    """Read a description.

    Args:
        text: The file.
        task: The task's id, for anomalies.
        apps: The task's sites.
        found: Takes what is odd.
    """
    sections = _sections(text)
    for name in ("task requirements", "login credentials"):
        if name not in sections:
            found.changed("section_missing", task, f"no heading {name!r}", "read without it")
    steps = tuple(step.strip() for step in _STEP.findall(sections.get("steps", sections.get("step", ""))))
    if not steps:
        found.note("steps_not_parsed", task, "no numbered lines below a heading Steps", "an empty list")
    return Description(
        text=text,
        title=_title(sections.get("task requirements", text), task),
        steps=steps,
        credentials=_credentials(sections.get("login credentials", ""), task, apps, found),
    )


def _sections(text: str) -> dict[str, str]:
    """Heading, in lower case → the text below it, to the next heading; the first of a name counts."""
    headings = list(_HEADING.finditer(text))
    found: dict[str, str] = {}
    for heading, following in zip_longest(headings, headings[1:]):
        below = text[heading.end() : following.start() if following else len(text)]
        found.setdefault((heading[1] or heading[2]).strip().lower(), below)
    return found


def _title(requirements: str, task: str) -> str:
    words = " ".join(requirements.split())
    sentence = re.split(r"(?<=[.!?])\s", words, maxsplit=1)[0]
    return sentence if 0 < len(sentence) <= 160 else f"{words[:159]}…" if words else task


def _credentials(section: str, task: str, apps: tuple[str, ...], found: Findings) -> dict[str, Account]:
    accounts: dict[str, Account] = {}
    own = {app.lower(): app for app in apps}
    for name, told in _LOGIN.findall(section):
        # An app that is none of the 23 goes by the name that the task itself gives it.
        site = own.get(site_of(name) or name.lower())
        if site is None:
            found.lost("credentials_unmatched", task, f"{name}: belongs to no app of the task", "left out")
            continue
        if name != site:
            found.note("credentials_alias", task, name, f"the app {site}")
        account = _account(told)
        if accounts.setdefault(site, account) != account:
            found.changed("credentials_repeated", task, f"{name}: {told}: a second account", "the first")
    for app in apps:
        if app not in accounts:
            found.changed("credentials_missing", task, f"no account for {app}", "none")
    return accounts


def _account(told: str) -> Account:
    """``user / password``, ``(no username) / password``, or ``name=password`` for an access code."""
    username, slash, password = told.partition(" / ")
    if not slash:
        return Account(username="", password=told.partition("=")[2] or told)
    user = username.strip()
    return Account(username="" if user in _NO_USER else user, password=password.strip())
