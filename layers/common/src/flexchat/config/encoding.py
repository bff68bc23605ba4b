"""Encoding of one entry as the value of one SSM parameter: plain JSON, or gzip when that is too long."""

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping

from msgspec import Struct

from flexchat.errors import FlexchatError
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

PARAMETER_LIMIT = 4096
"""Maximum length of a standard parameter's value in bytes."""

REQUEST_LIMIT = 10
"""Maximum number of parameters in one request of SSM."""

ENTRY_LIMIT = 262_144
"""Maximum length of one entry's JSON in bytes, and so of a decompressed value."""

GZIP_PREFIX = "gz:"

GZIP_FORMAT = 31
"""Window size that selects the gzip format with the largest window in zlib."""


class EncodingError(FlexchatError, ValueError):
    """A parameter's value cannot be decoded; the message is the reason."""


def text_of(value: Json) -> str:
    """Return the JSON text of an entry in the order it was written, in ASCII, so that characters are bytes.

    `{{` is written as `{\\u007b`: SSM rejects a value with `{{…}}` as a nested parameter, and prompts contain
    `{{user_message}}`. JSON's own brackets never form `{{`.
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("{{", "{\\u007b")


def digest(text: str) -> str:
    """Return half a SHA-256 in hex: 128 bits identify versions and halve the manifest's size."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def encode(text: str) -> str:
    """Return the parameter's value for `text`; it may still be longer than PARAMETER_LIMIT."""
    if len(text) <= PARAMETER_LIMIT:
        return text
    return GZIP_PREFIX + base64.b64encode(compressed(text)).decode()


def compressed(text: str) -> bytes:
    """Return a text as gzip, always the same for the same text."""
    compressor = zlib.compressobj(level=9, wbits=GZIP_FORMAT)
    return compressor.compress(text.encode()) + compressor.flush()


def decompressed(content: bytes, *, max_bytes: int) -> str:
    """Return the text passed to `compressed`, of at most `max_bytes`. Raises EncodingError."""
    decompressor = zlib.decompressobj(wbits=GZIP_FORMAT)
    try:
        text = decompressor.decompress(content, max_bytes)
        if not decompressor.eof:
            raise EncodingError(f"the compressed value is cut off or grows beyond {max_bytes} bytes")
        return text.decode()
    except (zlib.error, UnicodeDecodeError) as exc:
        raise EncodingError("the compressed value is damaged") from exc


def decode(value: str) -> str:
    """Return the text passed to `encode`. Raises EncodingError."""
    if not value.startswith(GZIP_PREFIX):
        return value
    try:
        content = base64.b64decode(value.removeprefix(GZIP_PREFIX), validate=True)
    except binascii.Error as exc:
        raise EncodingError("the compressed value is damaged") from exc
    return decompressed(content, max_bytes=ENTRY_LIMIT)


def value_of(text: str) -> Json:
    """Return the entry passed to `text_of`. Raises EncodingError."""
    try:
        return safe_loads(text, max_bytes=ENTRY_LIMIT)
    except JsonError as exc:
        raise EncodingError(str(exc)) from exc


class LastChange(Struct, frozen=True):
    """Last change of a parameter: its time in seconds since the epoch, and the number of changes."""

    at: float
    revision: int


class StoredParameters(Mapping[str, str]):
    """Values by the full name of their parameter, some of them secrets.

    `changes` has the last change where it is known.
    """

    def __init__(self, values: Mapping[str, str], changes: Mapping[str, LastChange] | None = None) -> None:
        self._values = dict(values)
        self.changes = dict(changes or {})

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
