"""Reading of configuration documents: comments, aliases, defaults, and every problem at once."""

import json

import pytest

from flexchat.config.catalog import DisabledEntry
from flexchat.config.document import parse, read_source
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.phases import IntentConfig, IntentDetection, ModelChoice, TopicConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition, ToolsConfig
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from tests.unit.config.sources import problem_lines, rule, source, tool


def loaded(text: str) -> Configuration:
    parsed = parse(read_source(text))
    assert parsed.problems == ()
    return parsed.configuration


def problems_of(document: object) -> list[str]:
    try:
        return problem_lines(parse(read_source(json.dumps(document))).problems)
    except ConfigError as error:
        return problem_lines(error.problems)


def test_a_complete_configuration_is_parsed() -> None:
    configuration = loaded(json.dumps(source()))

    prompt = "You help.\n\nUser: {{user_message}}"
    parameters: dict[str, Json] = {"type": "object", "properties": {"text": {"type": "string"}}}
    implementation: dict[str, Json] = {"type": "mock", "mock_response": {"comment": "stays", "ok": True}}
    assert configuration == Configuration.model_validate(
        {"$schema": "./flexchat.schema.json", "comment": ["kept"]}
    ).model_copy(
        update={
            "llms": {
                "main": LlmConfig(type="openai", api_key="${MAIN_KEY}", models=("gpt-4o",)),
                "local": LlmConfig(type="ollama", base_url="https://ollama.example"),
            },
            "rag_services": {
                "docs": RagServiceConfig(
                    type="http", url="https://docs.example.com", headers={"Authorization": "Bearer ${DOCS_KEY}"}
                )
            },
            "topic": TopicConfig(provider=ModelChoice(llm="local", model="llama3.2")),
            "intent": IntentConfig(
                provider=ModelChoice(llm="main", model="gpt-4o"),
                detection=IntentDetection(intents={"weather": "Asks about the weather"}),
            ),
            "responses": (
                ResponseRule(
                    name="weather",
                    match={"intent_regexp": "/(weather|forecast)/i"},
                    llm="main",
                    model="gpt-4o",
                    prompt=prompt,
                    tools=ResponseToolsConfig(enabled=True, allowed_tools=("get_weather",)),
                ),
                ResponseRule(
                    comment="last", llm="main", model="gpt-4o", prompt=prompt, tools=ResponseToolsConfig(enabled=True)
                ),
            ),
            "tools": ToolsConfig(
                comment="globals",
                enabled=True,
                registry=(
                    ToolDefinition(
                        name="get_weather",
                        description="What get_weather does",
                        parameters=parameters,
                        implementation=implementation,
                    ),
                    ToolDefinition(
                        comment="mock for now",
                        name="calculate",
                        description="What calculate does",
                        parameters=parameters,
                        implementation=implementation,
                    ),
                ),
            ),
        }
    )


def test_a_comment_is_no_entry_of_a_mapping_but_stays_in_free_json() -> None:
    configuration = loaded(
        json.dumps(
            {
                "llms": {"comment": {"type": "x"}, "main": {"type": "ollama", "headers": {"comment": "c", "X-A": "1"}}},
                "rag_services": {"comment": 1},
                "intent": {
                    "provider": {"llm": "main"},
                    "detection": {"comment": "c", "intents": {"comment": "c", "a": "b"}},
                },
                "responses": [rule(match={"comment": "all"})],
                "tools": {
                    "registry": [
                        tool(
                            "note",
                            parameters={"type": "object", "properties": {"comment": {"type": "string"}}},
                            implementation={"type": "mock", "comment": "kept", "mock_response": {"comment": "kept"}},
                        )
                    ]
                },
            }
        )
    )

    assert list(configuration.llms) == ["main"]
    assert configuration.llms["main"].headers == {"X-A": "1"}
    assert configuration.rag_services == {}
    assert configuration.intent is not None
    assert configuration.intent.detection.intents == {"a": "b"}
    assert configuration.responses[0].is_fallback
    (note,) = configuration.tools.registry
    assert note.parameters["properties"] == {"comment": {"type": "string"}}
    assert note.implementation == {"type": "mock", "comment": "kept", "mock_response": {"comment": "kept"}}


@pytest.mark.parametrize(
    ("name", "entry", "provider"),
    [
        ("openai", {}, "openai"),
        ("gemini", {}, "gemini"),
        ("azure", {}, "openai"),
        ("mine", {"type": "openai-compatible"}, "openai"),
        ("mine", {"type": "compatible"}, "openai"),
        ("mine", {"type": "azure"}, "openai"),
        ("openai", {"type": "ollama"}, "ollama"),
    ],
)
def test_the_provider_type_is_read_from_type_or_name(name: str, entry: dict[str, Json], provider: str) -> None:
    assert loaded(json.dumps({"llms": {name: entry}})).llms[name].type == provider


