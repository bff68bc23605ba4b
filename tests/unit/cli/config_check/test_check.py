"""Checks between the parts of a configuration."""

from collections.abc import Mapping

import pytest

from cli.config_check.check import check, check_source
from flexchat.config.document import parse
from flexchat.messages import Json
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_types import TOOL_TYPES, ToolType
from tests.unit.config.sources import problem_lines, rule, source, tool


class StrictMock(ToolImplementation):
    """Implementation with a required field."""

    type: str
    mock_response: Json


class StrictType(ToolType):
    """Row of the table with an implementation of its own."""

    def implementation(self) -> type[ToolImplementation]:
        return StrictMock


TYPES = {"mock": StrictType(package=TOOL_TYPES["mock"].package)}


def errors(document: Mapping[str, Json]) -> list[str]:
    return problem_lines(check_source(document, TYPES)[1])


def warnings(document: Mapping[str, Json]) -> list[str]:
    return problem_lines(check_source(document, TYPES)[1], "warning")


def with_tools(*tools: Json, **settings: Json) -> dict[str, Json]:
    return source(
        tools={"enabled": True, **settings, "registry": list(tools)}, responses=[rule(tools={"enabled": True})]
    )


def with_rule(**changes: Json) -> dict[str, Json]:
    return source(responses=[rule(), rule(match={"service": "docs"}, **changes)])


def test_a_healthy_configuration_has_no_problem() -> None:
    assert check(parse(source()).configuration, TYPES) == ()


def test_an_unknown_tool_is_a_warning_at_its_path() -> None:
    document = with_rule(tools={"enabled": True, "allowed_tools": ["get_weather", "calclate", "zzz"]})

    assert errors(document) == []
    assert warnings(document) == [
        "responses[1].tools.allowed_tools[1]: no tool named 'calclate'; did you mean 'calculate'?",
        "responses[1].tools.allowed_tools[2]: no tool named 'zzz'",
    ]


def test_a_mistyped_llm_is_reported_at_its_path() -> None:
    document = with_rule(llm="mian")
    document["topic"] = {"provider": {"llm": "locl"}}
    document["intent"] = {"provider": {"llm": "zzz"}}

    assert errors(document) == [
        "responses[1].llm: no llm named 'mian'; did you mean 'main'?",
        "topic.provider.llm: no llm named 'locl'; did you mean 'local'?",
        "intent.provider.llm: no llm named 'zzz'",
    ]


def test_a_model_outside_the_list_is_only_a_warning() -> None:
    document = with_rule(model="gpt-4")

    assert errors(document) == []
    assert warnings(document) == ["responses[1].model: llms.main.models does not list 'gpt-4'; did you mean 'gpt-4o'?"]


def test_a_duplicate_tool_name_is_an_error() -> None:
    assert errors(with_tools(tool("a"), tool("b"), tool("a"))) == [
        "tools.registry[2].name: Tool 'a' already registered as tools.registry[0]"
    ]


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"type": "string"}, "tools.registry[0].parameters.type: must be 'object': a tool's arguments are one object"),
        ({}, "tools.registry[0].parameters.type: must be 'object': a tool's arguments are one object"),
    ],
)
def test_parameters_must_describe_an_object(parameters: Json, problem: str) -> None:
    assert problem in errors(with_tools(tool("a", parameters=parameters)))


def test_a_schema_over_its_budget_is_an_error_at_the_tool_parameters() -> None:
    found = errors(with_tools(tool("a", parameters={"type": "object", "properties": {"x": {"$ref": "http://x/y"}}})))

    assert len(found) == 1
    assert found[0].startswith("tools.registry[0].parameters: ")


def test_each_tool_type_checks_its_own_implementation() -> None:
    assert errors(with_tools(tool("a"), tool("b", implementation={"type": "mock"}))) == [
        "tools.registry[1].implementation.mock_response: is required",
    ]


def test_the_outer_handler_is_checked_if_the_implementation_has_none() -> None:
    def named(**definition: Json) -> list[str]:
        document = with_tools(tool("a", **definition))
        return problem_lines(check_source(document, TOOL_TYPES)[1])

    assert named(handler="math_eval", implementation={"type": "builtin"}) == []
    assert named(handler="a label", implementation={"type": "builtin", "handler": "math_eval"}) == []
    assert named(handler="a label", implementation={"type": "mock"}) == []
    assert named(handler="rag_query", implementation={"type": "internal"}) == []
    assert named(implementation={"type": "builtin"}) == ["tools.registry[0].implementation.handler: is required"]
    (unknown,) = named(handler="math_evl", implementation={"type": "builtin"})
    assert unknown.startswith("tools.registry[0].implementation.handler: Builtin handler 'math_evl' not found")


