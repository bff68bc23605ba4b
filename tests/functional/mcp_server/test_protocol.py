"""Protocol of `/mcp`: messages of both eras, headers, errors and their HTTP status."""

import json
from typing import Any

import pytest

from flexchat.errors import UnavailableError
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy
from tests.functional.chat.http_requests import broken
from tests.functional.mcp_server.mcp_chat import CAPABILITIES, ENVELOPE, SERVER, VERSION, McpClient

CLIENT: dict[str, Any] = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
PING: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def chat() -> Chat:
    return deploy([], configuration(tools=[CALCULATE]), allowed_origins=("https://app.example.com",))


@pytest.fixture
def client(chat: Chat) -> McpClient:
    return McpClient(chat)


@pytest.mark.parametrize(
    ("requested", "agreed"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ],
)
def test_handshake_agrees_on_a_version(client: McpClient, requested: str, agreed: str) -> None:
    answer = client.request("initialize", {"protocolVersion": requested, **CLIENT}, id="first")

    assert answer.status == 200
    assert "mcp-session-id" not in answer.headers
    result = answer.body["result"]
    assert (answer.body["jsonrpc"], answer.body["id"]) == ("2.0", "first")
    assert (result["protocolVersion"], result["capabilities"], result["serverInfo"]) == (agreed, {"tools": {}}, SERVER)
    assert result["instructions"].startswith("Tools of a Flexchat deployment.")


def test_handshake_ignores_the_envelope_of_the_later_era(client: McpClient) -> None:
    answer = client.request("initialize", {"protocolVersion": "2025-11-25", **CLIENT, "_meta": ENVELOPE})

    assert (answer.status, answer.body["result"]["protocolVersion"]) == (200, "2025-11-25")


def test_discovery_needs_no_handshake(client: McpClient) -> None:
    answer = client.modern("server/discover")

    assert answer.status == 200
    instructions = answer.body["result"].pop("instructions")
    assert "chat answers a message" in instructions
    assert answer.body["result"] == {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "ttlMs": 60_000,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": SERVER},
    }


@pytest.mark.parametrize("version", [None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_ping_is_answered_without_a_handshake(client: McpClient, version: str | None) -> None:
    answer = client.send(PING, headers=(version and {"MCP-Protocol-Version": version}) or {})

    assert (answer.status, answer.body) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "notifications/unknown"},
        {"jsonrpc": "2.0", "id": 5, "result": {}},
        {"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": "no"}},
        [{"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 5, "result": {}}],
    ],
)
def test_notifications_and_responses_are_accepted_without_a_body(client: McpClient, message: Any) -> None:
    answer = client.send(message)

    assert (answer.status, answer.body) == (202, None)


@pytest.mark.parametrize(
    ("version", "message", "status", "code"),
    [
        ("2026-07-28", {"jsonrpc": "2.0", "method": "notifications/cancelled"}, 202, None),
        ("2026-07-28", {"jsonrpc": "2.0", "id": 5, "result": {}}, 400, -32600),
        ("2030-01-01", {"jsonrpc": "2.0", "method": "notifications/cancelled"}, 400, -32022),
    ],
)
def test_notifications_of_the_later_era(
    client: McpClient, version: str, message: Any, status: int, code: int | None
) -> None:
    answer = client.send(message, headers={"MCP-Protocol-Version": version})

    assert (answer.status, answer.body and answer.body["error"]["code"]) == (status, code)


DEEP = '{"jsonrpc":"2.0","id":1,"method":"ping","params":' + '{"a":' * 200 + "1" + "}" * 201


