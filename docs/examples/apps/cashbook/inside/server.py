"""A cash book: entries in SQLite, a login, a list in pages, a form, and a question before an entry goes."""

import os
import sqlite3
import sys
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SIZE = 15
CATEGORIES = ("Office", "Food", "Travel")
COOKIE = "till=open"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title} - Cashbook</title>
<style>body{{font:16px sans-serif;margin:2em}}td,th{{padding:.3em 1em;text-align:left}}</style>
<nav><a href="/entries">Entries</a> <a href="/entries/new">New entry</a></nav><h1>{title}</h1>{body}</html>"""
LOGIN = """<form method="post" action="/login"><label>User <input name="user"></label>
<label>Password <input name="password" type="password"></label><button>Sign in</button></form>"""


def store():
    opened = sqlite3.connect("/app/cashbook.db", isolation_level=None, timeout=10)
    opened.row_factory = sqlite3.Row
    return opened


store().execute(
    "CREATE TABLE IF NOT EXISTS entry"
    " (id INTEGER PRIMARY KEY, day TEXT, shop TEXT, category TEXT, amount TEXT)"
)


def form(entry, action):
    options = "".join(f"<option{' selected' * (entry['category'] == c)}>{c}</option>" for c in CATEGORIES)
    return f"""<form method="post" action="{action}">
<p><label>Day <input type="date" name="day" value="{escape(entry["day"])}" required></label>
<p><label>Shop <input name="shop" value="{escape(entry["shop"])}" required></label>
<p><label>Category <select name="category">{options}</select></label>
<p><label>Amount <input name="amount" value="{escape(entry["amount"])}" pattern="\\d+[.]\\d\\d" required>
</label>
<p><button>Save</button></form>"""


def listed(page):
    with store() as held:
        rows = held.execute("SELECT * FROM entry ORDER BY id LIMIT ? OFFSET ?", (SIZE, SIZE * (page - 1)))
        lines = [
            f"<tr><td>{r['day']}<td>{escape(r['shop'])}<td>{r['category']}<td>{escape(r['amount'])}"
            f'<td><a href="/entries/{r["id"]}">Edit</a>'
            f'<td><form method="post" action="/entries/{r["id"]}/delete" onsubmit="return confirm('
            f"'Delete this entry?')\"><button>Delete</button></form>"
            for r in rows
        ]
        more = held.execute("SELECT count(*) FROM entry").fetchone()[0] > page * SIZE
    onward = f'<p><a href="/entries?page={page + 1}">Next page</a>' if more else ""
    head = "<tr><th>Day<th>Shop<th>Category<th>Amount<th><th>"
    return f"<table>{head}{''.join(lines)}</table>{onward}"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_GET(self):
        """Show a page."""
        url = urlsplit(self.path)
        if url.path == "/login":
            return self.answer("Sign in", LOGIN)
        if COOKIE not in self.headers.get("Cookie", ""):
            return self.leave("/login")
        if url.path == "/entries/new":
            blank = {"day": "", "shop": "", "category": "Office", "amount": ""}
            return self.answer("New entry", form(blank, "/entries"))
        if url.path.startswith("/entries/"):
            with store() as held:
                entry = held.execute("SELECT * FROM entry WHERE id = ?", (url.path.split("/")[2],)).fetchone()
            return self.answer("Edit entry", form(entry, url.path))
        return self.answer("Entries", listed(int(parse_qs(url.query).get("page", ["1"])[0])))

    def do_POST(self):
        """Take a form, and lead on to a page."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        given = {name: values[0].strip() for name, values in parse_qs(body).items()}
        if self.path == "/login":
            if given.get("password") != os.environ["PASSWORD"]:
                return self.answer("Sign in", f"<p>Wrong user or password.</p>{LOGIN}")
            return self.leave("/entries", f"{COOKIE}; Path=/; HttpOnly")
        if COOKIE not in self.headers.get("Cookie", ""):
            return self.leave("/login")
        parts = self.path.split("/")
        values = [given.get(name, "") for name in ("day", "shop", "category", "amount")]
        with store() as held:
            if self.path.endswith("/delete"):
                held.execute("DELETE FROM entry WHERE id = ?", (parts[2],))
            elif len(parts) > 2:
                held.execute(
                    "UPDATE entry SET day = ?, shop = ?, category = ?, amount = ? WHERE id = ?",
                    [*values, parts[2]],
                )
            else:
                held.execute("INSERT INTO entry (day, shop, category, amount) VALUES (?, ?, ?, ?)", values)
        return self.leave("/entries")

    def answer(self, title, body):
        """Send a page."""
        content = PAGE.format(title=title, body=body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def leave(self, to, cookie=""):
        """Lead to another page."""
        self.send_response(303)
        self.send_header("Location", to)
        self.send_header("Content-Length", "0")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
