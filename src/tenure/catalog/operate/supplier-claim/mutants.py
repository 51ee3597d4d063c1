"""Wrong ways through the task, and the checks that must notice them."""

from tenure.oracle import Mutant, Vandal, setting
from tenure.oracle.operate import OperateHands, actual, button, css, link, roundup, sao

from .oracle import PURCHASES

_LEDGER = ("refund", "filed", "category", "corrected")
_TRACKER = ("task", "assigned", "told", "closed", "because")


MUTANTS = [
    Mutant(
        "counts the pending bugs alone, and is a little wrong wherever something is read or looked up",
        (
            "as-many",
            "referred",
            "credit",
            "replaced",
            "offered",
            "terms",
            *_LEDGER,
            *_TRACKER,
        ),
        after={
            "read the bugs": setting(
                bottles=lambda notes: 168,
                credited=lambda notes: "11/02/2026",
                ordered=lambda notes: "10/30/2026",
                terms=lambda notes: "14 days",
                category=lambda notes: "Bar purchases",
                bill=lambda notes: "68.80",
                type=lambda notes: "decision",
                assignee=lambda notes: "yorick.crane",
                resolution=lambda notes: "wont fix",
            ),
            "look up": setting(purchase=lambda notes: "PO-99683"),
            "task": setting(task=lambda notes: "the new task"),
        },
    ),
    Mutant(
        "returns the whole purchase, cancels the draft, and stops with the books",
        ("return", "cancelled", *_LEDGER, *_TRACKER),
        after={
            "look up": setting(
                keep=lambda notes: ("BOT-033", "MLK-BULK", "BOX-06"), offer=lambda notes: "PO-61927"
            )
        },
        skip=("open the ledger", "refund", "correct", "task", "close"),
    ),
]


async def _elsewhere(hands: OperateHands) -> None:
    await roundup.find_bugs(hands, "without its date", "pending")
    await hands.click(link("The label of lot BR-270"))
    await roundup.comment(hands, "It may be the bottles.")
    await roundup.submit(hands)
    await hands.switch("0003")
    await actual.open_account(hands, "Cash box")
    await actual.delete(hands, css(f"{actual.TABLE} [data-testid=row]"))
    await hands.pause(2)
    await hands.switch("0001")
    await sao.open_menu(hands, PURCHASES)
    await sao.show_part(hands, "Quotation")
    await sao.open_line(hands, "Calder Dairy")
    await sao.act(hands, "Cancel")
    await hands.wait(button("Draft", exact=True).inside(sao.PANE))


VANDALS = [
    Vandal(
        "comments on another bug, deletes another entry, cancels another quotation",
        ("books", "ledger", "tracker"),
        _elsewhere,
    )
]
