"""Forwarding addresses, their confirmation, and forwarding all mail: a setting that only screens have."""

import re
from typing import Any

from tenure.twins.gmail import letters, mailbox, mime
from tenure.twins.gmail.records import Message
from tenure.twins.gmail.screen_records import AutoForward, Forwarding
from tenure.twins.google.errors import GoogleError, invalid, not_found
from tenure.world import Account, Act
from tenure.world.ids import digest

SENDER = "Gmail Team <forwarding-noreply@google.com>"
MARK = "X-Forwarded-For"
"""Header of a letter that was forwarded: it is not forwarded again."""
_GAINED = {"trash": {"TRASH"}}
_LOST = {"archive": {"INBOX"}, "trash": {"INBOX"}, "markRead": {"UNREAD"}}
DISPOSITIONS = ("leaveInInbox", "archive", "trash", "markRead")
_ADDRESS = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;]+")


def show(act: Act) -> dict[str, Any]:
    """The addresses, and whether all mail is forwarded (shapes as the vendor's resources)."""
    found = act.all(Forwarding, "mailbox", act.actor)
    auto = act.get(AutoForward, act.actor) or AutoForward(id=act.actor)
    for record in (*found, auto):
        act.show(record)
    listed = [
        {"forwardingEmail": one.address, "verificationStatus": "accepted" if one.accepted else "pending"}
        for one in found
    ]
    shown: dict[str, Any] = {"enabled": auto.enabled, "disposition": auto.disposition}
    if auto.address:
        shown["emailAddress"] = auto.address
    return {"addresses": listed, "auto": shown}


def add(act: Act, address: str) -> None:
    """Ask for an address: its owner gets a letter with a code.

    Raises:
        GoogleError: 400 for what is no address or the mailbox's own, 409 for one that is there.
    """
    address = address.strip().lower()
    owner = act.account()
    if not _ADDRESS.fullmatch(address) or address == owner.email.lower():
        raise invalid("Enter another person's address.")
    id = f"{act.actor}/{address}"
    if act.get(Forwarding, id) is not None:
        raise GoogleError(409, "This address is there already.", "alreadyExists")
    number = int.from_bytes(digest(act.world.seed, "gmail.forwarding", act.next("gmail.forwarding")), "big")
    record = Forwarding(id=id, account=act.actor, address=address, code=f"{number % 10**9:09d}")
    seq = act.put(record)
    reader = act.account_by_email(address)
    if reader is not None:
        _ask(act.consequence(seq), reader, owner, record.code)


def _ask(act: Act, reader: Account, owner: Account, code: str) -> None:
    text = (
        f"{owner.email} has asked to forward their mail to your address {reader.email}.\n\n"
        f"Confirmation code: {code}\n\n"
        "To allow this, give the code to the person who asked. If you do not know them, do nothing."
    )
    content, body = mime.compose(text, "", (), act.blob, code)
    headers = [
        ("From", SENDER),
        ("To", reader.email),
        ("Subject", f"Forwarding Confirmation (#{code}) - Receive mail from {owner.email}"),
        ("Date", mime.date_header(act.now)),
        ("Message-ID", f"<forward-{code}@google.com>"),
        *content,
    ]
    letter = mime.read(mime.assemble(headers, body))
    labels = {"INBOX", "UNREAD"}
    mailbox.add_message(act, letters.record_of(act, reader.id, letter, thread="", labels=labels, at=act.now))


def _find(act: Act, address: str) -> Forwarding:
    found = act.get(Forwarding, f"{act.actor}/{address.lower()}")
    if found is None:
        raise not_found()
    return found


def confirm(act: Act, address: str, code: str) -> None:
    """Confirm an address.

    Raises:
        GoogleError: 400 for a wrong code, 404 for an unknown address.
    """
    found = _find(act, address)
    if found.code != code.strip():
        raise invalid("This is not the code that was sent to the address.")
    act.put(found.model_copy(update={"accepted": True}))


def remove(act: Act, address: str) -> None:
    """Forget an address; mail is not forwarded to it any more.

    Raises:
        GoogleError: 404.
    """
    act.delete(_find(act, address))
    auto = act.get(AutoForward, act.actor)
    if auto is not None and auto.address == address.lower():
        act.put(auto.model_copy(update={"enabled": False, "address": ""}))


def set_auto(act: Act, enabled: bool, address: str, disposition: str) -> None:
    """Forward all mail from now on, or none.

    Raises:
        GoogleError: 400 for an address that is not confirmed, or an unknown disposition.
    """
    if disposition not in DISPOSITIONS:
        raise invalid("Choose what happens to the copy in this mailbox.")
    if enabled and not (address and _find(act, address).accepted):
        raise invalid("Confirm this address before mail is forwarded to it.")
    act.put(AutoForward(id=act.actor, enabled=enabled, address=address.lower(), disposition=disposition))


def target_of(act: Act, record: Message) -> str:
    """The address that an arriving message is forwarded to, or empty."""
    auto = act.get(AutoForward, record.account)
    passed = any(name == MARK for name, _ in record.headers)
    return auto.address if auto and auto.enabled and not record.hidden and not passed else ""


def disposed(act: Act, record: Message) -> Message:
    """A forwarded message as the setting leaves it in its own mailbox."""
    auto = act.get(AutoForward, record.account)
    way = auto.disposition if auto else ""
    labels = (set(record.label_ids) | _GAINED.get(way, set())) - _LOST.get(way, set())
    return record.model_copy(update={"labels": sorted(labels - {"UNREAD"}), "unread": "UNREAD" in labels})
