"""What tracker, books and ledger must hold at the end."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate import Answers, actual, roundup
from tenure.grading.operate.content import says
from tenure.grading.operate.state import new_rows, one_row, same_rows
from tenure.schema.evidence import Evidence, SqlProbe

PURCHASES = """
SELECT p.id, p.number, p.reference, p.state, p.purchase_date AS day, p.shipment_state, p.invoice_state,
  y.name AS party, t.name AS terms, p.description, p.comment
FROM purchase_purchase p JOIN party_party y ON y.id = p.party
LEFT JOIN account_invoice_payment_term t ON t.id = p.payment_term ORDER BY p.id"""
LINES = """
SELECT l.id, l.purchase, t.name AS product, l.quantity, l.type,
  CAST(CAST(l.unit_price AS TEXT) AS REAL) AS price,
  (SELECT sum(x.rate) FROM "purchase_line-account_tax" k JOIN account_tax x ON x.id = k.tax
   WHERE k.line = l.id) AS tax
FROM purchase_line l LEFT JOIN product_product v ON v.id = l.product
LEFT JOIN product_template t ON t.id = v.template ORDER BY l.id"""
OFFERS = """
SELECT s.id || ' / ' || coalesce(p.id, '-') AS id, y.name AS party, t.name AS product,
  CAST(CAST(p.unit_price AS TEXT) AS REAL) AS price
FROM purchase_product_supplier s JOIN party_party y ON y.id = s.party
JOIN product_template t ON t.id = s.template
LEFT JOIN purchase_product_supplier_price p ON p.product_supplier = s.id ORDER BY s.id"""
INVOICES = """
SELECT i.id, i.type, i.state, i.number, i.reference, i.invoice_date AS day, y.name AS party,
  CAST(CAST(i.total_amount_cache AS TEXT) AS REAL) AS total,
  (SELECT min(l.purchase) FROM account_invoice_line n
   JOIN purchase_line l ON n.origin = 'purchase.line,' || l.id WHERE n.invoice = i.id) AS purchase
FROM account_invoice i JOIN party_party y ON y.id = i.party ORDER BY i.id"""
PARTIES = """
SELECT y.id, y.name, y.code, y.active, s.name AS terms, c.name AS customer_terms, a.city,
  a.street_unstructured
FROM party_party y LEFT JOIN party_party_payment_term k ON k.party = y.id
LEFT JOIN account_invoice_payment_term s ON s.id = k.supplier_payment_term
LEFT JOIN account_invoice_payment_term c ON c.id = k.customer_payment_term
LEFT JOIN party_address a ON a.party = y.id GROUP BY y.id ORDER BY y.id"""
SUPPLIER, BOTTLE, PALLET = "Stroud Mill", "Bottle 0.33 l, brown", 84
REFUNDED, ORDERED, BILLED = "2026-10-30", "2026-11-02", 20260827
BUGS = "cannot be moved between halls"
checks = Answers(
    {
        "purchases": SqlProbe(app="tryton", query=PURCHASES),
        "lines": SqlProbe(app="tryton", query=LINES),
        "offers": SqlProbe(app="tryton", query=OFFERS),
        "invoices": SqlProbe(app="tryton", query=INVOICES),
        "parties": SqlProbe(app="tryton", query=PARTIES),
        **actual.PROBES,
        **roundup.PROBES,
    }
)
Row = Mapping[str, Any]


def _new(before: Evidence, after: Evidence, probe: str) -> list[Row]:
    return new_rows(before.rows(probe), after.rows(probe))


def _bugs(before: Evidence) -> list[Row]:
    """The bugs that the bottles explain, as far as they were not closed; the youngest last."""
    open_ = [row for row in before.rows("bugs") if BUGS in row["title"] and row["status"] != "closed"]
    return sorted(open_, key=lambda row: str(row["created"]))


def _bottles(before: Evidence) -> int:
    """How many go back."""
    return PALLET * len(_bugs(before))


def _with_bottles(before: Evidence, **where: str) -> Row:
    """Stroud Mill's youngest purchase of the bottles among those that hold some values."""
    mine = {row["purchase"] for row in before.rows("lines") if row["product"] == BOTTLE}
    return [
        row
        for row in sorted(before.rows("purchases"), key=lambda row: str(row["day"]))
        if row["party"] == SUPPLIER and row["id"] in mine and all(row[k] == v for k, v in where.items())
    ][-1]


def _arrived(before: Evidence) -> Row:
    """The purchase of which the bottles arrived last."""
    return _with_bottles(before, shipment_state="received")


