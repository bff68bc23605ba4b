"""Tools with configured names that providers reject: the model gets other names, callers the configured ones."""

from flexchat.messages import ToolCall, ToolOutput
from tests.functional.chat.harness import configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion

SEARCH = mock_tool("github/search")
OSLO = {"location": "Oslo"}


def test_model_uses_the_wire_name_and_the_caller_gets_the_configured_name() -> None:
    chat = deploy(
        [call_completion(("github_search", OSLO)), text_completion("Warm.")], configuration(tools=[SEARCH, mock_tool()])
    )

    body = chat.post({"message": "How warm is it?"}).body

    assert [call["tool"] for call in body["tool_calls"]] == ["github/search"]
    assert [call["result"]["tool_name"] for call in body["tool_calls"]] == ["github/search"]
    assert [step["name"] for step in body["timings"]["steps"] if step["step"] == "tool"] == ["github/search"]
    assert [event["tool"] for event in chat.lambdas.executed] == ["github/search"]
    offered = [tool["function"]["name"] for tool in chat.model.options[0].tools]  # type: ignore[index,call-overload] # OpenAI's form
    assert offered == ["github_search", "get_weather"]


def test_conversation_keeps_the_wire_name() -> None:
    chat = deploy([call_completion(("github_search", OSLO)), text_completion("Warm.")], configuration(tools=[SEARCH]))

    chat.post({"message": "How warm is it?"})

    *_, call_message, result_message = chat.model.seen[1]
    assert [part.name for part in call_message.parts if isinstance(part, ToolCall)] == ["github_search"]
    assert [part.name for part in result_message.parts if isinstance(part, ToolOutput)] == ["github_search"]


def test_allow_list_uses_configured_tool_names() -> None:
    rule = {"tools": {"enabled": True, "allowed_tools": ["github/search"]}}
    script = [call_completion(("github_search", OSLO), ("get_weather", OSLO)), text_completion("Done.")]
    chat = deploy(script, configuration(tools=[SEARCH, mock_tool()], rule=rule))

    body = chat.post({"message": "Both, please"}).body

    assert [(call["tool"], call["result"]["success"]) for call in body["tool_calls"]] == [
        ("github/search", True),
        ("get_weather", False),
    ]
    assert body["tool_calls"][1]["result"]["error_type"] == "tool_not_allowed"


def test_unknown_tool_is_reported_under_the_name_sent_by_the_model() -> None:
    chat = deploy([call_completion(("github_find", OSLO)), text_completion("Sorry.")], configuration(tools=[SEARCH]))

    body = chat.post({"message": "Find it"}).body

    assert [(call["tool"], call["result"]["error"]) for call in body["tool_calls"]] == [
        ("github_find", "Tool 'github_find' not found")
    ]


def test_repeats_are_counted_across_both_names_of_a_tool() -> None:
    script = [
        call_completion(("github_search", OSLO), turn=1),
        call_completion(("github/search", OSLO), turn=2),
        call_completion(("github_search", OSLO), turn=3),
        text_completion("Enough."),
    ]
    chat = deploy(script, configuration(tools=[SEARCH]))

    body = chat.post({"message": "Again and again"}).body

    assert [call["result"].get("error_type") for call in body["tool_calls"]] == [None, None, "repeated_call"]
    assert {call["tool"] for call in body["tool_calls"]} == {"github/search"}
