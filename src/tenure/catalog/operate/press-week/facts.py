"""What the press house and the handbook say before the work, and what follows from it."""

import re
from calendar import monthrange
from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from tenure.grading.operate import wiki
from tenure.schema.evidence import Evidence, Probe, SqlProbe

MOVES = """
SELECT m.id, l.number AS lot, t.code AS product, t.name, m.quantity, u.symbol AS unit, m.state,
  f.name AS source, o.name AS target, m.effective_date AS day, m.shipment, m.production_input AS used_by,
  m.production_output AS made_by
FROM stock_move m LEFT JOIN stock_lot l ON l.id = m.lot JOIN product_product p ON p.id = m.product
JOIN product_template t ON t.id = p.template JOIN product_uom u ON u.id = m.unit
JOIN stock_location f ON f.id = m.from_location JOIN stock_location o ON o.id = m.to_location ORDER BY m.id"""
LOTS = """
SELECT l.id, l.number, l.active, t.code AS product, l.shelf_life_expiration_date AS until,
  t.shelf_life_time AS keeps
FROM stock_lot l JOIN product_product p ON p.id = l.product JOIN product_template t ON t.id = p.template
ORDER BY l.id"""
LOCATIONS = """
SELECT l.id, l.name, l.type, l.active, p.name AS parent
FROM stock_location l LEFT JOIN stock_location p ON p.id = l.parent ORDER BY l.id"""
DELIVERIES = """
SELECT s.id, 'stock.shipment.in,' || s.id AS shipment, p.name AS grower, s.effective_date AS day, s.state,
  (SELECT a.party_name FROM party_address a WHERE a.party = p.id ORDER BY a.id LIMIT 1) AS contact
FROM stock_shipment_in s JOIN party_party p ON p.id = s.supplier ORDER BY s.effective_date, s.id"""
SHIPMENTS = """
SELECT s.id, 'stock.shipment.internal,' || s.id AS shipment, s.reference, s.state, s.effective_date AS day,
  f.name AS source, o.name AS target
FROM stock_shipment_internal s LEFT JOIN stock_location f ON f.id = s.from_location
LEFT JOIN stock_location o ON o.id = s.to_location ORDER BY s.id"""
PRODUCTIONS = """
SELECT r.id, r.reference, t.code AS product, r.quantity, r.state, r.planned_date AS planned,
  r.effective_start_date AS begun, r.effective_date AS ended
FROM production r LEFT JOIN product_product p ON p.id = r.product
LEFT JOIN product_template t ON t.id = p.template ORDER BY r.id"""
INSPECTIONS = """
SELECT i.id, i.origin, c.name AS control, i.points, i.state
FROM quality_inspection i JOIN quality_control c ON c.id = i.control ORDER BY i.id"""
ALERTS = "SELECT id, origin, title, description, state FROM quality_alert ORDER BY id"
PROBES: Mapping[str, Probe] = {
    "moves": SqlProbe(app="orchard", query=MOVES),
    "lots": SqlProbe(app="orchard", query=LOTS),
    "locations": SqlProbe(app="orchard", query=LOCATIONS),
    "deliveries": SqlProbe(app="orchard", query=DELIVERIES),
    "shipments": SqlProbe(app="orchard", query=SHIPMENTS),
    "productions": SqlProbe(app="orchard", query=PRODUCTIONS),
    "inspections": SqlProbe(app="orchard", query=INSPECTIONS),
    "alerts": SqlProbe(app="orchard", query=ALERTS),
    **wiki.PROBES,
}
DAY, LATER = date(2026, 11, 2), date(2026, 11, 13)
CALLER, STORAGE, QUARANTINE = "Katja Usher", "Storage Zone", "Quarantine"
PRICES = {"Saltmere Russet": "0.31", "Orrby Pippin": "0.27", "Great Ness Bittersweet": "0.35"}
ANY_OTHER = "0.24"
RECALL, DATES = "works/recall-drill/recall-2026-11-02", "works/best-before-dates"
Row = Mapping[str, Any]
Amounts = dict[tuple[str, str | None], float]
"""What is moved: product and lot → quantity."""


class Bottling(NamedTuple):
    """One of this week's bottlings.

    Attributes:
        reference: Of its production; its new lot has it for a number.
        must: Product code of what it is bottled of.
        came_out: Bottles that did not break.
    """

    reference: str
    must: str
    came_out: float

    @property
    def product(self) -> str:
        """Product code of the bottles."""
        return self.reference.rpartition("-")[0]


JUICE, PERRY = Bottling("B-04-2606", "M-02", 630), Bottling("B-03-2606", "M-03", 1020)
WAITS = "B-01-2606"


def stock(evidence: Evidence, place: str) -> dict[str, float]:
    """What is held of each lot at a place; nothing of a lot that is used up."""
    held: dict[str, float] = defaultdict(float)
    for move in evidence.rows("moves"):
        if move["lot"] and move["state"] == "done":
            held[move["lot"]] += move["quantity"] * ((move["target"] == place) - (move["source"] == place))
    return {lot: round(amount, 3) for lot, amount in held.items() if round(amount, 3)}