def _bought(before: Evidence) -> Row:
    """Its line of the bottles."""
    purchase = _arrived(before)["id"]
    (line,) = [row for row in before.rows("lines") if (row["purchase"], row["product"]) == (purchase, BOTTLE)]
    return line


def _refund(before: Evidence) -> Decimal:
    """What the credit note comes to, with tax."""
    line, cent = _bought(before), Decimal("0.01")
    net = (Decimal(str(line["price"])) * _bottles(before)).quantize(cent, ROUND_HALF_UP)
    return net + (net * Decimal(str(line["tax"]))).quantize(cent, ROUND_HALF_UP)


def _other_offer(before: Evidence) -> Row:
    """What the bottles' other supplier offers."""
    (offer,) = [row for row in before.rows("offers") if row["product"] == BOTTLE and row["party"] != SUPPLIER]
    return offer


def _made(before: Evidence, after: Evidence, party: str) -> Row | None:
    """The new purchase of a supplier that stands; none where there are several."""
    new = _new(before, after, "purchases")
    found = [row for row in new if row["party"] == party and row["state"] != "cancelled"]
    return found[0] if len(found) == 1 else None


def _returned(before: Evidence, after: Evidence) -> Row:
    """The return; nothing where there is none."""
    return _made(before, after, SUPPLIER) or {}


def _its_lines(after: Evidence, purchase: Row | None) -> list[Row]:
    return [row for row in after.rows("lines") if purchase and row["purchase"] == purchase.get("id")]


@checks("return")
def returned(before: Evidence, after: Evidence) -> Saw:
    lines = _its_lines(after, _returned(before, after))
    fit = [row for row in lines if row["product"] == BOTTLE and (row["quantity"] or 0) < 0]
    return Saw(len(lines) == len(fit) == 1, f"{len(lines)} lines, {len(fit)} with bottles that go back")


@checks("as-many")
def as_many(before: Evidence, after: Evidence) -> Saw:
    lines = _its_lines(after, _returned(before, after))
    expects = {"quantity": -_bottles(before), "price": _bought(before)["price"]}
    return one_row(lines, {"product": BOTTLE}, expects)


@checks("referred")
def referred(before: Evidence, after: Evidence) -> Saw:
    expects = {"reference": f"Claim {_arrived(before)['reference']}"}
    return one_row([one for one in [_returned(before, after)] if one], {}, expects)


@checks("credit")
def credit(before: Evidence, after: Evidence) -> Saw:
    made = _returned(before, after)
    notes = [row for row in _new(before, after, "invoices") if made and row["purchase"] == made["id"]]
    expects = {"type": "in", "state": "posted", "day": REFUNDED, "party": SUPPLIER}
    return one_row(notes, {}, {**expects, "total": -_refund(before)})


@checks("replaced")
def replaced(before: Evidence, after: Evidence) -> Saw:
    offer = _other_offer(before)
    lines = _its_lines(after, _made(before, after, offer["party"]))
    expects = {"product": BOTTLE, "quantity": _bottles(before), "price": offer["price"]}
    return one_row(lines, {}, expects)


@checks("offered")
def offered(before: Evidence, after: Evidence) -> Saw:
    made, number = _made(before, after, _other_offer(before)["party"]), _returned(before, after).get("number")
    if made is None or not number:
        return Saw(False, "there is no such purchase" if made is None else "the return has no number")
    return one_row([made], {}, {"state": "quotation", "day": ORDERED, "reference": f"For return {number}"})


@checks("cancelled")
def cancelled(before: Evidence, after: Evidence) -> Saw:
    offer = _with_bottles(before, state="quotation")
    return one_row(after.rows("purchases"), {"id": offer["id"]}, {"state": "cancelled"})


@checks("terms")
def terms(before: Evidence, after: Evidence) -> Saw:
    (was,) = [row for row in before.rows("parties") if row["name"] == SUPPLIER]
    return one_row(after.rows("parties"), {"id": was["id"]}, {**was, "terms": "60 days"})


@checks("books")
def books(before: Evidence, after: Evidence) -> Saw:
    dealt_with = (SUPPLIER, _other_offer(before)["party"])
    new = [row for row in _new(before, after, "purchases") if row["party"] in dealt_with]
    ours = {row["id"] for row in new}
    returns = {row["id"] for row in new if row["party"] == SUPPLIER and row["state"] != "cancelled"}
    made = {
        "purchases": ours,
        "lines": {row["id"] for row in _new(before, after, "lines") if row["purchase"] in ours},
        "invoices": {row["id"] for row in _new(before, after, "invoices") if row["purchase"] in returns},
    }
    worked_on: dict[str, dict[Any, tuple[str, ...]]] = {
        "purchases": {_with_bottles(before, state="quotation")["id"]: _STATES},
        "parties": {row["id"]: ("terms",) for row in before.rows("parties") if row["name"] == SUPPLIER},
    }
    for probe in ("purchases", "lines", "invoices", "offers", "parties"):
        free = worked_on.get(probe, {})
        was, now = (
            [{**row, **dict.fromkeys(free.get(row["id"], ()), "")} for row in one.rows(probe)]
            for one in (before, after)
        )
        if not (seen := same_rows(was, now, "id", but=made.get(probe, ()))).ok:
            return Saw(False, f"{probe}: {seen.text}")
    return Saw(True, "as before")


