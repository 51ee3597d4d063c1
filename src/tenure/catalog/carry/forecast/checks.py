"""The checks of the forecast, each one question about the end state."""

from datetime import datetime
from zoneinfo import ZoneInfo

from tenure.grading import Checks, Question, Saw, derived, instructed, recorded
from tenure.grading.values import addresses, mentions, numbers, plain, same_number, states, states_number
from tenure.twins.gmail.read import sent, text_of
from tenure.twins.sheets.times import serial_of
from tenure.world import EndState

from .looking import (
    MONEY,
    beside,
    book_id,
    figure,
    listed,
    near,
    no_draft,
    rate_cells,
    rows_of,
    the_draft,
)

checks = Checks()
_SUMS = ("deal_records", "readme", "rate_mail")


# -- the rows ------------------------------------------------------------------------------------


@checks.required(
    "every_deal",
    "Every deal that is open in the pipeline has one row, and no row is lost",
    expects=derived("open_ids", "deal_records", "readme"),
)
def every_deal(end: EndState) -> Saw:
    """By the deal's id; a row written once stays."""
    found = listed(end)
    counts = {id: len(found.get(id, ())) for id in end.facts["deals"]}
    wrong = {id: n for id, n in counts.items() if n != 1}
    return Saw(not wrong, f"rows per deal that is not there once: {wrong}" if wrong else "each has one row")


@checks.required(
    "as_in_hubspot",
    "The row of every open deal shows the stage, the amount and the currency that HubSpot has today",
    expects=derived("deals", "deal_records", "readme"),
)
def as_in_hubspot(end: EndState) -> Saw:
    """A promised amount is no amount."""
    wrong = []
    for id, row in rows_of(end, "open_ids").items():
        want = end.facts["deals"][id]
        if (
            row is None
            or plain(row.stage) != plain(want["stage"])
            or not same_number(row.amount, want["amount"])
            or plain(row.currency) != plain(want["currency"])
        ):
            wrong.append(f"{id}: {row.seen if row else 'no single row'}")
    return Saw(not wrong, "; ".join(wrong) or "as in HubSpot")


@checks.required(
    "categories",
    "Every deal that counts has the category of its stage",
    expects=derived("counted_ids", "deal_records", "readme"),
)
def categories(end: EndState) -> Saw:
    """Also the one whose last contact is just within the limit, and the one that was stale before."""
    wrong = []
    for id, row in rows_of(end, "counted_ids").items():
        if row is None or row.category != end.facts["deals"][id]["category"]:
            wrong.append(f"{id}: {row.seen if row else 'no single row'}")
    return Saw(not wrong, "; ".join(wrong) or "all have theirs")


@checks.required(
    "stale_out",
    "The stale deals, and only those, are left out as stale",
    expects=derived("stale_ids", "deal_records", "stale_rule"),
)
def stale_out(end: EndState) -> Saw:
    """By the last contact or by the close date, as the read-me tab says."""
    marked = {id for id, rows in listed(end).items() if any(mentions(one.left, "stale") for one in rows)}
    silent = {id for id, row in rows_of(end, "stale_ids").items() if row is not None and not row.category}
    wanted = set(end.facts["stale_ids"])
    return Saw(marked == wanted == silent, f"marked {sorted(marked)}, without category {sorted(silent)}")


@checks.required(
    "twice_out",
    "Of the deals booked twice the one created first counts, and the other is left out as twice",
    expects=derived("twice_ids", "deal_records", "readme", "double_mail", "double_note"),
)
def twice_out(end: EndState) -> Saw:
    """A mail tells of one of them, a note in HubSpot of the other."""
    later, first = rows_of(end, "twice_ids"), rows_of(end, "first_ids")
    out = all(row is not None and not row.category and mentions(row.left, "twice") for row in later.values())
    counts = all(row is not None and row.category for row in first.values())
    seen = {id: row.seen if row else "no single row" for id, row in (later | first).items()}
    return Saw(out and counts, f"{seen}")