def delivery(before: Evidence) -> Row:
    """The last delivery of the firm of who rang."""
    return max(
        (row for row in before.rows("deliveries") if row["contact"] == CALLER), key=lambda row: row["day"]
    )


def delivered(before: Evidence) -> list[Row]:
    """What came in with it."""
    shipment = delivery(before)["shipment"]
    moves = before.rows("moves")
    return [move for move in moves if move["shipment"] == shipment and move["source"] == "Supplier"]


def pressed(before: Evidence) -> set[str]:
    """The lots that were made of it."""
    lots, moves = {move["lot"] for move in delivered(before)}, before.rows("moves")
    runs = {move["used_by"] for move in moves if move["lot"] in lots and move["used_by"]}
    return {move["lot"] for move in moves if move["made_by"] in runs}


def recalled(before: Evidence) -> tuple[dict[str, float], dict[str, float]]:
    """What is left in storage of the delivery's apples, and of what was pressed of them."""
    apples, musts, left = (
        {move["lot"] for move in delivered(before)},
        pressed(before),
        stock(before, STORAGE),
    )
    return (
        {lot: amount for lot, amount in left.items() if lot in apples},
        {lot: amount for lot, amount in left.items() if lot in musts},
    )


def given_up(before: Evidence) -> list[Row]:
    """The bottlings that were planned of the recalled must."""
    found: list[Row] = []
    for production in before.rows("productions"):
        takes = {move["product"] for move in before.rows("moves") if move["used_by"] == production["id"]}
        kind, _, week = (production["reference"] or "").rpartition("-")
        musts = {lot for lot in recalled(before)[1] if lot.rpartition("-")[2] == week}
        if kind and production["state"] == "draft" and takes & {lot.rpartition("-")[0] for lot in musts}:
            found.append(production)
    return found


def production(evidence: Evidence, reference: str) -> Row:
    """A production; an empty one where there is not one of that reference."""
    found = [row for row in evidence.rows("productions") if row["reference"] == reference]
    return found[0] if len(found) == 1 else {}


def used(evidence: Evidence, run: Any, states: tuple[str, ...]) -> Amounts:
    """What a production takes, of movements in some states."""
    return _sum([move for move in evidence.rows("moves") if run and move["used_by"] == run], states)


def made(evidence: Evidence, run: Any, states: tuple[str, ...]) -> Amounts:
    """What a production gives, of movements in some states."""
    return _sum([move for move in evidence.rows("moves") if run and move["made_by"] == run], states)


def _sum(moves: list[Row], states: tuple[str, ...]) -> Amounts:
    held: Amounts = defaultdict(float)
    for move in moves:
        if move["state"] in states:
            held[move["product"], move["lot"]] += move["quantity"]
    return {name: round(amount, 3) for name, amount in held.items()}


def planned(before: Evidence, bottling: Bottling) -> Amounts:
    """What a bottling has to take: the plan's materials, and the must of its own week."""
    plan = used(before, production(before, bottling.reference)["id"], ("draft",))
    week = bottling.reference.rpartition("-")[2]
    lots = {bottling.must: f"{bottling.must}-{week}"}
    return {(product, lots.get(product)): amount for (product, _), amount in plan.items()}


def price(before: Evidence) -> Decimal:
    """What was paid for the delivery."""
    return sum(
        (Decimal(str(m["quantity"])) * Decimal(PRICES.get(m["name"], ANY_OTHER)) for m in delivered(before)),
        Decimal(0),
    )


def owner(before: Evidence, page: str) -> str:
    """Whose a page is."""
    return str(re.findall(r"## Owner\s+(.+)", wiki.text(before, page))[0]).strip()


def decides(before: Evidence, page: str) -> str:
    """Who decides, by a page, where it is not clear."""
    rules = re.findall(r"(?m)^\d+\. (.+) decides where it is not clear", wiki.text(before, page))
    return str(rules[0]).strip()


def again(before: Evidence, page: str) -> date:
    """When one checks again, by a page."""
    return DAY + timedelta(_last(before, page, r"Check again after (\d+) days"))


def paper(before: Evidence, page: str) -> date:
    """Until when a paper copy is kept, by a page."""
    month = DAY.month - 1 + _last(before, page, r"Keep the paper copy for (\d+) months")
    year, month = DAY.year + month // 12, month % 12 + 1
    return date(year, month, min(DAY.day, monthrange(year, month)[1]))


def _last(before: Evidence, page: str, rule: str) -> int:
    """The number in a rule, as it was last changed."""
    return int(re.findall(rule, wiki.text(before, page))[-1])


def written(day: date) -> str:
    """A day as people write it here."""
    return f"{day.day} {day:%B %Y}"
