"""The floor of a served read: Starlette, SQLite and JSON, and nothing else.

``python -m bench.floor DATABASE AUTHORITY FD`` serves it behind TLS on an inherited listening socket.
"""

import socket
import sys
from pathlib import Path

import apsw
import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tenure.world.tls import authority

HOST = "floor.example.com"


def application(database: Path) -> Starlette:
    """One route that answers with one row's JSON."""
    db = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)

    async def read(request: Request) -> Response:
        row = db.execute("select data from message where id=?", (request.path_params["id"],)).fetchone()
        if row is None:
            return Response(status_code=404)
        return Response(orjson.dumps(orjson.loads(row[0])), media_type="application/json")

    return Starlette(routes=[Route("/messages/{id}", read)])


def main() -> None:
    """Serve until killed."""
    database, folder, fd = sys.argv[1:]
    config = uvicorn.Config(
        application(Path(database)), http="httptools", loop="uvloop", ws="none", lifespan="off",
        log_level="warning", access_log=False,
    )  # fmt: skip
    config.load()
    config.ssl = authority(Path(folder)).server_context([HOST])
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(fd))])


if __name__ == "__main__":
    main()
