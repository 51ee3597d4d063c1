"""Sending, and what happens at the other end: delivery, filters, automatic replies."""

from dataclasses import replace
from typing import Any

from tenure.twins.gmail import forwarding, letters, mailbox, mime
from tenure.twins.gmail.match import Matcher
from tenure.twins.gmail.query import EVERYTHING, All, Node, Not, Term, parse
from tenure.twins.gmail.records import Answered, Filter, Message, SendAs, Vacation
from tenure.twins.gmail.text import emails, html_text
from tenure.world import Account, Act

REPLY_DELAY_MS = 3 * 60_000
"""World time until an automatic reply goes out."""
REPLY_PERIOD_MS = 4 * 24 * 3_600_000
"""World time in which a sender gets one automatic reply (the vendor's help: four days)."""
VACATION_EVENT = "gmail.vacation"
_MACHINES = ("no-reply@", "noreply@", "mailer-daemon@", "postmaster@")


def send(act: Act, account: str, letter: mime.Letter, thread: str) -> Message:
    """Send a letter: the sender's copy, then every copy that reaches an account of the world.

    Args:
        act: The act; its copies are the sender's deed, the others its consequence.
        account: Account id of the sender.
        letter: What to send; it is signed here.
        thread: The thread that the sender's copy joins; empty for a new one.

    Raises:
        GoogleError: 400, the recipients are missing or no addresses.
    """
    letters.check_recipients(letter)
    letters.sign(act, account, letter)
    people = dict.fromkeys(emails([line for name in ("To", "Cc", "Bcc") for line in letter.every(name)]))
    readers = {reader.id: reader for person in people if (reader := reader_of(act, person)) is not None}
    labels = {"SENT", "INBOX", "UNREAD"} if readers.pop(account, None) else {"SENT"}
    sent = letters.record_of(act, account, letter, thread=thread, labels=labels, at=act.now)
    cause = mailbox.add_message(act, sent)
    for reader in readers.values():
        receive(act.consequence(cause), reader, letter, sent)
    return sent


def reader_of(act: Act, address: str) -> Account | None:
    """The account that an address reaches: its own, ``name+anything`` or an alias."""
    local, _, domain = address.partition("@")
    for candidate in (address, f"{local.partition('+')[0]}@{domain}"):
        found = act.account_by_email(candidate)
        if found is not None:
            return found
        for alias in act.all(SendAs, "address", candidate):
            return act.account(alias.account)
    return None


def receive(act: Act, reader: Account, letter: mime.Letter, sent: Message) -> None:
    """Put the reader's copy of a sent letter into the reader's mailbox."""
    headers = [("Delivered-To", reader.email), *((n, v) for n, v in letter.headers if n.lower() != "bcc")]
    id = act.hex_id("gmail.message")
    record = sent.model_copy(
        update={
            "id": id,
            "account": reader.id,
            "thread": letters.received_thread(act, reader.id, letter) or id,
            "labels": ["INBOX"],
            "unread": True,
            "bcc": [],
            "headers": headers,
        }
    )
    record = filtered(act, record)
    target = forwarding.target_of(act, record)
    if target:
        record = forwarding.disposed(act, record)
    cause = mailbox.add_message(act, record)
    _plan_reply(act, reader, record, cause)
    further = reader_of(act, target) if target else None
    if further is not None and further.id != reader.id:
        passed = replace(letter, headers=[(forwarding.MARK, f"{reader.email} {target}"), *letter.headers])
        receive(act.consequence(cause), further, passed, sent)


def filtered(act: Act, record: Message) -> Message:
    """An arriving message as its mailbox's filters leave it."""
    filters = act.all(Filter, "mailbox", record.account)
    if not filters:
        return record
    matcher = Matcher(act, record.account)
    labels = set(record.label_ids)
    for rule in filters:
        if meets(matcher, record, rule.criteria):
            labels |= set(rule.action.get("addLabelIds", ()))
            labels -= set(rule.action.get("removeLabelIds", ()))
    if labels & {"TRASH", "SPAM"}:
        labels -= {"INBOX"}
    return record.model_copy(update={"labels": sorted(labels - {"UNREAD"}), "unread": "UNREAD" in labels})


def meets(matcher: Matcher, record: Message, criteria: dict[str, Any]) -> bool:
    """Whether a message meets a filter's criteria, all of them."""
    parts: list[Node] = [parse(f"{name}:({criteria[name]})") for name in ("from", "to") if criteria.get(name)]
    if criteria.get("subject"):
        parts.append(Term("subject", criteria["subject"]))
    parts.append(parse(criteria["query"]) if criteria.get("query") else EVERYTHING)
    if criteria.get("negatedQuery"):
        parts.append(Not(parse(criteria["negatedQuery"])))
    if criteria.get("hasAttachment"):
        parts.append(parse("has:attachment"))
    if criteria.get("size") and criteria.get("sizeComparison") in ("smaller", "larger"):
        parts.append(parse(f"{criteria['sizeComparison']}:{criteria['size']}"))
    return matcher.matches(record, All(tuple(parts)))


def _plan_reply(act: Act, reader: Account, record: Message, cause: int) -> None:
    vacation = act.get(Vacation, reader.id)
    writer = emails([record.sender])
    if vacation is None or not vacation.enabled or not writer or record.hidden:
        return
    machine = any(name.lower() in ("auto-submitted", "list-id", "precedence") for name, _ in record.headers)
    if machine or writer[0].startswith(_MACHINES) or not _within(vacation, act.now):
        return
    if vacation.domain_only and writer[0].rpartition("@")[2] != reader.email.lower().rpartition("@")[2]:
        return
    if vacation.contacts_only and not _knows(act, reader.id, writer[0]):
        return
    act.later(REPLY_DELAY_MS, VACATION_EVENT, {"message": record.id}, cause)


def _within(vacation: Vacation, now: int) -> bool:
    return (vacation.start is None or now >= vacation.start) and (vacation.end is None or now <= vacation.end)


def _knows(act: Act, account: str, person: str) -> bool:
    """Whether the mailbox has written to an address: its contacts, as far as Gmail itself knows."""
    return any(person in sent.recipients for sent in act.all(Message, "label", f"{account}/SENT"))


def answer_for(act: Act, payload: dict[str, Any]) -> None:
    """Send a mailbox's automatic reply, unless its sender has had one in this period."""
    record = act.get(Message, payload["message"])
    vacation = act.get(Vacation, record.account) if record else None
    if record is None or vacation is None or not vacation.enabled:
        return
    writer = emails([record.sender])[0]
    had = act.get(Answered, f"{record.account}/{writer}")
    if had is not None and act.now - had.at < REPLY_PERIOD_MS:
        return
    act.put(Answered(id=f"{record.account}/{writer}", account=record.account, at=act.now))
    text = vacation.body or html_text(vacation.html)
    content, body = mime.compose(text, vacation.html, (), act.blob, record.id)
    subject = vacation.subject or f"Re: {record.subject}"
    headers = [
        ("To", record.sender),
        ("Subject", subject),
        ("In-Reply-To", record.message_id),
        ("References", " ".join([*record.references, record.message_id])),
        ("Auto-Submitted", "auto-replied"),
        ("Precedence", "bulk"),
        *content,
    ]
    letter = mime.read(mime.assemble(headers, body))
    own = act.consequence(act.cause, record.account)
    send(own, record.account, letter, letters.joined(own, record.account, letter, record.thread))
