"""Event source mappings on the emulator, whose poller fails on a number that was deployed as text."""

from collections.abc import Mapping
from typing import Any, Protocol


class Lambda(Protocol):
    """Operations of Lambda's client that are used."""

    def list_event_source_mappings(self) -> Mapping[str, Any]: ...

    def update_event_source_mapping(self, **request: Any) -> object: ...


def correct_concurrency(client: Lambda, *, stage: str) -> None:
    """Set the `MaximumConcurrency` of a stage's mappings to a number.

    A template's parameter of type `Number` is text in CloudFormation. AWS reads it as a number; the emulator stores the
    text, and then polls no queue of any stage.
    """
    for mapping in client.list_event_source_mappings()["EventSourceMappings"]:
        wanted = mapping.get("ScalingConfig", {}).get("MaximumConcurrency")
        if wanted is not None and f":flexchat-{stage}-" in mapping["EventSourceArn"]:
            client.update_event_source_mapping(UUID=mapping["UUID"], ScalingConfig={"MaximumConcurrency": int(wanted)})
