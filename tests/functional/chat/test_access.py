"""Rights of roles of the configuration: rules, models, tools and collections, by every way to a tool."""

from typing import Any

import pytest

from flexchat.messages import Json
from tests.functional.chat.harness import CALCULATE, Answer, Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion

RULES = [
    {"name": "admins", "llm": "openai", "model": "gpt-4o", "prompt": "Secret.", "match": {"role": "admin"}},
    {
        "name": "support",
        "llm": "openai",
        "model": "gpt-4o",
        "prompt": "You support.",
        "tools": {"enabled": True},
        "fallbacks": ["openai:gpt-4o-mini"],
    },
]
ROLES: dict[str, Json] = {
    "support": {"rules": ["support"], "tools": ["get_*"], "views": ["chat"]},
    "cheap": {"models": ["openai:*-mini"]},
    "nothing": {"rules": []},
    "admin": {},
    "editor": {"may": ["configure"]},
}


def config(**changes: Any) -> dict[str, Any]:
    return {
        **configuration(tools=[CALCULATE, mock_tool()]),
        "responses": RULES,
        "roles": ROLES,
        "openai_api": {"rules": ["admins", "support"], "models": ["openai:gpt-4o", "openai:gpt-4o-mini"]},
        "choices": {"roles": ["user"], "rules": ["admins", "support"], "models": ["openai:gpt-4o"]},
        **changes,
    }


def chat_of(*answers: Any, **changes: Any) -> Chat:
    return deploy(list(answers or (text_completion("a"),)), config(**changes))


def ask(chat: Chat, roles: str, **body: Any) -> Answer:
    return chat.post({"message": "hi", **body}, roles=roles)


def test_each_role_is_answered_by_its_rules() -> None:
    chat = chat_of(*[text_completion("a")] * 3)

    assert [ask(chat, roles).body["rule"] for roles in ("support", "admin", "user")] == ["support", "admins", "support"]


def test_a_rule_answers_with_the_models_of_the_role() -> None:
    chat = chat_of()

    assert ask(chat, "cheap").body["model"] == "gpt-4o-mini"


def test_rights_of_several_roles_add_up() -> None:
    chat = chat_of(*[text_completion("a")] * 2)

    assert ask(chat, "nothing,support").body["rule"] == "support"
    assert ask(chat, "cheap,support").body["model"] == "gpt-4o"


def test_a_role_without_a_rule_for_the_message_is_refused_with_what_to_change() -> None:
    answer = ask(chat_of(), "nothing")

    assert (answer.status, answer.body["error"]) == (403, "role_not_allowed")
    assert "section `roles`" in answer.body["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/chat", {"message": "hi"}),
        ("/v1/chat/completions", {"model": "flexchat", "messages": [{"role": "user", "content": "hi"}]}),
        ("/api/tools/test", {"query": "hi", "model": "openai:gpt-4o"}),
    ],
)
def test_a_role_that_is_not_configured_may_not_chat(path: str, body: dict[str, Any]) -> None:
    answer = chat_of().post(body, path=path, roles="sales")

    error: Any = answer.body["error"]
    assert answer.status == 403
    assert (error["code"] if isinstance(error, dict) else error) == "role_not_configured"


def call(tool: str) -> Any:
    return call_completion((tool, {"location": "Paris"} if tool == "get_weather" else {"expression": "1+1"}))


def chat_route(chat: Chat, tool: str) -> Answer:
    chat.model.script[:] = [call(tool), text_completion("done")]
    return ask(chat, "support")


def completion_route(chat: Chat, tool: str) -> Answer:
    chat.model.script[:] = [call(tool), text_completion("done")]
    body = {"model": "flexchat", "messages": [{"role": "user", "content": "hi"}]}
    return chat.post(body, path="/v1/chat/completions", roles="support")


