"""Forms of a history that OpenAI-compatible servers refuse: ids of calls, and messages without state."""

import re
from copy import replace
from typing import Any

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Json, Message, ProviderState, Reasoning, Text, ToolCall, ToolOutput, user
from tests.unit.providers.openai_server import Server, completion, provider_of, refused, send_chat

DETAIL = {"type": "reasoning.encrypted", "data": "ZW5j", "index": 0}
EXTRA: dict[str, Json] = {"google": {"thought_signature": "c2ln"}}


def history(*ids: str, state: ProviderState | None = None) -> list[Message]:
    """Return a conversation whose calls have `ids`; `state` is that of the first one."""
    first, *others = (ToolCall(call_id, "lookup", {}, "{}") for call_id in ids)
    outputs = tuple(ToolOutput(call_id, "lookup", "1") for call_id in ids)
    return [user("Hello"), Message("assistant", (replace(first, state=state), *others)), Message("tool", outputs)]


def sent_ids(body: dict[str, Any]) -> list[str]:
    """Return the ids of the calls in a request, which are those of its results."""
    ids = [call["id"] for message in body["messages"] for call in message.get("tool_calls", ())]
    assert ids == [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]
    return ids


NINE_CHARACTERS = re.compile(r"[a-zA-Z0-9]{9}")
IDS = ("call_1_0", "D681PevKs", "toolu_" + "x" * 60, "c")
REFUSED_ID = "Tool call id was call_1_0 but must be a-z, A-Z, 0-9, with a length of 9."


@pytest.mark.parametrize(
    ("model", "config"),
    [
        ("mistral-large-latest", {}),
        ("mistralai/Mistral-Small-3.2-24B-Instruct", {}),
        ("ministral-8b-latest", {}),
        ("magistral-medium-2509", {}),
        ("codestral-latest", {}),
        ("devstral-small", {}),
        ("pixtral-large-latest", {}),
        ("open-mixtral-8x22b", {}),
        ("ours", {"profiles": {"ours": {"short_call_ids": True}}}),
    ],
)
def test_models_of_mistral_get_ids_of_nine_letters_and_digits(model: str, config: dict[str, Any]) -> None:
    server = Server()
    provider = provider_of(server, **config)

    for _ in range(2):
        send_chat(provider, history(*IDS), model=model)

    first, second = map(sent_ids, server.bodies)
    assert first == second
    assert (len(set(first)), first[1]) == (4, "D681PevKs")
    assert all(map(NINE_CHARACTERS.fullmatch, first))


@pytest.mark.parametrize(
    ("model", "config"),
    [("gpt-4o", {}), ("mistral-ours", {"profiles": {"mistral-*": {"short_call_ids": False}}})],
)
def test_other_models_get_ids_as_they_are(model: str, config: dict[str, Any]) -> None:
    server = Server()

    send_chat(provider_of(server, **config), history("call_1_0", "c"), model=model)

    assert sent_ids(server.bodies[0]) == ["call_1_0", "c"]


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_that_refuses_ids_gets_others_at_once_and_from_then_on(status: int) -> None:
    hello = completion({"content": "Hello."})
    server = Server(refused(REFUSED_ID, status=status), hello)
    provider = provider_of(server)

    for _ in range(2):
        assert send_chat(provider, history("call_1_0"), model="ours").message.text == "Hello."

    ids = [call_id for body in server.bodies for call_id in sent_ids(body)]
    assert [NINE_CHARACTERS.fullmatch(call_id) is not None for call_id in ids] == [False, True, True]


def test_a_server_that_refuses_its_own_form_of_ids_is_not_asked_for_ever() -> None:
    server = Server(refused(REFUSED_ID))

    with pytest.raises(ModelError):
        send_chat(provider_of(server), history("call_1_0"))

    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "message",
    [
        "The `reasoning_content` in the thinking mode must be passed back to the API.",
        "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
        "Missing `reasoning_content` field in the assistant message at message index 2.",
    ],
    ids=["DeepSeek", "Kimi", "DeepSeek R1"],
)
def test_a_history_of_another_model_gets_empty_reasoning_where_it_is_demanded(message: str) -> None:
    server = Server(refused(message), completion({"content": "Hello."}))
    own = Message("assistant", (_reasoning(reasoning_content="Hm."), Text("Hi")))

    answer = send_chat(provider_of(server), [*history("a"), own, user("And?")])

    assert answer.message.text == "Hello."
    assert [each.get("reasoning_content") for each in server.bodies[0]["messages"]] == [None, None, None, "Hm.", None]
    assert [each.get("reasoning_content") for each in server.bodies[1]["messages"]] == [None, "", None, "Hm.", None]


def test_a_first_call_of_another_model_gets_a_placeholder_where_a_signature_is_demanded() -> None:
    message = "Function call is missing a thought_signature in functionCall parts. This is required for tools"
    server = Server(refused(message), completion({"content": "Hello."}))
    signed = history("c", "d", state=ProviderState("openai", {"extra_content": EXTRA}, "main:gpt-4o"))

    assert send_chat(provider_of(server), [*history("a", "b"), *signed]).message.text == "Hello."

    sent = [call.get("extra_content") for each in server.bodies[1]["messages"] for call in each.get("tool_calls", ())]
    assert sent == [{"google": {"thought_signature": "skip_thought_signature_validator"}}, None, EXTRA, None]


def test_a_detail_of_a_call_has_the_id_that_the_call_is_sent_with() -> None:
    server = Server()
    _, turn, results = history("tool_0_" + "x" * 60)
    state = _reasoning(reasoning_details=[{**DETAIL, "id": turn.tool_calls[0].id}])

    send_chat(provider_of(server), [user("Hello"), Message("assistant", (state, *turn.parts)), results])

    (sent_id,) = sent_ids(server.bodies[0])
    assert server.bodies[0]["messages"][1]["reasoning_details"] == [{**DETAIL, "id": sent_id}]
    assert sent_id.startswith("call_")


def _reasoning(**fields: Any) -> Reasoning:
    return Reasoning(ProviderState("openai", fields, "main:gpt-4o"))
