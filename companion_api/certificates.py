"""A local certificate authority for the live phone camera, which browsers allow only over https; `piecepack.local`."""

from __future__ import annotations

import datetime
import ipaddress
import logging
import socket
import ssl
from collections.abc import Iterable
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from zeroconf import Error, ServiceInfo, Zeroconf

from companion_api.access import write_secret

CA_YEARS = 10
LEAF_DAYS = 397  # browsers trust no longer ones
RENEW_DAYS = 30
PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "fc00::/7", "fe80::/10")
LOCAL_NAMES = ("local", "localhost")

Key = ec.EllipticCurvePrivateKey


class Authority:
    """Keeps `ca.crt` (trusted by phones), `ca.key`, `leaf.crt` and `leaf.key` in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.certificate = folder / "ca.crt"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self.certificate.exists():
            self._make_ca()

    def context_files(self, names: Iterable[str]) -> tuple[Path, Path]:
        """Certificate and key for these names and addresses, renewed when old or for other names. Names outside the
        authority's constraints are left out."""
        permitted = sorted({name for name in names if _is_permitted(name)})
        leaf, key = self.folder / "leaf.crt", self.folder / "leaf.key"
        if not _is_valid(leaf, permitted):
            self._make_leaf(permitted, leaf, key)
        return leaf, key

    def context(self, names: Iterable[str]) -> ssl.SSLContext:
        leaf, key = self.context_files(names)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(leaf, key)
        return context

    def _make_ca(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name("Piecepack Companion (this table only)")
        networks = (x509.IPAddress(ipaddress.ip_network(text)) for text in PRIVATE)
        permitted = [*map(x509.DNSName, LOCAL_NAMES), *networks]
        certificate = (
            _builder(name, name, key, datetime.timedelta(days=365 * CA_YEARS))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(sign_certificates=True), critical=True)
            .add_extension(x509.NameConstraints(permitted, excluded_subtrees=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        write_secret(self.folder / "ca.key", _pem(key))
        write_secret(self.certificate, certificate.public_bytes(serialization.Encoding.PEM))

    def _make_leaf(self, names: list[str], leaf: Path, key_file: Path) -> None:
        issuer = x509.load_pem_x509_certificate(self.certificate.read_bytes())
        ca_key = serialization.load_pem_private_key((self.folder / "ca.key").read_bytes(), None)
        assert isinstance(ca_key, ec.EllipticCurvePrivateKey)
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            _builder(_name("Piecepack Companion"), issuer.subject, key, datetime.timedelta(days=LEAF_DAYS))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(_usage(sign_certificates=False), critical=True)
            .sign(ca_key, hashes.SHA256())
        )
        leaf.unlink(missing_ok=True)  # never a new key beside an old certificate
        write_secret(key_file, _pem(key))
        write_secret(leaf, certificate.public_bytes(serialization.Encoding.PEM))


def _is_permitted(name: str) -> bool:
    named = _general(name)
    if isinstance(named, x509.DNSName):
        return name.split(".")[-1] in LOCAL_NAMES
    return any(named.value in ipaddress.ip_network(text) for text in PRIVATE)


def _is_valid(leaf: Path, names: list[str]) -> bool:
    """Whether a certificate is readable, valid for these names and not about to expire."""
    try:
        certificate = x509.load_pem_x509_certificate(leaf.read_bytes())
    except (FileNotFoundError, ValueError):
        return False
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    valid_for = sorted([*found.get_values_for_type(x509.DNSName), *map(str, found.get_values_for_type(x509.IPAddress))])
    left = certificate.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
    return valid_for == names and left > datetime.timedelta(days=RENEW_DAYS)


def _builder(subject: x509.Name, issuer: x509.Name, key: Key, valid: datetime.timedelta) -> x509.CertificateBuilder:
    # a phone's clock may be slightly behind
    start = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + valid)
    )


def _usage(*, sign_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not sign_certificates,
        key_cert_sign=sign_certificates,
        crl_sign=sign_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general(name: str) -> x509.DNSName | x509.IPAddress:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


log = logging.getLogger("companion.name")

NAME = "piecepack"
SERVICE = "_http._tcp.local."


class LocalName:
    """The name `piecepack.local` on the local network (mDNS), announced until `stop`; without multicast only the
    name is missing."""

    def __init__(self, address: str, port: int) -> None:
        self._info = ServiceInfo(
            SERVICE,
            f"Piecepack Companion.{SERVICE}",
            addresses=[socket.inet_aton(address)],
            port=port,
            properties={"path": "/"},
            server=f"{NAME}.local.",
        )
        self._zeroconf: Zeroconf | None = None

    def start(self) -> bool:
        try:
            self._zeroconf = Zeroconf()
            self._zeroconf.register_service(self._info, allow_name_change=True)
        except (OSError, Error) as error:
            log.info("no name on the local network: %s", error)
            self.stop()
            return False
        return True

    def stop(self) -> None:
        if self._zeroconf is not None:
            self._zeroconf.close()
            self._zeroconf = None
