"""The story's spreadsheets: the forecast that counts, and the one before it."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from tenure.twins.sheets.seed import Given, spreadsheet
from tenure.twins.sheets.times import serial_of

from .figures import BEST, COMMIT, Deal, Figures

if TYPE_CHECKING:
    from tenure.catalog.worlds.company.company import Company

Rows = list[list[Given]]
PIPELINE, SUMMARY, RATES, README = "Pipeline", "Summary", "Rates", "Read me"
STALE_RULE = 4
"""The row of the read-me tab that says what stale means."""
HEAD = (
    "Deal ID",
    "Deal",
    "Stage",
    "Close date",
    "Last contact",
    "Amount",
    "Currency",
    "Category",
    "Left out",
)
"""Headings of the pipeline's columns A to I; J has the amount in the company's currency."""


def readme(company: "Company", f: Figures, limit: int) -> Rows:
    """The rules, a topic and a text in each row."""
    ops = company.one("ops")
    return [
        ["Purpose", f"The {f.region} forecast of {company.name} for the board pack, kept by {ops.name}."],
        [
            PIPELINE,
            f"One row for every deal that is open in HubSpot in the pipeline {f.region}, also for those that "
            "do not count, with stage, close date, last contact, amount and currency as HubSpot has them on "
            "the day of the update. A promised amount is no amount. A row stays once it is written; what is "
            "signed or lost since just has no category any more.",
        ],
        [
            "Category",
            f"{COMMIT}: Verbal yes, Contract out. {BEST}: Proposal sent. Whatever is earlier, signed or lost "
            "has no category. Only deals with a category count.",
        ],
        [
            "Stale",
            f"An open deal is stale when its last contact is more than {limit} days ago, or when its close "
            "date has passed. The field Last contact in HubSpot decides, whatever else went on. A stale "
            'deal has no category and "stale" under Left out. Once it is no longer stale it counts again.',
        ],
        [
            "Doubles",
            "A deal that is in HubSpot twice counts once, by the record that was created first and with what "
            'that one says. The other has no category and "twice" under Left out. Leave both alone in '
            "HubSpot: the commission hangs on them, and I sort it out with the people concerned.",
        ],
        [
            RATES,
            "One rate a quarter, fixed by finance for the board pack. A new quarter gets a new row; the rows "
            f"of earlier quarters stay. Deals in {f.home} are not converted.",
        ],
        [
            SUMMARY,
            "Only As of (the day of the update) and Quarter are typed. All other figures there, and the last "
            "column of Pipeline, are formulas over all deals, so that everybody can see where they come "
            "from. Nothing is rounded but by its format.",
        ],
        ["Closed tabs", "What was reported stays as it was reported."],
    ]


def rates(f: Figures, first: int) -> Rows:
    """The rates from the ``first`` newest quarter back, oldest first."""
    rows: Rows = [["Quarter", f"{f.foreign} for 1 {f.home}"]]
    for quarter, rate in reversed(list(zip(f.quarters, f.rates, strict=True))[first:]):
        rows.append([quarter, rate])
    return rows


def pipeline(f: Figures, listed: Iterable[tuple[Deal, int, str]], labels: Mapping[str, str]) -> Rows:
    """The pipeline tab as it was left at the last update.

    Args:
        f: The numbers.
        listed: (deal, HubSpot's id, name) of each row.
        labels: Key of a stage → its label.
    """
    rows: Rows = [[*HEAD, f"In {f.home}"]]
    for number, (deal, id, name) in enumerate(listed, 2):
        was, left = deal.line.was, deal.line.left_was
        category = COMMIT if was in {"verbal", "contract"} else BEST if was == "proposal" else None
        if left:
            category = None
        close = deal.close if deal.close > f.updated else f.updated + timedelta(days=30)
        formula = f'=IF(G{number}="{f.home}",F{number},F{number}/{SUMMARY}!$B$4)'
        days = (serial_of(close), serial_of(deal.contact_was))
        line: list[Given] = [id, name, labels[was], *days, deal.amount_was, deal.currency]
        rows.append([*line, category, left or None, formula])
    return rows


def summary(f: Figures, quarter: str, as_of: date, last: int) -> Rows:
    """The summary, its formulas over rows 2 to ``last`` of the pipeline."""

    def counted(category: str) -> list[Given]:
        where = f"{PIPELINE}!$H$2:$H${last}"
        return [
            category,
            f'=SUMIF({where},"{category}",{PIPELINE}!$J$2:$J${last})',
            f'=COUNTIF({where},"{category}")',
        ]

    return [
        [f"{f.region} forecast"],
        ["As of", serial_of(as_of)],
        ["Quarter", quarter],
        [f"{f.foreign} for 1 {f.home}", f"=INDEX({RATES}!$B$2:$B$50,MATCH($B$3,{RATES}!$A$2:$A$50,0))"],
        [],
        ["Category", f.home, "Deals"],
        counted(COMMIT),
        counted(BEST),
        ["Total", "=B7+B8", "=C7+C8"],
    ]


def closed(f: Figures, company: "Company") -> Rows:
    """What was reported for an earlier quarter, as values."""
    commit, best = (company.rng.randrange(90, 190) * 1000 + company.rng.randrange(1000) for _ in "ab")
    return [
        ["Category", f.home, "Deals"],
        [COMMIT, commit, 4],
        [BEST, best, 5],
        ["Total", commit + best, 9],
        ["Reported to the board as it stands here."],
    ]


def add(
    company: "Company",
    title: str,
    tabs: Mapping[str, Rows],
    numbers: Mapping[str, int],
    at: int,
) -> str:
    """Add a spreadsheet of sales operations that everyone may edit; returns its id."""
    money = {"numberFormat": {"type": "NUMBER", "pattern": "#,##0"}}
    day = {"numberFormat": {"type": "DATE", "pattern": "yyyy-mm-dd"}}
    return spreadsheet(
        company.base,
        title,
        company.account(company.one("ops")),
        tabs,
        shared=[(f"@{company.domain}", "writer")],
        at=at,
        numbers=numbers,
        formats=[
            (f"{PIPELINE}!A2:A200", {"numberFormat": {"type": "NUMBER", "pattern": "0"}}),
            (f"{PIPELINE}!D2:E200", day),
            (f"{PIPELINE}!F2:F200", money),
            (f"{PIPELINE}!J2:J200", money),
            (f"{SUMMARY}!B2", day),
            (f"{SUMMARY}!B7:B9", money),
        ],
    )
