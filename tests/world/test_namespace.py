"""Outside commands on the real hostnames: real clients, real namespaces."""

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from support import toy
from support.outside import Outside, require, run_client
from tenure.schema import BadInput, Fault
from tenure.world import reopen
from tenure.world.namespace import Namespace, run_in_namespace
from tenure.world.server import ServerSpec
from tenure.world.tls import authority

SIGN_IN = f"Authorization: Bearer {toy.TOKEN}"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return toy.build(tmp_path / "base.db")


def shell(base: Path, script: str, *, hide: list[Path] | None = None, **env: str) -> Outside:
    return run_client(base, [toy.SPEC], ["sh", "-c", script], env=env, hide=hide or [])


def running(mark: str) -> bool:
    """Whether any process has the mark in its arguments."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in file.read_bytes().decode("utf-8", "replace"):
                return True
        except OSError:
            continue
    return False


def ends(mark: str, seconds: float = 10) -> bool:
    until = time.monotonic() + seconds
    while running(mark) and time.monotonic() < until:
        time.sleep(0.02)
    return not running(mark)


# -- clients --------------------------------------------------------------------------------


def test_curl_reads_a_note(base: Path) -> None:
    found = shell(base, f"curl -sS -H '{SIGN_IN}' https://{toy.HOST}/notes/n0").check()
    assert found.stdout == '{"id":"n0","title":"first"}'
    assert [(c.host, c.path, c.status, c.actor, c.records) for c in found.connections] == [
        (toy.HOST, "/notes/n0", 200, "ann", (("toy.note", "n0"),))
    ]


def test_python_clients_need_no_setting(base: Path, tmp_path: Path) -> None:
    program = f"""
import httplib2, httpx, os, requests, urllib3
url, headers = "https://{toy.HOST}/notes", {{"authorization": "Bearer " + os.environ["TOKEN"]}}
with httpx.Client(headers=headers) as client:
    print(client.post(url, json={{"title": "httpx"}}).status_code)
with requests.Session() as session:
    print(session.post(url, json={{"title": "requests"}}, headers=headers).status_code)
print(httplib2.Http().request(url, headers=headers)[0].status)
print(urllib3.PoolManager().request("GET", url, headers=headers).status)
"""
    found = run_client(base, [toy.SPEC], ["python", "-c", program], env={"TOKEN": toy.TOKEN}).check()
    assert found.stdout.split() == ["201", "201", "200", "200"]
    end = reopen(found.end_state, [toy.TWIN], base, scratch=tmp_path / "scratch")
    assert {note.title for note in end.created(toy.Note)} == {"httpx", "requests"}
    assert [c.changed for c in found.connections] == [1, 1, 0, 0]


def test_node_needs_no_setting(base: Path) -> None:
    program = f"""
