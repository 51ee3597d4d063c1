import sqlite3

from tenure.grading.operate.pretix import PROBES
from tenure.schema.evidence import SqlProbe

TABLES = """
CREATE TABLE pretixbase_event (id, slug);
CREATE TABLE pretixbase_item (id, name);
CREATE TABLE pretixbase_quota (id, event_id, name, size);
CREATE TABLE pretixbase_quota_items (quota_id, item_id);
INSERT INTO pretixbase_event VALUES (1, 'tour');
INSERT INTO pretixbase_item VALUES (1, 'Deck'), (2, '{"en": "Cabin", "de": "Kabine"}'), (3, '1984');
INSERT INTO pretixbase_quota VALUES (1, 1, 'All', 60), (2, 1, 'None', NULL);
INSERT INTO pretixbase_quota_items VALUES (1, 1), (1, 2), (1, 3);
"""


def test_products_are_told_by_name_in_whatever_form_it_is_kept():
    probe = PROBES["quotas"]
    assert isinstance(probe, SqlProbe)
    with sqlite3.connect(":memory:") as database:
        database.executescript(TABLES)
        found = database.execute(probe.query).fetchall()
    assert found == [(1, "tour", "All", 60, "1984, Cabin, Deck"), (2, "tour", "None", None, None)]
