"""What checks over the ledger (Actual) ask: its entries as rows. Amounts are cents, days ``20261029``."""

from collections.abc import Mapping

from tenure.schema.evidence import Probe, SqlProbe

ENTRIES = """
SELECT t.id, t.date AS day, t.amount, a.name AS account, p.name AS payee, c.name AS category, t.notes,
  t.is_parent AS whole, t.parent_id AS part_of, t.transfer_id, t.cleared
FROM v_transactions t LEFT JOIN accounts a ON a.id = t.account LEFT JOIN payees p ON p.id = t.payee
LEFT JOIN categories c ON c.id = t.category ORDER BY t.date, t.id"""
PROBES: Mapping[str, Probe] = {"entries": SqlProbe(app="actual", query=ENTRIES)}
"""Every entry, and every part of one that is split."""
