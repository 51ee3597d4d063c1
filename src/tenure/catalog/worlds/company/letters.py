"""Posting a story's letters, which a TOML file holds in the order in which they were written."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .company import Company
    from .mail import Letter, Thread
    from .people import Colleague, Person

_ANSWER_MS = 21_000
"""An automatic reply comes this long after the letter that it answers."""
_APART_MS = 50 * 60_000
"""Weekends move letters together; at least this much stays between two."""


def post(
    company: "Company",
    plan_file: Path,
    cast: "Mapping[str, Sequence[Person]]",
    slots: Mapping[str, str],
    reader: "Colleague",
) -> dict[str, str]:
    """Write every letter of a plan.

    A letter is a table ``[name]`` with ``thread`` (equal for letters of one conversation), ``days``
    before the start, ``from`` and ``to`` (and ``cc``) that name the cast, ``text`` with slots, and where
    needed ``subject``, ``labels`` of the reader's copy, ``bare`` (no greeting and signature are added)
    and ``automatic`` (an automatic reply to the letter before). A later letter can name the day of an
    earlier one as ``{name_day}``, its name's ``_mail`` left out.

    Args:
        company: The seller.
        plan_file: The TOML file.
        cast: Part → the people behind it.
        slots: What the letters' slots hold.
        reader: Whose copies the facts name.

    Returns:
        Fact → ``kind/id`` of the reader's copy.
    """
    plan: dict[str, dict[str, Any]] = tomllib.loads(plan_file.read_text("utf-8"))
    threads: dict[str, Thread] = {}
    facts: dict[str, str] = {}
    filled = dict(slots)
    last = 0
    for name, entry in plan.items():
        sender = cast[entry["from"]][0]
        to = [one for part in entry["to"] for one in cast[part] if one is not sender]
        subject = entry.get("subject", "").format_map(filled)
        thread = threads.setdefault(entry["thread"], company.mail.thread(subject))
        answering = entry.get("automatic", False)
        at = last + _ANSWER_MS if answering else max(company.clock.ago(entry["days"]), last + _APART_MS)
        text = entry["text"].strip().format_map(filled)
        letter: Letter = thread.write(
            sender,
            to,
            at,
            text if entry.get("bare") else company.voice.wrap(sender, to[0], text),
            cc=[one for part in entry.get("cc", ()) for one in cast[part]],
            labels={reader.account: entry["labels"]} if "labels" in entry else None,
            subject=subject if answering else "",
            headers=[("Auto-Submitted", "auto-replied")] if answering else (),
        )
        facts[name] = letter.ref(reader)
        filled[f"{name.removesuffix('_mail')}_day"] = company.date_text(company.clock.local(at).date())
        last = at
    return facts
