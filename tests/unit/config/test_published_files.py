"""Files in config/: the default configuration, the examples, the schema for editors."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cli.configuration import checked, read_file
from dev.config_schema import FOLDER, SCHEMAS, configuration_schema, main
from flexchat.config.document import parse, read_source
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.tools import ResponseToolsConfig
from flexchat.config.parameters import join, split
from flexchat.config.providers import PROVIDER_TYPES
from flexchat.messages import Json
from flexchat.schema import ArgumentChecker
from functions.tools.builtin.handlers import handler_named
from tests.unit.config.sources import source, tool

CONFIG = Path(__file__).parents[3] / "config"
DEFAULT = CONFIG / "flexchat.json"
WEATHER = CONFIG / "examples" / "weather-assistant.json"
DOCUMENTATION = CONFIG / "examples" / "documentation-assistant.json"
FIVE_PROVIDERS = CONFIG / "examples" / "five-providers.json"
SUPPORT_DESK = CONFIG / "examples" / "support-desk.json"
MODEL_SERVERS = sorted((CONFIG / "examples" / "model-servers").glob("*.json"))
PUBLISHED = (DEFAULT, *sorted((CONFIG / "examples").glob("*.json")), *MODEL_SERVERS)


def load(path: Path) -> Configuration:
    parsed = parse(read_source(path.read_bytes()))
    assert parsed.problems == ()
    return parsed.configuration


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_a_published_configuration_has_no_problem_but_addresses_of_this_machine(path: Path) -> None:
    configuration, problems = checked(read_file(path))

    llms = configuration.llms
    local = {f"llms.{name}.base_url" for name, llm in llms.items() if "//127.0.0.1:" in (llm.base_url or "")}
    assert {(problem.path, problem.severity, problem.message) for problem in problems} == {
        (path, "warning", "is an address of this machine, which functions reach at the local stage only")
        for path in local
    }


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_every_published_configuration_is_within_the_parameter_limits_and_read_again(path: Path) -> None:
    document = read_file(path)

    assert join(split(document, stage="dev"), stage="dev").source == document


def test_the_published_examples_have_the_documented_content() -> None:
    weather, documentation = load(WEATHER), load(DOCUMENTATION)

    assert weather.llms == {"openai": LlmConfig(type="openai", api_key="${OPENAI_API_KEY}")}
    assert weather.tools.max_iterations == 3
    assert weather.responses[0].match == {"intent_regexp": "/(weather|forecast)/"}
    assert weather.responses[0].prompt == "You are a weather assistant.\n\nUser: {{user_message}}"
    assert weather.responses[0].tools == ResponseToolsConfig(enabled=True, allowed_tools=("get_weather",))
    assert [tool.name for tool in weather.tools.registry] == ["get_weather"]
    assert documentation.llms == {"ollama": LlmConfig(type="ollama")}
    assert documentation.tools.max_iterations == 5
    assert documentation.responses[0].match == {"service": "technical_docs"}
    assert documentation.responses[0].tools is not None
    assert documentation.responses[0].tools.max_iterations == 2
    assert documentation.responses[0].tools.allowed_tools == ("search_docs",)


def test_the_support_desk_uses_every_kind_of_condition() -> None:
    configuration = load(SUPPORT_DESK)

    assert [(rule.name, rule.match) for rule in configuration.responses] == [
        ("escalate", {"user_message_regexp": "/\\b(lawyer|solicitor|sue|consumer (protection|association))\\b/i"}),
        ("complaint", {"intent": "complaint"}),
        ("refund", {"intent": "refund_request"}),
        ("order", {"intent_contains": "order"}),
        ("policy", {"service": "policies", "rag_results": "match"}),
        ("manual_for_members", {"service": "manuals", "rag_results": "match", "plan": "member"}),
        ("manual", {"service": "manuals", "rag_results": "match"}),
        ("unsure", {"rag_results": "partial"}),
        ("fallback", {}),
    ]


def test_the_example_with_five_providers_has_a_rule_for_each_and_a_fallback() -> None:
    configuration = load(FIVE_PROVIDERS)

    assert {name: llm.type for name, llm in configuration.llms.items()} == {name: name for name in PROVIDER_TYPES}
    assert [(rule.match, rule.llm) for rule in configuration.responses] == [
        *(({"provider": name}, name) for name in PROVIDER_TYPES),
        ({}, "openai"),
    ]
    assert {tool.name for tool in configuration.tools.registry} == {"get_weather", "calculate"}


def test_the_default_configuration_has_the_documented_tools_rules_and_secret() -> None:
    configuration = load(DEFAULT)

    assert {tool.name: (tool.implementation_type, tool.enabled) for tool in configuration.tools.registry} == {
        "get_weather": ("mock", True),
        "calculate": ("builtin", True),
        "datetime": ("builtin", True),
        "string_tools": ("builtin", True),
        "uuid": ("builtin", True),
        "search_documents": ("internal", True),
    }
    assert [rule.match for rule in configuration.responses] == [
        {"rag_results": "any"},
        {"topic_regexp": "/weather|forecast/i"},
        {},
    ]
    services = {name: (entry.type, entry.collections) for name, entry in configuration.rag_services.items()}
    assert services == {"docs": ("internal", ("flexchat-docs",))}
    assert configuration.llms["openai"].api_key == "${OPENAI_API_KEY}"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("calculate", {"expression": "15% of 45"}),
        ("datetime", {"operation": "now", "timezone": "Europe/Paris"}),
        ("datetime", {"operation": "convert", "datetime": "2026-03-29T12:00:00Z", "to_timezone": "Asia/Tokyo"}),
        ("datetime", {"operation": "difference", "datetime": "2026-01-01", "other": "2026-03-01"}),
        ("datetime", {"operation": "add", "datetime": "2026-01-31", "amount": 1, "unit": "months"}),
        ("string_tools", {"operation": "replace", "text": "a-b", "search": "-"}),
        ("string_tools", {"operation": "split", "text": "a b"}),
        ("uuid", {}),
        ("uuid", {"version": 5, "namespace": "dns", "name": "example.com"}),
    ],
)
def test_the_handler_accepts_the_values_of_a_tool_schema(name: str, arguments: dict[str, Json]) -> None:
    (definition,) = (tool for tool in load(DEFAULT).tools.registry if tool.name == name)

    with_defaults = ArgumentChecker(definition.parameters).check(arguments)

    assert handler_named(str(definition.implementation["handler"]))(with_defaults)


@pytest.mark.parametrize("name", ["datetime", "string_tools"])
def test_every_operation_of_a_tool_exists_in_its_handler(name: str) -> None:
    (definition,) = (tool for tool in load(DEFAULT).tools.registry if tool.name == name)
    properties: Any = definition.parameters["properties"]
    moment = "2026-03-29T12:00:00Z"
    text: dict[str, Json] = {"text": "a b", "search": "a"}
    time: dict[str, Json] = {"datetime": moment, "other": moment, "to_timezone": "UTC", "amount": 1, "unit": "days"}

    for operation in properties["operation"]["enum"]:
        assert handler_named(str(definition.implementation["handler"]))({**text, **time, "operation": operation})


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_committed_schemas_equal_those_of_the_models(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == SCHEMAS[name](), "run `make schema`"


def test_the_schemas_are_written_to_the_given_folder(tmp_path: Path) -> None:
    main(tmp_path)

    written = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert written == {name: text() for name, text in SCHEMAS.items()}


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_a_published_configuration_is_valid_by_its_schema(path: Path) -> None:
    assert [error.message for error in validator().iter_errors(read_file(path))] == []


def test_the_schema_allows_comments_and_missing_types_but_no_unknown_key() -> None:
    entries: Json = {"comment": ["any"], "azure": {"comment": 1, "headers": {"comment": "c", "X-A": "1"}}}
    document = source(llms=entries, tools={"registry": [tool("a", comment={"a": 1})]})
    assert [error.message for error in validator().iter_errors(document)] == []

    wrong = source(llms={"main": {"type": "opnai", "modles": []}})
    assert [error.json_path for error in validator().iter_errors(wrong)] == ["$.llms.main", "$.llms.main.type"]


def validator() -> Any:
    schema = json.loads(configuration_schema())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
