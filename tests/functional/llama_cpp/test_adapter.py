"""OpenAI adapter at llama.cpp's own server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message, Text, ToolCall, ToolOutput, Usage, user
from functions.chat.providers.base import CallDelta, ChatOptions, Delta, ListedModel, NamedTool, TextDelta
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.openai.client import OpenAIClient
from tests.functional.llama_cpp.llama_server import CONTEXT, MODEL, endpoint_at, llama_server, provider_at

pytestmark = pytest.mark.slow

SECONDS = 30
EXAMPLES = Path(__file__).parents[3] / "config" / "examples" / "model-servers"


def tool(name: str, argument: str) -> dict[str, Json]:
    parameters: Json = {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": parameters}}


TOOLS = (tool("calculate", "expression"), tool("look_up", "word"))

type Ask = Callable[..., Completion]


@pytest.fixture(params=["plain", "streamed"])
def ask(request: pytest.FixtureRequest, provider: OpenAIProvider) -> Ask:
    """Send a request both ways; the deltas of a stream are those of its completion."""

    def send(*messages: Message | str, **options: Any) -> Completion:
        deltas: list[Delta] = []
        conversation = [user(each) if isinstance(each, str) else each for each in messages]
        on_delta = None if request.param == "plain" else deltas.append
        completion = provider.generate_chat(
            conversation, MODEL, ChatOptions(Deadline.after(SECONDS), temperature=0.0, **options), on_delta
        )
        if on_delta is not None:
            assert "".join(each.text for each in deltas if isinstance(each, TextDelta)) == completion.message.text
            started = [each.name for each in deltas if isinstance(each, CallDelta)]
            assert started == [call.name for call in completion.message.tool_calls]
        return completion

    return send


def calls_of(completion: Completion) -> list[tuple[str, Json]]:
    return [(call.name, dict(call.arguments or {})) for call in completion.message.tool_calls]


def test_an_answer_has_its_text_its_model_and_its_tokens(ask: Ask) -> None:
    completion = ask("greet")

    assert completion.message.parts == (Text("Hello from the model, in more than one piece."),)
    assert (completion.finish_reason, completion.raw_finish_reason, completion.model) == ("stop", "stop", MODEL)
    assert completion.usage == Usage(25, 13, cached_tokens=completion.usage.cached_tokens)


def test_a_repeated_request_reads_its_tokens_from_the_cache(ask: Ask) -> None:
    ask("greet")

    assert ask("greet").usage.cached_tokens == 24


def test_a_limit_and_a_stop_text_end_an_answer(ask: Ask) -> None:
    limited, stopped = ask("greet", max_tokens=3), ask("greet", stop=("more",))

    assert (limited.message.text, limited.finish_reason) == ("Hello from t", "length")
    assert (stopped.message.text, stopped.finish_reason) == ("Hello from the model, in ", "stop")


def test_a_tool_call_has_its_arguments_and_the_id_of_the_server(ask: Ask) -> None:
    completion = ask("one sum", tools=TOOLS)

    (call,) = completion.message.parts
    assert isinstance(call, ToolCall)
    assert (call.name, call.arguments, call.problem) == ("calculate", {"expression": "15% of 45"}, None)
    assert len(call.id) == 32
    assert (completion.finish_reason, completion.raw_finish_reason) == ("tool_calls", "tool_calls")


def test_parallel_calls_follow_the_text_and_have_different_ids(ask: Ask) -> None:
    completion = ask("two sums", tools=TOOLS)

    assert completion.message.text == "I add them up.\n"
    assert calls_of(completion) == [("calculate", {"expression": "1 + 1"}), ("calculate", {"expression": "2 + 2"})]
    assert len({call.id for call in completion.message.tool_calls}) == 2


def test_reasoning_is_no_text_and_is_stored_for_the_next_request(ask: Ask) -> None:
    completion = ask("ponder", tools=TOOLS)

    (reasoning, _) = completion.message.parts
    assert getattr(reasoning, "state").value == {"reasoning_content": "This is a sum.\n"}  # noqa: B009
    assert (completion.message.text, calls_of(completion)) == ("", [("calculate", {"expression": "3 * 3"})])
    results = [ToolOutput(call.id, call.name, '{"result": 9}') for call in completion.message.tool_calls]
    answer = ask("ponder", completion.message, Message("tool", tuple(results)), tools=TOOLS)
    assert answer.message.text == "That is the result."
    assert answer.usage.input_tokens > completion.usage.input_tokens + completion.usage.output_tokens


def test_a_required_call_is_forced_upon_a_model_that_would_answer(ask: Ask) -> None:
    assert calls_of(ask("greet", tools=TOOLS, tool_choice="auto")) == []

    assert calls_of(ask("greet", tools=TOOLS, tool_choice="required")) == [("calculate", {"expression": "5 * 5"})]


def test_the_choice_of_one_tool_has_no_effect_at_llama_cpp(ask: Ask) -> None:
    # https://github.com/ggml-org/llama.cpp/pull/26849
    assert calls_of(ask("greet", tools=TOOLS, tool_choice=NamedTool("calculate"))) == []


def test_the_profile_of_the_example_forces_one_tool_upon_llama_cpp(base_url: str) -> None:
    example = json.loads((EXAMPLES / "llama-cpp.json").read_text())["llms"]["llama-cpp"]
    options = ChatOptions(Deadline.after(SECONDS), tools=TOOLS, tool_choice=NamedTool("calculate"))

    with provider_at(base_url, profiles=example["profiles"]) as provider:
        completion = provider.generate_chat([user("greet")], MODEL, options)

    assert calls_of(completion) == [("calculate", {"expression": "5 * 5"})]


def test_a_forbidden_call_is_text(ask: Ask) -> None:
    completion = ask("one sum", tools=TOOLS, tool_choice="none")

    assert (completion.finish_reason, completion.message.text.startswith("<tool_call>")) == ("stop", True)


def test_a_history_with_a_call_that_was_no_json_is_accepted(ask: Ask) -> None:
    broken = ToolCall(id="call_" * 12, name="calculate", arguments=None, raw="{not json", problem="not valid JSON")
    result = ToolOutput(broken.id, broken.name, '{"error": "not valid JSON"}', is_error=True)

    completion = ask("one sum", Message("assistant", (broken,)), Message("tool", (result,)), tools=TOOLS)

    assert completion.message.text == "That is no result."


def test_a_history_that_exceeds_the_context_is_an_error_of_its_own(ask: Ask) -> None:
    with pytest.raises(ModelError) as caught:
        ask("greet", "word " * CONTEXT)

    assert (caught.value.type, caught.value.status) == ("context_length", 400)
    assert f"exceeds the available context size ({CONTEXT} tokens)" in caught.value.message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"messages": "Hello"}, "Expected 'messages' to be an array"),
        ({"temperature": "high"}, "type must be number, but is string"),
        ({"tool_choice": "maybe", "tools": [*TOOLS]}, "Invalid tool_choice: maybe"),
    ],
)
def test_a_field_of_a_wrong_type_is_an_invalid_request(base_url: str, fields: dict[str, Json], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        send_body(base_url, fields)

    assert (caught.value.type, caught.value.status) == ("invalid_request", 400)
    assert message in caught.value.message


def test_an_unknown_parameter_is_ignored(base_url: str) -> None:
    answer = json.loads(send_body(base_url, {"no_such_parameter": 1}))

    assert answer["choices"][0]["message"]["content"] == "Hello from the model, in more than one piece."


def send_body(base_url: str, fields: dict[str, Json]) -> bytes:
    """Send a request that the adapter would not write."""
    body = {"model": MODEL, "messages": [{"role": "user", "content": "greet"}], **fields}
    with endpoint_at(base_url) as endpoint:
        return OpenAIClient(endpoint).post(
            "/chat/completions", json.dumps(body).encode(), deadline=Deadline.after(SECONDS), read=bytes
        )


def test_the_list_of_models_has_the_size_of_the_context(provider: OpenAIProvider) -> None:
    assert provider.list_models(Deadline.after(SECONDS)) == (ListedModel(MODEL, context_window=CONTEXT),)


def test_a_wrong_key_is_an_error_of_authentication(tmp_path: Path) -> None:
    options = ChatOptions(Deadline.after(SECONDS))
    with (
        llama_server({"greet": "Hello."}, folder=tmp_path, key="right-key") as base_url,
        provider_at(base_url, "right-key") as right,
        provider_at(base_url, "wrong-key") as wrong,
    ):
        answer = right.generate_chat([user("greet")], MODEL, options)
        with pytest.raises(ModelError) as caught:
            wrong.generate_chat([user("greet")], MODEL, options)

    assert (answer.message.text, caught.value.type, caught.value.status) == ("Hello.", "authentication", 401)
    assert "wrong-key" not in caught.value.message
