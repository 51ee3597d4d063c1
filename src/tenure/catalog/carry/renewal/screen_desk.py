"""What the oracle does at the screen: ``tenure.oracle.desk.Desk`` as a person works at one.

A record's id is what a person knows it by: its name, and of a contact the address too. A value is
what the page shows of it, so that an owner is a name.
"""

import re
from collections.abc import Sequence
from typing import Any

from tenure.oracle import Hands, ScriptError
from tenure.oracle.desk import Letter, Link
from tenure.twins.gmail.pilot import Gmail
from tenure.twins.hubspot.pilot import HubSpotPages

_LABELS = {
    "amount": "Amount",
    "closedate": "Close date",
    "seats": "Seats",
    "term_months": "Term (months)",
    "email": "Email",
    "firstname": "First name",
    "lastname": "Last name",
    "jobtitle": "Job title",
    "phone": "Phone number",
    "company": "Company name",
}
_BOOLEANS = {"hs_is_closed": {"Yes": "true", "No": "false"}}
_SENDER = re.compile(r"<([^<>\s]+@[^<>\s]+)>")


class ScreenDesk:
    """One pair of hands on the persona's mail and CRM, at the screen."""

    def __init__(self, hands: Hands) -> None:
        """Work at these hands' screen."""
        self._gmail, self._crm = Gmail(hands.screen), HubSpotPages(hands.screen)

    # -- mail --------------------------------------------------------------------------------

    async def letters(self, query: str) -> list[Letter]:
        """Every letter of the conversations that a search finds, without the people it went to.

        Conversations are in the order of their newest letters, as the list has them.
        """
        await self._gmail.open()
        await self._gmail.search(query)
        letters: list[Letter] = []
        for place in reversed(range(len(await self._gmail.rows()))):
            await self._gmail.open_thread("", place)
            subject = await self._gmail.read_subject()
            for read in await self._gmail.read_thread():
                n = f"{len(letters):05d}"
                letters.append(Letter(n, subject, _sender(read.sender), (), subject, read.text, n))
            await self._gmail.back()
        return letters

    async def draft(
        self,
        to: Sequence[str],
        cc: Sequence[str],
        text: str,
        *,
        answering: Letter | None = None,
        subject: str = "",
    ) -> str:
        """Draft a letter, of its own or as an answer in a conversation; returns its subject."""
        await self._gmail.open()
        if answering is None:
            letter = await self._gmail.compose(to, subject, text, cc=cc)
        else:
            subject = answering.subject
            await self._gmail.search(f'from:{answering.sender} subject:"{subject}"')
            await self._gmail.open_thread(subject)
            letter = await self._gmail.reply("")
            await letter.address("To", [one for one in to if one != answering.sender])
            await letter.address("Cc", cc)
            await letter.begin()
            await letter.write(text)
        await letter.saved()
        return subject

    # -- CRM ---------------------------------------------------------------------------------

    async def find(self, kind: str, query: str, *properties: str) -> list[dict[str, Any]]:
        """The records of a kind that a search of its table finds, with what it shows."""
        rows = await self._crm.read_table(kind, query, properties)
        return [_record(kind, title, dict(zip(properties, values, strict=True))) for title, *values in rows]

    async def linked(self, kind: str, id: str, to: str, *properties: str) -> list[dict[str, Any]]:
        """The records of a kind that a record's page names as associated."""
        await self._open(kind, id)
        titles = [card.partition("\n")[0] for card in await self._crm.read_associations(to)]
        records: list[dict[str, Any]] = []
        for title in titles:
            words = title
            if to == "contacts":
                await self._open(kind, id)
                await self._crm.open_linked(to, title)
                words = await self._crm.read_property("Email")
            found = await self.find(to, words, *properties)
            records += [one for one in found if one["title"] == title]
        if len(records) != len(titles):
            raise ScriptError(f"{titles} of {id} cannot be told from others of their names")
        return records

    async def owner(self, email: str) -> str:
        """The name of a colleague."""
        return await self._crm.read_user(email)

    async def change(self, kind: str, id: str, **properties: str) -> None:
        """Set properties of a record."""
        await self._open(kind, id)
        for name, value in properties.items():
            await self._crm.set_property(_LABELS[name], _typed(name, value))

    async def make(self, kind: str, link: Link, **properties: str) -> str:
        """A new record, associated with another; returns its id."""
        await self._open(*link)
        if kind == "tasks":
            day, _, time = properties["hs_timestamp"].partition("T")
            title = properties["hs_task_subject"]
            await self._crm.create_task(
                title,
                properties["hs_task_body"],
                due=f"{day} {time[:5]}",
                owner=properties["hubspot_owner_id"],
            )
            return title
        await self._crm.create_linked(kind, {_LABELS[name]: value for name, value in properties.items()})
        return _contact(f"{properties['firstname']} {properties['lastname']}", properties["email"])

    async def link(self, kind: str, id: str, to: Link) -> None:
        """Associate two records, from the second one's page."""
        await self._open(*to)
        await self._crm.associate(kind, *_known_by(kind, id))

    async def unlink(self, kind: str, id: str, to: Link) -> None:
        """Take an association away, from the first one's page."""
        await self._open(kind, id)
        await self._crm.remove_association(to[0], _known_by(*to)[0])

    async def _open(self, kind: str, id: str) -> None:
        await self._crm.open(kind, *_known_by(kind, id))


def _known_by(kind: str, id: str) -> tuple[str, str]:
    """A record's name, and words that find it."""
    if kind != "contacts":
        return id, id
    name, _, address = id.rstrip(">").rpartition(" <")
    return name, address


def _contact(title: str, email: str) -> str:
    return f"{title} <{email}>"


def _record(kind: str, title: str, shown: dict[str, str]) -> dict[str, Any]:
    values = {name: _BOOLEANS.get(name, {}).get(text, text) for name, text in shown.items() if text != "--"}
    id = _contact(title, values.get("email", "")) if kind == "contacts" else title
    return {"id": id, "title": title, "properties": values}


def _typed(name: str, value: str) -> str:
    """A value as it is typed: a date without its time."""
    return value.partition("T")[0] if name == "closedate" else value


def _sender(line: str) -> str:
    match = _SENDER.search(line)
    return match.group(1).lower() if match else line.strip().lower()