def response_route(chat: Chat, tool: str) -> Answer:
    chat.model.script[:] = [call(tool), text_completion("done")]
    return chat.post({"model": "flexchat", "input": "hi", "store": False}, path="/v1/responses", roles="support")


def test_route(chat: Chat, tool: str) -> Answer:
    chat.model.script[:] = [call(tool), text_completion("done")]
    return chat.post({"query": "hi", "model": "openai:gpt-4o"}, path="/api/tools/test", roles="support")


def mcp_route(chat: Chat, tool: str) -> Answer:
    arguments = {"location": "Paris"} if tool == "get_weather" else {"expression": "1+1"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    return chat.post(body, path="/mcp", roles="support")


test_route.__test__ = False  # type: ignore[attr-defined]

WAYS = {
    "chat": chat_route,
    "completions": completion_route,
    "responses": response_route,
    "test of a model": test_route,
    "mcp": mcp_route,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("tool", "runs"), [("get_weather", True), ("calculate", False)])
def test_only_tools_of_the_role_run(way: str, tool: str, runs: bool) -> None:
    chat = chat_of()

    WAYS[way](chat, tool)

    assert [event["tool"] for event in chat.lambdas.executed] == ([tool] if runs else [])


def test_lists_have_what_the_role_may_use() -> None:
    chat = chat_of()

    def body(path: str) -> Any:
        return chat.request("GET", path, roles="support").body

    assert [tool["name"] for tool in body("/api/tools/list")["tools"]] == ["get_weather"]
    assert [model["id"] for model in body("/v1/models")["data"]] == [
        "flexchat",
        "flexchat/support",
        "openai:gpt-4o",
        "openai:gpt-4o-mini",
    ]
    cheap = chat.request("GET", "/v1/models", roles="cheap").body["data"]
    assert [model["id"] for model in cheap] == ["flexchat", "flexchat/support", "openai:gpt-4o-mini"]


def test_models_and_rules_of_others_do_not_exist_for_a_role() -> None:
    chat = chat_of()

    def completion(model: str, roles: str) -> int:
        body = {"model": model, "messages": [{"role": "user", "content": "hi"}]}
        return chat.post(body, path="/v1/chat/completions", roles=roles).status

    assert completion("flexchat/admins", "support") == 404
    assert completion("openai:gpt-4o", "cheap") == 404
    assert ask(chat, "support", rule="admins").body["error"] == "choice_not_offered"
    assert ask(chat, "cheap", model="openai:gpt-4o").body["error"] == "choice_not_offered"


def test_a_caller_sees_its_views_and_rights() -> None:
    chat = chat_of()

    def rights(roles: str) -> tuple[Any, Any]:
        me = chat.request("GET", "/api/me", roles=roles).body
        return me["views"], me["may"]

    every = ["chat", "tools-testing", "validation", "traces", "usage", "retrieval"]
    assert rights("support") == (["chat"], [])
    assert rights("editor") == (every, ["configure"])
    assert rights("user") == (every, [])
    assert rights("operator") == (every, ["configure", "validate"])


def test_a_right_of_operators_admits_to_their_routes_and_no_others() -> None:
    chat = chat_of()

    def status(method: str, path: str, body: Any, roles: str) -> int:
        return chat.request(method, path, body, roles=roles).status

    assert status("GET", "/api/config", None, "editor") == 200
    assert status("GET", "/api/config", None, "support") == 403
    assert status("POST", "/api/tools/call", {"tool": "get_weather", "arguments": {}}, "editor") == 403


def test_a_configured_role_may_have_fewer_rights_than_every_user() -> None:
    chat = chat_of(*[text_completion("a")] * 2, roles={"user": {"rules": []}, "support": {}})

    assert ask(chat, "user").status == 403
    assert ask(chat, "user,support").body["rule"] == "support"


def test_callers_cannot_give_themselves_a_role_in_the_profile() -> None:
    assert ask(chat_of(), "user", profile={"role": ["admin"]}).body["rule"] == "support"
