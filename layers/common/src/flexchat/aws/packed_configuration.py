"""The packed configuration of a stage in its S3 bucket."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from flexchat.aws.objects import ObjectStore
from flexchat.config.encoding import EncodingError, StoredParameters
from flexchat.config.packed import PACKED_KEY, pack, unpack
from flexchat.deadline import time_limit
from flexchat.errors import ConfigError, RetrievalError, UnavailableError
from flexchat.observability import logger

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

READ_SECONDS: Final = 3.0
"""Maximum time of a read: after that the parameters are read one by one."""


class PackedObject:
    """Packed configuration of one stage; `objects` returns the objects of its bucket."""

    def __init__(self, objects: Callable[[], ObjectStore], *, stage: str) -> None:
        self._objects = objects
        self._stage = stage

    @classmethod
    def of(cls, client: "Callable[[], S3Client]", bucket: str, *, stage: str) -> "PackedObject | None":
        """Return the packed configuration in `bucket`, whose client is made on first use; None without a bucket."""
        return cls(lambda: ObjectStore(client(), bucket), stage=stage) if bucket else None

    def read(self) -> StoredParameters | None:
        """Return the parameters of the last push; None without a usable copy, which is logged unless there is none."""
        try:
            with time_limit(READ_SECONDS):
                content = self._objects().get(PACKED_KEY).body
            return unpack(content, stage=self._stage)
        except RetrievalError:  # a push of an earlier version writes none
            return None
        except (ConfigError, UnavailableError, EncodingError) as exc:
            logger.warning("packed configuration not usable", stage=self._stage, reason=str(exc))
            return None

    def write(self, parameters: Mapping[str, str]) -> bool:
        """Write the copy of all parameters of a configuration unless it is there; return whether it was written.

        Raises ConfigError or UnavailableError.
        """
        content, objects = pack(parameters, stage=self._stage), self._objects()
        try:
            if objects.get(PACKED_KEY).body == content:
                return False
        except RetrievalError:
            pass
        objects.put(PACKED_KEY, content)
        return True