@checks.required(
    "others_out",
    "Deals that are signed, lost or too early have no category",
    expects=derived("other_ids", "deal_records", "readme"),
)
def others_out(end: EndState) -> Saw:
    """Which stages count is said in the read-me tab."""
    wrong = [
        f"{id}: {row.seen if row else 'no single row'}"
        for id, row in rows_of(end, "other_ids").items()
        if row is None or row.category
    ]
    return Saw(not wrong, "; ".join(wrong) or "none has one")


# -- the figures ---------------------------------------------------------------------------------


@checks.required(
    "rate",
    "The rates tab has the rate that finance fixed for the quarter",
    expects=recorded("rate", "rate_mail"),
)
def rate(end: EndState) -> Saw:
    """In one row of that quarter; neither the last quarter's nor a bank's."""
    found = list(rate_cells(end).values())
    ok = len(found) == 1 and isinstance(found[0], float | int) and same_number(found[0], end.facts["rate"])
    return Saw(ok, f"rates of {end.facts['quarter']}: {found}")


@checks.required(
    "summary_commit", "The summary shows the right total of Commit", expects=derived("commit", *_SUMS)
)
def summary_commit(end: EndState) -> Saw:
    """In the company's currency."""
    shown = figure(end, "Commit", end.facts["home"]).value
    return Saw(near(shown, end.facts["commit"]), f"Commit {shown}")


@checks.required(
    "summary_best", "The summary shows the right total of Best case", expects=derived("best", *_SUMS)
)
def summary_best(end: EndState) -> Saw:
    """In the company's currency."""
    shown = figure(end, "Best case", end.facts["home"]).value
    return Saw(near(shown, end.facts["best"]), f"Best case {shown}")


@checks.required(
    "summary_count", "The summary counts the right number of deals", expects=derived("count", *_SUMS)
)
def summary_count(end: EndState) -> Saw:
    """In the row of the total."""
    shown = figure(end, "Total", "Deals").value
    return Saw(isinstance(shown, int | float) and same_number(shown, end.facts["count"]), f"{shown} deals")


@checks.required(
    "formulas",
    "The summary's totals are formulas that depend on every deal's amount and on the quarter's rate",
    expects=derived("deals", "readme", "deal_records"),
)
def formulas(end: EndState) -> Saw:
    """Through as many cells as it takes; a typed number on the way ends the trail."""
    facts, problems = end.facts, []
    rows, rates = rows_of(end, "counted_ids"), set(rate_cells(end))
    for label in ("Commit", "Best case"):
        total = figure(end, label, facts["home"])
        counted = {id: row for id, row in rows.items() if facts["deals"][id]["category"] == label}
        missing = [id for id, row in counted.items() if row is None or row.amount_at not in total.sources]
        if missing or not rates & total.sources:
            rest = "" if rates & total.sources else ", nor on the rate"
            problems.append(f"{label} does not depend on the amounts of {missing}{rest}")
    total = figure(end, "Total", "Deals")
    if not total.formula or any(row is None or row.category_at not in total.sources for row in rows.values()):
        problems.append("the number of deals does not depend on every deal")
    return Saw(not problems, "; ".join(problems) or "all are calculated")


@checks.weighted("as_of", "The summary says that it is of today", expects=instructed("today"))
def as_of(end: EndState) -> Saw:
    """In the persona's zone; a date, or one in words."""
    shown = beside(end, "As of")
    now = datetime.fromtimestamp(end.facts["now"] / 1000, ZoneInfo(end.facts["persona_zone"]))
    today = now.date()
    ok = states(shown, today.isoformat()) if isinstance(shown, str) else shown == serial_of(today)
    return Saw(ok, f"as of {shown}")


# -- the note ------------------------------------------------------------------------------------


