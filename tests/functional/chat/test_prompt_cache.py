"""Prompt cache of chats: requests that begin with those before them, and the key of a conversation."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.messages import Json, Message
from functions.chat.providers.anthropic import messages as anthropic
from functions.chat.providers.base import PromptCache
from functions.chat.providers.bedrock import messages as bedrock
from functions.chat.providers.gemini import messages as gemini
from functions.chat.providers.ollama import messages as ollama
from functions.chat.providers.openai import messages as openai
from functions.chat.providers.wire_format import joined_messages, to_json
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion

WIRES: Final[dict[str, Callable[[Sequence[Message]], list[Json]]]] = {
    "openai": lambda sent: [each for message in joined_messages(sent) for each in openai.wire_messages(message)],
    "ollama": lambda sent: [each for message in joined_messages(sent) for each in ollama.wire_messages(message)],
    "gemini": gemini.wire_contents,
    "anthropic": lambda sent: anthropic.wire_messages(sent, offers_tools=True),
    "bedrock": lambda sent: bedrock.wire_messages(sent, offers_tools=True),
}

WEATHER: Final[dict[str, Json]] = {"units": "C", "location": "Bern", "hours": {"to": 18, "from": 6}}
FREE: Final = {"type": "object", "properties": {"location": {"type": "string"}}}


def deployed(steps: Sequence[Any], dynamodb: DynamoDBClient | None = None, **rule: Any) -> Chat:
    tools = [CALCULATE, {**mock_tool(), "parameters": FREE}]
    return deploy(steps, configuration(tools=tools, rule=rule), dynamodb=dynamodb)


@pytest.mark.parametrize("wire", WIRES)
def test_each_request_of_a_session_begins_with_the_request_before_it(wire: str, dynamodb: DynamoDBClient) -> None:
    steps = [
        call_completion(("get_weather", WEATHER), ("calculate", {"expression": "2 + 3"})),
        call_completion(("calculate", {"expression": "2 / 0"}), ("gone", {}), turn=2),
        text_completion("Fine."),
        call_completion(("get_weather", {**WEATHER, "location": "Rom"}), turn=3),
        text_completion("Fine too."),
    ]
    chat = deployed(steps, dynamodb)
    for message in ("And in Bern?", "And in Rome?"):
        assert chat.post({"message": message, "session_id": "s1"}).status == 200

    requests = [to_json(WIRES[wire](seen)).rstrip(b'"]}') for seen in chat.model.seen]
    assert len(requests) == len(steps)
    for first, second in pairwise(requests):
        assert second.startswith(first)
    assert all(options.tools == chat.model.options[0].tools for options in chat.model.options)


def cache_of(chat: Chat, **request: Any) -> list[PromptCache | None]:
    """Return the use of the prompt cache in each request of a chat."""
    before = len(chat.model.options)
    assert chat.post({"message": "Hello", **request}).status == 200
    return [options.cache for options in chat.model.options[before:]]


def test_the_requests_of_a_session_have_one_key_that_does_not_contain_its_id(dynamodb: DynamoDBClient) -> None:
    steps = [call_completion(("calculate", {"expression": "1"})), *[text_completion("Hello.")] * 4]
    chat = deployed(steps, dynamodb)

    first, second = cache_of(chat, session_id="s1"), cache_of(chat, session_id="s1")
    other, none = cache_of(chat, session_id="s2"), cache_of(chat)

    [cache] = {*first, *second}
    assert cache is not None
    assert (len(first), cache.continues, len(cache.key), "s1" in cache.key) == (2, True, 32, False)
    assert len({*first, *other, *none}) == 3


def test_chats_without_a_session_have_the_key_of_their_rule_prompt_and_tools() -> None:
    same = [cache_of(deployed([text_completion("Hello.")]))[0] for _ in range(2)]
    rules: tuple[dict[str, Any], ...] = (
        {"prompt": "You help a lot."},
        {"name": "other"},
        {"tools": {"allowed_tools": ["calculate"]}},
    )
    others = [cache_of(deployed([text_completion("Hello.")], **rule))[0] for rule in rules]

    assert len(set(same)) == 1
    assert None not in same
    assert len({*same, *others}) == 4


@pytest.mark.parametrize(
    ("prompt", "session", "expected"),
    [
        ("You help.", None, False),
        ("You help.", "s1", True),
        ("Answer from {{rag.documents}}", None, None),
        ("Answer from {{rag.documents}}", "s1", None),
    ],
)
def test_a_chat_without_tools_uses_the_cache_for_what_a_later_request_repeats(
    prompt: str, session: str | None, expected: bool | None, dynamodb: DynamoDBClient
) -> None:
    chat = deployed([text_completion("Hello.")], dynamodb, prompt=prompt, tools={"enabled": False})

    [cache] = cache_of(chat, **({"session_id": session} if session else {}))

    assert (cache and cache.continues) == expected
