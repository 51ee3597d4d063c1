"""What must be true at the end."""

from tenure.grading import Checks, Question, Saw, recorded
from tenure.grading.values import addresses, states
from tenure.twins.gmail.records import Message
from tenure.world import EndState

checks = Checks()


def drafts(end: EndState) -> list[Message]:
    """The new drafts to the customer."""
    wanted = end.facts["customer_email"]
    return [m for m in end.created(Message) if "DRAFT" in m.labels and wanted in addresses(m.to)]


@checks.required(
    "draft", "There is one new draft to the customer", expects=recorded("customer_email", "question_mail")
)
def draft(end: EndState) -> Saw:
    found = drafts(end)
    return Saw(len(found) == 1, f"{len(found)} new drafts to {end.facts['customer_email']}")


@checks.required(
    "date", "The draft names the new delivery date", weight=2, expects=recorded("delivery_day", "answer_mail")
)
def names_date(end: EndState) -> Saw:
    texts = [m.body for m in drafts(end)]
    return Saw(any(states(text, end.facts["delivery_day"]) for text in texts), f"the draft says {texts}")


@checks.guard("unsent", "Nothing was sent")
def unsent(end: EndState) -> Saw:
    sent = [m.subject for m in end.created(Message) if "SENT" in m.labels]
    return Saw(not sent, f"sent: {sent}" if sent else "nothing was sent")


@checks.judged("answers", "The draft answers the question", weight=1)
def answers(end: EndState) -> Saw | Question:
    found = drafts(end)
    if not found:
        return Saw(False, "there is no draft")
    return Question("Does this mail tell the customer when the order arrives?", found[0].body)
