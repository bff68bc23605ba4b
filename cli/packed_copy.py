"""Packed copy of a stage's configuration, which functions read when they start."""

from collections.abc import Mapping

from cli.stage_bucket import operator_objects
from flexchat.config.packed import PACKED_KEY, pack
from flexchat.errors import RetrievalError


class PackedCopy:
    """Packed configuration of one stage, in its bucket."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def write(self, parameters: Mapping[str, str]) -> bool:
        """Write the copy of all parameters of a configuration unless it is there; return whether it was written.

        Raises ConfigError or UnavailableError.
        """
        content, objects = pack(parameters, stage=self._stage), operator_objects(self._stage)
        try:
            if objects.get(PACKED_KEY).body == content:
                return False
        except RetrievalError:
            pass
        objects.put(PACKED_KEY, content)
        return True
