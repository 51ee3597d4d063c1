"""Wrong ways through the task, and the checks that must notice them."""

from tenure.oracle import Mutant, Vandal, setting
from tenure.oracle.operate import OperateHands, sao, wiki

_REST = ("put off", "bottle", "inspect", "complete", "alert", "settle")


MUTANTS = [
    Mutant(
        "takes Katja Usher for Usher Haulage, overlooks what has changed since, and leaves the week's work",
        (
            *("apples", "must", "shipment", "cancelled", "page", "list", "claim", "dates"),
            *("juice", "perry", "alert", "settled", "later"),
        ),
        after={
            "read the handbook": setting(
                grower=lambda notes: "Usher Haulage",
                decides=lambda notes: "Abel Stroud",
                left=lambda notes: {"A-02-26074": "1230", "A-03-26074": "1350", "A-05-26074": "480"},
                delivered=lambda notes: {"A-02": ("1230", "0.27"), "A-03": ("1350", "0.35")},
                dates=lambda notes: "best before 30 July 2027, paper copy until 2 August 2027",
            )
        },
        skip=("cancel", *_REST),
    ),
    Mutant(
        "does everything at the press house a little wrong",
        (
            *("place", "apples", "must", "shipment", "cancelled", "juice", "juice-made", "perry", "lots"),
            *("juice-inspected", "perry-inspected", "alert", "settled", "later"),
        ),
        after={
            "read the handbook": setting(
                day=lambda notes: "11/06/2026",
                parent=lambda notes: "[STO] Storage Zone",
                left=lambda notes: {"A-01-26084": "1120", "A-03-26084": "720", "M-01-2608": "780"},
                stops=lambda notes: "B-03-2608",
                later=lambda notes: "11/20/2026",
                musts=lambda notes: {"B-04-2606": "M-02-2609", "B-03-2606": "M-03-2606"},
                came_out=lambda notes: {"B-04-2606": "", "B-03-2606": ""},
                until=lambda notes: {"B-04-2606": "07/30/2027", "B-03-2606": "04/29/2028"},
                found=lambda notes: {"B-04-2606": ("0.0", "2.0"), "B-03-2606": ("7.7", "3.6")},
                again=lambda notes: "7 November 2026",
            )
        },
        skip=("settle", "write", "dates"),
    ),
]


async def _spoils(hands: OperateHands) -> None:
    await wiki.append(hands, "works/bottle-wash", "\n\nOnce a week.", "Shorter")
    await hands.switch("0001")
    await sao.open_menu(hands, "Productions / Productions", 1)
    await sao.show_part(hands, "Draft")
    await sao.open_line(hands, "B-02-2609")
    await sao.fill(hands, sao.labelled("Planned Date"), "11/28/2026")
    await sao.save(hands)
    await sao.open_menu(hands, "Inventory & Stock / Lots")
    await sao.search(hands, "B-03-2605", "B-03-2605")
    await sao.open_line(hands, "B-03-2605")
    await sao.fill(hands, sao.labelled("Shelf Life Expiration Date"), "04/23/2028")
    await sao.save(hands)


VANDALS = [
    Vandal("changes another lot, production and page", ("other-stock", "other-work", "other-pages"), _spoils)
]
