"""Changed requests for chat completions: each is answered, or rejected with the parameter that is wrong."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final, cast

import httpx2
import pytest

from tests.functional.chat.harness import CALCULATE, LambdaContext, configuration
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.openai_api.openai_client import event_of, service

REQUEST: Final[dict[str, Any]] = {
    "model": "flexchat",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "result"},
        {"role": "user", "content": "And now?"},
    ],
    "stream": True,
    "stream_options": {"include_usage": True},
    "temperature": 1,
    "top_p": 0.5,
    "max_tokens": 5,
    "stop": ["END"],
    "tools": [
        {
            "type": "function",
            "function": {"name": "g", "description": "x", "parameters": {"type": "object", "properties": {}}},
        }
    ],
    "tool_choice": {"type": "function", "function": {"name": "g"}},
    "metadata": {"key": "value"},
    "flexchat": {"events": True},
    "n": 1,
    "response_format": {"type": "text"},
}
VALUES: Final[list[Any]] = [
    *(None, True, False, 0, -1, 1.5, 1e308, 10**300, "", "x", "a\x00b", [], {}, [[]], [None]),
    *({"type": "function"}, {"a": {"b": [1]}}, "flexchat/none", "é" * 100),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return the path of every value in `value`."""
    members: Any = ()
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
    elif isinstance(value, list):
        members = enumerate(cast("list[Any]", value))
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


def changed(random: Random) -> dict[str, Any]:
    """Return the request with one to three values replaced or removed."""
    body: Any = json.loads(json.dumps(REQUEST))
    for _ in range(random.randint(1, 3)):
        *path, last = random.choice([*places(body)])
        holder = body
        for key in path:
            holder = holder[key]
        if random.random() < 0.2:
            del holder[last]
        else:
            holder[last] = json.loads(json.dumps(random.choice(VALUES)))
    return body


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_changed_request_is_answered_or_names_the_wrong_parameter(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    asked = service(config=configuration(tools=[CALCULATE]))
    for _ in range(100):
        body = changed(random)
        asked.chat.model.script = [text_completion("one two")]
        request = httpx2.Request("POST", "https://api.example/v1/chat/completions", content=json.dumps(body))
        answer: Any = asked.chat.function.handle(event_of(request, "caller"), LambdaContext())
        if answer["statusCode"] == 200:
            continue
        error = json.loads(answer["body"])["error"]
        assert (answer["statusCode"], bool(error["param"])) in [(400, True), (404, True)], (body, error)
