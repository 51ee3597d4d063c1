"""What checks over the box office (pretix) ask: orders, tickets, products and what goes with them, as rows.

An event is told by its short name. Products are listed by their names, in alphabetical order.
"""

from collections.abc import Mapping

from tenure.schema.evidence import Probe, SqlProbe


def _plain(column: str) -> str:
    """A name that may be kept in several languages."""
    return f"coalesce(CASE WHEN json_valid({column}) THEN json_extract({column}, '$.en') END, {column})"


def _products(table: str, key: str, owner: str) -> str:
    """The products that something is tied to, in one text."""
    return (
        f"(SELECT group_concat(name, ', ') FROM (SELECT {_plain('i.name')} AS name FROM {table} k "
        f"JOIN pretixbase_item i ON i.id = k.item_id WHERE k.{key} = {owner}.id ORDER BY 1)) AS products"
    )


_QUERIES = {
    "orders": "SELECT o.id, o.code, e.slug AS event, o.status, o.total, o.email, o.comment "
    "FROM pretixbase_order o JOIN pretixbase_event e ON e.id = o.event_id ORDER BY o.id",
    "tickets": f"SELECT t.id, o.code AS 'order', e.slug AS event, o.status, t.canceled, t.price, "
    f"t.attendee_name_cached AS guest, {_plain('i.name')} AS product "
    "FROM pretixbase_orderposition t JOIN pretixbase_order o ON o.id = t.order_id "
    "JOIN pretixbase_event e ON e.id = o.event_id JOIN pretixbase_item i ON i.id = t.item_id ORDER BY t.id",
    "payments": "SELECT p.id, o.code AS 'order', p.state, p.amount, p.provider "
    "FROM pretixbase_orderpayment p JOIN pretixbase_order o ON o.id = p.order_id ORDER BY p.id",
    "refunds": "SELECT r.id, o.code AS 'order', r.state, r.amount, r.provider "
    "FROM pretixbase_orderrefund r JOIN pretixbase_order o ON o.id = r.order_id ORDER BY r.id",
    "products": f"SELECT i.id, e.slug AS event, {_plain('i.name')} AS name, i.default_price AS price, "
    "i.active, i.tax_rule_id AS tax "
    "FROM pretixbase_item i JOIN pretixbase_event e ON e.id = i.event_id ORDER BY i.id",
    "quotas": f"SELECT q.id, e.slug AS event, q.name, q.size, "
    f"{_products('pretixbase_quota_items', 'quota_id', 'q')} "
    "FROM pretixbase_quota q JOIN pretixbase_event e ON e.id = q.event_id ORDER BY q.id",
    "questions": f"SELECT q.id, e.slug AS event, {_plain('q.question')} AS question, q.type, q.required, "
    f"{_products('pretixbase_question_items', 'question_id', 'q')} "
    "FROM pretixbase_question q JOIN pretixbase_event e ON e.id = q.event_id ORDER BY q.id",
    "lists": f"SELECT l.id, e.slug AS event, l.name, l.all_products AS 'all', l.include_pending AS unpaid, "
    f"{_products('pretixbase_checkinlist_limit_products', 'checkinlist_id', 'l')} "
    "FROM pretixbase_checkinlist l JOIN pretixbase_event e ON e.id = l.event_id ORDER BY l.id",
    "vouchers": f"SELECT v.id, e.slug AS event, v.code, v.tag, v.price_mode AS effect, v.value, "
    f"v.max_usages AS usages, v.valid_until AS until, v.block_quota AS reserved, "
    f"{_plain('i.name')} AS product FROM pretixbase_voucher v JOIN pretixbase_event e ON e.id = v.event_id "
    "LEFT JOIN pretixbase_item i ON i.id = v.item_id ORDER BY v.id",
}
PROBES: Mapping[str, Probe] = {name: SqlProbe(app="pretix", query=query) for name, query in _QUERIES.items()}
"""By name. A ticket is a place in an order: it has a guest's name and a price of its own."""
