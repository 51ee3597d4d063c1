"""Mailboxes to look at: a full one, an empty one, one of overlong texts, one of thousands."""

from pathlib import Path

from tenure.twins.gmail.records import Draft, Filter, Label, attach, mail
from tenure.twins.google import google_tokens
from tenure.world import Account, BaseBuilder
from tenure.world.ids import hex_id

from .make import ADA, BO, CY, DAY, HOUR, MINUTE, NOW, SEED, address, person

PEOPLE = (
    "Vera Vendor <vera@vendor.test>",
    "Noor Haddad <noor@brightline.test>",
    "Tomasz Kowalczyk <tomasz@kowalczyk.test>",
    "Ines Carvalho <ines.carvalho@meridian.test>",
    "Samuel Okafor <sam@okafor-partners.test>",
    "Li Wei <li.wei@northgate.test>",
    "Accounts Payable <ap@northgate.test>",
    "Maja Lindqvist <maja@fjallbacka.test>",
)
SUBJECTS = (
    ("Quarterly numbers for the board", "I put the draft deck in the shared folder. Can you check slide 7?"),
    ("Invoice 2026-118", "Please find the invoice attached. Payment within 30 days, as agreed."),
    ("Kick-off on Thursday", "Does 10:00 work for you? Maja and I will bring the revised scope."),
    (
        "Contract renewal: two open points",
        "Legal asked for a shorter notice period and a cap on travel costs.",
    ),
    ("Access to the staging system", "Your account is ready. Use the company sign-on; no extra password."),
    ("Notes from today's call", "Thanks for your time. Here is what I took away, and the next steps."),
    ("Lunch next week?", "I am in town from Tuesday. The place around the corner is open again."),
    ("Shipment delayed by two days", "The carrier missed the pick-up. New estimate: Wednesday afternoon."),
    ("Candidate shortlist", "Four people, ranked. I would start with the second one, honestly."),
    ("Re-send: travel receipts", "The last scan was unreadable. Could you upload the receipts again?"),
)
LABELS = (
    ("Clients", "#4a86e8", "#ffffff"),
    ("Clients/Meridian", "", ""),
    ("Finance", "#16a766", "#ffffff"),
    ("Hiring", "", ""),
)


def _start(path: Path) -> BaseBuilder:
    builder = BaseBuilder(path, now=NOW, seed=SEED).__enter__()
    for account in (ADA, BO, CY):
        zone = "Europe/Berlin" if account == ADA else "UTC"
        builder.add(Account(id=account, email=address(account), name=f"{account.title()} Example", zone=zone))
        for credential in google_tokens(SEED, account):
            builder.add(credential)
    return builder


def _id(builder: BaseBuilder) -> str:
    return hex_id(builder.seed, "gmail.message", builder.next("gmail.message"))


def empty(path: Path) -> Path:
    """Ada's mailbox without a single message."""
    builder = _start(path)
    builder.__exit__(None)
    return path