def test_a_type_without_a_deployed_function_is_a_warning_and_an_unknown_one_an_error() -> None:
    document = with_tools(
        tool("a", implementation={"type": "internal"}),
        tool("b", implementation={"type": "internal"}, enabled=False),
        tool("c", implementation={"type": "http"}),
        tool("d", implementation={"type": "htpp"}),
        tool("e", implementation={}),
        disabled_types=["http", "mpc"],
    )

    assert warnings(document) == [
        "tools.registry[0].implementation: not offered: this deployment has no function for tools of type 'internal'"
    ]
    assert errors(document) == [
        "tools.disabled_types[1]: no tool type 'mpc'; did you mean 'mcp'?",
        "tools.registry[3].implementation.type: no tool type 'htpp'; did you mean 'http'?",
        "tools.registry[4].implementation.type: is required: one of 'mock', 'builtin', 'internal', 'http', 'mcp'",
    ]


def test_a_rule_with_a_tool_that_is_not_offered_is_a_warning() -> None:
    document = source(
        tools={
            "enabled": True,
            "disabled_types": ["http"],
            "registry": [tool("off", enabled=False), tool("web", implementation={"type": "http"})],
        },
        responses=[rule(tools={"enabled": True, "allowed_tools": ["off", "web"]})],
    )

    assert warnings(document) == [
        "responses[0].tools.allowed_tools[0]: the tool 'off' is not offered: it is disabled",
        "responses[0].tools.allowed_tools[1]: the tool 'web' is not offered: tools of type 'http' are disabled",
    ]


def test_tools_that_can_never_be_used_are_a_warning() -> None:
    assert warnings(with_tools()) == ["tools.registry: tools are enabled, but there is no tool"]
    assert warnings(source(tools={}, responses=[rule(tools={"enabled": True})])) == [
        "responses[0].tools.enabled: no tool is offered while tools.enabled is false"
    ]


def test_a_configuration_without_its_tools_section_has_only_warnings() -> None:
    document = source(responses=[rule(tools={"enabled": True, "allowed_tools": ["get_weather", "calculate"]})])
    del document["tools"]

    assert errors(document) == []
    assert warnings(document) == ["responses[0].tools.enabled: no tool is offered while tools.enabled is false"]


def test_exactly_one_fallback_is_expected() -> None:
    matched = rule(match={"service": "docs"})

    assert warnings(source(responses=[rule(), matched])) == []
    assert warnings(source(responses=[matched])) == [
        "responses: no fallback: a message that no rule matches gets no answer"
    ]
    assert warnings(source(responses=[rule(), rule(), matched])) == [
        "responses: 2 rules without match: only the first of them is ever used"
    ]


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("/(?=x)/", "not a pattern RE2 can run"),
        ("(unclosed", "not a pattern RE2 can run"),
        ("/x/q", "unknown flag 'q'; the flags are i, m, s"),
        (7, "must be a regular expression, as '/weather|forecast/i'"),
        ("a" * 1_001, "the pattern has 1001 characters"),
    ],
)
def test_a_pattern_that_cannot_run_in_linear_time_is_an_error(pattern: Json, problem: str) -> None:
    (found,) = errors(source(responses=[rule(), rule(match={"intent_regexp": pattern})]))

    assert found.startswith(f"responses[1].match.intent_regexp: {problem}")


def test_a_condition_similar_to_a_profile_field_is_a_warning_unless_callers_can_set_it() -> None:
    match: Json = {"servce": "s", "topic": "t", "topic_regexp": "^t", "documents_contains": "d", "plan": "gold"}

    reason = "nothing sets 'servce'; if callers shall, list it in profile.caller_fields; did you mean 'service'?"
    profile: Json = {"caller_fields": ["plan"]}
    assert warnings(source(profile=profile, responses=[rule(), rule(match=match)])) == [
        f"responses[1].match.servce: never holds: {reason}"
    ]


@pytest.mark.parametrize("name", ["AWS_SECRET_ACCESS_KEY", "aws_session_token", "LAMBDA_TASK_ROOT", "_X_AMZN_TRACE_ID"])
def test_environment_variables_of_the_function_cannot_be_secret_names(name: str) -> None:
    document = source(
        llms={"main": {"type": "openai", "api_key": "${K}", "headers": {"X-A": f"a ${{{name}}} b"}}}, topic=None
    )

    assert errors(document) == [
        (
            f"llms.main.headers.X-A: the secret {name!r} belongs to the function itself; "
            "AWS_*, LAMBDA_* and _X_* cannot be named"
        )
    ]


