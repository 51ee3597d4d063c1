"""A small app: items in SQLite behind a JSON interface in pages, notes in files, mail."""

import json
import os
import smtplib
import sqlite3
import sys
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

with open(sys.argv[1]) as given:
    CONFIG = json.load(given)
PEOPLE = {"ada": "ada-pass", "root": "root-pass"}
SIZE = 2


def store():
    return sqlite3.connect("/app/tally.db")


with store() as opened:
    opened.execute("CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, name TEXT, amount REAL)")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/health":
            host = {"host": self.headers["Host"], "greeting": os.environ["TALLY_GREETING"], **CONFIG}
            return self.answer(200, host)
        if self.headers.get("Authorization") != "Bearer root":
            return self.answer(401, {"error": "who are you?"})
        page = int(parse_qs(url.query).get("page", ["1"])[0])
        with store() as held:
            rows = held.execute(
                "SELECT name, amount FROM item ORDER BY id LIMIT ? OFFSET ?", (SIZE, SIZE * (page - 1))
            ).fetchall()
            more = held.execute("SELECT count(*) FROM item").fetchone()[0] > page * SIZE
        following = f"http://{self.headers['Host']}{url.path}?page={page + 1}" if more else None
        if url.path == "/linked":
            return self.answer(200, rows, {"Link": f'<{following}>; rel="next"'} if following else {})
        return self.answer(200, {"next": following, "results": rows})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/login":
            known = PEOPLE.get(body["username"]) == body["password"]
            return self.answer(200 if known else 403, {"token": body["username"]})
        if self.path == "/items":
            with store() as held:
                held.execute("INSERT INTO item (name, amount) VALUES (?, ?)", (body["name"], body["amount"]))
        if self.path == "/notes":
            with open(f"/app/notes/{body['name']}", "w") as file:
                file.write(body["text"])
        if self.path == "/mail":
            message = EmailMessage()
            message["From"], message["To"], message["Cc"] = body["from"], body["to"], "cy@example.com"
            message["Subject"] = body["subject"]
            message.set_content(body["text"])
            message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="bill.pdf")
            with smtplib.SMTP("127.0.0.1", CONFIG["mail"]) as server:
                server.login("anybody", "at all")
                server.send_message(message, to_addrs=[body["to"], "cy@example.com", "blind@example.com"])
        if self.path == "/end":
            os._exit(3)
        return self.answer(201, {})

    def answer(self, status, document, headers=()):
        content = json.dumps(document).encode()
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words):
        pass


print("tally listens", flush=True)
ThreadingHTTPServer(("127.0.0.1", CONFIG["port"]), Handler).serve_forever()
