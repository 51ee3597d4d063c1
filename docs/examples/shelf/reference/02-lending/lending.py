"""Lending: a thing is with somebody, or with nobody."""

from html import escape

from database import Refused, rows

SCHEMA = "ALTER TABLE things ADD COLUMN IF NOT EXISTS borrower text"


def line(thing):
    number, name = f'<input type="hidden" name="id" value="{thing["id"]}">', escape(thing["name"])
    if thing["borrower"] is None:
        field = f'<label>Who borrows {name} <input name="borrower"></label>'
        return f'<form method="post" action="/lend">{number}{field}<button>Lend {name}</button></form>'
    back = f'<form method="post" action="/back">{number}<button>{name} is back</button></form>'
    return f"is with {escape(thing['borrower'])} {back}"


def foot(things):
    return ""


def lend(form):
    borrower = form.get("borrower", "").strip()
    if not borrower:
        raise Refused("Say who borrows it.")
    taken = "UPDATE things SET borrower = $2 WHERE id = $1 AND borrower IS NULL RETURNING id"
    if not rows(taken, int(form["id"]), borrower):
        thing = rows("SELECT * FROM things WHERE id = $1", int(form["id"]))[0]
        raise Refused(f"{thing['borrower']} has {thing['name']}.")


def back(form):
    rows("UPDATE things SET borrower = NULL WHERE id = $1", int(form["id"]))


ACTIONS = {"lend": lend, "back": back}
