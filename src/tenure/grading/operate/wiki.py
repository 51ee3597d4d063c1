"""What checks over the handbook (django-wiki) ask: its pages, and what one of them says."""

from collections.abc import Collection, Mapping

from tenure.grading.check import Saw
from tenure.grading.operate.state import same_rows
from tenure.schema.evidence import Evidence, Probe, SqlProbe

PAGES = """
WITH RECURSIVE tree (id, path, article_id) AS (
  SELECT id, '', article_id FROM wiki_urlpath WHERE parent_id IS NULL
  UNION ALL SELECT u.id, ltrim(t.path || '/' || u.slug, '/'), u.article_id
    FROM wiki_urlpath u JOIN tree t ON u.parent_id = t.id)
SELECT t.id, t.path, r.title, r.content, r.deleted
FROM tree t JOIN wiki_article a ON a.id = t.article_id
JOIN wiki_articlerevision r ON r.id = a.current_revision_id ORDER BY t.id"""
PROBES: Mapping[str, Probe] = {"pages": SqlProbe(app="wiki", query=PAGES)}
"""Every page by its path below the first one: ``events/volunteers``."""


def text(evidence: Evidence, path: str) -> str:
    """What a page says; nothing where there is none, or it is deleted."""
    found = [row for row in evidence.rows("pages") if row["path"] == path and not row["deleted"]]
    return found[0]["content"].replace("\r\n", "\n").strip() if len(found) == 1 else ""


def lines(evidence: Evidence, path: str) -> list[str]:
    """The lines of a page that are not empty, each with single spaces."""
    return [" ".join(line.split()) for line in text(evidence, path).splitlines() if line.strip()]


def untouched(
    before: Evidence, after: Evidence, written: Collection[str] = (), new: Collection[str] = ()
) -> Saw:
    """A guard: whether all pages are as they were, and no other one is there.

    Args:
        before: Answers to ``PROBES`` on the untouched handbook.
        after: Answers at the end.
        written: Paths of pages whose text may differ, and nothing else of them.
        new: Paths of pages that may be there.
    """
    was, now = (
        [{**row, "content": ""} if row["path"] in written else row for row in one.rows("pages")]
        for one in (before, after)
    )
    return same_rows(was, [row for row in now if row["path"] not in new], key="id")