def test_every_problem_is_reported_at_once_with_its_path() -> None:
    document: dict[str, Json] = {
        "respones": [],
        "llms": {"main": {"type": "opnai", "api_key": 12}, "other": {}, "odd name": {"type": "ollama", "modles": []}},
        "tools": {
            "enabled": "yes",
            "max_iterations": 0,
            "registry": [{"name": "a b", "description": "", "parameters": [], "implementation": {}}, 7],
        },
        "responses": [rule(promt="x", temperature="0"), {"llm": "main"}],
        "intent": {"provider": {"llm": 1}},
    }

    assert problems_of(document) == [
        (
            "llms.main.type: must be 'openai', 'ollama', 'gemini', 'anthropic' or 'bedrock', not 'opnai'; "
            "did you mean 'openai'?"
        ),
        "llms.main.api_key: must be text",
        "llms.other.type: is required",
        """llms["odd name"].modles: unknown key 'modles'; did you mean 'models'?""",
        "intent.provider.llm: must be text",
        "responses[0].temperature: must be a number",
        "responses[0].promt: unknown key 'promt'; did you mean 'prompt'?",
        "responses[1].model: is required",
        "responses[1].prompt: is required",
        "tools.enabled: must be true or false",
        "tools.max_iterations: must be greater than or equal to 1",
        "tools.registry[0].name: 'a b' does not match ^[a-zA-Z0-9_./:-]{1,128}$",
        "tools.registry[0].description: must have at least 1 character",
        "tools.registry[0].parameters: must be an object",
        "tools.registry[1]: must be an object",
        "respones: unknown key 'respones'; did you mean 'responses'?",
    ]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ([], "a configuration must be a JSON object"),
        ({"llms": []}, "llms: must be an object"),
        ({"responses": {}}, "responses: must be a list"),
        ({"tools": 3}, "tools: must be an object"),
        ({"tools": {"registry": {}}}, "tools.registry: must be a list"),
        ({"tools": {"max_iterations": True}}, "tools.max_iterations: must be a whole number"),
        ({"tools": {"max_iterations": 21}}, "tools.max_iterations: must be less than or equal to 20"),
        (
            {"topic": {"provider": {"llm": "a", "modl": 1}}},
            "topic.provider.modl: unknown key 'modl'; did you mean 'model'?",
        ),
        ({"$schema": 1}, "$schema: must be text"),
    ],
)
def test_a_section_of_the_wrong_type_is_reported(document: object, problem: str) -> None:
    assert problems_of(document) == [problem]


def test_the_value_of_an_invalid_key_is_never_shown() -> None:
    (problem,) = problems_of({"llms": {"main": {"type": "openai", "api_key": ["sk-canary"]}}})

    assert "canary" not in problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "an object has the same name twice; send every name once"),
        ("{", "not valid JSON: a name in double quotes is missing at line 1 column 2"),
        ('{"a": NaN}', "NaN is not JSON; send a finite number or null"),
        ("[" * 100, "the JSON text is nested deeper than 64 levels"),
        (b"\xff", "the JSON text is not UTF-8 (byte 0)"),
    ],
)
def test_invalid_json_has_its_reason(text: str | bytes, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_source(text)

    assert caught.value.problems == (Problem(path="", message=message),)


def test_a_provider_type_used_by_name_gets_an_entry() -> None:
    configuration = loaded(
        json.dumps(
            {
                "responses": [rule(llm="openai"), rule(llm="mine")],
                "topic": {"provider": {"llm": "ollama"}},
                "intent": {"provider": {"llm": "gemini"}},
            }
        )
    )

    assert configuration.llms == {
        "openai": LlmConfig(type="openai", api_key="${OPENAI_API_KEY}"),
        "ollama": LlmConfig(type="ollama"),
        "gemini": LlmConfig(type="gemini", api_key="${GEMINI_API_KEY}"),
    }


def test_no_default_replaces_a_broken_or_missing_entry() -> None:
    document: dict[str, Json] = {"llms": {"openai": {"base_url": 1}}, "responses": [rule(llm="openai")]}

    assert parse(document).configuration.llms == {}
    assert parse({"responses": [rule(llm="openai")]}, missing_llms={"openai"}).configuration.llms == {}


def test_one_broken_entry_of_each_kind_leaves_the_others_usable() -> None:
    document = source()
    document["llms"] = {"bad": {"type": "nope"}, "local": {"type": "ollama"}}
    document["rag_services"] = {"bad": {"top_k": 0}, "docs": {}}
    document["responses"] = [rule(name="broken", prompt=1), {"llm": "x"}, rule(name="whole", llm="local")]
    document["tools"] = {"registry": [tool("a"), tool("b", enabled="no"), {"description": 1}, tool("c")]}

    parsed = parse(document)

    assert list(parsed.configuration.llms) == ["local"]
    assert list(parsed.configuration.rag_services) == ["docs"]
    assert [found.name for found in parsed.configuration.responses] == ["whole"]
    assert [found.name for found in parsed.configuration.tools.registry] == ["a", "c"]
    assert parsed.rule_positions == (2,)
    assert parsed.tool_positions == (0, 3)
    assert parsed.is_whole
    assert [(entry.kind, entry.name) for entry in parsed.broken] == [
        ("llm", "bad"),
        ("service", "bad"),
        ("rule", "broken"),
        ("rule", "responses[1]"),
        ("tool", "b"),
        ("tool", "tools.registry[2]"),
    ]
    assert parsed.broken[4] == DisabledEntry(
        kind="tool", name="b", problems=("tools.registry[1].enabled: must be true or false",)
    )


@pytest.mark.parametrize(
    "broken",
    [{"tools": {"enabled": 1, "registry": [tool("a")]}}, {"topic": {"provider": 1}}, {"unknown": 1}, {"responses": 1}],
)
def test_problems_outside_the_entries_are_separate(broken: dict[str, Json]) -> None:
    parsed = parse(broken)

    assert not parsed.is_whole
    assert parsed.broken == ()
    assert len(parsed.rule_positions) == len(parsed.configuration.responses)
    assert len(parsed.tool_positions) == len(parsed.configuration.tools.registry)


def test_repr_and_str_of_an_entry_contain_no_secret() -> None:
    llm = LlmConfig(type="openai", api_key="canary-1", headers={"X-Key": "canary-2"})
    service = RagServiceConfig(headers={"X-Key": "canary-3"})

    assert "canary" not in f"{llm} {llm!r} {service} {service!r} {Configuration(llms={'a': llm})!r}"
