"""What scripted agents do in Gmail and HubSpot, by REST or, where a tool exists and is preferred, by MCP."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import getaddresses
from typing import Any

from tenure.oracle.acts import ScriptError
from tenure.oracle.hands import Hands

GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me"
CRM = "https://api.hubapi.com/crm"
TYPE_IDS = {
    ("contacts", "companies"): 279,
    ("contacts", "deals"): 4,
    ("tasks", "deals"): 216,
    ("deals", "companies"): 341,
}
"""The vendor's plain association types."""
Link = tuple[str, str]
"""(object type, id) of something to associate with."""


@dataclass(frozen=True)
class Letter:
    """A letter as an API returns it.

    Attributes:
        id: Message id.
        thread: Thread id.
        sender: Lower-case address.
        people: Lower-case addresses in To and Cc.
        subject: Subject.
        body: Plain text.
        order: Sorts by age, oldest first.
    """

    id: str
    thread: str
    sender: str
    people: tuple[str, ...]
    subject: str
    body: str
    order: str


def newest(pattern: str, letters: Sequence[Letter]) -> tuple[re.Match[str], Letter]:
    """The newest of some letters, oldest first, in which a pattern occurs.

    Raises:
        ScriptError: There is none.
    """
    for letter in reversed(letters):
        if match := re.search(pattern, letter.body):
            return match, letter
    raise ScriptError(f"no letter says {pattern}")


