from tenure.grading.operate.roundup import said
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
