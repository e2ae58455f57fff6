"""The local authority: phones that trust it can reach us by https, and it can vouch for nobody else."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from companion_api.certificates import LEAF_DAYS, Authority, LocalName

NAMES = ["piecepack.local", "localhost", "192.168.1.20"]


def handshake(folder: Path, name: str) -> None:
    """A phone that trusts our authority asks for `name`."""
    server = Authority(folder).context(NAMES)
    client = ssl.create_default_context(cafile=str(folder / "ca.crt"))
    one, other = socket.socketpair()
    thread = threading.Thread(target=answer, args=(server, other))
    thread.start()
    try:
        with client.wrap_socket(one, server_hostname=name) as secured:
            assert secured.version() in ("TLSv1.2", "TLSv1.3")
    finally:
        one.close()
        thread.join()


def answer(server: ssl.SSLContext, line: socket.socket) -> None:
    try:
        with server.wrap_socket(line, server_side=True) as secured:
            secured.recv(1)
    except OSError:
        line.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_that_trusts_us_is_served(name: str, tmp_path: Path) -> None:
    handshake(tmp_path, name)


def test_another_name_is_not_ours(tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tmp_path, "bank.example")


def test_it_cannot_vouch_for_the_outside(tmp_path: Path) -> None:
    """Whoever stole the key and made a certificate for another site is not believed."""
    authority = Authority(tmp_path)
    leaf, _ = authority.context_files(["localhost", "bank.example", "8.8.8.8"])
    names = x509.load_pem_x509_certificate(leaf.read_bytes()).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert names.value.get_values_for_type(x509.DNSName) == ["localhost"]
    stolen = forged(tmp_path, "bank.example")
    command = ["openssl", "verify", "-CAfile", str(tmp_path / "ca.crt")]
    assert subprocess.run([*command, str(leaf)], capture_output=True, check=False).returncode == 0
    refused = subprocess.run([*command, str(stolen)], capture_output=True, text=True, check=False)
    assert "permitted subtree violation" in refused.stderr


def forged(folder: Path, name: str) -> Path:
    ca = x509.load_pem_x509_certificate((folder / "ca.crt").read_bytes())
    ca_key = serialization.load_pem_private_key((folder / "ca.key").read_bytes(), None)
    assert isinstance(ca_key, ec.EllipticCurvePrivateKey)
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(ca.subject)
        .public_key(ec.generate_private_key(ec.SECP256R1()).public_key())
        .serial_number(1)
        .not_valid_before(ca.not_valid_before_utc)
        .not_valid_after(ca.not_valid_after_utc)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=True)
        .sign(ca_key, hashes.SHA256())
    )
    path = folder / "forged.crt"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return path


def test_certificates_are_kept_and_secret(tmp_path: Path) -> None:
    first = Authority(tmp_path).context_files(NAMES)[0].read_bytes()
    assert Authority(tmp_path).context_files(NAMES)[0].read_bytes() == first
    assert Authority(tmp_path).context_files(["localhost"])[0].read_bytes() != first
    assert (tmp_path / "ca.key").stat().st_mode & 0o077 == 0
    made = x509.load_pem_x509_certificate((tmp_path / "leaf.crt").read_bytes())
    assert (made.not_valid_after_utc - made.not_valid_before_utc).days <= LEAF_DAYS


@pytest.mark.parametrize("spoilt", [b"", b"-----BEGIN CERTIFICATE-----\nMIIB"])
def test_a_certificate_of_which_a_full_disk_left_half_is_made_anew(tmp_path: Path, spoilt: bytes) -> None:
    whole, _ = Authority(tmp_path).context_files(NAMES)
    whole.write_bytes(spoilt)
    assert Authority(tmp_path).context(NAMES)
    x509.load_pem_x509_certificate(whole.read_bytes())


def test_a_network_without_names_costs_only_the_name() -> None:
    name = LocalName("127.0.0.1", 8470)
    assert name.start() in (True, False)
    name.stop()
