"""World servers: real processes, real TLS."""

import contextlib
import http.client
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from support import toy
from tenure.schema import BadInput, Connection, Fault
from tenure.world import BaseBuilder, Due, Gateway, World, reopen
from tenure.world.difference import difference, fingerprint
from tenure.world.journal import replay
from tenure.world.server import ServerSpec, WorldServer, listen
from tenure.world.tls import authority


def spec_in(folder: Path, *titles: str) -> ServerSpec:
    folder.mkdir(exist_ok=True)
    base = toy.build(folder / "base.db", titles or ("first",))
    return ServerSpec(
        base=base, twins=(toy.SPEC,), journal=folder / "journal.jsonl", log=folder / "gateway.jsonl"
    )


@contextlib.contextmanager
def connected(server: WorldServer) -> Iterator[http.client.HTTPConnection]:
    """One TLS connection to the toy's hostname."""
    context = ssl.create_default_context(cafile=str(authority().ca_pem))
    with socket.create_connection(("127.0.0.1", server.port)) as plain:
        connection = http.client.HTTPConnection(toy.HOST)
        connection.sock = context.wrap_socket(plain, server_hostname=toy.HOST)
        yield connection
        connection.close()


def ask(
    connection: http.client.HTTPConnection, method: str, path: str, body: Any = None, host: str = toy.HOST
) -> tuple[int, Any]:
    headers = {"Host": host, "Authorization": f"Bearer {toy.TOKEN}"}
    connection.request(method, path, None if body is None else orjson.dumps(body), headers)
    response = connection.getresponse()
    return response.status, orjson.loads(response.read())


