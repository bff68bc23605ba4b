"""One entry as the value of one SSM parameter: plain JSON, or gzip when that does not fit."""

import base64
import binascii
import hashlib
import json
import zlib

from flexchat.errors import FlexchatError
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

PARAMETER_LIMIT = 4096
"""Bytes of a standard parameter's value."""

ENTRY_LIMIT = 262_144
"""Bytes of one entry's JSON, and so what a compressed value may grow to when it is read."""

GZIP_PREFIX = "gz:"

GZIP_FORMAT = 31
"""zlib's word for the gzip format with the largest window."""


class EncodingError(FlexchatError, ValueError):
    """A parameter's value cannot be read; the message says why."""


def text_of(value: Json) -> str:
    """The JSON text of an entry, in the order it was written.

    Only ASCII, so that characters are bytes. `{{` is written as `{\\u007b`: SSM refuses a value with `{{…}}` as a
    nested parameter, and every prompt has its `{{user_message}}`. Between brackets of JSON itself `{{` cannot stand.
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("{{", "{\\u007b")


def digest(text: str) -> str:
    """Half a SHA-256 in hex: 128 bits tell versions apart, and a manifest holds twice as many of them."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def encode(text: str) -> str:
    """The parameter's value for `text`; may still be larger than PARAMETER_LIMIT."""
    if len(text) <= PARAMETER_LIMIT:
        return text
    compressor = zlib.compressobj(level=9, wbits=GZIP_FORMAT)
    packed = compressor.compress(text.encode()) + compressor.flush()
    return GZIP_PREFIX + base64.b64encode(packed).decode()


def decode(value: str) -> str:
    """The text that `encode` was given. Raises EncodingError."""
    if not value.startswith(GZIP_PREFIX):
        return value
    decompressor = zlib.decompressobj(wbits=GZIP_FORMAT)
    try:
        packed = base64.b64decode(value.removeprefix(GZIP_PREFIX), validate=True)
        text = decompressor.decompress(packed, ENTRY_LIMIT)
        if not decompressor.eof:
            raise EncodingError(f"the compressed value is cut off or grows beyond {ENTRY_LIMIT} bytes")
        return text.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError) as exc:
        raise EncodingError("the compressed value is damaged") from exc


def value_of(text: str) -> Json:
    """The entry that `text_of` was given. Raises EncodingError."""
    try:
        return safe_loads(text, max_bytes=ENTRY_LIMIT)
    except JsonError as exc:
        raise EncodingError(str(exc)) from exc
