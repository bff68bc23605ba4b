"""API keys in a configuration: errors without the value of the key."""

import hashlib

import pytest

from cli.configuration import push_configuration
from dev.local_stack.models import DEMO_KEY, UNUSED_KEY
from flexchat.config_check.check import check_source
from flexchat.config_check.secrets import PLACEHOLDER_KEYS
from flexchat.errors import ConfigError
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import STAGE, MemoryParameters, problem_lines, rule, source, tool

STORE = "store it with `flexchat secrets set NAME --stage STAGE`"
IN_FILE = f"the key itself is in the file; name it, as '${{NAME}}', and {STORE}, "
KNOWN = "or declare in not_secrets, with the SHA-256 of the value, that it is none"
LITERAL = f"{IN_FILE}or declare in not_secrets that it is none"
KNOWN_LITERAL = f"{IN_FILE}{KNOWN}"
REMOVE = f"holds what looks like a key; remove it, {KNOWN}"
NAMED = (
    "has the name of a secret, and a value of its own; name it, as '${NAME}', or declare in not_secrets that it is none"
)
RANDOM = "looks like a key; name it, as '${NAME}', or declare in not_secrets that it is none"
KEY = "sk-live-c4n4ryc4n4ryc4n4ry"


def errors(document: dict[str, Json]) -> list[str]:
    found = problem_lines(check_source(document, TOOL_TYPES)[1])
    assert "c4n4ry" not in "\n".join(found)
    return found


def with_llm(**changes: Json) -> dict[str, Json]:
    return source(llms={"main": {"type": "openai", **changes}}, topic=None)


def with_service(**changes: Json) -> dict[str, Json]:
    return source(rag_services={"docs": {"type": "http", "url": "https://docs.example.com", **changes}})


def with_tool(implementation: Json, **changes: Json) -> dict[str, Json]:
    definition = tool("search", implementation=implementation, **changes)
    return source(tools={"enabled": True, "registry": [definition]}, responses=[rule()])


def searching(**service: Json) -> dict[str, Json]:
    """The implementation of a tool with a service of its own."""
    whole: Json = {"name": "desk", "type": "http", "url": "https://desk.example.com", **service}
    return {"type": "internal", "handler": "rag_query", "service": whole}


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (with_llm(api_key="c4n4ry"), f"llms.main.api_key: {LITERAL}"),
        (with_llm(api_key=f"{KEY}${{SUFFIX}}"), f"llms.main.api_key: {KNOWN_LITERAL}"),
        (with_llm(headers={"X-Custom": f"Bearer {KEY}"}), f"llms.main.headers.X-Custom: {KNOWN_LITERAL}"),
        (with_llm(base_url=f"https://host/{KEY}/v1"), f"llms.main.base_url: {REMOVE}"),
        (with_service(url=f"https://docs.example.com/?k={KEY}"), f"rag_services.docs.url: {REMOVE}"),
    ],
)
def test_a_key_of_an_llm_or_a_service_is_an_error(document: dict[str, Json], problem: str) -> None:
    assert errors(document) == [problem]


@pytest.mark.parametrize(
    ("implementation", "changes", "problem"),
    [
        (
            searching(headers={"Authorization": f"Bearer {KEY}"}),
            {},
            f"implementation.service.headers.Authorization: {KNOWN_LITERAL}",
        ),
        (searching(headers={"X-Any": KEY}), {}, f"implementation.service.headers.X-Any: {KNOWN_LITERAL}"),
        (
            {"type": "http", "url": "https://x", "auth": {"type": "bearer", "token": "c4n4ry"}},
            {},
            f"implementation.auth.token: {LITERAL}",
        ),
        ({"type": "mock", "mock_response": [{"a": KEY}]}, {}, f"implementation.mock_response[0].a: {REMOVE}"),
        ({"type": "mock"}, {"description": f"Use {KEY}"}, f"description: {REMOVE}"),
        (
            {"type": "mock"},
            {"parameters": {"type": "object", "properties": {"k": {"type": "string", "default": KEY}}}},
            f"parameters.properties.k.default: {REMOVE}",
        ),
    ],
)
def test_a_key_anywhere_in_a_tool_is_an_error(implementation: Json, changes: dict[str, Json], problem: str) -> None:
    assert errors(with_tool(implementation, **changes)) == [f"tools.registry[0].{problem}"]


