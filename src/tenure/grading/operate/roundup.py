"""What checks over the tracker (Roundup) ask: its bugs and tasks as rows, and what has been said of them."""

from collections.abc import Collection, Mapping
from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate.state import new_rows, same_rows
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
UNION ALL SELECT 'bug', nodeid, 'file', linkid FROM bug_files
UNION ALL SELECT 'task', nodeid, 'file', linkid FROM task_files
UNION ALL SELECT 'bug', nodeid, 'component', linkid FROM bug_components
UNION ALL SELECT 'bug', nodeid, 'version', linkid FROM bug_versions
UNION ALL SELECT 'bug', nodeid, 'keyword', linkid FROM bug_keywords ORDER BY 1, 2, 3, 4"""
PROBES: Mapping[str, Probe] = {
    "bugs": SqlProbe(app="roundup", query=BUGS),
    "tasks": SqlProbe(app="roundup", query=TASKS),
    "links": SqlProbe(app="roundup", query=LINKS),
    "files": FilesProbe(app="roundup", pattern="tracker/db/files/**"),
}
"""Bugs, tasks, what belongs to them (messages, files, and what a bug is about), and what the files hold."""


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


def untouched(before: Evidence, after: Evidence, bugs: Collection[int]) -> Saw:
    """A guard: whether nothing but some bugs and new tasks has changed, or has been told anything.

    Args:
        before: Answers to ``PROBES`` on the untouched tracker.
        after: Answers at the end.
        bugs: Numbers of the bugs that are worked on: what they are about must still be as it was.
    """
    fresh = [row["id"] for row in new_rows(before.rows("tasks"), after.rows("tasks"))]
    worked_on = {*(("bug", id) for id in bugs), *(("task", id) for id in fresh)}
    was, now = ({_name(row): row for row in one.rows("links")} for one in (before, after))
    told = [
        name
        for name, row in now.items()
        if name not in was and row["what"] in ("msg", "file") and (row["kind"], row["item"]) in worked_on
    ]
    old, new = ([{**row, "name": name} for name, row in held.items()] for held in (was, now))
    seen = {
        "bugs": same_rows(before.rows("bugs"), after.rows("bugs"), "id", but=bugs),
        "tasks": same_rows(before.rows("tasks"), after.rows("tasks"), "id", but=fresh),
        "links": same_rows(old, new, "name", but=told),
    }
    wrong = [f"{name}: {one.text}" for name, one in seen.items() if not one.ok]
    return Saw(not wrong, "; ".join(wrong) or "as before")


def _name(link: Mapping[str, Any]) -> str:
    return f"{link['kind']}{link['item']} {link['what']}{link['id']}"


def _messages(evidence: Evidence, kind: str, item: int) -> list[int]:
    links = [row for row in evidence.rows("links") if row["what"] == "msg"]
    return [row["id"] for row in links if (row["kind"], row["item"]) == (kind, item)]