_STATES = ("state", "shipment_state", "invoice_state")
"""What differs of a quotation that is cancelled."""


def _mine(before: Evidence) -> list[Row]:
    return [row for row in before.rows("entries") if row["payee"] == SUPPLIER]


def _usual(before: Evidence) -> str:
    """The category of the supplier's entries."""
    (usual,) = {row["category"] for row in _mine(before)} - {None}
    return str(usual)


def _bare(before: Evidence) -> Row:
    """The supplier's entry without a category."""
    (bare,) = [row for row in _mine(before) if not row["category"]]
    return bare


def _bill(before: Evidence) -> Row:
    """The bill whose amount is wrong."""
    (bill,) = [row for row in _mine(before) if row["day"] == BILLED]
    return bill


@checks("refund")
def refund(before: Evidence, after: Evidence) -> Saw:
    expects = {"account": "Current account", "day": int(REFUNDED.replace("-", ""))}
    return one_row(_new(before, after, "entries"), {}, {**expects, "amount": int(_refund(before) * 100)})


@checks("filed")
def filed(before: Evidence, after: Evidence) -> Saw:
    note = f"Refund for return {_returned(before, after).get('number')}"
    expects = {"payee": SUPPLIER, "category": _usual(before), "notes": note}
    return one_row(_new(before, after, "entries"), {}, expects)


@checks("category")
def category(before: Evidence, after: Evidence) -> Saw:
    bare = _bare(before)
    return one_row(after.rows("entries"), {"id": bare["id"]}, {**bare, "category": _usual(before)})


@checks("corrected")
def corrected(before: Evidence, after: Evidence) -> Saw:
    bill = _bill(before)
    return one_row(after.rows("entries"), {"id": bill["id"]}, {**bill, "amount": -6860})


@checks("ledger")
def ledger(before: Evidence, after: Evidence) -> Saw:
    new = [row["id"] for row in _new(before, after, "entries")]
    meant = [_bare(before)["id"], _bill(before)["id"]]
    return same_rows(before.rows("entries"), after.rows("entries"), "id", but=[*new, *meant])


@checks("task")
def task(before: Evidence, after: Evidence) -> Saw:
    title = f"Return {_returned(before, after).get('number')} to {SUPPLIER}"
    expects = {"title": title, "type": "operations", "priority": "high"}
    return one_row(_new(before, after, "tasks"), {}, expects)


@checks("assigned")
def assigned(before: Evidence, after: Evidence) -> Saw:
    expects = {"assigned": _bugs(before)[-1]["assignee"], "components": "stock"}
    return one_row(_new(before, after, "tasks"), {}, expects)


@checks("told")
def told(before: Evidence, after: Evidence) -> Saw:
    new = _new(before, after, "tasks")
    text = roundup.said(before, after, "task", new[0]["id"]) if len(new) == 1 else ""
    return says(text, [_bottles(before), _refund(before)])


@checks("closed")
def closed(before: Evidence, after: Evidence) -> Saw:
    wrong = []
    for bug in _bugs(before):
        expects = {**bug, "status": "closed", "resolution": "invalid"}
        seen = one_row(after.rows("bugs"), {"id": bug["id"]}, expects)
        wrong += [] if seen.ok else [f"bug {bug['id']}: {seen.text}"]
    return Saw(not wrong, "; ".join(wrong) or "all of them")


@checks("because")
def because(before: Evidence, after: Evidence) -> Saw:
    new = _new(before, after, "tasks")
    if len(new) != 1:
        return Saw(False, f"there are {len(new)} new tasks")
    name = f"task{new[0]['id']}"
    silent = [
        str(bug["id"])
        for bug in _bugs(before)
        if not says(roundup.said(before, after, "bug", bug["id"]), [name]).ok
    ]
    return Saw(not silent, f"not in {', '.join(silent)}" if silent else "in all of them")


@checks("tracker")
def tracker(before: Evidence, after: Evidence) -> Saw:
    return roundup.untouched(before, after, [bug["id"] for bug in _bugs(before)])
