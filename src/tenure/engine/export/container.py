"""The container of an exported task: Python 3.12, Node.js 22 and PostgreSQL 17, as a workspace has them."""

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

USER, APP, HOME = "agent", "/app", "/home/agent"
READER = "/root/reader.url"
"""The address that graders read the database by; the agent's user cannot open the file."""
START_DATABASE = "start-database"
PROGRAMS = "Python 3.12 and Node.js 22"
DATABASE = "PostgreSQL 17"
DATABASE_URL = "postgresql://app:app@127.0.0.1:5432/app"

_BASE = """\
FROM node:22-trixie-slim AS node
FROM python:3.12-slim-trixie
RUN apt-get update \\
 && apt-get install -y --no-install-recommends {system} \\
 && rm -rf /var/lib/apt/lists/*
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
"""
_AGENT = f"""\
RUN useradd --create-home --home-dir {HOME} --shell /bin/bash {USER} \\
 && mkdir -p {APP} && chown {USER}:{USER} {APP}
"""
_WORKSPACE = """\
COPY start-database /usr/local/sbin/start-database
RUN chmod 755 /usr/local/sbin/start-database
"""
_SYSTEM = ("build-essential", "ca-certificates", "curl", "git", "postgresql-17", "procps")
_GRADER = (*_SYSTEM, "bubblewrap", "chromium-headless-shell", "iproute2", "util-linux")
START = f"""\
#!/bin/sh
# Starts PostgreSQL unless it runs, with a database for the application and a reader for graders.
set -eu
as() {{ runuser -u postgres -- "$@"; }}
if [ "$(id -u)" != 0 ]; then exec pg_isready -q -h 127.0.0.1; fi
pg_isready -q -h 127.0.0.1 || pg_ctlcluster 17 main start
pg_isready -q -h 127.0.0.1 -t 30
[ -f {READER} ] && exit 0
password="$(head -c 18 /dev/urandom | od -An -tx1 | tr -d ' \\n')"
as psql -q -v ON_ERROR_STOP=1 <<SQL
CREATE ROLE app LOGIN PASSWORD 'app';
CREATE ROLE grader LOGIN BYPASSRLS PASSWORD '$password' IN ROLE pg_read_all_data;
CREATE DATABASE app OWNER app;
REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC;
SQL
umask 077
echo "postgresql://grader:$password@127.0.0.1:5432/app" > {READER}
"""


def dockerfile(packages: Iterable[str], copies: Iterable[tuple[str, str]] = ()) -> str:
    """The image that an agent works in.

    Args:
        packages: Python distributions that are there beside the standard library.
        copies: Files of the context that are put into it: (name, path).
    """
    lines = [_BASE.format(system=" ".join(_SYSTEM)), _installed(packages), _AGENT, _WORKSPACE]
    lines += [f"COPY --chown={USER}:{USER} {name} {path}\n" for name, path in copies]
    return "".join([*lines, f"WORKDIR {APP}\n"])


def grader_dockerfile(tenure: str) -> str:
    """The image that a finished product is graded in; it holds the tests.

    Args:
        tenure: What pip installs Tenure from: a requirement, or a wheel beside the file.
    """
    install = [
        _BASE.format(system=" ".join(_GRADER)),
        "COPY . /tests\n",
        f"RUN pip install --no-cache-dir {source(tenure)}\n",
        f"RUN chmod 755 /tests/test.sh\nWORKDIR {APP}\n",
    ]
    return "".join(install)


def _installed(packages: Iterable[str]) -> str:
    """Pinned to what the workspaces of this installation have."""
    pinned = [_pinned(name) for name in packages]
    return f"RUN pip install --no-cache-dir {' '.join(pinned)}\n" if pinned else ""


def _pinned(name: str) -> str:
    try:
        return f"{name}=={version(name)}"
    except PackageNotFoundError:
        return name


def source(tenure: str) -> str:
    """What pip is told: a wheel lies beside the tests."""
    return f"/tests/{tenure}" if tenure.endswith(".whl") else f"'{tenure}'"
