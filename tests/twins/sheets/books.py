"""Spreadsheets to look at: many, none, and ones whose texts are too long for their places."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tenure.twins.sheets.seed import spreadsheet
from tenure.world import BaseBuilder

from .make import ADA, BO, NOW, SEED, accounts

DAY_MS = 86_400_000
MONEY = {"numberFormat": {"type": "CURRENCY", "pattern": '"$"#,##0.00'}}
HEAD = {"textFormat": {"bold": True}, "backgroundColor": {"red": 0.9, "green": 0.95, "blue": 0.93}}
LONG = "A remark that somebody pasted here and never broke into lines, "
_REPS = ("Ines Ferro", "Tom Baker", "Lena Vogt", "Raj Patel", "Ana Sousa")
_REGIONS = ("North", "South", "East", "West")


def _orders(count: int) -> list[list[Any]]:
    head: list[Any] = [
        "Order",
        "Date",
        "Customer",
        "Region",
        "Rep",
        "Units",
        "Price",
        "Discount",
        "Total",
        "Status",
    ]
    return [head] + [
        [
            f"SO-{10_000 + n}",
            date(2026, 1, 2) + timedelta(days=n // 3),
            f"Customer {n % 37 + 1}",
            _REGIONS[n % 4],
            _REPS[n % 5],
            n % 17 + 1,
            12.5 + n % 23 * 3.25,
            n % 4 * 0.05,
            f"=F{n}*G{n}*(1-H{n})",
            ("Open", "Paid", "Overdue")[n % 3],
        ]
        for n in range(2, count + 2)
    ]


def full(path: Path, orders: int = 500) -> tuple[Path, str]:
    """Ada's list of spreadsheets, over a page of it; the id of her orders."""
    summary: list[list[Any]] = [["Region", "Total", "Orders", "Average"]]
    summary += [
        [name, f"=SUMIF(Orders!D2:D,A{n},Orders!I2:I)", f"=COUNTIF(Orders!D2:D,A{n})", f"=B{n}/C{n}"]
        for n, name in enumerate(_REGIONS, 2)
    ]
    summary.append(["All", "=SUM(B2:B5)", "=SUM(C2:C5)", "=B6/C6"])
    last = orders + 1
    with BaseBuilder(path, now=NOW, seed=SEED) as builder:
        people = accounts(builder)
        id = spreadsheet(
            builder,
            "Orders 2026",
            people[ADA],
            {"Orders": _orders(orders), "Summary": summary, "Notes": [["Prices are net of VAT."]]},
            shared=[("bo@acme.test", "writer"), ("cy@acme.test", "reader")],
            frozen_rows=1,
            named={"Totals": f"Orders!I2:I{last}"},
            formats=[
                ("Orders!A1:J1", HEAD),
                (f"Orders!G2:G{last}", MONEY),
                (f"Orders!I2:I{last}", MONEY),
                (f"Orders!H2:H{last}", {"numberFormat": {"type": "PERCENT", "pattern": "0%"}}),
                ("Summary!A1:D1", HEAD),
                ("Summary!B2:B6", MONEY),
                ("Summary!D2:D6", MONEY),
            ],
        )
        for n in range(60):
            owner = people[ADA if n % 3 else BO]
            spreadsheet(
                builder,
                f"Weekly report {n + 1:02d}",
                owner,
                {"Sheet1": [["Week", n]]},
                shared=[("@acme.test", "reader")],
                at=NOW - (n + 1) * DAY_MS,
            )
    return path, id


def empty(path: Path) -> tuple[Path, str]:
    """One empty spreadsheet of Bo's, open to the company."""
    with BaseBuilder(path, now=NOW, seed=SEED) as builder:
        people = accounts(builder)
        id = spreadsheet(
            builder, "Untitled spreadsheet", people[BO], {"Sheet1": []}, shared=[("@acme.test", "writer")]
        )
    return path, id


def overlong(path: Path) -> tuple[Path, str]:
    """A title, sheets and cells that are too long for their places."""
    sheets: dict[str, list[list[Any]]] = {
        "A sheet whose name is as long as a sheet's name may sensibly be": [
            [LONG * 3, "x", 123_456_789_012, LONG],
            ["=1/0", "=NA()", "three\nlines\nhere", -5.25],
            ["é" * 300, 1e20, 0.1, True],
        ],
        **{f"Sheet number {n} of many": [["a"]] for n in range(2, 18)},
    }
    first = next(iter(sheets))
    with BaseBuilder(path, now=NOW, seed=SEED) as builder:
        people = accounts(builder)
        id = spreadsheet(
            builder,
            "A spreadsheet whose title nobody ever thought of shortening, though it fits no window at all "
            * 2,
            people[ADA],
            sheets,
            shared=[
                (f"someone.with.a.rather.long.address.{n}@subsidiary.acme.test", "writer") for n in range(12)
            ],
            formats=[(f"'{first.replace(chr(39), chr(39) * 2)}'!D1", {"wrapStrategy": "WRAP"})],
        )
    return path, id
