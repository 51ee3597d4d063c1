"""Things: they have a name."""

from html import escape

from database import Refused, rows

SCHEMA = "CREATE TABLE IF NOT EXISTS things (id serial PRIMARY KEY, name text NOT NULL)"


def line(thing):
    return f"<b>{escape(thing['name'])}</b>"


def foot(things):
    empty = "" if things else "<p>The shelf is empty.</p>"
    field = '<label>Name of the thing <input name="name"></label>'
    return f'{empty}<form method="post" action="/put">{field}<button>Put on the shelf</button></form>'


def put(form):
    name = form.get("name", "").strip()
    if not name:
        raise Refused("A thing needs a name.")
    rows("INSERT INTO things (name) VALUES ($1)", name)


ACTIONS = {"put": put}
