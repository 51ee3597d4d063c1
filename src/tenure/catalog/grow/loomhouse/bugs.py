"""Bugs to plant in the finished reference, one at a time: the six kinds of the paper's Table 4.

Each is visible in the plan that is aimed at it, and in no other plan that shares that one's features.
"""

from tenure.oracle.grow import bug
from tenure.scoring.grow.audit import BugKind

PACKAGE, TEMPLATES = "loomhouse/", "templates/"

BUGS = (
    bug(
        "odd cents of a cost are charged to those who booked last",
        BugKind.CENT_OFF,
        "split",
        (PACKAGE + "materials.py", "each + (n < odd)", "each + (n >= people - odd)"),
    ),
    bug(
        "half a cent of a late fee is cut off",
        BugKind.CENT_OFF,
        "late",
        (
            PACKAGE + "fees.py",
            'return money.part(booking["paid"], PERCENT)',
            'return int(booking["paid"] * PERCENT / 100)',
        ),
    ),
    bug(
        "half a cent of a reduced price is cut off",
        BugKind.CENT_OFF,
        "course-cents",
        (PACKAGE + "together.py", 'money.part(row["price"], percent)', 'row["price"] * percent // 100'),
    ),
    bug(
        "the number of unread notices is gone on Notices and back on the next page",
        BugKind.REVERTS,
        "live-seats",
        (PACKAGE + "notices.py", "set read = true where", "set read = read where"),
        (TEMPLATES + "slots/nav/10-unread.html", "{% if unread %}", "{% if unread and not notices %}"),
    ),
    bug(
        "whoever leaves a waiting list is on it again when the page is loaded",
        BugKind.REVERTS,
        "wait-line",
        (
            TEMPLATES + "slots/workshop/10-waiting.html",
            '/leave">',
            '/leave" onsubmit="this.closest(\'section\').remove(); return false">',
        ),
    ),
    bug(
        "the words of a payment are dropped",
        BugKind.DROPPED,
        "amounts",
        (PACKAGE + "credit.py", 'words.strip()[:200] or "Payment"', '"Payment"'),
    ),
    bug(
        "the teachers of an imported programme are dropped",
        BugKind.DROPPED,
        "import-all",
        (PACKAGE + "programme.py", '"teacher": str(teachers.get(teacher, ""))', '"teacher": ""'),
    ),
    bug(
        "what others change empties the fields that somebody has ticked",
        BugKind.DROPPED,
        "live-roster",
        ("static/live.js", "const kept = touched(old);", "const kept = [];"),
    ),
    bug(
        "a cost that is taken back again is said to be taken back",
        BugKind.NO_REFUSAL,
        "take-back",
        (
            PACKAGE + "materials.py",
            "raise Refusal(f\"{cost['what']} has been taken back already.\")",
            "return cost",
        ),
    ),
    bug(
        "fewer seats than bookings are said to be saved",
        BugKind.NO_REFUSAL,
        "more-seats",
        (
            PACKAGE + "changes.py",
            'raise Refusal(f"{taken} seats are booked; there cannot be fewer.")',
            "return",
        ),
    ),
    bug(
        "the second of two managers overwrites the first",
        BugKind.NO_REFUSAL,
        "stale-edit",
        (PACKAGE + "changes.py", 'if version != str(workshop["version"]):', "if not version:"),
    ),
    bug(
        "a time that the clocks skip is moved",
        BugKind.NO_REFUSAL,
        "summer",
        (PACKAGE + "moments.py", "if moment.astimezone(zone).replace", "if False and moment.replace"),
    ),
    bug(
        "a file is imported twice",
        BugKind.NO_REFUSAL,
        "import-all",
        (
            PACKAGE + "programme.py",
            '{(row["title"], row["starts"]) for row in await workshops.upcoming(desk)}',
            "set()",
        ),
    ),
    bug(
        "cancelling is free until three fifths of the hours before the start",
        BugKind.TIMING,
        "late",
        (PACKAGE + "fees.py", "hours=float(FREE_HOURS)", "hours=float(FREE_HOURS) * 0.6"),
    ),
    bug(
        "a workshop is listed for two hours after its start",
        BugKind.TIMING,
        "started",
        (
            PACKAGE + "workshops.py",
            "where w.starts > $1 and",
            "where w.starts > $1::timestamptz - interval '2 hours' and",
        ),
    ),
    bug(
        "the list's free seats change only when it is loaded again",
        BugKind.TIMING,
        "live-seats",
        ("static/live.js", '[id^="free"], #seat', "#free, #seat"),
    ),
    bug(
        "the last manager can be made a member",
        BugKind.OBVIOUS,
        "roles",
        (PACKAGE + "team.py", "managers == 1", "managers == 0"),
    ),
    bug(
        "calling off gives back the full price for a reduced seat",
        BugKind.OBVIOUS,
        "called-off",
        (PACKAGE + "changes.py", 'back=booking["paid"]', 'back=workshop["price"]'),
    ),
    bug(
        "a workshop that is called off stays in the list",
        BugKind.OBVIOUS,
        "called-off",
        (PACKAGE + "workshops.py", " and w.called_off is null order", " order"),
    ),
    bug(
        "the search minds capitals",
        BugKind.OBVIOUS,
        "find",
        (PACKAGE + "search.py", 'wanted.get("words", "").casefold()', 'wanted.get("words", "")'),
    ),
    bug(
        "the report's months are in the reader's time zone",
        BugKind.OBVIOUS,
        "report-utc",
        (PACKAGE + "report.py", "*month(text))", "*(end.replace(tzinfo=desk.zone) for end in month(text)))"),
    ),
    bug(
        "a teacher sees who booked the workshops of others",
        BugKind.OBVIOUS,
        "teacher",
        (PACKAGE + "workshops.py", ' and workshop["teacher"] == desk.id)', ")"),
    ),
    bug(
        "a price that changed is charged unseen",
        BugKind.OBVIOUS,
        "stale-price",
        (PACKAGE + "bookings.py", "if seen != str(price):", "if not seen:"),
    ),
    bug(
        "two clicks charge a cost twice",
        BugKind.OBVIOUS,
        "double-click",
        (PACKAGE + "web.py", "on conflict do nothing", "on conflict (token) do update set at = now()"),
        (
            TEMPLATES + "slots/workshop/30-materials.html",
            "<button>Share the cost</button>",
            "<button ondblclick=\"fetch(this.form.action, {method: 'POST', keepalive: true,"
            ' body: new URLSearchParams(new FormData(this.form))})">Share the cost</button>',
        ),
    ),
)