class Desk:
    """One pair of hands on the persona's mail and CRM."""

    def __init__(self, hands: Hands) -> None:
        """Work with these hands, the way that they prefer."""
        self._hands, self._mcp = hands, hands.prefer == "mcp"

    # -- mail --------------------------------------------------------------------------------

    async def letters(self, query: str) -> list[Letter]:
        """Every letter that a search finds (by MCP: every letter of the conversations found)."""
        found = await (self._conversations(query) if self._mcp else self._messages(query))
        return sorted(found, key=lambda letter: letter.order)

    async def _messages(self, query: str) -> list[Letter]:
        letters: list[Letter] = []
        page = None
        while True:
            answer = await self._hands.http.get(f"{GMAIL}/messages", q=query, maxResults=100, pageToken=page)
            for row in answer.get("messages", []):
                letters.append(
                    _letter(await self._hands.http.get(f"{GMAIL}/messages/{row['id']}", format="full"))
                )
            page = answer.get("nextPageToken")
            if not page:
                return letters

    async def _conversations(self, query: str) -> list[Letter]:
        letters: list[Letter] = []
        page: dict[str, str] = {}
        while True:
            answer = await self._hands.mcp.call(
                "gmail_search_threads", query=query, pageSize=20, view="THREAD_VIEW_MINIMAL", **page
            )
            for row in answer.get("threads", []):
                thread = await self._hands.mcp.call(
                    "gmail_get_thread", threadId=row["id"], messageFormat="FULL_CONTENT"
                )
                letters += [
                    Letter(
                        one["id"],
                        thread["id"],
                        _addresses(one["sender"])[0],
                        _addresses(*one["toRecipients"], *one["ccRecipients"]),
                        one["subject"],
                        one["plaintextBody"],
                        one["date"],
                    )
                    for one in thread["messages"]
                ]
            if not answer.get("nextPageToken"):
                return letters
            page = {"pageToken": answer["nextPageToken"]}

    async def draft(
        self,
        to: Sequence[str],
        cc: Sequence[str],
        text: str,
        *,
        answering: Letter | None = None,
        subject: str = "",
    ) -> str:
        """Draft a letter, of its own or as an answer in a conversation; returns the draft's id."""
        if answering is not None:
            title = answering.subject
            subject = title if title.startswith("Re:") else f"Re: {title}"
        if self._mcp:
            reply = {} if answering is None else {"replyToMessageId": answering.id}
            made = await self._hands.mcp.call(
                "gmail_create_draft", to=list(to), cc=list(cc), subject=subject, body=text, **reply
            )
            return str(made["id"])
        message = EmailMessage()
        message["To"], message["Subject"] = ", ".join(to), subject
        if cc:
            message["Cc"] = ", ".join(cc)
        message.set_content(text)
        given = {"raw": base64.urlsafe_b64encode(bytes(message)).decode()}
        if answering is not None:
            given["threadId"] = answering.thread
        return str((await self._hands.http.post(f"{GMAIL}/drafts", {"message": given}))["id"])

    # -- CRM ---------------------------------------------------------------------------------

    async def find(self, kind: str, query: str, *properties: str, **equal: str) -> list[dict[str, Any]]:
        """The objects of a type that a text search finds, or whose properties equal the given ones.

        Raises:
            ScriptError: There are more than one page holds.
        """
        given: dict[str, Any] = {"limit": 100, "properties": list(properties)}
        if query:
            given["query"] = query
        if equal:
            filters = [
                {"propertyName": name, "operator": "EQ", "value": value} for name, value in equal.items()
            ]
            given["filterGroups"] = [{"filters": filters}]
        if self._mcp:
            answer = await self._hands.mcp.call("hubspot_hubspot_search_objects", objectType=kind, **given)
        else:
            answer = await self._hands.http.post(f"{CRM}/v3/objects/{kind}/search", given)
        if "paging" in answer:
            raise ScriptError(f"more than 100 {kind} are found by {query!r} and {equal}")
        return list(answer["results"])

    async def linked(self, kind: str, id: str, to: str, *properties: str) -> list[dict[str, Any]]:
        """The objects of a type that an object is associated with."""
        if self._mcp:
            answer = await self._hands.mcp.call(
                "hubspot_hubspot_list_associations", objectType=kind, objectId=id, toObjectType=to
            )
        else:
            answer = await self._hands.http.get(f"{CRM}/v4/objects/{kind}/{id}/associations/{to}")
        inputs = [{"id": str(row["toObjectId"])} for row in answer["results"]]
        if not inputs:
            return []
        given = {"inputs": inputs, "properties": list(properties)}
        if self._mcp:
            answer = await self._hands.mcp.call("hubspot_hubspot_batch_read_objects", objectType=to, **given)
        else:
            answer = await self._hands.http.post(f"{CRM}/v3/objects/{to}/batch/read", given)
        return list(answer["results"])

    async def owner(self, email: str) -> str:
        """The owner id of a colleague. There is no tool for it."""
        answer = await self._hands.http.get(f"{CRM}/v3/owners", email=email)
        return str(answer["results"][0]["id"])

    async def change(self, kind: str, id: str, **properties: str) -> None:
        """Set properties of an object."""
        if self._mcp:
            inputs = [{"id": id, "properties": properties}]
            await self._hands.mcp.call("hubspot_hubspot_batch_update_objects", objectType=kind, inputs=inputs)
        else:
            await self._hands.http.patch(f"{CRM}/v3/objects/{kind}/{id}", {"properties": properties})

    async def make(self, kind: str, link: Link, **properties: str) -> str:
        """A new object, associated with another; returns its id."""
        given = {
            "properties": properties,
            "associations": [{"to": {"id": link[1]}, "types": [_type(kind, link[0])]}],
        }
        if self._mcp:
            answer = await self._hands.mcp.call(
                "hubspot_hubspot_batch_create_objects", objectType=kind, inputs=[given]
            )
            return str(answer["results"][0]["id"])
        return str((await self._hands.http.post(f"{CRM}/v3/objects/{kind}", given))["id"])

    async def link(self, kind: str, id: str, to: Link) -> None:
        """Associate two objects."""
        if self._mcp:
            await self._hands.mcp.call(
                "hubspot_hubspot_batch_create_associations",
                fromObjectType=kind,
                toObjectType=to[0],
                types=[_type(kind, to[0])],
                inputs=[{"from": {"id": id}, "to": {"id": to[1]}}],
            )
        else:
            await self._hands.http.put(
                f"{CRM}/v4/objects/{kind}/{id}/associations/{to[0]}/{to[1]}", [_type(kind, to[0])]
            )

    async def unlink(self, kind: str, id: str, to: Link) -> None:
        """Take an association away. There is no tool for it."""
        await self._hands.http.delete(f"{CRM}/v4/objects/{kind}/{id}/associations/{to[0]}/{to[1]}")


def _type(kind: str, to: str) -> dict[str, Any]:
    return {"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": TYPE_IDS[kind, to]}


def _addresses(*headers: str) -> tuple[str, ...]:
    return tuple(address.lower() for _, address in getaddresses(list(headers)))


def _letter(message: dict[str, Any]) -> Letter:
    headers = {one["name"].lower(): one["value"] for one in message["payload"]["headers"]}
    people = [headers[name] for name in ("to", "cc") if name in headers]
    return Letter(
        message["id"],
        message["threadId"],
        _addresses(headers["from"])[0],
        _addresses(*people),
        headers.get("subject", ""),
        _plain(message["payload"]),
        f"{int(message['internalDate']):015d}",
    )


def _plain(part: dict[str, Any]) -> str:
    if part["mimeType"] == "text/plain" and part["body"].get("data"):
        return base64.urlsafe_b64decode(part["body"]["data"]).decode().replace("\r\n", "\n")
    return "".join(_plain(inner) for inner in part.get("parts", []))
