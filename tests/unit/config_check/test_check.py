"""Checks between the parts of a configuration."""

import pytest

from flexchat.config.document import parse
from flexchat.config_check.check import check, check_source
from flexchat.messages import Json
from tests.unit.config.sources import problem_lines, rule, source, tool
from tests.unit.config_check.checked import TYPES, errors, warnings, with_rule


def test_a_healthy_configuration_has_no_problem() -> None:
    assert check(parse(source()).configuration, TYPES) == ()


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
        f"responses[1].match.servce: never true: {reason}"
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


@pytest.mark.parametrize(
    ("type", "address", "added", "right"),
    [
        ("openai", "https://host.example/v1/chat/completions", "/chat/completions", "https://host.example/v1"),
        ("openai", "https://host.example/v1/completions/", "/completions", "https://host.example/v1"),
        ("openai", "https://host.example/v1/responses", "/responses", "https://host.example/v1"),
        ("openai", "https://host.example/v1/embeddings", "/embeddings", "https://host.example/v1"),
        (
            "openai",
            "https://name.openai.azure.com/openai/deployments/mine/chat/completions?api-version=2024-10-21",
            "/chat/completions",
            "https://name.openai.azure.com/openai/deployments/mine?api-version=2024-10-21",
        ),
        ("anthropic", "https://host.example/claude/v1/messages", "/v1/messages", "https://host.example/claude"),
        ("ollama", "https://host.example/api/chat", "/api/chat", "https://host.example"),
        ("gemini", "https://host.example/v1beta/models", "/v1beta/models", "https://host.example"),
    ],
)
def test_the_address_of_a_whole_request_is_an_error_with_the_right_address(
    type: str, address: str, added: str, right: str
) -> None:
    wrong, fixed = (errors(source(llms={"main": {"type": type, "base_url": each}})) for each in (address, right))

    problem = f"llms.main.base_url: must end before {added!r}, which the service adds: {right!r}"
    assert [line for line in wrong if "base_url" in line] == [problem]
    assert [line for line in fixed if "base_url" in line] == []


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