@checks.required(
    "draft_recipient",
    "One new draft is addressed to finance, and to nobody outside",
    expects=recorded("finance_email", "rate_mail"),
)
def draft_recipient(end: EndState) -> Saw:
    """Colleagues may have a copy."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    own = end.facts["persona_email"].rpartition("@")[2]
    found = addresses(draft.to, draft.cc, draft.bcc)
    outside = {one for one in found if one.rpartition("@")[2] != own}
    ok = end.facts["finance_email"].lower() in addresses(draft.to) and not outside
    return Saw(ok, f"addressed to {', '.join(sorted(found)) or 'nobody'}")


@checks.required(
    "draft_figures",
    "The draft states both totals and the rate",
    expects=derived("commit", *_SUMS) + derived("best", *_SUMS) + recorded("rate", "rate_mail"),
)
def draft_figures(end: EndState) -> Saw:
    """Each as a number of its own; totals may be rounded to whole units."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    text = text_of(draft)
    stated = [float(one) for one in numbers(text)]
    missing = [
        name for name in ("commit", "best") if not any(abs(one - end.facts[name]) < MONEY for one in stated)
    ]
    missing += [] if states_number(text, end.facts["rate"]) else ["rate"]
    return Saw(
        not missing, f"missing: {', '.join(missing) or 'nothing'}; the draft says {draft.body[:400]!r}"
    )


@checks.required(
    "draft_left_out",
    "The draft names the customers that were left out as stale",
    expects=derived("stale_customers", "rate_mail", "stale_rule", "deal_records"),
)
def draft_left_out(end: EndState) -> Saw:
    """Finance asked for the names."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    missing = [name for name in end.facts["stale_customers"] if not mentions(text_of(draft), name)]
    return Saw(not missing, f"missing: {', '.join(missing) or 'nobody'}")


@checks.judged(
    "note", "The draft reads as a note to finance on the forecast and claims nothing that is not so", weight=6
)
def note(end: EndState) -> Question | Saw:
    """Put to a judge when there is one draft."""
    draft = the_draft(end)
    if draft is None:
        return no_draft(end)
    facts = end.facts
    return Question(
        f"The draft is a note to a colleague in finance on the {facts['region']} forecast for the board pack "
        f"of {facts['quarter']}. It gives, as the result, Commit of about {facts['home']} "
        f"{facts['commit']:,.0f} and Best case of about {facts['home']} {facts['best']:,.0f} at a rate of "
        f"{facts['rate']}, and names as left out for being stale these customers and no others: "
        f"{', '.join(facts['stale_customers'])}. It gives no other amount as the forecast.",
        f"Subject: {draft.subject}\n\n{draft.body}",
    )


# -- what must stay ------------------------------------------------------------------------------


@checks.guard("nothing_sent", "No mail has been sent")
def nothing_sent(end: EndState) -> Saw:
    """Sending cannot be undone, so the journal decides, not what is left of it."""
    found = sent(end)
    return Saw(not found, f"sent: {found}" if found else "nothing was sent")


@checks.guard("reported_kept", "The closed quarter, the earlier rates and the read-me tab are as they were")
def reported_kept(end: EndState) -> Saw:
    """What was reported stays as it was reported."""
    facts = end.facts
    touched = [
        f"{one.kind}/{one.id}"
        for one in end.differences
        if (one.kind == "sheets.row" and one.id in facts["kept_rows"])
        or (one.kind == "sheets.row" and one.id.rpartition("/")[0] in facts["kept_tabs"])
        or (one.kind == "sheets.sheet" and (one.id in facts["kept_tabs"] or one.deleted))
    ]
    return Saw(not touched, f"touched: {touched}" if touched else "as they were")


@checks.guard("other_books", "No other spreadsheet is changed or made, and none is shared or renamed")
def other_books(end: EndState) -> Saw:
    """The old forecast is with the auditors."""
    own = book_id(end)
    touched = [
        f"{one.kind}/{one.id}"
        for one in end.differences
        if one.kind.startswith("google.")
        or (one.kind.startswith("sheets.") and one.id.partition("/")[0] != own)
    ]
    return Saw(not touched, f"touched: {touched}" if touched else "as they were")


@checks.guard("crm_kept", "HubSpot is as it was")
def crm_kept(end: EndState) -> Saw:
    """The deals are read, not mended; doubles least of all."""
    touched = [f"{one.kind}/{one.id}" for one in end.differences if one.kind.startswith("hubspot.")]
    return Saw(not touched, f"touched: {touched}" if touched else "as it was")
