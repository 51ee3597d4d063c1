"""The certificate authority and what it signs."""

import socket
import ssl
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from tenure.schema import BadInput
from tenure.world import tls

HOSTS = ("api.example.com", "mail.example.com")


def shake(context: ssl.SSLContext, ca: Path, name: str) -> x509.Certificate:
    """The certificate that a strict client accepts for a name."""
    client = ssl.create_default_context(cafile=str(ca))
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    near, far = socket.socketpair()

    def serve() -> None:
        try:
            context.wrap_socket(far, server_side=True).close()
        except OSError:
            far.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with client.wrap_socket(near, server_hostname=name) as wrapped:
            return x509.load_der_x509_certificate(wrapped.getpeercert(binary_form=True) or b"")
    finally:
        near.close()
        thread.join()


def test_only_the_owner_may_read_the_key(tmp_path: Path) -> None:
    made = tls.authority(tmp_path / "tls")
    assert (made.folder.stat().st_mode & 0o777, (made.folder / "authority.pem").stat().st_mode & 0o777) == (
        0o700,
        0o600,
    )
    assert b"PRIVATE KEY" not in made.ca_pem.read_bytes()


def test_the_authority_stays(tmp_path: Path) -> None:
    first = tls.authority(tmp_path).ca_pem.read_bytes()
    assert tls.authority(tmp_path).ca_pem.read_bytes() == first


def test_the_data_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert tls.authority().ca_pem == tmp_path / "tenure" / "tls" / "ca.pem"


def test_racing_processes_share_one_authority(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from tenure.world.tls import authority; sys.stdin.read();"
        "a = authority(pathlib.Path(sys.argv[1])); sys.stdout.write((a.folder/'authority.pem').read_text())"
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "tls")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(4)
    ]
    seen = {racer.communicate(b"")[0] for racer in racers}
    assert seen == {(tmp_path / "tls" / "authority.pem").read_bytes()}
    assert sorted(p.name for p in (tmp_path / "tls").iterdir()) == ["authority.pem", "ca.pem"]


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    made = tls.authority(tmp_path)
    (made.folder / "authority.pem").chmod(0o644)
    with pytest.raises(BadInput, match="chmod 600"):
        tls.authority(tmp_path)
    with pytest.raises(BadInput, match="chmod 600"):
        made.server_context(HOSTS)


def test_a_damaged_authority_is_named(tmp_path: Path) -> None:
    made = tls.authority(tmp_path)
    (made.folder / "authority.pem").write_text("torn")
    with pytest.raises(BadInput, match=r"authority\.pem is damaged; delete it"):
        tls.authority(tmp_path)


def test_an_authority_about_to_expire_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "AUTHORITY_DAYS", tls.RENEW_DAYS - 1)
    old = tls.authority(tmp_path).ca_pem.read_bytes()
    monkeypatch.undo()
    made = tls.authority(tmp_path)
    assert made.ca_pem.read_bytes() != old
    shake(made.server_context(HOSTS), made.ca_pem, HOSTS[0])
    assert (made.folder / "authority.pem").stat().st_mode & 0o777 == 0o600


def test_one_certificate_names_every_host_and_is_short_lived(tmp_path: Path) -> None:
    made = tls.authority(tmp_path)
    context = made.server_context(HOSTS)
    found = [shake(context, made.ca_pem, name) for name in HOSTS]
    assert found[0] == found[1]
    now = datetime.now(UTC)
    assert found[0].not_valid_before_utc < now
    left = found[0].not_valid_after_utc - now
    assert timedelta(0) < left <= timedelta(days=tls.LEAF_DAYS)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["authority.pem", "ca.pem"]


def test_no_other_host_is_named(tmp_path: Path) -> None:
    made = tls.authority(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        shake(made.server_context(HOSTS), made.ca_pem, "other.example.com")


def test_another_authority_is_not_trusted(tmp_path: Path) -> None:
    made, other = tls.authority(tmp_path / "a"), tls.authority(tmp_path / "b")
    with pytest.raises(ssl.SSLCertVerificationError):
        shake(made.server_context(HOSTS), other.ca_pem, HOSTS[0])


def test_a_world_without_hosts_cannot_be_served(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at least one twin"):
        tls.authority(tmp_path).server_context(())
