"""Products in fresh workspaces: what stands there, what does not and why, and what snapshots hold."""

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.machines import isolated
from tenure.oracle.grow import packed
from tenure.schema import Fault
from tenure.schema.grow import Product
from tenure.schema.verdict import Cause
from tenure.workspace import Machine, TooMuch, open_machine, product
from tenure.workspace.product import (
    SEEDING,
    NotStanding,
    code_hash,
    open_code,
    seed,
    set_up,
    snapshot,
    standing,
    start,
    unpack,
)

pytestmark = [pytest.mark.anyio, isolated]

TASK = Product(
    suite="grow",
    name="tiny",
    title="Tiny",
    version="1-0",
    canary="Tenure test data, never to be trained on: tiny",
    domain="tests",
    service="none",
    environment={"FEE": "5.00", "HOURS": "48"},
)
STORED = TASK.model_copy(update={"service": "postgres", "packages": ("asyncpg",)})
SERVE = b'#!/bin/sh\nexec python3 -m http.server "$APPLICATION_PORT"\n'
CODE = {"setup.sh": b"#!/bin/sh\necho set up >> order\n", "start.sh": b"echo start >> order\n" + SERVE}

ONCE = b"""
import http.server, sys
http.server.HTTPServer(("", 8000), http.server.SimpleHTTPRequestHandler).handle_request()
sys.exit(5)
"""


async def told(machine: Machine, script: str) -> str:
    done = await machine.run(["sh", "-c", script])
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


async def refused(
    files: Mapping[str, bytes], task: Product = TASK, seeding: Mapping[str, bytes] | None = None
) -> NotStanding:
    with pytest.raises(NotStanding) as caught:
        async with standing(task, packed({**CODE, **files}), seeding=seeding):
            pass
    assert str(caught.value) == caught.value.reason
    return caught.value


async def test_a_product_is_set_up_seeded_started_in_this_order() -> None:
    script = b'echo "seed $(cat .seeding/what)" >> order\n'
    async with standing(TASK, packed(CODE), seeding={"seed.sh": script, "what": b"it"}) as place:
        assert await told(place.machine, "cat order") == "set up\nseed it\nstart\n"
        reader, writer = await place.machine.connect(TASK.port)
        writer.write(b"GET /order HTTP/1.0\r\n\r\n")
        assert (await reader.read()).endswith(b"start\n")
        writer.close()


async def test_a_plan_sets_the_environment_otherwise_than_the_product() -> None:
    setup = b'echo "$FEE $HOURS $APPLICATION_PORT ${POSTGRES_DATABASE_URL%%:*}" > seen'
    async with open_code(STORED, packed({"setup.sh": setup}), environment={"FEE": "7.00"}) as place:
        await set_up(place, STORED)
        assert await place.machine.read("seen") == b"7.00 48 8000 postgresql\n"


async def test_a_script_needs_neither_its_mode_nor_an_interpreters_name() -> None:
    async with open_code(TASK, packed(CODE)) as place:
        await told(place.machine, "chmod 644 setup.sh start.sh")
        await set_up(place, TASK)
        await start(place, TASK)
        assert await told(place.machine, "cat order") == "set up\nstart\n"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"setup.sh": b"echo no such column >&2; exit 3"}, "setup.sh: ended with status 3:\nno such column"),
        ({"start.sh": b"echo no module; exit 4"}, "start.sh: it ended with status 4:\nno module"),
        ({"start.sh": b"sleep 60"}, "start.sh: nothing answers on port 8000 after 3 s"),
        (
            {"start.sh": b'printf "not HTTP" | nc -l -p "$APPLICATION_PORT"; sleep 60'},
            "start.sh: nothing answers on port 8000 after 3 s",
        ),
        (
            {"start.sh": b"exec python3 once.py", "once.py": ONCE},
            "start.sh: it ended with status 5",
        ),
    ],
)
async def test_a_product_that_does_not_stand_says_why(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes], says: str
) -> None:
    monkeypatch.setattr(product, "START_SECONDS", 3)
    error = await refused(files)
    assert error.cause is Cause.START and error.reason.startswith(says)


@pytest.mark.parametrize(("left", "says"), [("setup.sh", "start.sh"), ("start.sh", "setup.sh")])
async def test_a_script_that_is_missing_is_named(left: str, says: str) -> None:
    with pytest.raises(NotStanding, match=f"{says}: there is none"):
        async with standing(TASK, packed({left: CODE[left]})):
            pass


async def test_a_script_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(product, "SCRIPT_SECONDS", 1)
    error = await refused({"setup.sh": b"echo waiting; sleep 60"})
    assert error.reason == "setup.sh: did not end in 1 s:\nwaiting"


@pytest.mark.parametrize(
    ("seeding", "says"),
    [
        ({"seed.sh": b"echo no table; exit 1"}, "seed.sh: ended with status 1:\nno table"),
        ({"other.sh": b"true"}, "seed.sh: there is none"),
    ],
)
async def test_a_seed_that_fails_is_its_own_cause(seeding: dict[str, bytes], says: str) -> None:
    error = await refused({}, seeding=seeding)
    assert error.cause is Cause.SEED and error.reason == says


async def test_what_the_code_holds_in_place_of_the_seed_is_not_run() -> None:
    planted = {f"{SEEDING.removeprefix('/app/')}/seed.sh": b"echo planted > seen"}
    async with open_code(TASK, packed({**CODE, **planted})) as place:
        with pytest.raises(NotStanding, match=r"seed\.sh: there is none"):
            await seed(place, {})
        await seed(place, {"seed.sh": b"echo ours > seen"})
        assert await place.machine.read("seen") == b"ours\n"


# --- a product that works in development only

