"""Event source mappings on the emulator."""

from typing import Any

from dev.local_stack.event_sources import correct_concurrency


class RecordingLambda:
    """Lambda with mappings of two stages; records the updates."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []

    def list_event_source_mappings(self) -> dict[str, Any]:
        queues: dict[str, tuple[str, dict[str, Any]]] = {
            "a": ("flexchat-try-validation", {"ScalingConfig": {"MaximumConcurrency": "4"}}),
            "b": ("flexchat-try-other", {}),
            "c": ("flexchat-try2-validation", {"ScalingConfig": {"MaximumConcurrency": "4"}}),
        }
        return {
            "EventSourceMappings": [
                {"UUID": uuid, "EventSourceArn": f"arn:aws:sqs:us-east-1:000000000000:{queue}", **more}
                for uuid, (queue, more) in queues.items()
            ]
        }

    def update_event_source_mapping(self, **request: Any) -> None:
        self.updates.append(request)


def test_the_concurrency_of_event_source_mappings_becomes_a_number() -> None:
    client = RecordingLambda()

    correct_concurrency(client, stage="try")

    assert client.updates == [{"UUID": "a", "ScalingConfig": {"MaximumConcurrency": 4}}]
