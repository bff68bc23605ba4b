"""Packed configuration: the parameters of a configuration in one object, so that a start reads them at once.

SSM accepts 40 reads a second from the functions of an account together, and returns ten parameters for each
(https://docs.aws.amazon.com/general/latest/gr/ssm.html#limits_ssm): a configuration of 300 tools takes 31 of them. The
object is a copy. Who reads it compares its manifest with the stored one, and every entry with its hash in the manifest.
"""

import json
import zlib
from collections.abc import Mapping
from typing import Any, Final, Protocol, cast

from flexchat.config.encoding import GZIP_FORMAT, EncodingError, StoredParameters, decode
from flexchat.config.parameters import configuration_path, is_manifest

PACKED_KEY: Final = "configuration/current.json.gz"
"""Key of the object in the bucket of the stage."""

MAX_PACKED_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of the unpacked object."""


class PackedConfiguration(Protocol):
    """Source of the packed configuration of a stage."""

    def read(self) -> StoredParameters | None:
        """Return the parameters of the last push by name; None where they have to be read one by one."""
        ...


def pack(parameters: Mapping[str, str], *, stage: str) -> bytes:
    """Return the parameters of a configuration as gzip, always the same for the same ones."""
    prefix = f"{configuration_path(stage)}/"
    texts = {
        name.removeprefix(prefix): value if is_manifest(name, stage=stage) else decode(value)
        for name, value in sorted(parameters.items())
    }
    compressor = zlib.compressobj(level=9, wbits=GZIP_FORMAT)
    return compressor.compress(json.dumps(texts, separators=(",", ":")).encode()) + compressor.flush()


def unpack(content: bytes, *, stage: str) -> StoredParameters:
    """Return the parameters that were packed. Raises EncodingError."""
    decompressor = zlib.decompressobj(wbits=GZIP_FORMAT)
    try:
        text = decompressor.decompress(content, MAX_PACKED_BYTES)
        if not decompressor.eof:
            raise EncodingError(f"the packed configuration is cut off or grows beyond {MAX_PACKED_BYTES} bytes")
        values: Any = json.loads(text)
    except (zlib.error, ValueError, RecursionError) as exc:
        if isinstance(exc, EncodingError):
            raise
        raise EncodingError("the packed configuration is damaged") from exc
    if not isinstance(values, dict) or not all(
        isinstance(each, str) for each in cast("dict[str, Any]", values).values()
    ):
        raise EncodingError("the packed configuration is no object of texts")
    prefix = f"{configuration_path(stage)}/"
    return StoredParameters({prefix + name: value for name, value in cast("dict[str, str]", values).items()})
