"""Packed copy and history of a stage's configuration, in its S3 bucket."""

from collections.abc import Callable, Mapping

from flexchat.aws.objects import ObjectStore
from flexchat.config.history import HISTORY_PREFIX, RecordedVersion, number_of, object_key
from flexchat.config.packed import PACKED_KEY, pack
from flexchat.errors import RetrievalError


class ConfigurationObjects:
    """Objects of the configuration of one stage, written by a publication; `objects` returns those of its bucket.

    Methods raise ConfigError, UnavailableError or EncodingError.
    """

    def __init__(self, objects: Callable[[], ObjectStore], *, stage: str) -> None:
        self._objects = objects
        self._stage = stage

    def write(self, parameters: Mapping[str, str]) -> bool:
        """Write the packed copy of all parameters unless it is there; return whether it was written."""
        content, objects = pack(parameters, stage=self._stage), self._objects()
        try:
            if objects.get(PACKED_KEY).body == content:
                return False
        except RetrievalError:
            pass
        objects.put(PACKED_KEY, content)
        return True

    def newest(self) -> RecordedVersion | None:
        """Return the version with the highest number; None without any."""
        return self.get(max(numbers)) if (numbers := self._numbers()) else None

    def get(self, number: int) -> RecordedVersion | None:
        """Return a version; None where there is none of this number."""
        try:
            return RecordedVersion.from_bytes(self._objects().get(object_key(number)).body)
        except RetrievalError:
            return None

    def add(self, version: RecordedVersion) -> bool:
        """Write a version; return False, without a write, where there is one of its number."""
        try:
            self._objects().put(object_key(version.summary.number), version.as_bytes(), if_absent=True)
        except RetrievalError:
            return False
        return True

    def delete_before(self, number: int) -> None:
        """Delete the versions below a number."""
        objects = self._objects()
        for each in self._numbers():
            if each < number:
                objects.delete(object_key(each))

    def _numbers(self) -> tuple[int, ...]:
        keys = (found.key for found in self._objects().list(HISTORY_PREFIX))
        return tuple(number for key in keys if (number := number_of(key)) is not None)