NEEDS_A_FILE = {"setup.sh": b"true", "start.sh": b'cat "$HOME/settings" || exit 1\n' + SERVE}
NEEDS_A_TABLE = {
    "setup.sh": b"true",
    "start.sh": b'python3 ask.py "select count(*) from rides" || exit 1\n' + SERVE,
    "ask.py": b"""
import asyncio, asyncpg, os, sys

async def ask():
    connection = await asyncpg.connect(os.environ["POSTGRES_DATABASE_URL"])
    await connection.execute(sys.argv[1])

asyncio.run(ask())
""",
}


@pytest.mark.parametrize(
    ("task", "files", "by_hand", "says"),
    [
        (TASK, NEEDS_A_FILE, "echo yes > ~/settings", "settings: No such file"),
        (STORED, NEEDS_A_TABLE, "python3 ask.py 'create table rides ()'", 'relation "rides" does not exist'),
    ],
    ids=["a file outside its code", "records of its database"],
)
async def test_what_was_left_beside_the_code_is_not_there(
    task: Product, files: dict[str, bytes], by_hand: str, says: str
) -> None:
    async with open_code(task, packed(files)) as place:
        await set_up(place, task)
        await told(place.machine, by_hand)
        await start(place, task)
        code = await snapshot(place.machine)
    with pytest.raises(NotStanding) as caught:
        async with standing(task, code):
            pass
    assert caught.value.cause is Cause.START and says in caught.value.reason


# --- snapshots

HOSTILE = r"""
ln -s /etc/passwd out; ln -s ../../.. up; ln -s nowhere broken; ln -s . round
mkfifo pipe; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
mkdir -p deep/__pycache__ .seeding "$(printf 'bad-\377-name')"; touch deep/__pycache__/x.pyc .seeding/seed.sh
printf 'latin \351' > "$(printf 'caf\351.txt')"; echo > "$(printf 'new\nline')"; echo > -rf
echo secret > closed; chmod 000 closed; echo tool > tool; chmod 4755 tool; ln tool twin
"""
LEFT = r"""find . -mindepth 1 -printf '%y %m %P %l\n' | LC_ALL=C sort | cat -v"""


async def test_a_snapshot_of_anything_comes_back_as_it_was() -> None:
    async with open_machine() as machine:
        await told(machine, HOSTILE)
        code = await snapshot(machine)
        assert await snapshot(machine) == code
        before = await told(machine, LEFT)
    async with open_machine() as machine:
        await unpack(machine, code)
        after = await told(machine, LEFT)
        assert await snapshot(machine) == code and len(code_hash(code)) == 64
        assert await told(machine, "cat tool twin; cat caf*.txt | od -c | head -1") == (
            "tool\ntool\n0000000   l   a   t   i   n     351\n"
        )
    gone = ("__pycache__", ".seeding", "pipe", "socket", "closed")
    before = before.replace("f 4755", "f 755")  # Whose rights would they be?
    kept = [line for line in before.splitlines() if not any(name in line for name in gone)]
    assert sorted(after.splitlines()) == sorted(kept)
    assert any("M-i.txt" in line for line in kept) and "l 777 out /etc/passwd" in kept


@pytest.mark.parametrize(
    ("script", "cap", "to"),
    [
        ("truncate -s 100G sparse", "BYTES", 1 << 20),
        ("head -c 2000000 /dev/urandom > a; head -c 2000000 /dev/urandom > b", "BYTES", 3 << 20),
        ("head -c 2000000 /dev/urandom > a", "PACKED", 1 << 20),
        ("mkdir many; cd many; seq 300 | xargs touch", "FILES", 200),
    ],
)
async def test_what_is_too_much_is_said(
    monkeypatch: pytest.MonkeyPatch, script: str, cap: str, to: int
) -> None:
    monkeypatch.setattr(product, cap, to)
    async with open_machine() as machine:
        await told(machine, f"mkdir -p web/node_modules; (cd web/node_modules; {script}); echo x > kept")
        async with open_machine() as fresh:
            await unpack(fresh, await snapshot(machine))
            assert (await told(fresh, "find . -mindepth 1 | sort")).split() == ["./kept", "./web"]
        await told(machine, script)
        with pytest.raises(TooMuch, match="/app holds more than"):
            await snapshot(machine)


def archive(*members: tuple[str, bytes, str]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as made:
        for name, kind, value in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            if kind == tarfile.REGTYPE:
                member.size = len(value)
            member.linkname = value
            made.addfile(member, io.BytesIO(value.encode()))
    return file.getvalue()


FILE, LINK = tarfile.REGTYPE, tarfile.SYMTYPE


@pytest.mark.parametrize(
    "code",
    [
        archive(("a", LINK, "/home/agent"), ("a/settings", FILE, "x")),
        archive(("/home/agent/settings", FILE, "x")),
        archive(("../home/agent/settings", FILE, "x")),
        archive(("a", FILE, "x"), ("a", FILE, "y")),
        archive(("settings", tarfile.LNKTYPE, "/etc/passwd")),
        archive(("settings", tarfile.CHRTYPE, "")),
        archive(("settings", tarfile.FIFOTYPE, "")),
        b"no archive",
        archive(("a", FILE, "x" * 9000))[:-20],
    ],
)
async def test_an_archive_writes_below_app_or_not_at_all(code: bytes) -> None:
    async with open_machine() as machine:
        with pytest.raises(Fault, match="the code cannot be unpacked: "):
            await unpack(machine, code)
        assert await told(machine, "ls -A ~; find . -name settings") == ""


async def test_code_of_its_own_module_names_does_not_run_when_packed(tmp_path: Path) -> None:
    async with open_machine() as machine:
        for name in ("gzip.py", "tarfile.py", "http.py"):
            await machine.write(name, b"raise SystemExit('hijacked')")
        assert await snapshot(machine)
