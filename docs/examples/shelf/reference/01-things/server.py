"""One page over one table: what it shows and does is in the parts."""

import html
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

from database import Refused, rows
from parts import PARTS

PAGE = """<!doctype html><html lang="en"><title>Shelf</title><main><h1>Shelf</h1>{alert}
<ul>{things}</ul>{foot}</main></html>"""


class Handler(BaseHTTPRequestHandler):
    """The page, and a form's way back to it."""

    def page(self, refusal=""):
        """Answer with the page."""
        things = rows("SELECT * FROM things ORDER BY id")
        lines = ["<li>" + " ".join(part.line(thing) for part in PARTS) + "</li>" for thing in things]
        shown = PAGE.format(
            alert=f'<p role="alert">{html.escape(refusal)}</p>' if refusal else "",
            things="".join(lines),
            foot="".join(part.foot(things) for part in PARTS),
        ).encode()
        self.send_response(409 if refusal else 200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(shown)))
        self.end_headers()
        self.wfile.write(shown)

    def do_GET(self):
        """Show the page."""
        self.page()

    def do_POST(self):
        """Do what a form asks for."""
        sent = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        actions = {name: do for part in PARTS for name, do in part.ACTIONS.items()}
        try:
            actions[self.path.strip("/")](dict(parse_qsl(sent)))
        except Refused as refused:
            self.page(str(refused))
            return
        self.send_response(303)
        self.send_header("location", "/")
        self.end_headers()


if sys.argv[1:] == ["prepare"]:
    for part in PARTS:
        rows(part.SCHEMA)
else:
    ThreadingHTTPServer(("0.0.0.0", int(os.environ["APPLICATION_PORT"])), Handler).serve_forever()
