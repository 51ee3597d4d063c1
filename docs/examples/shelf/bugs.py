"""Two ways to get the finished shelf wrong, each with the plan that must notice."""

from tenure.oracle.grow import bug
from tenure.scoring.grow.audit import BugKind

BUGS = (
    bug(
        "half a cent for repairs is cut off",
        BugKind.CENT_OFF,
        "cents",
        ("deposit.py", 'Decimal("0.01"), ROUND_HALF_UP)', 'Decimal("0.01"), "ROUND_DOWN")'),
    ),
    bug(
        "a thing that somebody has is lent again",
        BugKind.NO_REFUSAL,
        "lent",
        ("lending.py", " AND borrower IS NULL RETURNING", " RETURNING"),
    ),
)
