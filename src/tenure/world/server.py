"""A world behind TLS in a process of its own: the parent's side.

The process is ``tenure.world.serve``. It shares one control socket with its parent, gets its
listening socket from there, and ends when the parent does. (The kernel's parent-death signal is
no help: it fires when the *thread* that started the process ends.)
"""

import importlib
import ipaddress
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tenure.schema import BadInput, Fault, Shape
from tenure.world.twin import Twin


class ServerSpec(Shape):
    """What a world server needs to know."""

    base: Path
    """The seeded base."""
    twins: tuple[str, ...]
    """Where each twin is found: ``module:attribute``."""
    journal: Path | None = None
    """File that changes are appended to as they happen."""
    log: Path | None = None
    """File that the connection log is appended to as it happens."""
    persona: str = ""
    """Account id that the screens are signed in for."""
    authority: Path | None = None
    """Folder of the certificate authority; the installation's own by default."""


def load_twins(names: Iterable[str]) -> list[Twin]:
    """The twins behind ``module:attribute`` names.

    Raises:
        BadInput: A name leads nowhere.
    """
    found: list[Twin] = []
    for name in names:
        module, _, attribute = name.partition(":")
        try:
            found.append(getattr(importlib.import_module(module), attribute))
        except (ImportError, AttributeError, ValueError) as error:
            raise BadInput(f"no twin at {name!r} ({error}); names are module:attribute") from error
    return found


def listen(port: int = 0) -> socket.socket:
    """A listening socket on 127.0.0.1; port 0 takes a free one.

    Raises:
        BadInput: The port is taken or not ours to take.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(256)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise BadInput(f"cannot listen on 127.0.0.1:{port}: {reason}; choose another port") from error
    return listener


class WorldServer:
    """A running world server.

    Use as a context manager: leaving it stops the server without an end state.

    Attributes:
        hosts: The hostnames that the world answers.
        port: The TCP port, in the network where the listening socket was made.
        session: The secret of the persona's session; empty without a persona.
        pid: The process.
    """

    def __init__(
        self, spec: ServerSpec, *, listener: socket.socket | None = None, port: int = 0, deadline: float = 30
    ) -> None:
        """Start a server and wait until it is ready.

        Args:
            spec: The world.
            listener: A listening loopback socket, taken over; made from ``port`` by default.
            port: Port on 127.0.0.1; 0 takes a free one.
            deadline: Seconds to wait.

        Raises:
            BadInput: The world cannot be opened, the port is taken, or the listener is not on
                loopback.
            Fault: The process failed, or was not ready in time.
        """
        listener = listener or listen(port)
        address, self.port = listener.getsockname()[:2]
        if not ipaddress.ip_address(address).is_loopback:
            listener.close()
            raise BadInput(f"a world is served on loopback only, not on {address}")
        self._control, far = socket.socketpair()
        self._answers = self._control.makefile("rb")
        with listener, far:
            # A session of its own: a Ctrl-C meant for the agent's command must not stop the world.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tenure.world.serve", str(far.fileno()), str(listener.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=(far.fileno(), listener.fileno()),
                start_new_session=True,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            )
        self.pid = self._process.pid
        try:
            ready = self._ask(json.loads(spec.model_dump_json()), deadline)
        except BaseException:
            self._end()
            raise
        self.hosts: tuple[str, ...] = tuple(ready["hosts"])
        self.session: str = ready["session"]

    def __enter__(self) -> "WorldServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(
        self,
        end_state: Path | None = None,
        *,
        horizon_ms: int = 0,
        packed: bool = False,
        deadline: float = 60,
    ) -> Path | None:
        """Close the listener, finish open exchanges, freeze on request, and end the process.

        Args:
            end_state: File to freeze the settled world into; ``None`` freezes nothing.
            horizon_ms: World time that passes before the freeze.
            packed: Pack the base in, so that the file stands alone.
            deadline: Seconds to wait.

        Returns:
            ``end_state``.

        Raises:
            Fault: The world could not be settled or frozen, or the process had ended before.
        """
        if self._answers.closed:
            if end_state is not None:
                raise Fault("the world server has ended; its journal holds what happened")
            return None
        request: dict[str, Any] = {"horizon_ms": horizon_ms, "packed": packed}
        if end_state is not None:
            request["end_state"] = str(end_state.absolute())
        try:
            if end_state is not None or self._process.poll() is None:
                self._ask(request, deadline)
                self._process.wait(deadline)
        finally:
            self._end()
        return end_state

    def _end(self) -> None:
        self._answers.close()
        self._control.close()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    def _ask(self, message: dict[str, Any], deadline: float) -> dict[str, Any]:
        self._control.settimeout(deadline)
        try:
            self._control.sendall(json.dumps(message).encode() + b"\n")
            data = self._answers.readline()
        except TimeoutError as error:
            raise Fault(f"the world server did not answer within {deadline:g} s") from error
        except ConnectionError as error:
            raise Fault(f"the world server is gone ({error}); its journal holds what happened") from error
        if not data:
            raise Fault("the world server ended without a word; what it printed is above")
        answer: dict[str, Any] = json.loads(data)
        if "error" in answer:
            raise (BadInput if answer["bad_input"] else Fault)(answer["error"])
        return answer


def hosts_of(twins: Sequence[Twin]) -> tuple[str, ...]:
    """The hostnames that a world of these twins answers."""
    return tuple(sorted({surface.host for twin in twins for surface in twin.surfaces}))
