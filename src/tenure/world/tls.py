"""One certificate authority per installation, one short-lived certificate per server process.

The authority signs the products' real hostnames, so its key never leaves the data folder and no
system store is ever told to trust it: clients are pointed at ``ca.pem`` by their environment.
"""

import os
import ssl
import tempfile
from base64 import b64encode
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tenure.schema import BadInput

AUTHORITY_DAYS = 3650
LEAF_DAYS = 7
RENEW_DAYS = 30
"""An authority with less time left than this is replaced."""
_SKEW = timedelta(days=1)
_USAGES = (
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
    "encipher_only",
    "decipher_only",
)


def data_folder() -> Path:
    """Where an installation keeps what outlives a run: ``$XDG_DATA_HOME/tenure``."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "tenure"


@dataclass(frozen=True)
class Authority:
    """The installation's certificate authority.

    Attributes:
        folder: Private folder that holds the key; hidden from outside commands.
        ca_pem: The certificate alone: what clients trust.
    """

    folder: Path
    ca_pem: Path

    @property
    def key_hash(self) -> str:
        """SHA-256 over the public key, base64: how Chromium is told whom to trust."""
        key = x509.load_pem_x509_certificate(self.ca_pem.read_bytes()).public_key()
        form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        return b64encode(sha256(key.public_bytes(*form)).digest()).decode()

    def server_context(self, hosts: Iterable[str]) -> ssl.SSLContext:
        """A server context with a fresh certificate for the hostnames.

        The key exists on disk only while OpenSSL reads it.

        Raises:
            BadInput: The authority's files are damaged or readable by others.
        """
        names = sorted(set(hosts))
        if not names:
            raise BadInput("a world without hostnames cannot be served; give it at least one twin")
        key, authority = _read(self.folder / "authority.pem")
        own = ec.generate_private_key(ec.SECP256R1())
        leaf = (
            _certificate(own, "Tenure world", authority.subject, LEAF_DAYS)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage("digital_signature"), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(n) for n in names]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False
            )
            .sign(key, hashes.SHA256())
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["http/1.1"])
        with tempfile.TemporaryDirectory(prefix="tenure-") as folder:
            file = Path(folder) / "server.pem"
            # The authority goes along: browsers that are told its key look for it in the chain.
            chain = b"".join(c.public_bytes(serialization.Encoding.PEM) for c in (leaf, authority))
            _write_private(file, _pem(own) + chain)
            context.load_cert_chain(file)
        return context


def authority(folder: Path | None = None) -> Authority:
    """The installation's authority; the first caller makes it.

    Processes may race: one authority wins and all return it.

    Args:
        folder: Where it is kept; ``data_folder()/tls`` by default.

    Raises:
        BadInput: The key file is damaged, or others may read it.
    """
    folder = folder or data_folder() / "tls"
    file, public = folder / "authority.pem", folder / "ca.pem"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not file.exists():
        _create(file)
    elif _read(file)[1].not_valid_after_utc < datetime.now(UTC) + timedelta(days=RENEW_DAYS):
        _create(file, replace=True)
    certificate = _read(file)[1].public_bytes(serialization.Encoding.PEM)
    if not public.exists() or public.read_bytes() != certificate:
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as part:
            part.write(certificate)
        Path(part.name).chmod(0o644)
        Path(part.name).replace(public)
    return Authority(folder, public)


def _create(file: Path, *, replace: bool = False) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = f"Tenure authority {os.urandom(4).hex()}"
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        _certificate(key, name, subject, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage("key_cert_sign", "crl_sign"), critical=True)
        .sign(key, hashes.SHA256())
    )
    part = file.with_name(f"{file.name}.{os.getpid()}.{os.urandom(4).hex()}")
    _write_private(part, _pem(key) + certificate.public_bytes(serialization.Encoding.PEM))
    if replace:
        part.replace(file)
        return
    # A link fails where a rename would replace: the authority that was first stays.
    with suppress(FileExistsError):
        os.link(part, file)
    part.unlink()


def _certificate(
    key: ec.EllipticCurvePrivateKey, name: str, issuer: x509.Name, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*allowed: str) -> x509.KeyUsage:
    return x509.KeyUsage(**{usage: usage in allowed for usage in _USAGES})


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write_private(file: Path, data: bytes) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(data)


def _read(file: Path) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    if file.stat().st_mode & 0o077:
        raise BadInput(f"{file} is a private key that others may read; run: chmod 600 {file}")
    data = file.read_bytes()
    try:
        key = serialization.load_pem_private_key(data, None)
        certificate = x509.load_pem_x509_certificate(data)
    except ValueError as error:
        raise BadInput(f"{file} is damaged; delete it and a new authority is made") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise BadInput(f"{file} holds another kind of key; delete it and a new authority is made")
    return key, certificate