@pytest.mark.parametrize(
    ("body", "status", "code", "id", "text"),
    [
        ("{", 400, -32700, None, "the body cannot be read as JSON"),
        ("", 400, -32700, None, "the body cannot be read as JSON"),
        ('{"a": NaN}', 400, -32700, None, "NaN is not JSON"),
        ('{"jsonrpc":"2.0","jsonrpc":"2.0"}', 400, -32700, None, "the same name twice"),
        (DEEP, 400, -32700, None, "nested deeper than 64 levels"),
        ('"ping"', 400, -32600, None, "a message must be an object"),
        ("7", 400, -32600, None, "a message must be an object"),
        ("null", 400, -32600, None, "a message must be an object"),
        ({**PING, "jsonrpc": "1.0"}, 400, -32600, 1, "jsonrpc must be '2.0'"),
        ({"id": 1, "method": "ping"}, 400, -32600, 1, "jsonrpc must be '2.0'"),
        ({**PING, "method": 7}, 400, -32600, 1, "method must be a text"),
        ({**PING, "method": ""}, 400, -32600, 1, "method must be a text"),
        ({**PING, "params": []}, 400, -32600, 1, "params must be an object"),
        ({**PING, "id": None}, 400, -32600, None, "id must be a text or an integer"),
        ({**PING, "id": True}, 400, -32600, None, "id must be a text or an integer"),
        ({**PING, "id": 1.5}, 400, -32600, None, "id must be a text or an integer"),
        ({**PING, "id": []}, 400, -32600, None, "id must be a text or an integer"),
        ({**PING, "method": "resources/list"}, 200, -32601, 1, "method 'resources/list' not found"),
        ({**PING, "method": "server/discover"}, 200, -32601, 1, "method 'server/discover' not found"),
        ({**PING, "method": "initialize"}, 200, -32602, 1, "protocolVersion must be a text"),
        ({**PING, "method": "initialize", "params": {"protocolVersion": "1"}}, 200, -32602, 1, "capabilities must be"),
        ({**PING, "method": "tools/list", "params": {"cursor": 1}}, 200, -32602, 1, "cursor must be a text"),
        ({**PING, "method": "tools/list", "params": {"cursor": "x"}}, 200, -32602, 1, "cursor is not valid"),
        ({**PING, "method": "tools/call"}, 200, -32602, 1, "name must be the name of a tool"),
        ({**PING, "method": "tools/call", "params": {"name": 1}}, 200, -32602, 1, "name must be the name of a tool"),
        ({**PING, "method": "tools/call", "params": {"name": "nope"}}, 200, -32602, 1, "Unknown tool: nope"),
        (
            {**PING, "method": "tools/call", "params": {"name": "calculate", "arguments": [1]}},
            200,
            -32602,
            1,
            "arguments must be an object",
        ),
    ],
)
def test_wrong_messages_are_errors_with_their_codes(
    client: McpClient, body: Any, status: int, code: int, id: Any, text: str
) -> None:
    answer = client.send(body)

    assert (answer.status, answer.body["jsonrpc"], answer.body["id"]) == (status, "2.0", id)
    assert answer.body["error"]["code"] == code
    assert text in answer.body["error"]["message"]


def test_a_body_that_is_too_large_is_refused(client: McpClient) -> None:
    answer = client.send({**PING, "params": {"text": "x" * 300_000}})

    assert (answer.status, answer.body["error"]["code"]) == (413, -32600)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "APPLICATION/JSON; charset=utf-8"}, 200),
        ({"Accept": "text/event-stream"}, 406),
        ({"Accept": "application/json, text/event-stream"}, 200),
        ({"Accept": "application/*;q=0.5"}, 200),
        ({"Accept": "text/html, */*"}, 200),
    ],
)
def test_media_types_are_checked(client: McpClient, headers: dict[str, str], status: int) -> None:
    assert client.send(PING, headers=headers).status == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://app.example.com", 200),
        ("http://localhost:6274", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]:8000", 200),
        ("http://evil.example.com", 403),
        ("https://app.example.com.evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("null", 403),
        ("http://[", 403),
        ("", 403),
    ],
)
def test_only_pages_of_allowed_origins_may_send_messages(client: McpClient, origin: str, status: int) -> None:
    answer = client.send(PING, headers={"Origin": origin})

    assert answer.status == status
    is_listed = origin == "https://app.example.com"
    assert answer.headers.get("access-control-allow-origin") == (origin if is_listed else None)