def test_addresses_that_functions_do_not_connect_to_are_errors() -> None:
    document = source(
        llms={
            "plain": {"type": "openai", "api_key": "${K}", "base_url": "http://model.example/v1"},
            "private": {"type": "openai", "api_key": "${K}", "base_url": "https://10.0.3.7:8000/v1"},
            "metadata": {"type": "bedrock", "region": "us-east-1", "base_url": "https://169.254.169.254"},
            "number": {"type": "ollama", "base_url": "https://2852039166"},
            "public": {"type": "ollama", "base_url": "https://ollama.example"},
        },
        rag_services={"docs": {"type": "http", "url": "http://search.example"}},
    )

    assert [line for line in errors(document) if "url: " in line] == [
        "llms.plain.base_url: must begin with 'https://'",
        "llms.private.base_url: must have a public IP address",
        "llms.metadata.base_url: must have a public IP address",
        "llms.number.base_url: must be an address such as 'https://host/v1'",
        "rag_services.docs.url: must begin with 'https://'",
    ]


@pytest.mark.parametrize("host", ["http://127.0.0.1:11434", "http://localhost:11434", "https://[::1]"])
def test_an_address_of_this_machine_is_a_warning_except_for_the_demo_model(host: str) -> None:
    local: dict[str, Json] = {"type": "ollama", "base_url": host}
    demo: dict[str, Json] = {**local, "demo": True}

    assert warnings(source(llms={"local": local, "other": demo})) == [
        "llms.local.base_url: is an address of this machine, which functions reach at the local stage only"
    ]


def test_unusable_llms_and_services_are_errors() -> None:
    document = source(
        llms={
            "main": {"type": "openai", "api_key": "${K", "base_url": "ftp://x"},
            "local": {"type": "ollama", "base_url": "http://user:pw@host"},
            "two:parts": {"type": "ollama", "base_url": "https://[half"},
        },
        rag_services={
            "docs": {"type": "http"},
            "near": {"match_threshold": 0.6},
            "leak": {"type": "http", "url": "https://x/${K}"},
        },
    )

    address = "must be an http or https address without a user, as 'https://api.example.com/v1'"
    assert errors(document) == [
        "llms.main.api_key: '${' begins no reference; write one as '${NAME}', of letters, digits and _",
        f"llms.main.base_url: {address}",
        f"llms.local.base_url: {address}",
        """llms["two:parts"]: the name must be 1 to 64 of the characters a-z, A-Z, 0-9, _, . and -""",
        f"""llms["two:parts"].base_url: {address}""",
        "rag_services.docs.url: is required for a service of type 'http'",
        (
            "rag_services.near.match_threshold: must not be above partial_threshold (0.5): "
            "both are distances, smaller is nearer"
        ),
        "rag_services.leak.url: a secret cannot be named here; put it into api_key or headers",
    ]


def test_only_bedrock_has_a_region_and_no_key() -> None:
    document = source(
        llms={
            "main": {"type": "openai", "region": "eu-west-1"},
            "aws": {"type": "bedrock", "region": "us-gov-east-1", "api_key": "${BEDROCK_KEY}"},
        },
        topic=None,
    )

    assert errors(document) == ["llms.main.region: is for an llm of type 'bedrock' only"]
    assert warnings(document) == ["llms.aws.api_key: is not used: Bedrock is called with the function's own role"]


def test_problems_of_format_and_of_references_are_reported_together_at_their_paths() -> None:
    document = source(
        llms={"main": {"type": "zzz"}, "local": {"type": "ollama"}},
        tools={"enabled": True, "registry": [{"name": "broken"}, tool("calculate", implementation={"type": "mok"})]},
        responses=[
            rule(prompt=None),
            rule(tools={"enabled": True, "allowed_tools": ["broken", "calclate"]}),
        ],
    )

    configuration, found = check_source(document, TYPES)

    assert problem_lines(found) == [
        "llms.main.type: must be 'openai', 'ollama', 'gemini', 'anthropic' or 'bedrock', not 'zzz'",
        "responses[0].prompt: must be text",
        "tools.registry[0].description: is required",
        "tools.registry[0].parameters: is required",
        "tools.registry[0].implementation: is required",
        "tools.registry[1].implementation.type: no tool type 'mok'; did you mean 'mock'?",
    ]
    assert problem_lines(found, "warning") == [
        "responses[1].tools.allowed_tools[1]: no tool named 'calclate'; did you mean 'calculate'?"
    ]
    assert list(configuration.llms) == ["local"]


def test_a_prompt_can_have_variables_outside_of_the_profile() -> None:
    assert check(parse(with_rule(prompt="{{unknown.variable}}")).configuration, TYPES) == ()
