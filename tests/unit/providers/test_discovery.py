"""Lists of all providers' models, requested in parallel."""

import threading
from collections.abc import Sequence

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Message
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta
from functions.chat.providers.discovery import Discovery, Listing


class ConcurrentProvider:
    """Provider that lists its models only if all providers at its barrier are called concurrently."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self._barrier = barrier

    @property
    def name(self) -> str:
        return "waiting"

    @property
    def type(self) -> ProviderType:
        return "openai"

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        raise AssertionError("no chat expected")

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        self._barrier.wait(timeout=5)
        return [ListedModel("m")]


def test_providers_are_called_in_parallel() -> None:
    provider = ConcurrentProvider(threading.Barrier(3))
    llms = {name: LlmConfig(type="openai") for name in ("a", "b", "c")}

    listings = Discovery(clock=lambda: 0).listings(llms, lambda _name: provider)

    assert listings == dict.fromkeys("abc", Listing(models=(ListedModel("m"),)))


def test_a_provider_that_never_answers_is_abandoned() -> None:
    never = threading.Event()

    class UnresponsiveProvider(ConcurrentProvider):
        def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
            never.wait()
            return ()

    provider = UnresponsiveProvider(threading.Barrier(1))
    try:
        listings = Discovery(clock=lambda: 0, seconds=0.01).listings(
            {"a": LlmConfig(type="openai")}, lambda _name: provider
        )
    finally:
        never.set()

    assert listings == {"a": Listing(error="timeout: no list of models within 0.01 s")}


def test_adapters_are_created_in_the_calling_thread() -> None:
    created_in: list[threading.Thread] = []

    def create(_name: str) -> ConcurrentProvider:
        created_in.append(threading.current_thread())
        return ConcurrentProvider(threading.Barrier(1))

    Discovery(clock=lambda: 0).listings({name: LlmConfig(type="openai") for name in ("a", "b")}, create)

    assert created_in == [threading.current_thread()] * 2
