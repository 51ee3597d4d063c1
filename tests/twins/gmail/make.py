"""A small world with mail in it, and a client that speaks to its gateway."""

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson

from tenure.twins.gmail import TWIN
from tenure.twins.gmail.records import Label, Message, attach, mail
from tenure.twins.google import google_tokens
from tenure.world import Account, BaseBuilder, Gateway, Record, World

SEED = 7
NOW = 1_790_000_000_000
"""21 September 2026, 14:13:20 UTC."""
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ADA, BO, CY = "ada", "bo", "cy"
HOST = "gmail.googleapis.com"
ME = "/gmail/v1/users/me"
PDF = b"%PDF-1.4 invoice " * 40


def address(account: str) -> str:
    return f"{account}@acme.test"


def person(account: str) -> str:
    return f"{account.title()} Example <{address(account)}>"


def token(account: str) -> str:
    return google_tokens(SEED, account)[0].id


def build(path: Path, more: Iterable[Record] = ()) -> Path:
    """A base: three accounts, Ada's four letters (one in the trash), two labels of hers."""
    with BaseBuilder(path, now=NOW, seed=SEED) as builder:
        for account in (ADA, BO, CY):
            builder.add(Account(id=account, email=address(account), name=f"{account.title()} Example"))
            for credential in google_tokens(SEED, account):
                builder.add(credential)
        for name in ("Clients/Acme Corp", "Todo"):
            builder.add(Label(id=f"Label_{builder.next('gmail.label')}", account=ADA, name=name))
        pdf = attach(builder.blob, "invoice-0042.pdf", PDF)
        first = mail(
            account=ADA,
            id="00000000000000a1",
            sender="Vera Vendor <vera@vendor.test>",
            to=[person(ADA)],
            cc=["Cy <cy@acme.test>"],
            subject="Invoice 0042 for September",
            text="Dear Ada,\nplease find the café invoice attached.\nTotal: 1,700.00 EUR",
            at=NOW - 3 * DAY,
            labels=["INBOX", "Label_1", "IMPORTANT"],
            attachments=[pdf],
        )
        builder.add(first)
        builder.add(
            mail(
                account=ADA,
                id="00000000000000a2",
                thread=first.id,
                sender=person(ADA),
                to=["vera@vendor.test"],
                subject="Re: Invoice 0042 for September",
                text="Thanks, received.",
                at=NOW - 2 * DAY,
                labels=["SENT"],
                in_reply_to=first.message_id,
            )
        )
        builder.add(
            mail(
                account=ADA,
                id="00000000000000a3",
                sender="News <news@letters.test>",
                to=[person(ADA)],
                subject="Weekly digest",
                html="<p>Nine stories &amp; a <b>quiz</b></p>",
                at=NOW - DAY,
                labels=["INBOX", "CATEGORY_PROMOTIONS"],
                unread=True,
            )
        )
        builder.add(
            mail(
                account=ADA,
                id="00000000000000a4",
                sender="Old <old@vendor.test>",
                to=[person(ADA)],
                subject="Discarded invoice",
                text="Nothing to see",
                at=NOW - 40 * DAY,
                labels=["TRASH"],
            )
        )
        builder.add(
            mail(
                account=BO,
                id="00000000000000b1",
                sender=person(CY),
                to=[person(BO)],
                subject="Private",
                text="Only for Bo",
                at=NOW - DAY,
                labels=["INBOX"],
            )
        )
        for record in more:
            builder.add(record)
    return path


class Client:
    """One account's REST client, straight into the gateway."""

    def __init__(self, gateway: Gateway, account: str = ADA, secret: str | None = None) -> None:
        self.gateway, self.account = gateway, account
        self.secret = token(account) if secret is None else secret

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        host: str = HOST,
        headers: dict[str, str] | None = None,
        **query: Any,
    ) -> tuple[int, Any]:
        """(status, body): JSON decoded, ``None`` for an empty one, else bytes."""
        status, _, data = self.exchange(method, path, body, host=host, headers=headers, **query)
        return status, data

    def exchange(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        host: str = HOST,
        headers: dict[str, str] | None = None,
        **query: Any,
    ) -> tuple[int, dict[str, str], Any]:
        data = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
        sent = {"authorization": f"Bearer {self.secret}"} if self.secret else {}
        sent |= {"content-type": "application/json", **(headers or {})}
        reply = self.gateway.answer(method, host, path, urlencode(query, doseq=True), sent, data)
        assert not self.gateway.log[-1].fault, self.gateway.log[-1].fault
        got, raw = reply.encoded()
        if "json" in got.get("content-type", "") and raw:
            return reply.status, got, orjson.loads(raw)
        return reply.status, got, raw or None

    def ok(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        status, data = self.send(method, f"{ME}{path}", body, **query)
        assert status in (200, 204), data
        return data

    def refused(self, method: str, path: str, body: Any = None, **query: Any) -> tuple[int, str, str]:
        """(status, reason, message) of an error."""
        status, data = self.send(method, f"{ME}{path}", body, **query)
        error = data["error"]
        assert error["code"] == status
        return status, error["errors"][0]["reason"], error["message"]


def raw(text: str) -> str:
    """A letter as the ``raw`` field takes it."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def unraw(data: str) -> bytes:
    return base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))


def letter(to: str, subject: str = "Hello", text: str = "Hi there", **headers: str) -> str:
    lines = [f"To: {to}", f"Subject: {subject}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, 'Content-Type: text/plain; charset="utf-8"', "", text])


def open_world(base: Path) -> tuple[World, Gateway]:
    world = World(base, [TWIN])
    return world, Gateway(world)


def inbox(world: World, account: str) -> list[Message]:
    """An account's inbox, oldest first."""
    return world.store.all(Message, "label", f"{account}/INBOX")
