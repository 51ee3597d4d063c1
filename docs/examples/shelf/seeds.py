"""What is on the shelf before a plan starts: a program per plan, run in /app of the reference."""

THINGS = {"lent": [("Saw", None), ("Drill", None)], "back": [("Saw", "Ann")]}


def script(plan: str) -> str:
    return f"""
from database import rows

for name, borrower in {THINGS[plan]!r}:
    rows("INSERT INTO things (name, borrower) VALUES ($1, $2)", name, borrower)
"""