def gone(pid: int, seconds: float = 10) -> bool:
    """Whether a process ends in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_many_requests_use_one_connection(tmp_path: Path) -> None:
    with WorldServer(spec_in(tmp_path)) as server, connected(server) as connection:
        assert server.hosts == (toy.HOST,)
        kept = connection.sock
        for n in range(3):
            assert ask(connection, "POST", "/notes", {"title": f"note {n}"})[0] == 201
        status, notes = ask(connection, "GET", "/notes")
        assert connection.sock is kept
    assert (status, len(notes)) == (200, 4)


def test_httpx_trusts_the_authority(tmp_path: Path) -> None:
    context = ssl.create_default_context(cafile=str(authority().ca_pem))
    with WorldServer(spec_in(tmp_path)) as server, httpx.Client(verify=context, trust_env=False) as client:
        found = client.get(
            f"https://127.0.0.1:{server.port}/notes/n0",
            headers={"host": toy.HOST, "authorization": f"Bearer {toy.TOKEN}"},
            extensions={"sni_hostname": toy.HOST},
        )
    assert found.json() == {"id": "n0", "title": "first"}
    assert "server" not in found.headers
    assert "date" not in found.headers, "real time would contradict the world's clock"


def test_another_host_is_refused_and_logged(tmp_path: Path) -> None:
    spec = spec_in(tmp_path)
    with WorldServer(spec) as server, connected(server) as connection:
        status, answer = ask(connection, "GET", "/notes", host="other.example.com")
    assert status == 421
    assert "other.example.com is not part of this world" in answer["error"]
    assert spec.log is not None
    logged = Connection.model_validate_json(spec.log.read_bytes())
    assert (logged.host, logged.status, logged.records) == ("other.example.com", 421, ())


def test_two_worlds_do_not_mix(tmp_path: Path) -> None:
    one, two = spec_in(tmp_path / "one", "one's"), spec_in(tmp_path / "two", "two's")
    with WorldServer(one) as first, WorldServer(two) as second:
        with connected(first) as a, connected(second) as b:
            ask(a, "POST", "/notes", {"title": "only in one"})
            titles = [[note["title"] for note in ask(c, "GET", "/notes")[1]] for c in (a, b)]
        assert sorted(titles[0]) == ["one's", "only in one"]
        assert titles[1] == ["two's"]


def test_stopping_freezes_the_settled_world(tmp_path: Path) -> None:
    spec = spec_in(tmp_path)
    server = WorldServer(spec)
    with connected(server) as connection:
        ask(connection, "POST", "/notes", {"title": "new"})
        path = server.stop(tmp_path / "end.zip", horizon_ms=60_000)
    assert path is not None
    assert gone(server.pid)
    end = reopen(path, [toy.TWIN], spec.base, scratch=tmp_path / "scratch")
    assert [note.title for note in end.created(toy.Note)] == ["new"]
    assert end.now == toy.NOW + 2_000 + 60_000
    assert [c.status for c in end.connections] == [201]


def test_a_packed_end_state_stands_alone(tmp_path: Path) -> None:
    spec = spec_in(tmp_path)
    path = WorldServer(spec).stop(tmp_path / "end.zip", packed=True)
    assert path is not None
    spec.base.unlink()
    end = reopen(path, [toy.TWIN], scratch=tmp_path / "scratch")
    assert end.get(toy.Note, "n0") is not None


def test_a_killed_server_loses_nothing_it_answered(tmp_path: Path) -> None:
    spec = spec_in(tmp_path)
    assert spec.journal is not None
    server = WorldServer(spec)
    with connected(server) as connection:
        for n in range(5):
            assert ask(connection, "POST", "/notes", {"title": f"note {n}"})[0] == 201
        os.kill(server.pid, signal.SIGKILL)
    with pytest.raises(Fault, match="journal"):
        server.stop(tmp_path / "end.zip")
    kept = World(spec.base, [toy.TWIN])
    assert replay(spec.journal, kept.store) == 5

    same = World(spec.base, [toy.TWIN])
    gateway = Gateway(same)
    for n in range(5):
        body = orjson.dumps({"title": f"note {n}"})
        gateway.answer("POST", toy.HOST, "/notes", "", {"authorization": f"Bearer {toy.TOKEN}"}, body)
    assert fingerprint(difference(kept.store)) == fingerprint(difference(same.store))
    assert kept.store.meta("now") == same.now


def test_a_server_ends_with_its_parent(tmp_path: Path) -> None:
    spec = spec_in(tmp_path)
    program = (
        "import sys, time\n"
        "from tenure.world.server import ServerSpec, WorldServer\n"
        "server = WorldServer(ServerSpec.model_validate_json(sys.argv[1]))\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    parent = subprocess.Popen(
        [sys.executable, "-c", program, spec.model_dump_json()], stdout=subprocess.PIPE, env=environment
    )
    assert parent.stdout is not None
    with parent.stdout as out:
        pid = int(out.readline())
    assert Path(f"/proc/{pid}").exists()
    parent.kill()
    parent.wait()
    assert gone(pid)


def test_stopping_twice_is_harmless(tmp_path: Path) -> None:
    server = WorldServer(spec_in(tmp_path))
    server.stop()
    server.stop()
    with pytest.raises(Fault, match="has ended"):
        server.stop(tmp_path / "end.zip")


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with listen() as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            BadInput, match=rf"^cannot listen on 127\.0\.0\.1:{port}: Address already in use; .*$"
        ):
            WorldServer(spec_in(tmp_path), port=port)


def test_only_loopback_is_served(tmp_path: Path) -> None:
    with socket.socket() as everywhere:
        everywhere.bind(("0.0.0.0", 0))
        everywhere.listen()
        with pytest.raises(BadInput, match=r"loopback only, not on 0\.0\.0\.0"):
            WorldServer(spec_in(tmp_path), listener=everywhere)


@pytest.mark.parametrize("name", ["support.toy:NOBODY", "support.nowhere:TWIN", "nothing"])
def test_a_twin_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    spec = spec_in(tmp_path).model_copy(update={"twins": (name,)})
    with pytest.raises(BadInput, match=f"no twin at '{name}'"):
        WorldServer(spec)


def test_a_file_that_is_no_base_is_named(tmp_path: Path) -> None:
    spec = spec_in(tmp_path)
    spec.base.write_text("not a base")
    with pytest.raises(BadInput, match=r"base\.db is not a world base"):
        WorldServer(spec)


def test_a_world_that_cannot_settle_is_a_fault(tmp_path: Path) -> None:
    with BaseBuilder(tmp_path / "base.db", now=toy.NOW, seed=7) as base:
        base.add(Due(id="1", at=toy.NOW + 5_000, event="lost.twin"))
    server = WorldServer(ServerSpec(base=tmp_path / "base.db", twins=(toy.SPEC,)))
    with pytest.raises(Fault, match=r"nothing handles the due event 'lost\.twin'"):
        server.stop(tmp_path / "end.zip", horizon_ms=10_000)
    assert not (tmp_path / "end.zip").exists()
    assert gone(server.pid)
