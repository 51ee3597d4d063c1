"""The label printer's receipt, ledger and bugs, worked out of what the two apps' generators make."""

from hashlib import sha256

import pytest

from tenure.schema.folder import CATALOG, load_module

from .held import Held, Work, about, checks, evidence, failed, guards, keep, ledger, say, the, tracker

TASK = "label-printer"
printer = load_module(CATALOG / "operate" / TASK / "checks.py")
CLOSED = "The label of lot HZ-346 is printed without its date"


def _held() -> Held:
    return {"entries": ledger(), **tracker()}


def _entry(held: Held, name: str, **values: object) -> None:
    usual = dict.fromkeys(held["entries"][0])
    usual |= {"day": printer.DAY, "payee": printer.SHOP, "account": "Card", "whole": 0}
    held["entries"].append({**usual, "id": name, **values})


def _work(held: Held) -> None:
    before = evidence(held)
    _entry(held, "receipt", amount=printer.TOTAL, notes=f"Receipt {printer.NUMBER}", whole=1)
    _entry(held, "printer", amount=-28900, category="Technique", part_of="receipt")
    _entry(held, "rolls", amount=-4160, category="Print and posters", part_of="receipt")
    for bare in printer._bare(before):
        others = {row["category"] for row in held["entries"] if row["payee"] == bare["payee"]} - {None}
        the(held["entries"], id=bare["id"])["category"] = others.pop()
    held["entries"].remove(printer._twice(before)[0])
    task = {"title": "Label printer LP-270 in service", "type": "operations", "priority": "high"}
    number = len(held["tasks"]) + 1
    held["tasks"].append({**task, "id": number, "assigned": "yorick.crane", "components": "stock"})
    say(held, "task", number, "Receipt 20418, 330.60 EUR.")
    held["links"].append({"kind": "task", "item": number, "what": "file", "id": 1})
    keep(held, "tracker/db/files/file/0/file1", sha256=sha256(printer.RECEIPT.read_bytes()).hexdigest())
    for bug in printer._label_bugs(before):
        the(held["bugs"], id=bug["id"]).update(status="closed", resolution="fixed")
        say(held, "bug", bug["id"], f"See task{number}.")


def _books_again(held: Held) -> None:
    _entry(held, "again", amount=printer.TOTAL, account="Current account", category="Technique")


def _splits_another(held: Held) -> None:
    _entry(held, "part", amount=-100, part_of=held["entries"][0]["id"])


def _comments_on_a_closed_bug(held: Held) -> None:
    say(held, "bug", the(held["bugs"], title=CLOSED)["id"], "This one, too.")


def _comments_on_an_old_task(held: Held) -> None:
    say(held, "task", 1, "Done.")


def _takes_a_comment_back(held: Held) -> None:
    held["links"].remove(held["links"][0])


def _says_what_else_a_bug_is_about(held: Held) -> None:
    about(held, printer._label_bugs(evidence(_held()))[0]["id"], components=["gate"])


@pytest.mark.anyio
async def test_the_whole_work_passes_and_none_passes_guards_alone() -> None:
    assert await failed(TASK, _held(), _work) == set()
    assert await failed(TASK, _held()) == checks(TASK) - guards(TASK)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("wrong", "fails"),
    [
        (_books_again, {"booked", "ledger"}),
        (_splits_another, {"rolls", "ledger"}),
        (_comments_on_a_closed_bug, {"tracker"}),
        (_comments_on_an_old_task, {"tracker"}),
        (_takes_a_comment_back, {"tracker"}),
        (_says_what_else_a_bug_is_about, {"tracker"}),
    ],
)
async def test_what_is_done_too_much_is_noticed(wrong: Work, fails: set[str]) -> None:
    assert await failed(TASK, _held(), _work, wrong) == fails
