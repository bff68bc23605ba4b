"""References to secrets in a configuration: their names, positions and resolution."""

from typing import Any

import pytest

from flexchat.config.catalog import DisabledEntry, with_secrets
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.tools import ToolDefinition, ToolsConfig
from flexchat.config.secrets import references

CONFIGURATION = Configuration(
    llms={
        "main": LlmConfig(type="openai", api_key="${A}", headers={"X-Both": "${A}-${B}", "X-None": "$A {B} ${}"}),
        "local": LlmConfig(type="ollama"),
    },
    rag_services={"docs": RagServiceConfig(headers={"Authorization": "Bearer ${C}"})},
    tools=ToolsConfig(
        registry=(
            ToolDefinition(
                name="desk",
                description="d",
                parameters={"type": "object"},
                implementation={"type": "internal", "service": {"headers": {"X-Desk": "${D}", "comment": "${E}"}}},
            ),
            ToolDefinition(
                name="any", description="d", parameters={}, implementation={"type": "mock", "mock_response": "${F}"}
            ),
        )
    ),
)


OPENAI = frozenset({"api.openai.com"})
BOUND = {"A": OPENAI, "B": OPENAI}


def test_every_reference_is_found_with_its_paths() -> None:
    assert references(CONFIGURATION) == {
        "A": ("llms.main.api_key", "llms.main.headers.X-Both"),
        "B": ("llms.main.headers.X-Both",),
        "C": ("rag_services.docs.headers.Authorization",),
        "D": ("tools.registry.desk.implementation.service.headers.X-Desk",),
    }


def test_references_are_replaced_in_one_pass() -> None:
    healthy, disabled = with_secrets(CONFIGURATION, {"A": "${B}", "B": "b\\1", "C": "c", "D": "d"}, BOUND, stage="dev")

    assert disabled == ()
    assert healthy.llms["main"].api_key == "${B}"
    assert healthy.llms["main"].headers == {"X-Both": "${B}-b\\1", "X-None": "$A {B} ${}"}
    assert healthy.llms["local"] == CONFIGURATION.llms["local"]


def test_services_and_tools_keep_their_references_to_secrets() -> None:
    healthy, disabled = with_secrets(CONFIGURATION, {"A": "a", "B": "b", "C": "c", "D": "d"}, BOUND, stage="dev")

    assert disabled == ()
    assert healthy.rag_services == CONFIGURATION.rag_services
    assert healthy.tools == CONFIGURATION.tools


def test_an_entry_with_a_missing_secret_is_disabled_with_the_reason() -> None:
    healthy, disabled = with_secrets(CONFIGURATION, {"A": "a"}, BOUND, stage="dev")

    assert list(healthy.llms) == ["local"]
    assert healthy.rag_services == {}
    assert [tool.name for tool in healthy.tools.registry] == ["any"]
    assert disabled == (
        DisabledEntry("llm", "main", ("secret 'B' is not stored; run `flexchat secrets set B --stage dev`",)),
        DisabledEntry("service", "docs", ("secret 'C' is not stored; run `flexchat secrets set C --stage dev`",)),
        DisabledEntry("tool", "desk", ("secret 'D' is not stored; run `flexchat secrets set D --stage dev`",)),
    )


PROXY = frozenset({"proxy.example", "other.example"})
AT_PROXY: dict[str, Any] = {"base_url": "https://Proxy.example:8443/v1"}