fetch("https://{toy.HOST}/notes/n0", {{headers: {{authorization: "Bearer {toy.TOKEN}"}}}})
  .then(r => r.text()).then(console.log)"""
    found = run_client(base, [toy.SPEC], ["node", "-e", program]).check()
    assert json.loads(found.stdout) == {"id": "n0", "title": "first"}


def test_two_worlds_at_once_do_not_mix(tmp_path: Path) -> None:
    require()
    found: dict[str, Outside] = {}

    def run(name: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        base = toy.build(folder / "base.db", [name])
        url = f"https://{toy.HOST}/notes"
        post = f"curl -sS -H '{SIGN_IN}' -d '{{\"title\":\"{name} wrote\"}}' {url}"
        found[name] = shell(base, f"{post}; sleep 0.5; curl -sS -H '{SIGN_IN}' {url}")

    threads = [threading.Thread(target=run, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, other in (("one", "two"), ("two", "one")):
        assert f'"title":"{name} wrote"' in found[name].check().stdout
        assert other not in found[name].stdout


# -- nothing else exists --------------------------------------------------------------------


def test_an_unknown_host_has_no_address(base: Path) -> None:
    found = shell(base, "curl -sS https://other.example.com/")
    assert (found.returncode, found.connections) == (6, [])
    assert "Could not resolve host" in found.stderr


def test_another_host_on_the_same_connection_is_refused_and_logged(base: Path) -> None:
    url = f"https://{toy.HOST}/notes"
    found = shell(base, f"curl -sS -o /dev/null -w '%{{http_code}}' -H 'Host: other.example.com' {url}")
    assert found.stdout == "421"
    assert [(c.host, c.status) for c in found.connections] == [("other.example.com", 421)]


def test_the_machine_outside_cannot_be_reached(base: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        port = outside.getsockname()[1]
        program = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
        found = run_client(base, [toy.SPEC], ["python", "-c", program])
    assert "ConnectionRefusedError" in found.stderr
    program = "import socket; socket.create_connection(('192.0.2.1', 443), 2)"
    assert "Network is unreachable" in run_client(base, [toy.SPEC], ["python", "-c", program]).stderr


def test_no_process_outside_is_seen(base: Path) -> None:
    found = shell(base, f"ls -d /proc/{os.getpid()} || ls -d /proc/[0-9]*")
    assert set(found.stdout.split()) >= {"/proc/1", "/proc/2"}
    assert f"/proc/{os.getpid()}" not in found.stdout.split()


# -- what is hidden -------------------------------------------------------------------------


def test_hidden_paths_are_hidden(base: Path, tmp_path: Path) -> None:
    catalog, lone = tmp_path / "catalog", tmp_path / "lone.txt"
    catalog.mkdir()
    (catalog / "check.py").write_text("the answer")
    lone.write_text("the answer")
    key = authority().folder / "authority.pem"
    found = shell(
        base,
        f"cat {catalog}/check.py; cat {lone}; cat {key}; cat {base}; cat {tmp_path}/outside-*/world/*;"
        f"umount {catalog}; umount {lone}; unshare -r umount {catalog}; cat /proc/1/root{catalog}/check.py;"
        f"touch {catalog}/x; ls -A {catalog}; cat {lone}",
        hide=[catalog, lone, tmp_path / "not there"],
    )
    assert found.stdout == ""
    assert "the answer" not in found.stderr
    assert "Read-only file system" in found.stderr
    assert lone.read_text() == "the answer"


def test_services_of_the_machine_are_hidden(base: Path) -> None:
    found = shell(base, "find /run -mindepth 2; find /run -type s -exec test -s {} \\; -print").check()
    assert found.stdout == ""


def test_the_kernel_and_raw_disks_are_out_of_reach(base: Path) -> None:
    writable = (
        "for f in /proc/sys/kernel/core_pattern /sys/kernel/uevent_helper; do test ! -w $f || echo $f; done"
    )
    found = shell(base, f"{writable}; for f in /dev/*; do test ! -b $f || echo $f; done").check()
    assert found.stdout == ""


def test_the_command_has_no_privileges(base: Path) -> None:
    lines = shell(base, "grep -E '^(Cap|NoNewPrivs)' /proc/self/status").check().stdout.splitlines()
    assert {line.split()[0]: int(line.split()[1], 16) for line in lines} == {
        "CapInh:": 0,
        "CapPrm:": 0,
        "CapEff:": 0,
        "CapBnd:": 0,
        "CapAmb:": 0,
        "NoNewPrivs:": 1,
    }


def test_the_environment_holds_no_keys_but_those_given(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "GIVEN_API_KEY", "AWS_PROFILE"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_TIME", "C")
    found = shell(base, "env; tr '\\0' '\\n' < /proc/1/environ", GIVEN_API_KEY="passed")
    names = {line.partition("=")[0] for line in found.stdout.splitlines()}
    assert "GIVEN_API_KEY=passed" in found.stdout.splitlines()
    assert "secret" not in found.stdout
    assert {"PATH", "HOME", "LC_TIME", "SSL_CERT_FILE"} <= names


def test_a_hidden_working_directory_is_refused(base: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"the working directory, .*, lies in .*, which is hidden"):
        run_client(base, [toy.SPEC], ["true"], cwd=tmp_path, hide=[tmp_path.parent / tmp_path.name])


# -- how it ends ----------------------------------------------------------------------------


@pytest.mark.parametrize(("script", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -KILL $$", 137)])
def test_the_exit_status_passes_through(base: Path, script: str, status: int) -> None:
    assert shell(base, script).returncode == status


def test_what_the_command_left_running_ends_with_it(base: Path) -> None:
    mark = f"86400.{os.getpid()}1"
    assert shell(base, f"setsid sleep {mark} & exit 3").returncode == 3
    assert not running(mark)


def test_time_is_limited_and_the_world_still_frozen(base: Path, tmp_path: Path) -> None:
    mark = f"86400.{os.getpid()}2"
    with pytest.raises(TimeoutError, match=r"did not end within 0\.5 s"):
        run_client(base, [toy.SPEC], ["sleep", mark], timeout=0.5)
    assert not running(mark)
    [path] = tmp_path.glob("outside-*/end.zip")
    assert reopen(path, [toy.TWIN], base, scratch=tmp_path / "scratch").connections == ()


OUTER = """
import sys
from tenure.world.namespace import run_in_namespace
from tenure.world.server import ServerSpec
spec = ServerSpec.model_validate_json(sys.argv[1])
sys.exit(run_in_namespace(["sh", "-c", sys.argv[2]], spec))
"""


def outer(base: Path, script: str) -> subprocess.Popen[bytes]:
    """A process that runs a script in a namespace and says when it is under way."""
    require()
    spec = ServerSpec(base=base, twins=(toy.SPEC,))
    return subprocess.Popen(
        [sys.executable, "-c", OUTER, spec.model_dump_json(), script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_reach_the_command(base: Path, number: signal.Signals) -> None:
    script = f"trap 'echo heard; exit 9' {number.value}; echo ready; while :; do sleep 0.05; done"
    with outer(base, script) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.stdout.read() == b"heard\n"
        assert process.wait(20) == 9


def test_ctrl_c_at_a_terminal_reaches_the_command_once(base: Path) -> None:
    require()
    pid, terminal = pty.fork()
    if pid == 0:
        script = "trap 'echo heard' INT; echo ready; until read line; do :; done; echo got $line; exit 9"
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
        spec = ServerSpec(base=base, twins=(toy.SPEC,)).model_dump_json()
        os.execv(sys.executable, [sys.executable, "-c", OUTER, spec, script])
    shown = b""
    for expected, typed in ((b"ready", b"\x03"), (b"heard", b"line\n"), (b"got line", b"")):
        while expected not in shown:
            shown += os.read(terminal, 1024)
        os.write(terminal, typed)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert (os.waitstatus_to_exitcode(status), shown.count(b"heard")) == (9, 1)


def test_open_files_do_not_leak(base: Path) -> None:
    assert shell(base, "ls /proc/$$/fd").check().stdout.split() == ["0", "1", "2"]


def test_a_killed_caller_leaves_nothing_running(base: Path) -> None:
    mark = f"86400.{os.getpid()}3"
    with outer(base, f"echo ready; sleep {mark}") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert running(mark)
        process.kill()
    assert ends(mark)
    assert ends(str(base))


def test_a_missing_program_is_named(base: Path) -> None:
    with pytest.raises(BadInput, match="no-such-program: no such program; check PATH"):
        run_client(base, [toy.SPEC], ["no-such-program"])


# -- systems that cannot --------------------------------------------------------------------


def test_a_missing_unshare_is_named(tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="install the package util-linux"):
        run_in_namespace(["true"], ServerSpec(base=base, twins=(toy.SPEC,)))


def test_forbidden_namespaces_are_a_fault(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = tmp_path / "unshare"
    refusing.write_text("#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Fault, match=r"forbids private networks \(unshare: unshare failed: Operation"):
        Namespace((), authority().ca_pem)


def test_an_ordinary_user_can_too(base: Path) -> None:
    """In a user namespace of its own, under another uid and without privileges."""
    require()
    without = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
    if subprocess.run([*without, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system forbids user namespaces")
    spec = ServerSpec(base=base, twins=(toy.SPEC,)).model_dump_json()
    script = f"id -u; wc -c < {base}; unshare -r umount {base}; wc -c < {base};" + (
        f"curl -sS -H '{SIGN_IN}' https://{toy.HOST}/notes/n0"
    )
    found = subprocess.run(
        [*without, sys.executable, "-c", OUTER, spec, script],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert found.stdout.split() == ["1000", "0", "0", '{"id":"n0","title":"first"}'], found.stderr