def full(path: Path, threads: int = 120) -> Path:
    """Ada's mailbox with some months of mail: every list has something, the inbox has pages."""
    builder = _start(path)
    for name, background, text in LABELS:
        number = builder.next("gmail.label")
        builder.add(
            Label(id=f"Label_{number}", account=ADA, name=name, background_color=background, text_color=text)
        )
    pdf = attach(builder.blob, "invoice-2026-118.pdf", b"%PDF-1.4 an invoice " * 900)
    sheet = attach(builder.blob, "numbers.csv", b"quarter,revenue\nQ3,1204000\n" * 40)
    for n in range(threads):
        subject, text = SUBJECTS[n % len(SUBJECTS)]
        sender = PEOPLE[n * 3 % len(PEOPLE)]
        name = sender.partition(" ")[0]
        at = NOW - 37 * MINUTE - n * 5 * HOUR
        labels = ["INBOX"]
        labels += ["STARRED"] * (n % 9 == 2) + ["IMPORTANT"] * (n % 4 == 0) + ["Label_3"] * (n % 10 == 1)
        labels += ["Label_1", "Label_2"] * (n % 12 == 3) + ["Label_4"] * (n % 10 == 8)
        first = mail(
            account=ADA,
            id=_id(builder),
            sender=sender,
            to=[person(ADA)],
            cc=[person(CY)] if n % 5 == 0 else [],
            subject=f"{subject}" + (f" ({n // len(SUBJECTS) + 1})" if n >= len(SUBJECTS) else ""),
            text=f"Hi Ada,\n\n{text}\n\nBest,\n{name}",
            at=at,
            labels=labels,
            unread=n % 6 == 0,
            attachments=[pdf, sheet] if n % 10 == 0 else [pdf] if n % 10 == 1 else [],
        )
        builder.add(first)
        last = first
        for turn in range(n % 4 if n % 7 == 0 else 0):
            mine = turn % 2 == 0
            last = mail(
                account=ADA,
                id=_id(builder),
                thread=first.thread,
                sender=person(ADA) if mine else sender,
                to=[sender if mine else person(ADA)],
                subject=f"Re: {first.subject}",
                text="Thanks, I will look at it today." if mine else "Great. Tell me if anything is unclear.",
                at=at + (turn + 1) * 12 * MINUTE,
                labels=["SENT"] if mine else ["INBOX"],
                in_reply_to=last.message_id,
                references=[*last.references, last.message_id],
            )
            builder.add(last)
    for n, (category, sender, subject, text) in enumerate(
        (
            (
                "SOCIAL",
                "Circle <notify@circle.test>",
                "Noor mentioned you",
                "See what Noor wrote about the launch.",
            ),
            (
                "PROMOTIONS",
                "Paper & Pen <news@paperpen.test>",
                "Autumn sale: notebooks",
                "Everything for the desk, 20% off.",
            ),
            (
                "PROMOTIONS",
                "Rail Club <club@rail.test>",
                "Your points expire soon",
                "Use them for an upgrade until October.",
            ),
            (
                "UPDATES",
                "Calendar <calendar@acme.test>",
                "Reminder: board meeting",
                "Thursday, 10:00 to 11:30, room Kiel.",
            ),
            (
                "FORUMS",
                "Ops list <ops@lists.test>",
                "[ops] Maintenance window",
                "Saturday night, two hours, all regions.",
            ),
        )
    ):
        html = f"<h3>{subject}</h3><p>{text}</p><p><a href='https://example.test/'>Read more</a></p>"
        builder.add(
            mail(
                account=ADA,
                id=_id(builder),
                sender=sender,
                to=[person(ADA)],
                subject=subject,
                html=html,
                at=NOW - (n + 3) * HOUR,
                labels=["INBOX", f"CATEGORY_{category}"],
                unread=n % 2 == 0,
            )
        )
    for n, place in enumerate(("TRASH", "TRASH", "SPAM", "SPAM", "SPAM")):
        builder.add(
            mail(
                account=ADA,
                id=_id(builder),
                sender=f"Lucky Winner <win{n}@prize.test>" if place == "SPAM" else PEOPLE[n],
                to=[person(ADA)],
                subject=f"You have been chosen ({n})" if place == "SPAM" else f"Old newsletter ({n})",
                text="Send us your details to claim it." if place == "SPAM" else "Nothing to see.",
                at=NOW - (n + 1) * DAY,
                labels=[place],
                unread=place == "SPAM",
            )
        )
    for n in range(2):
        letter = mail(
            account=ADA,
            id=_id(builder),
            sender=person(ADA),
            to=[PEOPLE[n + 1]],
            subject=("Offer for phase two", "Directions to the office")[n],
            text="Dear Noor,\n\nas discussed, here is our offer.",
            at=NOW - (n + 1) * 2 * HOUR,
            labels=["DRAFT"],
        )
        builder.add(letter)
        builder.add(Draft(id=f"r-10{n}", account=ADA, message=letter.id, updated=letter.internal_date))
    builder.add(
        Filter(
            id="ANe1Bfilter",
            account=ADA,
            criteria={"from": "ap@northgate.test", "hasAttachment": True},
            action={"addLabelIds": ["Label_3"], "removeLabelIds": ["INBOX"]},
            created=NOW - 30 * DAY,
        )
    )
    builder.__exit__(None)
    return path


def overlong(path: Path) -> Path:
    """Ada's mailbox where every text is too long for its place, or in another script."""
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"
    builder = _start(path)
    for n in range(14):
        builder.add(
            Label(
                id=f"Label_{builder.next('gmail.label')}",
                account=ADA,
                name=f"{word}/{n} of a very long list of labels",
            )
        )
    files = [attach(builder.blob, f"{word}-{word}-version-{n}.pdf", b"x" * 5000) for n in range(6)]
    texts = (
        (f"{word * 3}", "Nospacesinthisonewhatsoever" * 60),
        ("A subject that goes on and on, well past the end of the line, " * 5, "Short."),
        ("四半期の数字と取締役会の資料について", "ご確認をお願いいたします。" * 40),
        ("تقرير الربع الثالث", "الرجاء مراجعة الأرقام المرفقة قبل الاجتماع. " * 20),
        ('<script>alert(1)</script> & "quotes"', "<b>not bold</b> https://example.test/" + "path/" * 60),
        ("", ""),
        ("🎉🎉🎉 Zażółć gęślą jaźń", "Línea tras línea\n" * 200),
    )
    for n, (subject, text) in enumerate(texts):
        builder.add(
            mail(
                account=ADA,
                id=_id(builder),
                sender=f"{word} von und zu {word} <{'long' * 12}@{'domain' * 8}.test>",
                to=[person(ADA), *(f"Person Number {i} <person{i}@acme.test>" for i in range(60))],
                cc=[person(CY)],
                subject=subject,
                text=text,
                at=NOW - n * DAY * 40,
                labels=["INBOX", "STARRED", *(f"Label_{i + 1}" for i in range(n * 2))],
                unread=n % 2 == 0,
                attachments=files[:n],
            )
        )
    builder.__exit__(None)
    return path
