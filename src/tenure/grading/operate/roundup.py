"""What checks over the tracker (Roundup) ask: its bugs and tasks as rows, and what has been said of them."""

from collections.abc import Mapping

from tenure.schema.evidence import Evidence, FilesProbe, Probe, SqlProbe

BUGS = """
SELECT b.id, b._title AS title, s._name AS status, r._name AS resolution, p._name AS priority,
  u._username AS assignee, b._severity AS severity, b._type AS type, b._creation AS created
FROM _bug b LEFT JOIN _status s ON s.id = b._status LEFT JOIN _resolution r ON r.id = b._resolution
LEFT JOIN _priority p ON p.id = b._priority LEFT JOIN _user u ON u.id = b._assignee
WHERE b.__retired__ = 0 ORDER BY b.id"""
TASKS = """
SELECT t.id, t._title AS title, k._name AS type, p._name AS priority, t._status AS status,
  (SELECT group_concat(u._username) FROM task_assignee l JOIN _user u ON u.id = l.linkid
   WHERE l.nodeid = t.id) AS assigned,
  (SELECT group_concat(c._name) FROM task_components l JOIN _component c ON c.id = l.linkid
   WHERE l.nodeid = t.id) AS components
FROM _task t LEFT JOIN _task_type k ON k.id = t._type LEFT JOIN _priority p ON p.id = t._priority
WHERE t.__retired__ = 0 ORDER BY t.id"""
LINKS = """
SELECT 'bug' AS kind, nodeid AS item, 'msg' AS what, linkid AS id FROM bug_messages
UNION ALL SELECT 'task', nodeid, 'msg', linkid FROM task_messages
UNION ALL SELECT 'task', nodeid, 'file', linkid FROM task_files ORDER BY 1, 2, 3, 4"""
PROBES: Mapping[str, Probe] = {
    "bugs": SqlProbe(app="roundup", query=BUGS),
    "tasks": SqlProbe(app="roundup", query=TASKS),
    "links": SqlProbe(app="roundup", query=LINKS),
    "files": FilesProbe(app="roundup", pattern="tracker/db/files/**"),
}
"""Bugs, tasks, the messages and files that belong to them, and what these hold."""


def said(before: Evidence, after: Evidence, kind: str, item: int) -> str:
    """The text of all comments on an item that are new.

    Args:
        before: Answers to ``PROBES`` on the untouched tracker.
        after: Answers at the end.
        kind: ``bug`` or ``task``.
        item: Its number.
    """
    old, new = (_messages(evidence, kind, item) for evidence in (before, after))
    held = {file.path.rpartition("/")[2]: file.text or "" for file in after.files("files")}
    return "\n".join(held.get(f"msg{id}", "") for id in new if id not in old)


def _messages(evidence: Evidence, kind: str, item: int) -> list[int]:
    links = [row for row in evidence.rows("links") if row["what"] == "msg"]
    return [row["id"] for row in links if (row["kind"], row["item"]) == (kind, item)]
