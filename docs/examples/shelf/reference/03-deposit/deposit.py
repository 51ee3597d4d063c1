"""Deposits: what is held for all that is lent, and the part of it that is for repairs."""

import os
from decimal import ROUND_HALF_UP, Decimal

SCHEMA = "SELECT 1"
ACTIONS = {}
DEPOSIT = Decimal(os.environ["DEPOSIT"])
REPAIRS = (DEPOSIT / 10).quantize(Decimal("0.01"), ROUND_HALF_UP)


def line(thing):
    return ""


def foot(things):
    lent = sum(thing["borrower"] is not None for thing in things)
    return f"<p>Deposits held: €{DEPOSIT * lent:.2f}, for repairs: €{REPAIRS * lent:.2f}</p>"
