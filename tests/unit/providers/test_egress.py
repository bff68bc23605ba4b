"""Providers whose host has an address that is not public."""

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.addresses import Resolve
from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import PUBLIC
from flexchat.errors import ModelError
from functions.chat.providers.base import Provider
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.openai.adapter import OpenAIProvider
from tests.unit.egress.servers import listening


def resolve_to_this_machine(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def resolve_nothing(_host: str, _port: int) -> list[str]:
    return []


def providers(port: int, resolve: Resolve) -> tuple[Provider, Provider]:
    def config(type: str) -> LlmConfig:
        return LlmConfig.model_validate(
            {"type": type, "api_key": "k", "base_url": f"https://model.example:{port}", "max_retries": 0}
        )

    transport = GuardedTransport(PUBLIC, resolve=resolve)
    return (
        OllamaProvider("main", config("ollama"), transport=transport),
        OpenAIProvider("main", config("openai"), transport=transport),
    )


def test_a_host_with_an_address_of_this_machine_is_refused_and_logged(capsys: pytest.CaptureFixture[str]) -> None:
    with listening() as listener:
        for provider in providers(listener.port, resolve_to_this_machine):
            with pytest.raises(ModelError) as caught:
                provider.list_models(Deadline.after(60))
            message = "the address of the provider is not allowed: its host must have public IP addresses only"
            assert (caught.value.type, caught.value.message) == ("network", message)
            assert "127.0.0.1" in capsys.readouterr().out
        assert listener.connections == 0


def test_a_host_without_an_address_is_a_network_error() -> None:
    for provider in providers(443, resolve_nothing):
        with pytest.raises(ModelError) as caught:
            provider.list_models(Deadline.after(60))
        assert (caught.value.type, caught.value.message) == (
            "network",
            "no connection could be made to the provider",
        )
