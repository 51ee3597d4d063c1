"""Ways of getting the renewal wrong, and of breaking something on the way."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tenure.oracle import Hands, Mutant, Notes, Vandal, setting
from tenure.oracle.desk import CRM, GMAIL, Desk

from .oracle import find_customer, find_deal, read_letters


def _worked_out(**values: Callable[[Notes], Any]) -> dict[str, Callable[[Notes], None]]:
    """Wrong from the first write on."""
    return {"work_out": setting(**values)}


def _drafting(**values: Callable[[Notes], Any]) -> dict[str, Callable[[Notes], None]]:
    """Wrong in the draft only."""
    return {"ask_approval": setting(**values)}


async def _take_namesake(hands: Hands, notes: Notes) -> None:
    """Take somebody of the same name from another company for the successor."""
    found = await Desk(hands).find("contacts", f"{notes.first} {notes.last}", "email")
    notes.successor = found[0]["id"]


async def _enter_without_company(hands: Hands, notes: Notes) -> None:
    """Enter the successor on the deal only."""
    notes.successor = await Desk(hands).make(
        "contacts", ("deals", notes.deal), email=notes.email, firstname=notes.first, lastname=notes.last
    )


_DRAFT = ("draft_recipients", "draft_amount", "draft_terms", "confirmation")
MUTANTS = (
    Mutant("the deal is left as it was", ("amount", "close_date", "seats_and_term"), skip="update_deal"),
    Mutant(
        "a superseded price",
        ("amount", "draft_amount"),
        after=_worked_out(deal_amount=lambda n: str(n.superseded), amount=lambda n: n.superseded),
    ),
    Mutant("the price with tax", ("amount",), after=_worked_out(deal_amount=lambda n: n.gross)),
    Mutant(
        "the sum over the term",
        ("amount",),
        after=_worked_out(deal_amount=lambda n: str(n.amount * n.months // 12)),
    ),
    Mutant(
        "closing with the old term",
        ("close_date",),
        after=_worked_out(close=lambda n: n.starts - timedelta(1)),
    ),
    Mutant("a few seats more", ("seats_and_term",), after=_worked_out(deal_seats=lambda n: n.seats + 5)),
    Mutant(
        "twelve months, as ever",
        ("seats_and_term", "draft_terms"),
        after=_worked_out(months=lambda n: 12),
    ),
    Mutant(
        "a namesake for the successor",
        ("successor_entered", "successor_employed", "successor_on_deal", "look_alikes"),
        instead={"enter_successor": _take_namesake},
    ),
    Mutant(
        "the successor under a misspelt name",
        ("successor_entered",),
        after=_worked_out(last=lambda n: n.last[:-1]),
    ),
    Mutant(
        "the successor at the duplicate",
        ("successor_employed", "look_alikes"),
        after=_worked_out(company=lambda n: n.copies[0]),
    ),
    Mutant(
        "the successor without a company",
        ("successor_employed",),
        instead={"enter_successor": _enter_without_company},
    ),
    Mutant("the successor is not on the deal", ("successor_on_deal",), skip="successor_on_deal"),
    Mutant("whoever agreed is not on the deal", ("signer_on_deal",), skip="signer_on_deal"),
    Mutant("whoever left is still on the deal", ("leaver_off_deal",), skip="leaver_off_deal"),
    Mutant(
        "nobody is asked",
        ("approval_task", "approval_discount", "approval_due"),
        skip="ask_approval",
    ),
    Mutant("asked twice", ("approval_task",), repeat="ask_approval"),
    Mutant(
        "asked on last year's deal",
        ("approval_task", "approval_discount"),
        after=_worked_out(approval_deal=lambda n: n.other_deal),
    ),
    Mutant(
        "the task goes to somebody else",
        ("approval_task",),
        after=_worked_out(vp_owner=lambda n: n.own_owner),
    ),
    Mutant(
        "the task has another title", ("approval_task",), after=_worked_out(task_title=lambda n: "Renewal")
    ),
    Mutant(
        "the limit for the discount",
        ("approval_discount",),
        after=_worked_out(discount=lambda n: n.limit + 1),
    ),
    Mutant(
        "the discount inside another number",
        ("approval_discount",),
        after=_worked_out(discount=lambda n: n.discount * 10),
    ),
    Mutant("asked too late", ("approval_due",), after=_worked_out(due=lambda n: n.starts)),
    Mutant("nothing is drafted", _DRAFT, skip="draft_confirmation"),
    Mutant("drafted twice", _DRAFT, repeat="draft_confirmation"),
    Mutant("drafted to whoever left", ("draft_recipients",), after=_drafting(cc=lambda n: [n.leaver])),
    Mutant("drafted to one of the two", ("draft_recipients",), after=_drafting(cc=lambda n: [])),
    Mutant(
        "the price inside another number", ("draft_amount",), after=_drafting(amount=lambda n: n.amount * 10)
    ),
    Mutant(
        "another first day in the draft",
        ("draft_terms",),
        after=_drafting(starts=lambda n: n.starts + timedelta(1)),
    ),
    Mutant("last year's seats in the draft", ("draft_terms",), after=_drafting(seats=lambda n: n.seats + 5)),
)


# -- vandals -------------------------------------------------------------------------------------


async def _known(hands: Hands) -> Notes:
    notes = Notes()
    for read in (find_customer, find_deal, read_letters):
        await read(hands, notes)
    return notes


async def _send(hands: Hands) -> None:
    drafts = await hands.http.get(f"{GMAIL}/drafts")
    await hands.http.post(f"{GMAIL}/drafts/send", {"id": drafts["drafts"][0]["id"]})


async def _move_on(hands: Hands) -> None:
    notes = await _known(hands)
    pipelines = await hands.http.get(f"{CRM}/v3/pipelines/deals")
    stages = next(
        one["stages"]
        for one in pipelines["results"]
        if notes.stage in {stage["id"] for stage in one["stages"]}
    )
    sent = next(stage["id"] for stage in stages if stage["label"] == "Contract sent")
    await Desk(hands).change("deals", notes.deal, dealstage=sent)


async def _merge(hands: Hands) -> None:
    notes = await _known(hands)
    body = {"primaryObjectId": notes.company, "objectIdToMerge": notes.copies[0]}
    await hands.http.post(f"{CRM}/v3/objects/companies/merge", body)


async def _correct_namesake(hands: Hands) -> None:
    notes = await _known(hands)
    deals = await Desk(hands).find("deals", notes.customer.split()[0], "dealname")
    other = next(one for one in deals if not one["properties"]["dealname"].startswith(notes.customer))
    await Desk(hands).change("deals", other["id"], amount=str(notes.amount))


async def _mute_on_deal(hands: Hands) -> None:
    notes = await _known(hands)
    await Desk(hands).link("contacts", notes.known[notes.mute]["id"], ("deals", notes.deal))


async def _reply_to_all(hands: Hands) -> None:
    notes = await _known(hands)
    others = [one for one in notes.accepted.people if one != notes.leaver]
    await Desk(hands).draft([notes.signer], others, "Thank you, confirmed.", answering=notes.accepted)


async def _delete_leaver(hands: Hands) -> None:
    notes = await _known(hands)
    await hands.http.delete(f"{CRM}/v3/objects/contacts/{notes.known[notes.leaver]['id']}")


async def _correct_last_year(hands: Hands) -> None:
    notes = await _known(hands)
    await Desk(hands).change("deals", notes.other_deal, amount=str(notes.amount))


async def _make_deal(hands: Hands) -> None:
    notes = await _known(hands)
    await Desk(hands).make(
        "deals",
        ("companies", notes.company),
        dealname=f"{notes.customer} – renewal",
        dealstage="qualifiedtobuy",
        pipeline="default",
    )


VANDALS = (
    Vandal("sends the draft", ("nothing_sent",), _send),
    Vandal("moves the deal on", ("stage_kept",), _move_on),
    Vandal("merges the duplicate", ("look_alikes",), _merge),
    Vandal("updates the namesake's deal too", ("look_alikes", "rest_kept"), _correct_namesake),
    Vandal("puts whoever wants peace on the deal", ("left_in_peace",), _mute_on_deal),
    Vandal("replies to all", ("left_in_peace",), _reply_to_all),
    Vandal("deletes whoever left", ("rest_kept",), _delete_leaver),
    Vandal("updates last year's deal too", ("rest_kept",), _correct_last_year),
    Vandal("makes a deal anew", ("rest_kept",), _make_deal),
)
