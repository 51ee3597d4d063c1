"""What apps hold, made by their generators, as rows that probes give; and what is found after some work."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from tenure.apps.recipe import find_recipe
from tenure.grading.operate import grade, load_answers
from tenure.schema.evidence import Evidence, Got, KeptFile
from tenure.schema.folder import find_operate
from tenure.schema.modules import load_module
from tenure.schema.words import Outcome

Rows = list[dict[str, Any]]
Held = dict[str, Any]
"""Probe → its rows; ``files`` → the files that are kept."""
Work = Callable[[Held], None]


def data(app: str) -> Any:
    """The generator of an app."""
    return load_module(find_recipe(app).path / "data.py")


def reading_room() -> Held:
    """Books and places on shelves."""
    made = data("calibre-web").library(0, find_recipe("calibre-web").accounts.agent)
    books = [
        {
            **{name: book[name] for name in ("id", "title", "publisher", "about", "rating", "language")},
            "series": book["series"] or None,
            "series_index": book["volume"],
            "authors": ", ".join(book["authors"]),
            "tags": ", ".join(book["tags"]),
            "identifiers": f"isbn:{book['isbn']}",
        }
        for book in made["books"]
    ]
    shelves = [
        place(number, shelf["name"], book, keeper=keeper["username"], public=shelf["public"])
        for number, (keeper, shelf) in enumerate(
            ((keeper, shelf) for keeper in made["readers"] for shelf in keeper["shelves"]), 1
        )
        for book in shelf["books"]
    ]
    return {"books": books, "shelves": shelves}


def place(
    shelf: int, name: str, book: int | None, *, keeper: str = "ines.brandt", public: int = 1
) -> dict[str, Any]:
    """A place on a shelf; an empty shelf has one without a book."""
    row = {"place": f"{shelf} / {book or '-'}", "id": shelf, "name": name, "is_public": public}
    return {**row, "keeper": keeper, "book_id": book}


def handbook() -> Rows:
    """Pages with what they say now."""
    made = data("wiki").handbook(0, "ines.brandt")
    return [
        {
            "id": number,
            "path": page["path"],
            "title": page["title"],
            "content": [page, *page["changes"]][-1]["text"],
            "deleted": False,
        }
        for number, page in enumerate(made["pages"], 1)
    ]


def ledger() -> Rows:
    """Entries, without transfers."""
    usual = {"transfer_id": None, "whole": 0, "part_of": None}
    return [
        {
            **one,
            "id": f"entry {number}",
            "day": int(one["date"].replace("-", "")),
            "category": one["category"] or None,
            **usual,
        }
        for number, one in enumerate(data("actual").ledger(0)["entries"])
    ]


def tracker() -> Held:
    """Bugs and tasks, and what has been said of them."""
    held: Held = {"bugs": [], "tasks": [], "links": [], "files": []}
    items: dict[str, dict[str, Any]] = {}
    usual = {"resolution": None, "assignee": None, "priority": None}
    for act in data("roundup").tracker(0)["actions"]:
        kind = act["item"].partition("-")[0]
        if act["item"] not in items:
            rows = held[f"{kind}s"]
            items[act["item"]] = {"id": len(rows) + 1, "created": act["at"], **usual}
            rows.append(items[act["item"]])
        item = items[act["item"]]
        item.update({name: value for name, value in act["values"].items() if not isinstance(value, list)})
        if kind == "task":
            told = {"assigned": "assignee", "components": "components"}
            item.update({name: ",".join(act["values"].get(value, ())) for name, value in told.items()})
        else:
            about(held, item["id"], **{name: act["values"].get(name, []) for name in _ABOUT})
        if act["says"]:
            say(held, kind, item["id"], act["says"])
    return held


_ABOUT = {"components": "component", "versions": "version", "keywords": "keyword"}


def about(held: Held, bug: int, **names: list[str]) -> None:
    """Say what else a bug is about; a name stands for a number here."""
    held["links"] += [
        {"kind": "bug", "item": bug, "what": _ABOUT[kind], "id": name}
        for kind, listed in names.items()
        for name in listed
    ]


def say(held: Held, kind: str, item: int, text: str) -> None:
    """Comment on a bug or a task."""
    number = len(held["files"]) + 1
    held["links"].append({"kind": kind, "item": item, "what": "msg", "id": number})
    keep(held, f"tracker/db/files/msg/0/msg{number}", text=text)


def keep(held: Held, path: str, *, text: str = "", sha256: str = "") -> None:
    """Keep a file."""
    held["files"].append(KeptFile(path=path, size=len(text), sha256=sha256, text=text or None))


def the(rows: Rows, **where: Any) -> dict[str, Any]:
    """The only row with some values, to be changed."""
    (found,) = [row for row in rows if all(row[name] == value for name, value in where.items())]
    return found


def evidence(held: Mapping[str, Any]) -> Evidence:
    """The probes' answers."""
    got = {name: Got(rows=tuple(rows)) for name, rows in held.items() if name != "files"}
    return Evidence(got={**got, "files": Got(files=tuple(held.get("files", ())))})


async def failed(task: str, held: Held, *works: Work) -> set[str]:
    """The checks that fail after some work; all must have an answer."""
    folder, after = find_operate(f"operate/{task}"), deepcopy(held)
    load_answers(folder)
    for work in works:
        work(after)
    findings = await grade(folder, evidence(held), evidence(after), judges=[])
    assert {one.outcome for one in findings} <= {Outcome.PASSED, Outcome.FAILED}, findings
    return {one.check for one in findings if one.outcome is Outcome.FAILED}


async def fails(task: str, check: str, before: Held, after: Held) -> bool:
    """Whether one check fails, whatever the others say; it must have an answer."""
    folder = find_operate(f"operate/{task}")
    findings = await grade(folder, evidence(before), evidence(after), judges=[])
    (found,) = [one for one in findings if one.check == check]
    assert found.outcome in (Outcome.PASSED, Outcome.FAILED), found
    return found.outcome is Outcome.FAILED


def guards(task: str) -> set[str]:
    """The checks that hold on the untouched apps."""
    return {check.id for check in find_operate(f"operate/{task}").task.checks if check.guard}


def checks(task: str) -> set[str]:
    """All checks."""
    return {check.id for check in find_operate(f"operate/{task}").task.checks}
