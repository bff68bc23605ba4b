"""History of the published configurations of a stage: who published which version, when and why.

A version is one object in the bucket of the stage, named by its number and never overwritten. It has the configuration
with the summaries of the versions before it, so that one object lists the history. The object of the next number is
also the lock of a publication: of two writers, one creates it.
"""

import json
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from flexchat.config.document import Source
from flexchat.config.encoding import EncodingError, compressed, decompressed
from flexchat.config.packed import MAX_PACKED_BYTES
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

HISTORY_PREFIX: Final = "configuration-history/"
"""Prefix of the objects, in the bucket of the stage."""

MAX_VERSIONS: Final = 100
"""Versions that are kept; older ones are deleted."""

MAX_COMMENT: Final = 500
"""Maximum length of a comment in characters."""

MAX_CHANGES: Final = 50
"""Maximum number of changes that a summary lists."""

FORMAT: Final = 1

_SUFFIX: Final = ".json.gz"


class VersionSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Summary of a version.

    `version` is the hash of its manifest. `at` is in seconds since the epoch. `by` is the id of an API token with its
    name, or the ARN of an AWS identity; empty for a publication without a record, such as one of an earlier release.
    `restores` is the number of the version whose configuration it has again. `changes` are lines such as
    `~ responses[0] (weather): prompt`.
    """

    number: int
    version: str
    at: float
    by: str = ""
    comment: str = ""
    restores: int | None = None
    changes: tuple[str, ...] = ()


class RecordedVersion(Struct, frozen=True, kw_only=True):
    """A version with its configuration; `previous` is the hash of the manifest that it replaced.

    `source` is the JSON text of the configuration. `earlier` are the summaries of the versions before it, the newest
    first.
    """

    v: int = FORMAT
    summary: VersionSummary
    previous: str
    source: str
    earlier: tuple[VersionSummary, ...] = ()

    @property
    def summaries(self) -> tuple[VersionSummary, ...]:
        """Summaries of this version and of those before it."""
        return (self.summary, *self.earlier)[:MAX_VERSIONS]

    def configuration(self) -> dict[str, Json]:
        """Return the source. Raises EncodingError."""
        try:
            source = safe_loads(self.source, max_bytes=MAX_PACKED_BYTES)
        except JsonError as exc:
            raise EncodingError(f"version {self.summary.number} is damaged") from exc
        if not isinstance(source, dict):
            raise EncodingError(f"version {self.summary.number} is no JSON object")
        return source

    def as_bytes(self) -> bytes:
        """Return the content of the version's object."""
        return compressed(msgspec.json.encode(self).decode())

    @classmethod
    def from_bytes(cls, content: bytes) -> "RecordedVersion":
        """Return the version in an object. Raises EncodingError."""
        try:
            return msgspec.json.decode(decompressed(content, max_bytes=2 * MAX_PACKED_BYTES), type=cls)
        except (msgspec.DecodeError, msgspec.ValidationError) as exc:
            raise EncodingError("a version of the configuration's history is damaged") from exc


class ConfigurationHistory(Protocol):
    """Versions of one stage."""

    def newest(self) -> RecordedVersion | None:
        """Return the version with the highest number; None without any."""
        ...

    def get(self, number: int) -> RecordedVersion | None:
        """Return a version; None where there is none of this number."""
        ...

    def add(self, version: RecordedVersion) -> bool:
        """Write a version; return False, without a write, where there is one of its number."""
        ...

    def delete_before(self, number: int) -> None:
        """Delete the versions below a number."""
        ...


def source_text(source: Source) -> str:
    """Return the JSON text of a source, with numbers and order as written."""
    return json.dumps(source, allow_nan=False, separators=(",", ":"))


def object_key(number: int) -> str:
    """Return the key of a version's object; keys sort by number."""
    return f"{HISTORY_PREFIX}{number:08d}{_SUFFIX}"


def number_of(key: str) -> int | None:
    """Return the number of the version with a key; None for another object."""
    digits = key.removeprefix(HISTORY_PREFIX).removesuffix(_SUFFIX)
    return int(digits) if digits.isdecimal() and object_key(int(digits)) == key else None
