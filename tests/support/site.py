"""A site for tests of browsers: pages by path, from a real server; what was asked and sent is kept."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from types import TracebackType

_TYPES = {"pdf": "application/pdf", "csv": "text/csv", "js": "text/javascript"}


class Site:
    """A server of fixed pages. Use as a context manager.

    Attributes:
        port: On loopback.
        pages: Path → HTML, or the bytes of a file that is downloaded.
        asked: (method, path) of every request.
        sent: Path → the last body that was posted to it.
        slow: Path → seconds that its answer takes.
    """

    def __init__(self, pages: Mapping[str, str | bytes]) -> None:
        self.pages, self.asked, self.sent = dict(pages), list[tuple[str, str]](), dict[str, bytes]()
        self.slow: dict[str, float] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(("GET", self.path))
                path = self.path.partition("?")[0]
                sleep(site.slow.get(path, 0))
                held = site.pages.get(path)
                if isinstance(held, str) and held.startswith("http"):
                    self.send_response(302)
                    self.send_header("Location", held)
                    self.end_headers()
                    return
                self.send_response(200 if held is not None else 404)
                file = isinstance(held, bytes)
                kind = _TYPES.get(path.rpartition(".")[2], "text/html; charset=utf-8")
                self.send_header("Content-Type", kind)
                if file:
                    self.send_header("Content-Disposition", "attachment")
                self.end_headers()
                self.wfile.write(held if isinstance(held, bytes) else (held or "not here").encode())

            def do_POST(self) -> None:
                site.asked.append(("POST", self.path))
                sleep(site.slow.get(self.path, 0))
                site.sent[self.path] = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(303)
                self.send_header("Location", "/")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_port

    def __enter__(self) -> "Site":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
