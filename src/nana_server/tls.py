"""The server's certificate, and how it is changed while the server runs."""

import ssl
from pathlib import Path


class BadCertificate(Exception):  # noqa: N818 - what it is
    """The files cannot be used; the message is a sentence for whoever named them."""


class Certificate:
    """One context for all that listens; what is loaded later holds for new connections."""

    def __init__(self, chain: Path, key: Path) -> None:
        """Load it. Raises BadCertificate."""
        self._chain, self._key = chain, key
        self.context = self._load()

    def reload(self) -> None:
        """Read the files again. Raises BadCertificate; then the old ones stay in use."""
        self._load()  # into a context of its own: half of a pair must not get into ours
        self.context.load_cert_chain(self._chain, self._key, _no_password)

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        for file in (self._chain, self._key):
            try:
                file.read_bytes()
            except OSError as error:
                raise BadCertificate(f"{file} cannot be read: {error.strerror}.") from None
        try:
            context.load_cert_chain(self._chain, self._key, _no_password)
        except (ssl.SSLError, ValueError):
            raise BadCertificate(
                f"{self._chain} and {self._key} are not a certificate and its key, "
                "in PEM and not encrypted."
            ) from None
        return context


def _no_password() -> str:
    """Without this, the library would ask the terminal for an encrypted key's."""
    return ""
