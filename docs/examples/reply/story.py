"""A customer asks for a date; the warehouse says it, after it had said another."""

import random
from datetime import date, timedelta
from types import SimpleNamespace

from tenure.twins.gmail.records import mail
from tenure.world.ids import hex_id

HOUR = 3_600_000


def plant(company: SimpleNamespace) -> None:
    """Write the three mails and the facts."""
    base, chance = company.base, random.Random(company.seed)
    name = chance.choice(["Bo Lindqvist", "Cy Marsh", "Dora Pech"])
    address = name.split()[0].lower() + "@customer.example"
    day = date(2026, 3, 9) + timedelta(days=chance.randrange(5))
    first = day - timedelta(days=3)

    def add(sender: str, subject: str, text: str, hours_ago: int) -> str:
        id = hex_id(company.seed, "gmail.message", base.next("gmail.message"))
        base.add(
            mail(
                account="ana",
                id=id,
                sender=sender,
                to=["Ana Novak <ana@harbor.example>"],
                subject=subject,
                text=text,
                at=base.now - hours_ago * HOUR,
                labels=["INBOX"],
                unread=True,
            )
        )
        return id

    warehouse = "Warehouse <warehouse@harbor.example>"
    add(warehouse, f"Order for {name}", f"Planned delivery: {first.isoformat()}.", 50)
    question = add(f"{name} <{address}>", "Our order", "Hello Ana, when will our order arrive?", 20)
    answer = add(
        warehouse, f"Order for {name}, changed", f"The truck is late. New delivery: {day.isoformat()}.", 10
    )
    base.facts |= {
        "customer_name": name,
        "customer_email": address,
        "delivery_day": day.isoformat(),
        "question_mail": f"gmail.message/{question}",
        "answer_mail": f"gmail.message/{answer}",
    }
