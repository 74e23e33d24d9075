"""The address and the key of a service, looked at before anything is sent there.

A key with a line end in it, or an address without a scheme, fails deep inside the HTTP client, with
the key in the text of the error; so both are checked here first.
"""

from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_address
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from script_editor.errors import MissingSetting

OFFICIAL_ADDRESS = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a service is. `url` is without the credentials that stood in it: `user` and `password`, or ""."""

    url: str
    host: str
    port: int
    host_and_port: str
    """As people write it: the port only when it is not the usual one."""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What of it must not be shown: the password, plain and as it is sent."""
        sent = b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")
        return (self.password, sent) if self.password else ()

    @property
    def fingerprint(self) -> str:
        """A name for the service that can be kept in a file: a path or a query may hold a key, so it shows neither."""
        parts = urlsplit(self.url)
        place = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        return f"{self.host_and_port}#{sha256(place.encode('utf-8', 'replace')).hexdigest()[:12]}"

    @property
    def is_loopback(self) -> bool:
        """Whether it is on this machine."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_address(text: str, *, setting: str = "OPENAI_BASE_URL") -> Address:
    """Return the address that `text` spells; `setting` is where it came from.

    Raises:
        MissingSetting: it is no http or https address. The error does not repeat it: it may hold a password.
    """
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise _no_address(setting) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _no_address(setting)
    bare = parts.netloc.rpartition("@")[2]
    return Address(
        url=urlunsplit(parts._replace(netloc=bare)),
        host=parts.hostname,
        port=port or _usual_port(parts),
        host_and_port=bare,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


def _usual_port(parts: SplitResult) -> int:
    return 443 if parts.scheme == "https" else 80


def _no_address(setting: str) -> MissingSetting:
    return MissingSetting(
        "The address of the model service is not an http or https address.",
        hint=f"Set {setting} to one such as http://127.0.0.1:8080/v1, or leave it out for OpenAI.",
    )


def read_key(text: str, *, setting: str = "OPENAI_API_KEY") -> str:
    """Return the key that `text` holds, without the spaces and line ends that come along when it is pasted; `setting`
    is where it came from.

    Raises:
        MissingSetting: there is none, or it has a character that cannot be sent.
    """
    key = text.strip()
    if not key:
        raise MissingSetting(
            "The API key is empty.", hint=f"Set {setting}; for a local server any word will do."
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise MissingSetting(
            "The API key has a character in it that no key has.", hint=f"Copy it again into {setting}."
        )
    return key
