"""How a Chromium is pointed at a world server: names, trust, and nothing else to reach."""

import base64
import hashlib
import socket
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tenure.world.server import WorldServer
from tenure.world.tls import authority

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-sync",
    "--no-first-run",
)
"""What every Chromium of ours is started with (``--no-sandbox``: it runs inside ours, often as root)."""


def chromium_flags(server: WorldServer, folder: Path | None = None) -> list[str]:
    """Flags under which the world's hostnames lead to a server and every other name to nothing.

    The browser trusts the one key of this server's certificate, which is read over a connection
    that the authority vouches for; certificate errors of all others stay errors.

    Args:
        server: A running world server.
        folder: The authority's folder; the installation's own by default.
    """
    names = ", ".join(f"MAP {host}:443 127.0.0.1:{server.port}" for host in server.hosts)
    return [
        *FLAGS,
        f"--host-resolver-rules={names}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--ignore-certificate-errors-spki-list={_pin(server, folder)}",
    ]


def _pin(server: WorldServer, folder: Path | None) -> str:
    context = ssl.create_default_context(cafile=str(authority(folder).ca_pem))
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw,
        context.wrap_socket(raw, server_hostname=server.hosts[0]) as secure,
    ):
        certificate = x509.load_der_x509_certificate(secure.getpeercert(binary_form=True) or b"")
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(key).digest()).decode()
