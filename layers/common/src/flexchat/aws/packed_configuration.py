"""The packed configuration of a stage in its S3 bucket."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from flexchat.aws.objects import ObjectStore
from flexchat.config.encoding import EncodingError, StoredParameters
from flexchat.config.packed import PACKED_KEY, unpack
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
