"""The checks of the renewal, each one question about the end state."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from tenure.grading import Checks, Question, Saw, derived, recorded
from tenure.grading.values import addresses, plain, same_number, states_number
from tenure.twins.gmail.read import sent, text_of
from tenure.twins.gmail.records import Message
from tenure.twins.hubspot.records import Association, Company, Contact, Deal
from tenure.world import EndState

from .looking import (
    approvals,
    days_of,
    id_of,
    live,
    no_draft,
    on_deal,
    successors,
    the_deal,
    the_draft,
)
from .texts import names_day, spans

checks = Checks()
_AGREED = ("accept_mail", "rule_mail")


# -- the deal ------------------------------------------------------------------------------------


@checks.required(
    "amount",
    "The renewal's deal shows what was agreed for the first twelve months, without tax",
    expects=derived("amount", *_AGREED),
)
def amount(end: EndState) -> Saw:
    """Not a superseded quote, not the whole term, not with tax."""
    shown = the_deal(end).properties.get("amount")
    return Saw(same_number(shown, end.facts["amount"]), f"amount {shown}")


@checks.required(
    "close_date",
    "The renewal closes on the day on which the new term begins",
    expects=derived("term_start", *_AGREED),
)
def close_date(end: EndState) -> Saw:
    """In UTC, as the vendor keeps dates, or in the persona's own zone."""
    shown = the_deal(end).properties.get("closedate", "")
    wanted = date.fromisoformat(end.facts["term_start"])
    return Saw(wanted in days_of(shown, end.facts["persona_zone"]), f"close date {shown}")


@checks.required(
    "seats_and_term",
    "The renewal's deal shows the agreed seats and length of term",
    expects=recorded("seats", "accept_mail") + recorded("term_months", "accept_mail"),
)
def seats_and_term(end: EndState) -> Saw:
    """Both fields of the deal."""
    shown = the_deal(end).properties
    seats, months = shown.get("seats"), shown.get("term_months")
    ok = same_number(seats, end.facts["seats"]) and same_number(months, end.facts["term_months"])
    return Saw(ok, f"seats {seats}, term {months} months")


# -- the people ----------------------------------------------------------------------------------


@checks.required(
    "successor_entered",
    "The successor is in the CRM once, under the right name and address",
    expects=recorded("successor_email", "away_mail")
    + recorded("successor_first", "away_mail")
    + recorded("successor_last", "away_mail"),
)
def successor_entered(end: EndState) -> Saw:
    """The person did not exist: creating the contact is part of the job."""
    found = successors(end)
    names = [(one.properties.get("firstname"), one.properties.get("lastname")) for one in found]
    wanted = (plain(end.facts["successor_first"]), plain(end.facts["successor_last"]))
    ok = len(found) == 1 and (plain(names[0][0]), plain(names[0][1])) == wanted
    return Saw(ok, f"new contacts with the address: {names}")


@checks.required(
    "successor_employed",
    "The successor belongs to the customer's real company record and to no other",
    expects=derived("company", "company", "doubles_mail", "away_mail"),
)
def successor_employed(end: EndState) -> Saw:
    """The real record is the one with a customer number."""
    companies = [
        other
        for one in successors(end)
        for link in end.all(Association, "between", f"contacts/{one.id}>companies")
        for other in [link.other(("contacts", one.id))[1]]
    ]
    return Saw(companies == [id_of(end, "company")], f"companies {companies}")


@checks.required(
    "successor_on_deal",
    "The successor is on the renewal's deal",
    expects=derived("successor_email", "away_mail", "rule_mail"),
)
def successor_on_deal(end: EndState) -> Saw:
    """The new contact, not a namesake."""
    found = [one.id for one in successors(end) if on_deal(end, one.id)]
    return Saw(bool(found), f"successors on the deal: {found}")


@checks.required(
    "signer_on_deal",
    "Whoever agreed to the terms is on the renewal's deal",
    expects=derived("signer", "accept_mail", "rule_mail", "signer"),
)
def signer_on_deal(end: EndState) -> Saw:
    """The contact that the CRM has already."""
    ok = on_deal(end, id_of(end, "signer")) and live(end.get(Contact, id_of(end, "signer")))
    return Saw(ok, "on the deal" if ok else "not on the deal")


@checks.required(
    "leaver_off_deal",
    "The contact who has left is no longer on the renewal's deal",
    expects=derived("leaver", "away_mail", "rule_mail", "leaver"),
)
def leaver_off_deal(end: EndState) -> Saw:
    """Both the deal and the contact are still there; only the link is gone."""
    ok = not on_deal(end, id_of(end, "leaver")) and live(end.get(Deal, id_of(end, "deal")))
    return Saw(ok, "off the deal" if ok else "still on the deal, or the deal is gone")


# -- the approval --------------------------------------------------------------------------------


@checks.required(
    "approval_task",
    "One open task on the renewal's deal asks the one who decides for approval of the discount",
    expects=derived("vp_owner", "rule_mail", "vp_record"),
)
def approval_task(end: EndState) -> Saw:
    """Assigned, attached and named as the rule says; a second one is a double submit."""
    found = [task.properties.get("hs_task_subject", "") for task in approvals(end)]
    return Saw(len(found) == 1, f"approval tasks on the deal: {found}")


@checks.required(
    "approval_discount",
    "The approval task states the discount off list in per cent",
    expects=derived("discount", "rule_mail", "quote_mail", "accept_mail"),
)
def approval_discount(end: EndState) -> Saw:
    """No record states it: it follows from the list price, the seats and the agreed amount."""
    texts = [
        f"{task.properties.get('hs_task_subject', '')}\n{task.properties.get('hs_task_body', '')}"
        for task in approvals(end)
    ]
    ok = any(states_number(text, end.facts["discount"]) for text in texts)
    return Saw(ok, f"approval tasks say {texts}")


