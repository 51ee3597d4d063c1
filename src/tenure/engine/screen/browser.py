"""A browser in a closed network: started by Playwright, run where only one world answers.

Playwright starts a small launcher. It passes its open files and arguments to the harness, which
runs the browser inside a ``Namespace``: the products' hostnames lead to the world server there, no
other address exists (the host's loopback neither), and the folders of runs, catalog and bases
appear empty. Certificates are trusted through the authority's key alone.
"""

import json
import os
import shutil
import socket
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from tenure.schema import BadInput
from tenure.world import cookies
from tenure.world.namespace import Namespace
from tenure.world.server import ServerSpec, WorldServer, hosts_of, load_twins
from tenure.world.tls import authority

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_FILES = [0, 1, 2, 3, 4]
"""Standard streams and the two ends of the debugging pipe."""
_LAUNCHER = """\
#!{python} -IS
import json, os, socket, sys
at = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
at.connect({address!r})
socket.send_fds(at, [json.dumps(sys.argv[1:]).encode()], {files})
for fd in {files}:
    os.close(fd)
os._exit(int(at.recv(16) or b"1"))
"""


def program(names: Sequence[str], install: str) -> str:
    """The first of some programs that is there.

    Args:
        names: Names or paths, the preferred one first.
        install: What the missing one is called by the package manager.

    Raises:
        BadInput: None is; the text says what to install.
    """
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise BadInput(f"the screen interface needs {names[-1]}: apt-get install {install}")
    return found


class Enclosure:
    """A world server, and the closed network in which one browser sees it.

    Attributes:
        server: The world.
        home: The browser's own folder (profile, downloads), removed at the end.
        launcher: What Playwright starts as the browser.
        flags: What the browser must be started with.
    """

    def __init__(
        self,
        spec: ServerSpec,
        binary: str,
        *,
        hide: Iterable[Path] = (),
        policies: Mapping[str, Mapping[str, Any]] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Open the network and start the world.

        Args:
            spec: The world; its persona is signed in.
            binary: The browser's program.
            hide: Folders that appear empty to the browser.
            policies: Folder of the browser's configuration (``/etc/chromium``) → the policies that
                stand there for this browser alone.
            env: Variables for the browser.

        Raises:
            BadInput: Something that is needed is not installed.
            Fault: The system forbids private networks, or the world does not start.
        """
        self._binary, self._trusted = binary, authority(spec.authority)
        with ExitStack() as stack:
            self.home = Path(tempfile.mkdtemp(prefix="tenure-browser-")).resolve()
            stack.callback(shutil.rmtree, self.home, ignore_errors=True)
            kept = [path.parent for path in (spec.journal, spec.log) if path]
            namespace = Namespace(
                hosts_of(load_twins(spec.twins)),
                self._trusted.ca_pem,
                hide=[spec.base, self._trusted.folder, *kept, *hide],
                show=[self._policies(Path(folder), rules) for folder, rules in (policies or {}).items()],
            )
            self._namespace = stack.enter_context(namespace)
            self.server = stack.enter_context(WorldServer(spec, listener=namespace.listener))
            self._calls = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            self._env = {"HOME": str(self.home), **(env or {})}
            self.launcher = self._listen()
            self._stack = stack.pop_all()

    @property
    def flags(self) -> list[str]:
        """What the browser must be started with."""
        own = [f"--ignore-certificate-errors-spki-list={self._trusted.key_hash}"]
        return [*FLAGS, *own, *(["--no-sandbox"] if os.geteuid() == 0 else [])]

    @property
    def cookies(self) -> list[dict[str, Any]]:
        """The persona's session, in the shape of Playwright's ``add_cookies``."""
        return cookies(self.server.session, self.server.hosts)

    def _policies(self, folder: Path, rules: Mapping[str, Any]) -> tuple[Path, Path]:
        if not folder.is_dir():
            raise BadInput(f"policies need the folder {folder}, which comes with the browser's package")
        own = self.home / "policies"
        (own / "policies" / "managed").mkdir(parents=True)
        (own / "policies" / "managed" / "tenure.json").write_text(json.dumps(rules))
        return own, folder

    def _listen(self) -> Path:
        address, launcher = str(self.home / "launch"), self.home / "launcher"
        self._calls.bind(address)
        self._calls.listen(1)
        launcher.write_text(_LAUNCHER.format(python=sys.executable, address=address, files=_FILES))
        launcher.chmod(0o700)
        threading.Thread(target=self._run, name="tenure-browser", daemon=True).start()
        return launcher

    def _run(self) -> None:
        """Answer the launcher: run the browser with its files and arguments, say how it ended."""
        with suppress(OSError), self._calls.accept()[0] as call:
            data, files, _, _ = socket.recv_fds(call, 1 << 20, len(_FILES))
            standard = [os.fdopen(fd, "rb" if n == 0 else "wb", 0) for n, fd in enumerate(files[:3])]
            try:
                command = [self._binary, *json.loads(data)]
                status = self._namespace.run(
                    command,
                    env=self._env,
                    cwd=self.home,
                    stdin=standard[0],
                    stdout=standard[1],
                    stderr=standard[2],
                    more=files[3:],
                )
            finally:
                for file in standard:
                    file.close()
                for fd in files[3:]:
                    os.close(fd)
            call.send(str(status).encode())

    def end_browser(self) -> None:
        """End the browser at once, whatever its pages would like to ask first."""
        self._namespace.close()

    def close(self) -> None:
        """End the browser and the world server, and remove the folder."""
        self._stack.close()
