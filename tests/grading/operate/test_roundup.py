import pytest

from tenure.grading.operate.roundup import said, untouched
from tenure.schema.evidence import Evidence, Got, KeptFile


def _evidence(*messages: tuple[str, int, int]) -> Evidence:
    """Messages, each by the kind and the number of its item and by its own number."""
    links = tuple({"kind": kind, "item": item, "what": "msg", "id": id} for kind, item, id in messages)
    files = tuple(
        KeptFile(path=f"tracker/db/files/msg/0/msg{id}", size=1, sha256="", text=f"text {id}")
        for *_, id in messages
    )
    return Evidence(got={"links": Got(rows=links), "files": Got(files=files)})


def test_only_new_comments_on_the_very_item_count():
    before = _evidence(("bug", 1, 10), ("task", 1, 11))
    after = _evidence(("bug", 1, 10), ("task", 1, 11), ("bug", 1, 12), ("bug", 1, 13), ("bug", 2, 14))
    assert said(before, after, "bug", 1) == "text 12\ntext 13"
    assert said(before, after, "bug", 2) == "text 14"
    assert said(before, after, "task", 1) == ""


def _tracker(*links: tuple[str, int, str, int], status: str = "open", tasks: int = 1) -> Evidence:
    """Two bugs, of which the first has a status, some tasks, and what belongs to them."""
    bugs = ({"id": 1, "status": status}, {"id": 2, "status": "open"})
    rows = tuple(dict(zip(("kind", "item", "what", "id"), link, strict=True)) for link in links)
    held = {"bugs": bugs, "tasks": tuple({"id": id} for id in range(1, tasks + 1)), "links": rows}
    return Evidence(got={name: Got(rows=tuple(one)) for name, one in held.items()})


_OLD = (("bug", 1, "msg", 10), ("bug", 1, "component", 3), ("bug", 2, "msg", 11))


def test_work_on_the_bugs_that_are_meant_and_on_new_tasks_is_no_harm():
    said_of = (("bug", 1, "msg", 12), ("task", 2, "msg", 13), ("task", 2, "file", 1))
    assert untouched(_tracker(*_OLD), _tracker(*_OLD, *said_of, status="closed", tasks=2), [1]).ok


@pytest.mark.parametrize(
    "after",
    [
        _tracker(*_OLD, ("bug", 2, "msg", 12)),
        _tracker(*_OLD, ("bug", 2, "file", 12)),
        _tracker(*_OLD, ("task", 1, "msg", 12)),
        _tracker(*_OLD, ("bug", 1, "component", 4)),
        _tracker(*_OLD[1:]),
        _tracker(*_OLD, tasks=0),
    ],
)
def test_whatever_else_changes_on_the_tracker_is_harm(after: Evidence):
    assert not untouched(_tracker(*_OLD), after, [1]).ok


def test_a_bug_that_is_not_meant_must_stay_as_it_is():
    assert not untouched(_tracker(*_OLD), _tracker(*_OLD, status="closed"), [2]).ok
