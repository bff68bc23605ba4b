"""References to secrets in a configuration: their names, positions and resolution."""

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


def test_every_reference_is_found_with_its_paths() -> None:
    assert references(CONFIGURATION) == {
        "A": ("llms.main.api_key", "llms.main.headers.X-Both"),
        "B": ("llms.main.headers.X-Both",),
        "C": ("rag_services.docs.headers.Authorization",),
        "D": ("tools.registry.desk.implementation.service.headers.X-Desk",),
    }


def test_references_are_replaced_in_one_pass() -> None:
    healthy, disabled = with_secrets(CONFIGURATION, {"A": "${B}", "B": "b\\1", "C": "c", "D": "d"}, stage="dev")

    assert disabled == ()
    assert healthy.llms["main"].api_key == "${B}"
    assert healthy.llms["main"].headers == {"X-Both": "${B}-b\\1", "X-None": "$A {B} ${}"}
    assert healthy.llms["local"] == CONFIGURATION.llms["local"]


def test_services_and_tools_keep_their_references_to_secrets() -> None:
    healthy, disabled = with_secrets(CONFIGURATION, {"A": "a", "B": "b", "C": "c", "D": "d"}, stage="dev")

    assert disabled == ()
    assert healthy.rag_services == CONFIGURATION.rag_services
    assert healthy.tools == CONFIGURATION.tools


def test_an_entry_with_a_missing_secret_is_disabled_with_the_reason() -> None:
    healthy, disabled = with_secrets(CONFIGURATION, {"A": "a"}, stage="dev")

    assert list(healthy.llms) == ["local"]
    assert healthy.rag_services == {}
    assert [tool.name for tool in healthy.tools.registry] == ["any"]
    assert disabled == (
        DisabledEntry("llm", "main", ("secret 'B' is not stored; run `flexchat secrets set B --stage dev`",)),
        DisabledEntry("service", "docs", ("secret 'C' is not stored; run `flexchat secrets set C --stage dev`",)),
        DisabledEntry("tool", "desk", ("secret 'D' is not stored; run `flexchat secrets set D --stage dev`",)),
    )


@pytest.mark.parametrize("name", ["AWS_SESSION_TOKEN", "lambda_x", "_X_AMZN"])
def test_variable_names_of_the_function_are_never_resolved_even_with_a_secret_of_that_name(name: str) -> None:
    configuration = Configuration(llms={"main": LlmConfig(type="openai", api_key=f"${{{name}}}")})

    assert with_secrets(configuration, {name: "canary"}, stage="dev") == (
        Configuration(llms={}),
        (DisabledEntry("llm", "main", (f"secret {name!r} belongs to the function itself and cannot be named",)),),
    )