@pytest.mark.parametrize(
    ("method", "params", "headers", "status", "code"),
    [
        ("tools/list", {}, {}, 200, None),
        ("tools/list", {}, {"Mcp-Method": "tools/call"}, 400, -32020),
        ("tools/list", {}, {"MCP-Protocol-Version": "2025-11-25"}, 400, -32020),
        ("tools/list", {}, {"MCP-Protocol-Version": ""}, 400, -32020),
        ("tools/list", {"_meta": {}}, {}, 400, -32602),
        ("tools/list", {"_meta": "x"}, {}, 400, -32602),
        ("tools/list", {"_meta": {VERSION: "2026-07-28"}}, {}, 400, -32602),
        ("tools/list", {"_meta": {**ENVELOPE, CAPABILITIES: []}}, {}, 400, -32602),
        ("tools/list", {"_meta": {**ENVELOPE, VERSION: 7}}, {}, 400, -32020),
        (
            "tools/list",
            {"_meta": {**ENVELOPE, VERSION: "2030-01-01"}},
            {"MCP-Protocol-Version": "2030-01-01"},
            400,
            -32022,
        ),
        ("tools/list", {"_meta": {}}, {"MCP-Protocol-Version": "2030-01-01"}, 400, -32022),
        ("tools/call", {"name": "calculate", "arguments": {"expression": "1"}}, {}, 200, None),
        ("tools/call", {"name": "calculate"}, {"Mcp-Name": "other"}, 400, -32020),
        ("tools/call", {"name": "calculate"}, {"Mcp-Name": "=?base64?Y2FsY3VsYXRl?="}, 200, None),
        ("tools/call", {"name": "calculate"}, {"Mcp-Name": "=?base64?Y2FsY3VsYXRl=?="}, 400, -32020),
        ("tools/call", {"name": "calculate"}, {"Mcp-Name": "=?base64?/w==?="}, 400, -32020),
        ("tools/call", {"name": "nope"}, {}, 400, -32602),
        ("ping", {}, {}, 404, -32601),
        ("initialize", {"protocolVersion": "2025-11-25", **CLIENT}, {}, 404, -32601),
        ("resources/list", {}, {}, 404, -32601),
    ],
)
def test_headers_of_the_later_era_must_match_the_body(
    client: McpClient, method: str, params: Any, headers: dict[str, str], status: int, code: int | None
) -> None:
    answer = client.modern(method, params, headers=headers)

    assert (answer.status, answer.body.get("error", {}).get("code")) == (status, code)


def test_a_version_that_is_not_served_is_answered_with_those_that_are(client: McpClient) -> None:
    answer = client.modern(
        "tools/list", {"_meta": {**ENVELOPE, VERSION: "2030-01-01"}}, headers={"MCP-Protocol-Version": "2030-01-01"}
    )

    assert answer.body["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2030-01-01"}


def test_an_unknown_version_of_the_handshake_era_is_refused(client: McpClient) -> None:
    answer = client.send(PING, headers={"MCP-Protocol-Version": "2025-01-01"})

    assert (answer.status, answer.body["error"]["code"]) == (400, -32022)


@pytest.mark.parametrize("version", [None, "2025-03-26"])
def test_batches_of_the_first_versions_are_answered_in_order(client: McpClient, version: str | None) -> None:
    batch = [PING, {"jsonrpc": "2.0", "method": "notifications/initialized"}, {**PING, "id": "b"}, 5]

    answer = client.send(batch, headers={"MCP-Protocol-Version": version} if version else {})

    assert answer.status == 200
    answered: Any = answer.body
    assert [(each["id"], "error" in each) for each in answered] == [(1, False), ("b", False), (None, True)]


@pytest.mark.parametrize(
    ("version", "batch"),
    [
        ("2025-06-18", [PING]),
        ("2025-11-25", [PING]),
        ("2026-07-28", [PING]),
        ("2025-03-26", []),
        ("2025-03-26", [PING] * 21),
        ("2025-03-26", [{**PING, "method": "initialize"}]),
    ],
)
def test_other_batches_are_refused(client: McpClient, version: str, batch: list[Any]) -> None:
    answer = client.send(batch, headers={"MCP-Protocol-Version": version})

    assert (answer.status, answer.body["error"]["code"], answer.body["id"]) == (400, -32600, None)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_streams_and_sessions_are_not_allowed(chat: Chat, method: str) -> None:
    answer = chat.request(method, "/mcp")

    assert (answer.status, answer.headers["allow"], answer.body["error"]) == (405, "POST", "method_not_allowed")


def test_an_unreadable_configuration_is_an_error_of_the_service() -> None:
    answer = McpClient(broken(UnavailableError("down"))).request("tools/list")

    assert (answer.status, answer.headers["retry-after"]) == (503, "2")
    assert answer.body["id"] == 1
    assert answer.body["error"]["code"] == -32000
    assert answer.body["error"]["data"]["error"] == "unavailable"
    assert "down" not in json.dumps(answer.body)


def test_an_unexpected_error_has_no_details() -> None:
    answer = McpClient(broken(RuntimeError("secret"))).request("tools/list")

    assert (answer.status, answer.body["error"]["code"]) == (500, -32603)
    assert "secret" not in json.dumps(answer.body)


def test_a_caller_without_a_role_is_forbidden(chat: Chat) -> None:
    answer = chat.post(PING, path="/mcp", roles="Guest")

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
