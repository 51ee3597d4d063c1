"""The first process of a private network: prepares it, then runs one command in it.

A plain script of the standard library alone, started by ``namespace`` in milliseconds. It talks to
its parent over the socket whose number is its argument, and ends (and with it everything in its
process namespace) when the command or the parent does.
"""

import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import struct
import sys
from typing import Any, NoReturn

MESSAGE = 1 << 20
HTTPS = 443
FILES = 16
"""Open files that a command may be given."""

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REMOUNT, _MS_BIND = 1, 2, 4, 8, 32, 4096
_MS_SEALED = _MS_RDONLY | _MS_NOSUID | _MS_NODEV | _MS_NOEXEC
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40
_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    result = _libc.mount(
        os.fsencode(source), os.fsencode(target), kind.encode(), ctypes.c_ulong(flags), options.encode()
    )
    _check(result, f"cannot mount over {target}")


def _hide(path: str, empty: str) -> None:
    if os.path.isdir(path):
        _mount("tmpfs", path, "tmpfs", _MS_SEALED, "size=4k,mode=555")
    elif os.path.exists(path):
        _mount(empty, path, "", _MS_BIND)


def _seal_kernel() -> None:
    """Make kernel settings read-only: uid 0 may write them even without any capability."""
    for path in ("/proc/sys", "/sys"):
        if os.path.isdir(path):
            _mount(path, path, "", _MS_BIND)
            _mount("", path, "", _MS_BIND | _MS_REMOUNT | _MS_SEALED)


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", _IFF_UP | _IFF_RUNNING)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, request)


def _drop_privileges() -> None:
    """Give up every capability for good; masks can then not be lifted again."""
    number = 0
    while _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0) == 0:
        number += 1
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _check(_libc.capset(header, bytes(24)), "cannot drop capabilities")
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "cannot forbid new privileges")
    _check(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "cannot hide from the command")


def _prepare(control: socket.socket) -> None:
    request = json.loads(control.recv(MESSAGE))
    try:
        _loopback_up()
        _mount(request["hosts"], "/etc/hosts", "", _MS_BIND)
        if request["root"]:
            _seal_kernel()
        for path in request["hide"]:
            _hide(path, request["empty"])
        for source, target in request["show"]:
            _mount(source, target, "", _MS_BIND)
            _mount("", target, "", _MS_BIND | _MS_REMOUNT | _MS_SEALED)
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.bind(("127.0.0.1", HTTPS))
        listener.listen(256)
        _drop_privileges()
    except OSError as error:
        control.send(json.dumps({"error": error.strerror}).encode())
        sys.exit(1)
    with listener:
        socket.send_fds(control, [b"{}"], [listener.fileno()])


def _start(request: dict[str, Any], files: list[int]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        # Out of the way first: a file may have the number that another is to get.
        moved = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 4 * FILES) for fd in files]
        for number, fd in enumerate(moved):
            os.dup2(fd, number)
        if request["group"]:
            os.setpgid(0, 0)
        for known in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(known, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        # The working directory may still name a folder that is hidden by now.
        os.chdir(request["cwd"])
        os.execvpe(request["command"][0], request["command"], request["env"])
    except OSError as error:
        print(f"cannot start {request['command'][0]}: {error}", file=sys.stderr, flush=True)
    os._exit(127)


def _reap(child: int) -> None:
    """Collect whoever ended; end with the command's status when it was among them."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _watch(control: socket.socket, child: int, group: bool, woken: int) -> NoReturn:
    while True:
        ready, _, _ = select.select([control.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 512)
            _reap(child)
        if control.fileno() in ready:
            data = control.recv(MESSAGE)
            if not data:
                os._exit(1)
            number = json.loads(data)["signal"]
            if group:
                os.killpg(child, number)
            else:
                os.kill(child, number)


def main() -> NoReturn:
    """Prepare the namespace, wait for the command, run it."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    _prepare(control)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    data, files, _, _ = socket.recv_fds(control, MESSAGE, FILES)
    if not data:
        os._exit(1)
    for fd in files:
        os.set_inheritable(fd, False)
    request = json.loads(data)
    child = _start(request, files)
    for fd in files:
        os.close(fd)
    _watch(control, child, request["group"], woken)


if __name__ == "__main__":
    main()
