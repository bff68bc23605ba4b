"""Test of the configured models at their servers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest

from dev.local_stack.model_check import ModelCheck, check_models
from flexchat.config.document import parse
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem
from flexchat.messages import Completion, FinishReason, Usage, assistant
from functions.chat.providers.base import ListedModel, Provider

SERVER = "http://127.0.0.1:8000/v1"


@dataclass
class Server:
    """Provider that lists `models`, and has those of `hidden` too."""

    models: Sequence[str] = ()
    hidden: Sequence[str] = ()
    listing: ModelErrorType | None = None
    calling: ModelErrorType = "not_found"
    name: str = "local"
    type: str = "openai"
    calls: int = 0

    def list_models(self, _deadline: Any) -> Sequence[ListedModel]:
        if self.listing is not None:
            raise ModelError("as the server says", type=self.listing, provider=self.name)
        return [ListedModel(name) for name in self.models]

    def generate_chat(self, _messages: Any, model: str, _options: Any) -> Completion:
        self.calls += 1
        if model in (*self.models, *self.hidden):
            finish: FinishReason = "stop"
            return Completion(assistant("ok"), finish, Usage(), model=model)
        raise ModelError("as the server says", type=self.calling, provider=self.name)


def checks(server: Server, *models: str, key: str | None = None, url: str = SERVER) -> list[str | None]:
    return [check.problem for check in all_checks(server, *models, key=key, url=url)]


def all_checks(server: Server, *models: str, key: str | None = None, url: str = SERVER) -> tuple[ModelCheck, ...]:
    llm: dict[str, Any] = {"type": "openai", "base_url": url, **({"api_key": key} if key else {})}
    rules: list[Any] = [{"llm": "local", "model": model, "prompt": "p"} for model in models]
    configuration = parse({"llms": {"local": llm}, "responses": rules}).configuration
    return check_models(
        configuration, lambda _entry: {"KEY": "the value"}, create=lambda *_, **__: cast("Provider", server)
    )


def test_models_that_the_server_lists_are_one_line() -> None:
    server = Server(["qwen3:8b", "llama3.1:8b"])

    (check,) = all_checks(server, "qwen3:8b", "llama3.1:8b")

    assert str(check) == f"llm 'local' (qwen3:8b, llama3.1:8b) at {SERVER}: ok"
    assert server.calls == 0


def test_an_unknown_model_is_named_with_what_the_server_offers_the_nearest_first() -> None:
    (problem,) = checks(Server(["mistral", "qwen3:8b", "qwen3:14b"]), "qwen3:7b")

    assert problem == (
        "the server has no model 'qwen3:7b'; it offers 'qwen3:8b', 'qwen3:14b', 'mistral': name one of them in the"
        " configuration"
    )


def test_a_model_that_is_not_listed_but_answers_is_no_problem() -> None:
    server = Server(["gpt-4o"], hidden=["my-deployment"])

    assert checks(server, "my-deployment") == [None]
    assert server.calls == 1


def test_a_known_and_an_unknown_model_of_one_llm_are_two_results() -> None:
    found = all_checks(Server(["a"]), "a", "b")

    assert [(check.models, check.problem is None) for check in found] == [(("b",), False), (("a",), True)]


@pytest.mark.parametrize("type", ["authentication", "permission"])
def test_a_refused_key_is_named(type: ModelErrorType) -> None:
    assert checks(Server(listing=type), "m", key="${KEY}") == [
        "the key in KEY is refused (as the server says); export the right one and run `make up` again"
    ]


def test_a_server_that_wants_a_key_and_gets_none() -> None:
    assert checks(Server(listing="authentication"), "m") == [
        "the server wants a key; set `api_key` of the llm (as the server says)"
    ]


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        (
            SERVER,
            "nothing answers on port 8000 of this machine: start the server, or publish the port of its container",
        ),
        (
            "http://host.docker.internal:8000/v1",
            "the stack runs on this machine itself, not in a container: use http://127.0.0.1 with the port",
        ),
        ("https://models.example/v1", "check the address, the network and its proxy (HTTPS_PROXY)"),
    ],
)
def test_an_unreachable_server_is_named_with_a_hint(url: str, hint: str) -> None:
    assert checks(Server(listing="network"), "m", url=url) == [f"as the server says; {hint}"]


def test_a_server_without_a_list_gets_one_short_call_of_each_model() -> None:
    server = Server(hidden=["m"], listing="not_found")

    assert checks(server, "m") == [None]


def test_a_server_at_another_path_is_named_with_the_usual_one() -> None:
    url = "http://127.0.0.1:8000"
    problems = checks(Server(listing="not_found"), "m", url=url)

    assert problems == [f"as the server says; the address of most servers ends with /v1: {url}/v1"]


def test_a_missing_secret_is_no_request() -> None:
    server = Server(["m"])

    assert checks(server, "m", key="${OTHER}") == [
        "OTHER is not set for this address; export it and run `make up` again"
    ]
    assert server.calls == 0


def test_an_unusable_entry_is_its_own_problem() -> None:
    def create(*_: Any, **__: Any) -> Any:
        raise ConfigError((Problem("llms.local.api_key", "has a line break"),))

    configuration = parse({"llms": {"local": {"type": "openai", "base_url": SERVER}}}).configuration

    (check,) = check_models(configuration, lambda _entry: {}, create=create)
    assert check.problem == "llms.local.api_key: has a line break"


def test_the_demo_model_is_not_tested() -> None:
    entry: dict[str, Any] = {"type": "openai", "base_url": SERVER, "demo": True}

    assert check_models(parse({"llms": {"openai": entry}}).configuration, lambda _entry: {}) == ()