ENTROPY = "zJ4kT9xQ2mW7vB5nR8pL"


@pytest.mark.parametrize(
    ("document", "warning"),
    [
        (with_llm(headers={"Authorization": "c4n4ry"}), f"llms.main.headers.Authorization: {NAMED}"),
        (with_service(headers={"X-Api-Key": "c4n4ry"}), f"rag_services.docs.headers.X-Api-Key: {NAMED}"),
        (with_service(headers={"Cookie": "a=c4n4ry"}), f"rag_services.docs.headers.Cookie: {NAMED}"),
        (with_service(headers={"X-Shop": ENTROPY}), f"rag_services.docs.headers.X-Shop: {RANDOM}"),
        (
            with_tool(searching(headers={"X-Api-Key": "c4n4ry"})),
            f"tools.registry[0].implementation.service.headers.X-Api-Key: {NAMED}",
        ),
        (
            with_tool({"type": "http", "url": "https://a.example.com", "query": {"appid": ENTROPY}}),
            f"tools.registry[0].implementation.query.appid: {RANDOM}",
        ),
        (
            source(mcp_servers={"a": {"command": "node", "env": {"DB_PASSWORD": "c4n4ry"}}}),
            f"mcp_servers.a.env.DB_PASSWORD: {NAMED}",
        ),
        (
            source(mcp_servers={"a": {"url": "https://mcp.example.com/mcp?api_key=c4n4ry"}}),
            f"mcp_servers.a.url: {NAMED}",
        ),
    ],
)
def test_a_value_that_may_be_a_key_is_a_warning_without_it(document: dict[str, Json], warning: str) -> None:
    problems = check_source(document, TOOL_TYPES)[1]
    found = problem_lines(problems, "warning")

    assert "c4n4ry" not in "\n".join(found)
    assert [line for line in found if "not_secrets" in line] == [warning]
    assert problem_lines(problems) == []


