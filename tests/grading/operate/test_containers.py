import asyncio
import json

import pytest

from tenure.grading.operate import Broker, StubContainer
from tenure.workspace import Finished, MachineLost

pytestmark = pytest.mark.anyio


class Scripted(StubContainer):
    """Answers every command in one way."""

    def __init__(self, finished=None):
        self.finished = finished
        self.calls = []

    async def run(self, command, *, env, input, timeout):
        self.calls.append((list(command), dict(env), input))
        if self.finished is None:
            raise MachineLost("the machine is gone")
        return self.finished


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize(
    "words",
    [
        ("exec", "-u", "root", "shelf", "ls"),
        ("exec", "-it", "shelf", "sh"),
        ("exec", "shelf"),
        ("exec", "-e", "shelf", "ls"),
        ("cp", "here", "shelf:/there"),
        ("cp", "-L", "shelf:/a", "b"),
        ("inspect", "shelf"),
        ("inspect", "--format", "{{.Config.Env}}", "shelf"),
        ("run", "alpine"),
        ("rm", "-f", "shelf"),
        (),
    ],
)
async def test_other_words_are_refused_with_125(words):
    container = Scripted(Finished(0, b"", b""))
    answer = await Broker({"shelf": container}).answer(words)
    assert answer.code == 125 and b"only exec" in answer.stderr and not container.calls


async def test_exec_passes_words_variables_and_input_on():
    container = Scripted(Finished(3, b"out", b"err"))
    broker = Broker({"shelf": container})
    answer = await broker.answer(
        ("exec", "-i", "-e", "A=1=2", "--env", "B=", "shelf", "grep", "-i", "x"), b"in"
    )
    assert answer == (3, b"out", b"err", None)
    assert container.calls == [(["grep", "-i", "x"], {"A": "1=2", "B": ""}, b"in")]
    assert broker.faults == []


async def test_an_unknown_name_is_no_fault_because_verifiers_try_names():
    broker = Broker({})
    for words in (("exec", "x", "ls"), ("cp", "x:/a", "b"), ("inspect", "-f", "{{.State.StartedAt}}", "x")):
        answer = await broker.answer(words)
        assert answer.code == 1 and b"No such container: x" in answer.stderr
    assert broker.faults == []


async def test_a_container_that_is_gone_is_a_fault():
    broker = Broker({"shelf": Scripted()})
    answer = await broker.answer(("exec", "shelf", "ls"))
    assert answer.code == 1 and broker.faults == ["shelf: the machine is gone"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("psql", b'psql: error: connection to server on socket "x" failed: No such file or directory'),
        ("/usr/bin/psql", b"psql: error: could not connect to server: refused"),
        ("mysql", b"ERROR 2002 (HY000): Can't connect to local server"),
        ("mariadb", b"ERROR 1045 (28000): Access denied for user"),
    ],
)
async def test_a_database_that_cannot_be_reached_is_a_fault(program, said):
    broker = Broker({"db": Scripted(Finished(1, b"", said))})
    await broker.answer(("exec", "db", program, "-c", "select 1"))
    assert len(broker.faults) == 1


REFUSED = b"psql: error: connection to server at 127.0.0.1, port 5432 failed: Connection refused"


@pytest.mark.parametrize("code", [2, 0])
@pytest.mark.parametrize(
    "command",
    [
        ("bash", "-c", "PGPASSWORD=x psql -U shelf -c 'select 1' | head -1"),
        ("env", "PGPASSWORD=x", "psql", "-c", "select 1"),
        ("sh", "-c", "/usr/bin/psql -c 'select 1' || true"),
    ],
)
async def test_so_is_one_behind_a_shell_however_that_ends(command, code):
    broker = Broker({"db": Scripted(Finished(code, b"", REFUSED))})
    await broker.answer(("exec", "db", *command))
    assert broker.faults == ["db: psql: connection to server at 127.0.0.1, port 5432 failed"]


@pytest.mark.parametrize(
    "command", [("psql", "-c", "select * from jars"), ("bash", "-c", "psql -c 'select'")]
)
async def test_a_query_that_fails_is_none(command):
    broker = Broker({"db": Scripted(Finished(1, b"", b'ERROR:  relation "jars" does not exist'))})
    await broker.answer(("exec", "db", *command))
    assert broker.faults == []


async def test_words_about_a_database_are_none_where_no_client_says_them():
    broker = Broker({"app": Scripted(Finished(1, b"", REFUSED))})
    await broker.answer(("exec", "app", "cat", "/var/log/app.log"))
    assert broker.faults == []


async def test_a_command_that_hangs_is_a_fault():
    broker = Broker({"db": Scripted(Finished(124, b"", b"", timed_out=True))})
    await broker.answer(("exec", "db", "sleep", "900"))
    assert broker.faults == ["db: sleep took more than 120 seconds"]


async def test_a_command_that_the_verifier_gives_up_on_is_a_fault_and_is_stopped():
    stopped = asyncio.Event()

    class Hangs(StubContainer):
        async def run(self, command, *, env, input, timeout):
            try:
                await asyncio.sleep(60)
            finally:
                stopped.set()

    broker = Broker({"db": Hangs()})
    server = await asyncio.start_server(broker.handle, "127.0.0.1", 0)
    async with server:
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        request = json.dumps({"words": ["exec", "db", "psql"], "input": ""}).encode()
        writer.write(b"%d\n" % len(request) + request)
        await writer.drain()
        assert broker.faults == []
        writer.close()
        await asyncio.wait_for(stopped.wait(), 5)
    assert broker.faults == ["docker exec db psql: no answer before the verifier gave up"]


async def test_the_start_is_told():
    answer = await Broker({"shelf": StubContainer()}).answer(
        ("inspect", "--format", "{{.State.StartedAt}}", "shelf")
    )
    assert answer.stdout == b"2026-01-01T00:00:00Z\n"
