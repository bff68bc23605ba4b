"""Packed configuration: the parameters of a configuration in one object, so that a start reads them at once.

SSM accepts 40 reads a second from the functions of an account together, and returns ten parameters for each
(https://docs.aws.amazon.com/general/latest/gr/ssm.html#limits_ssm): a configuration of 300 tools takes 31 of them. The
object is a copy. Who reads it compares its manifest with the stored one, and every entry with its hash in the manifest.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, Protocol, cast

from flexchat.config.encoding import EncodingError, StoredParameters, compressed, decode, decompressed
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
    return compressed(json.dumps(texts, separators=(",", ":")))


def unpack(content: bytes, *, stage: str) -> StoredParameters:
    """Return the parameters that were packed. Raises EncodingError."""
    try:
        values: Any = json.loads(decompressed(content, max_bytes=MAX_PACKED_BYTES))
    except (json.JSONDecodeError, RecursionError) as exc:
        raise EncodingError("the packed configuration is damaged") from exc
    if not isinstance(values, dict) or not all(
        isinstance(each, str) for each in cast("dict[str, Any]", values).values()
    ):
        raise EncodingError("the packed configuration is no object of texts")
    prefix = f"{configuration_path(stage)}/"
    return StoredParameters({prefix + name: value for name, value in cast("dict[str, str]", values).items()})