@pytest.mark.parametrize(
    "value",
    [
        *("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "application/vnd.example.v2+json", "aaaaaaaaaa1111111111"),
        *("getHttpResponseFromServer", "2026-11-26T21:00:00.000Z", "https://a.example.com/b1c2d3e4f5g6h7", "short1"),
    ],
)
def test_identifiers_and_words_do_not_look_like_keys(value: str) -> None:
    problems = check_source(with_service(headers={"X-Custom": value}), TOOL_TYPES)[1]

    assert [line for line in problem_lines(problems, "warning") if "key" in line] == []


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def declaring(document: dict[str, Json], path: str, **entry: Json) -> dict[str, Json]:
    return {**document, "not_secrets": [{"path": path, "reason": "a public example", **entry}]}


DEMO: Json = {"type": "http", "url": "https://a.example.com", "auth": {"type": "bearer", "token": "demo-c4n4ry"}}
KEYED: Json = {"type": "http", "url": "https://a.example.com", "headers": {"X-Any": KEY}}


@pytest.mark.parametrize(
    ("document", "path", "entry"),
    [
        (with_llm(api_key="c4n4ry"), "llms.main.api_key", {}),
        (with_service(headers={"Cookie": "a=c4n4ry"}), "rag_services.docs.headers.Cookie", {}),
        (with_tool(DEMO), "tools.registry.search.implementation.auth.token", {}),
        (with_tool(KEYED), "tools.registry.search.implementation.headers.X-Any", {"sha256": sha256(KEY)}),
        (source(responses=[rule(prompt=f"Send {KEY}.")]), "responses[0].prompt", {"sha256": sha256(f"Send {KEY}.")}),
    ],
)
def test_a_value_that_is_declared_as_none_is_not_reported(
    document: dict[str, Json], path: str, entry: dict[str, Json]
) -> None:
    before = check_source(document, TOOL_TYPES)[1]
    assert [line for line in (*problem_lines(before), *problem_lines(before, "warning")) if "not_secrets" in line]

    after = check_source(declaring(document, path, **entry), TOOL_TYPES)[1]
    assert [line for line in (*problem_lines(after), *problem_lines(after, "warning")) if "secret" in line] == []


@pytest.mark.parametrize("entry", [{}, {"sha256": sha256("another")}])
def test_a_key_of_a_known_format_is_declared_by_its_own_hash_alone(entry: dict[str, Json]) -> None:
    path = "tools.registry.search.implementation.headers.X-Any"

    assert errors(declaring(with_tool(KEYED), path, **entry)) == [
        f"tools.registry[0].implementation.headers.X-Any: {KNOWN_LITERAL}"
    ]


def test_a_declaration_covers_its_own_path_alone_and_an_unused_one_is_a_warning() -> None:
    document = declaring(with_llm(api_key="c4n4ry"), "llms.other.api_key")
    problems = check_source(document, TOOL_TYPES)[1]

    assert problem_lines(problems) == [f"llms.main.api_key: {LITERAL}"]
    assert "not_secrets[0]: no value at 'llms.other.api_key' looks like a secret" in problem_lines(problems, "warning")


def test_a_declaration_needs_a_reason() -> None:
    document = source(not_secrets=[{"path": "llms.main.api_key"}])

    assert [line.partition(":")[0] for line in errors(document)] == ["not_secrets[0].reason"]


@pytest.mark.parametrize(
    "document",
    [
        with_llm(api_key="${MAIN_KEY}", headers={"Authorization": "Bearer ${A}", "OpenAI-Organization": "org-1"}),
        with_llm(api_key=""),
        with_service(headers={"Authorization": "Basic ${USER_AND_PASSWORD}", "X-Team": "a"}),
        with_tool(searching(headers={"Authorization": "Bearer ${DESK_KEY}", "X-Team": "a"})),
        with_tool({"type": "mock", "mock_response": {"token": "T-2071", "user": "ada@example.com"}}),
        with_llm(headers={"X-CSRF-Token": "fetch"}),
        with_tool(
            {
                "type": "http",
                "url": "https://api.example.com/items",
                "params_mapping": {"page_token": "pageToken", "password": {"name": "password", "in": "query"}},
                "headers": {"X-CSRF-Token": "fetch", "X-Auth-Mode": "none", "X-Token-Type": "mac-sha256"},
            },
            parameters={
                "type": "object",
                "properties": {"page_token": {"type": "string"}, "password": {"type": "string"}},
            },
        ),
        with_tool(
            {
                "type": "http",
                "method": "POST",
                "url": "https://api.example.com/login",
                "body": {"template": {"password": "{{password}}", "token": "Bearer {{token}}"}},
            },
            parameters={"type": "object", "properties": {key: {"type": "string"} for key in ("password", "token")}},
        ),
        source(
            mcp_servers={
                "db": {
                    "command": "node",
                    "env": {"PASSWORD_FILE": "/run/secrets/db", "AUTH_MODE": "none", "DB_KEY": "${DB_KEY}"},
                },
                "web": {"url": "https://mcp.example.com/mcp?api_key=${WEB_KEY}"},
            }
        ),
        with_tool(
            {"type": "mock"},
            description="Basic arithmetic, Bearer tokens; mail ada@example.com",
            parameters={"type": "object", "properties": {"token": {"type": "string", "description": "A token"}}},
        ),
    ],
)
def test_secret_names_and_mock_data_are_no_keys(document: dict[str, Json]) -> None:
    problems = check_source(document, TOOL_TYPES)[1]

    assert [line for line in (*problem_lines(problems), *problem_lines(problems, "warning")) if "secret" in line] == []


@pytest.mark.parametrize("key", PLACEHOLDER_KEYS)
def test_a_placeholder_for_a_server_without_authentication_is_no_key(key: str) -> None:
    assert errors(with_llm(api_key=key)) == []


def test_the_local_stack_writes_only_placeholders() -> None:
    assert {DEMO_KEY, UNUSED_KEY} <= {*PLACEHOLDER_KEYS}


@pytest.mark.parametrize(
    ("service", "problem"),
    [
        (
            {"headers": {"X-A": "${AWS_SECRET_ACCESS_KEY}"}},
            (
                "headers.X-A: the secret 'AWS_SECRET_ACCESS_KEY' belongs to the function itself; "
                "AWS_*, LAMBDA_* and _X_* cannot be named"
            ),
        ),
        (
            {"headers": {"X-A": "${A"}},
            "headers.X-A: '${' begins no reference; write one as '${NAME}', of letters, digits and _",
        ),
        ({"url": "https://x/${A}"}, "url: a secret cannot be named here; put it into api_key or headers"),
        ({"type": "s3vectors"}, "bucket: is required for a service of type 's3vectors'"),
    ],
)
def test_a_service_inside_a_tool_is_checked_like_others(service: dict[str, Json], problem: str) -> None:
    assert f"tools.registry[0].implementation.service.{problem}" in errors(with_tool(searching(**service)))


def test_a_configuration_with_a_key_is_not_pushed() -> None:
    memory = MemoryParameters()

    with pytest.raises(ConfigError, match="the key itself is in the file"):
        push_configuration(with_llm(api_key=KEY), stage=STAGE, store=memory)

    assert memory.parameters == {}


REMOVE_ADDRESS = "holds what looks like a key; remove it"
STRAY_NAME = "has a name that looks like a key; remove it"


@pytest.mark.parametrize(
    ("document", "warning"),
    [
        (source(responses=[rule(prompt=f"Send {KEY} with it.")]), f"responses[0].prompt: {REMOVE}"),
        (source(comment=["our key", KEY]), f"comment[1]: {REMOVE}"),
        (with_llm(headers={"comment": KEY}), f"llms.main.headers.comment: {REMOVE}"),
        (with_llm(headers={KEY: "x"}), f"llms.main.headers: {STRAY_NAME}"),
        (with_llm(base_url="https://host/v1?api_key=c4n4ry"), f"llms.main.base_url: {REMOVE_ADDRESS}"),
        (with_service(url="https://docs.example.com/?key=c4n4ry"), f"rag_services.docs.url: {REMOVE_ADDRESS}"),
        (with_service(url="https://docs.example.com/?page=c4n4ry"), None),
        (source(limits={"principals": {f"fc_{'a' * 10}_{'b' * 43}": {}}}), f"limits.principals: {STRAY_NAME}"),
        (source(limits={"principals": {"k3m9x2p7qd": {}}}), None),
    ],
)
def test_a_key_anywhere_else_is_a_warning_without_its_value(document: dict[str, Json], warning: str | None) -> None:
    found = problem_lines(check_source(document, TOOL_TYPES)[1], "warning")
    assert "c4n4ry" not in "\n".join(found)
    assert [line for line in found if "looks like a key; remove it" in line] == ([warning] if warning else [])


def test_a_key_reported_as_an_error_is_not_reported_as_a_warning() -> None:
    problems = check_source(with_llm(api_key=KEY), TOOL_TYPES)[1]
    assert [line for line in problem_lines(problems, "warning") if "key" in line] == []


def test_a_secret_in_a_field_without_secret_resolution_is_an_error() -> None:
    document = with_tool({"type": "internal", "handler": "rag_query", "services": ["${NAME}"]})

    assert (
        "tools.registry[0].implementation.services.0: names a secret; "
        "tools of type 'internal' resolve secrets only in 'service.headers.*'"
    ) in errors(document)