@pytest.mark.parametrize(
    ("entry", "host"),
    [
        (LlmConfig(type="openai", api_key="${KEY}"), "api.openai.com"),
        (LlmConfig(type="anthropic", api_key="${KEY}"), "api.anthropic.com"),
        (LlmConfig(type="gemini", api_key="${KEY}"), "generativelanguage.googleapis.com"),
        (LlmConfig(type="ollama", api_key="${KEY}"), "localhost"),
        (LlmConfig(type="openai", api_key="${KEY}", **AT_PROXY), "proxy.example"),
        (LlmConfig(type="anthropic", headers={"X-Key": "${KEY}"}, **AT_PROXY), "proxy.example"),
        (LlmConfig(type="ollama", api_key="${KEY}", base_url="http://127.0.0.1:11434"), "127.0.0.1"),
        (LlmConfig(type="bedrock", headers={"X-Key": "${KEY}"}, **AT_PROXY), "proxy.example"),
        (LlmConfig(type="openai", api_key="${KEY}", base_url="https://api.openai.com\\@evil.example"), ""),
        (LlmConfig(type="openai", api_key="${KEY}", base_url="https://user@evil.example"), ""),
    ],
)
def test_an_llm_receives_a_secret_only_at_the_host_that_it_is_bound_to(entry: LlmConfig, host: str) -> None:
    configuration = Configuration(llms={"main": entry})
    reason = (
        f"secret 'KEY' is not bound to the host {host!r}; run `flexchat secrets bind KEY --stage dev --host {host}`"
    )
    hosts = frozenset({host}) if host else frozenset[str]()

    _, disabled = with_secrets(configuration, {"KEY": "canary"}, {"KEY": hosts}, stage="dev")
    assert disabled == (() if host else (DisabledEntry("llm", "main", (reason,)),))
    for other in ({}, {"KEY": frozenset[str]()}, {"KEY": frozenset({"evil.example"})}, {"OTHER": hosts}):
        healthy, disabled = with_secrets(configuration, {"KEY": "canary"}, other, stage="dev")
        assert (healthy.llms, disabled) == ({}, (DisabledEntry("llm", "main", (reason,)),))


def test_a_guardrail_has_its_secret_resolved_only_for_the_host_that_it_is_bound_to() -> None:
    entry = {"type": "http", "url": "https://hook.example/check", "headers": {"Authorization": "Bearer ${KEY}"}}
    configuration = Configuration.model_validate({"guardrails": {"hook": entry}})

    assert references(configuration) == {"KEY": ("guardrails.hook.headers.Authorization",)}
    bound = {"KEY": frozenset({"hook.example"})}
    healthy, disabled = with_secrets(configuration, {"KEY": "k"}, bound, stage="dev")
    assert (healthy.guardrails["hook"].headers, disabled) == ({"Authorization": "Bearer k"}, ())
    for secrets, hosts in (({"KEY": "k"}, {"KEY": frozenset({"evil.example"})}), ({}, bound)):
        without, disabled = with_secrets(configuration, secrets, hosts, stage="dev")
        assert (without.guardrails, [(each.kind, each.name) for each in disabled]) == ({}, [("guardrail", "hook")])


def test_a_service_receives_a_secret_only_at_the_host_that_it_is_bound_to() -> None:
    service = RagServiceConfig(type="http", url="https://search.example/q", headers={"Authorization": "${KEY}"})
    configuration = Configuration(rag_services={"docs": service})

    healthy, _ = with_secrets(configuration, {"KEY": "k"}, {"KEY": frozenset({"search.example"})}, stage="dev")
    _, disabled = with_secrets(configuration, {"KEY": "k"}, {"KEY": PROXY}, stage="dev")

    assert healthy.rag_services == {"docs": service}
    reason = (
        "secret 'KEY' is not bound to the host 'search.example'; run `flexchat secrets bind KEY --stage dev --host"
        " search.example`"
    )
    assert disabled == (DisabledEntry("service", "docs", (reason,)),)


def test_headers_of_aws_services_are_bound_to_no_host() -> None:
    configuration = Configuration(llms={"main": LlmConfig(type="bedrock", headers={"X-Team": "${KEY}"})})

    assert with_secrets(configuration, {"KEY": "k"}, {}, stage="dev")[1] == ()


@pytest.mark.parametrize("name", ["AWS_SESSION_TOKEN", "lambda_x", "_X_AMZN"])
def test_variable_names_of_the_function_are_never_resolved_even_with_a_secret_of_that_name(name: str) -> None:
    configuration = Configuration(llms={"main": LlmConfig(type="openai", api_key=f"${{{name}}}")})

    assert with_secrets(configuration, {name: "canary"}, {}, stage="dev") == (
        Configuration(llms={}),
        (DisabledEntry("llm", "main", (f"secret {name!r} belongs to the function itself and cannot be named",)),),
    )