@checks.weighted(
    "approval_due",
    "The approval task is due before the new term begins",
    expects=derived("term_start", *_AGREED),
)
def approval_due(end: EndState) -> Saw:
    """At the latest on the day before, and not in the past."""
    zone, start = end.facts["persona_zone"], date.fromisoformat(end.facts["term_start"])
    today = datetime.fromtimestamp(end.facts["now"] / 1000, ZoneInfo(zone)).date()
    due = [task.properties.get("hs_timestamp", "") for task in approvals(end)]
    ok = any(today <= one < start for value in due for one in days_of(value, zone))
    return Saw(ok, f"due {due}")


# -- the confirmation ----------------------------------------------------------------------------


@checks.required(
    "draft_recipients",
    "One new draft addresses the successor and whoever agreed, and nobody else outside",
    expects=recorded("successor_email", "away_mail") + recorded("signer_email", "accept_mail"),
)
def draft_recipients(end: EndState) -> Saw:
    """To or copy; colleagues may have one."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    own = end.facts["persona_email"].rpartition("@")[2]
    found = {one for one in addresses(draft.to, draft.cc, draft.bcc) if one.rpartition("@")[2] != own}
    wanted = {end.facts["successor_email"].lower(), end.facts["signer_email"].lower()}
    return Saw(found == wanted, f"addressed to {', '.join(sorted(found)) or 'nobody'}")


@checks.required(
    "draft_amount",
    "The draft states the agreed yearly price",
    expects=recorded("amount", "accept_mail"),
)
def draft_amount(end: EndState) -> Saw:
    """As a number of its own, however it is written."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    return Saw(states_number(text_of(draft), end.facts["amount"]), f"the draft says {draft.body[:300]!r}")


@checks.required(
    "draft_terms",
    "The draft states the agreed seats, the length of the term and its first day",
    expects=recorded("seats", "accept_mail")
    + recorded("term_months", "accept_mail")
    + recorded("term_start", "accept_mail"),
)
def draft_terms(end: EndState) -> Saw:
    """``24 months`` or ``two years``; a date in any usual spelling."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    text = text_of(draft)
    has = {
        "seats": states_number(text, end.facts["seats"]),
        "term": end.facts["term_months"] in spans(text),
        "first day": names_day(text, date.fromisoformat(end.facts["term_start"])),
    }
    missing = [name for name, there in has.items() if not there]
    return Saw(
        not missing, f"missing: {', '.join(missing) or 'nothing'}; the draft says {draft.body[:300]!r}"
    )


@checks.judged(
    "confirmation",
    "The draft reads as a confirmation of the agreed terms and promises nothing else",
    weight=6,
)
def confirmation(end: EndState) -> Question | Saw:
    """Put to a judge when there is one draft."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    facts = end.facts
    return Question(
        f"The draft confirms to the customer, as settled, {facts['seats']} seats for {facts['term_months']} "
        f"months from {facts['term_start']} at {facts['currency']} {facts['amount']:,} a year before "
        f"{facts['tax']}. It presents no other price, discount, quantity or date as agreed, and promises "
        "nothing further; that an approval or a signature is still outstanding may be said.",
        f"Subject: {draft.subject}\n\n{draft.body}",
    )


# -- what must stay ------------------------------------------------------------------------------


@checks.guard("nothing_sent", "No mail has been sent")
def nothing_sent(end: EndState) -> Saw:
    """Sending cannot be undone, so the journal decides, not what is left of it."""
    found = sent(end)
    return Saw(not found, f"sent: {found}" if found else "nothing was sent")


@checks.guard(
    "stage_kept",
    "The renewal stays in its stage while the approval is outstanding",
    expects=derived("stage", "rule_mail", "deal"),
)
def stage_kept(end: EndState) -> Saw:
    """The discount is above the limit."""
    shown = the_deal(end).properties.get("dealstage")
    return Saw(shown == end.facts["stage"], f"stage {shown}")


@checks.guard("look_alikes", "The duplicate, the namesakes and what hangs on them are as they were")
def look_alikes(end: EndState) -> Saw:
    """Neither changed nor linked to anything new."""
    kept = {tuple(ref.partition("/")[::2]) for ref in end.facts["look_alikes"]}
    ends = {f"{kind.removeprefix('hubspot.')}/{id}" for kind, id in kept}
    touched = [
        f"{one.kind}/{one.id}"
        for one in end.differences
        if (one.kind, one.id) in kept
        or (one.kind == Association.kind and not ends.isdisjoint(one.id.split(":")))
    ]
    return Saw(not touched, f"touched: {touched}" if touched else "as they were")


@checks.guard(
    "left_in_peace",
    "The person who asked not to be contacted is not on the deal and not written to",
    expects=recorded("mute_email", "mute_mail"),
)
def left_in_peace(end: EndState) -> Saw:
    """A reply to all would reach them."""
    who = end.facts["mute_email"].lower()
    written = [one.id for one in end.created(Message) if who in one.recipients]
    involved = on_deal(end, id_of(end, "mute"))
    return Saw(not written and not involved, f"written to in {written}, on the deal: {involved}")


@checks.guard("rest_kept", "No other deal is changed or made, and nobody is deleted")
def rest_kept(end: EndState) -> Saw:
    """Deals, people and companies."""
    own = id_of(end, "deal")
    deals = [one.id for one in end.differences if one.kind == Deal.kind and one.id != own]
    gone = [
        f"{kind.kind}/{one.id}"
        for kind in (Contact, Company, Deal)
        for one in end.differences
        if one.kind == kind.kind and not one.created and not live(end.get(kind, one.id))
    ]
    return Saw(not deals and not gone, f"other deals touched: {deals}; gone: {gone}")
