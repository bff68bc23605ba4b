"""POST /v1/chat/completions in one object, by OpenAI's own client."""

from typing import Any

import openai
import pytest
from openai.types.chat import ChatCompletion

from flexchat.errors import ModelError, ModelErrorType
from flexchat.messages import FinishReason, system, user
from functions.chat.providers.base import NamedTool
from tests.functional.chat.harness import CALCULATE, configuration
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.openai_api.openai_client import QUESTION, Service, service

SUM = call_completion(("calculate", {"expression": "0.15 * 45"}))
WITH_TOOL = configuration(tools=[CALCULATE], rule={"name": "support"})


def ask(asked: Service, **parameters: Any) -> ChatCompletion:
    create: Any = asked.client.chat.completions.create
    return create(**{"model": "flexchat", "messages": QUESTION, **parameters})


def rejected(asked: Service, **parameters: Any) -> openai.APIStatusError:
    with pytest.raises(openai.APIStatusError) as caught:
        ask(asked, **parameters)
    return caught.value


def test_an_answer_has_the_form_of_openais() -> None:
    asked = service([SUM, text_completion("It is 6.75.")], WITH_TOOL)
    answer = ask(asked)
    fields: Any = answer.model_dump()
    request_id = fields["id"].removeprefix("chatcmpl-")

    assert ChatCompletion.model_validate(fields) == answer
    assert fields["choices"] == [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {
                "role": "assistant",
                "content": "It is 6.75.",
                "refusal": None,
                "annotations": None,
                "audio": None,
                "function_call": None,
                "tool_calls": None,
            },
        }
    ]
    assert (fields["object"], fields["model"]) == ("chat.completion", "flexchat")
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (20, 10, 30)
    extension = fields["flexchat"]
    extension["tool_calls"][0]["duration_ms"] = 0
    assert extension == {
        "request_id": request_id,
        "rule": "support",
        "model": "openai:gpt-4o",
        "status": "complete",
        "outcome": "answered",
        "tool_calls": [{"name": "calculate", "ok": True, "duration_ms": 0}],
        "cost_usd": 0.00015,
    }


def test_parameters_reach_the_model() -> None:
    asked = service([text_completion("x")], WITH_TOOL)
    ask(
        asked,
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": "Bye"},
        ],
        temperature=0.5,
        top_p=0.9,
        max_tokens=1,
        max_completion_tokens=50,
        stop="END",
        tool_choice="required",
    )

    (options,) = asked.chat.model.options
    assert (options.temperature, options.top_p, options.max_tokens, options.stop, options.tool_choice) == (
        0.5,
        0.9,
        50,
        ("END",),
        "required",
    )
    sent = asked.chat.model.seen[0]
    assert [message.text for message in sent[1:]] == ["Hi", "Hello", "Bye"]
    assert sent[0].text.endswith("Be brief.")
    assert sent[0] == system(sent[0].text)
    assert sent[-1] == user("Bye")


def test_ignored_and_unknown_parameters_are_accepted() -> None:
    asked = service([text_completion("x")])
    extra = {"seed": 1, "user": "ada", "store": True, "frequency_penalty": 9, "unheard_of": {"a": [1]}, "n": 1}
    nothing = {"stop": None, "tools": None, "stream_options": None, "response_format": {"type": "text"}}

    assert ask(asked, extra_body={**extra, **nothing}).choices[0].message.content == "x"


@pytest.mark.parametrize(
    ("parameters", "param"),
    [
        ({"n": 2}, "n"),
        ({"response_format": {"type": "grammar"}}, "response_format.type"),
        ({"response_format": "json_object"}, "response_format"),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "array"}}}},
            "response_format.json_schema.schema",
        ),
        ({"logprobs": True}, "logprobs"),
        ({"top_logprobs": 2}, "top_logprobs"),
        ({"audio": {"voice": "x", "format": "mp3"}}, "audio"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"function_call": "auto"}, "function_call"),
        ({"model": ""}, "model"),
        ({"model": 4}, "model"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "system", "content": " "}]}, "messages"),
        ({"messages": [{"role": "user", "content": "x" * 32_001}], "metadata": {"session_id": "s"}}, "messages"),
        ({"temperature": "hot"}, "temperature"),
        ({"temperature": True}, "temperature"),
        ({"temperature": 2.1}, "temperature"),
        ({"top_p": -1}, "top_p"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": 1.5}, "max_completion_tokens"),
        ({"stop": ["a", "b", "c", "d", "e"]}, "stop"),
        ({"stop": [1]}, "stop"),
        ({"extra_body": {"stream": "yes"}}, "stream"),
        ({"stream_options": []}, "stream_options"),
        ({"stream_options": {"include_usage": 1}}, "stream_options.include_usage"),
        ({"tools": {}}, "tools"),
        ({"tools": ["x"]}, "tools[0]"),
        ({"tools": [{"custom": {"name": "x"}}]}, "tools[0].type"),
        ({"tools": [{"type": "function"}]}, "tools[0].function.name"),
        ({"tools": [{"type": "function", "function": {"name": "x" * 65}}]}, "tools[0].function.name"),
        ({"tools": [{"type": "function", "function": {"name": "f", "parameters": 1}}]}, "tools[0].function.parameters"),
        ({"tool_choice": "maybe"}, "tool_choice"),
        ({"tool_choice": {"type": "function", "function": {}}}, "tool_choice.function.name"),
        ({"reasoning_effort": "hard"}, "reasoning_effort"),
        ({"metadata": "x"}, "metadata"),
        ({"metadata": {"session_id": "a b"}}, "metadata.session_id"),
        ({"extra_headers": {"X-Flexchat-Session": "a b"}}, "X-Flexchat-Session"),
        ({"extra_body": {"flexchat": {"events": "yes"}}}, "flexchat.events"),
    ],
)
def test_refused_parameters_are_named(parameters: dict[str, Any], param: str) -> None:
    asked = service()
    error = rejected(asked, **parameters)

    assert (type(error), error.param, error.type) == (openai.BadRequestError, param, "invalid_request_error")
    assert param in error.message
    assert asked.chat.model.seen == []


def test_an_unknown_model_is_not_found() -> None:
    error = rejected(service(), model="gpt-4o")

    assert isinstance(error, openai.NotFoundError)
    assert (error.param, error.code) == ("model", "model_not_found")


def test_a_rule_and_a_model_can_be_chosen() -> None:
    config = configuration(rule={"name": "all"})
    config["responses"].append({**config["responses"][0], "name": "other", "prompt": "Be other.", "model": "o3"})
    config["openai_api"] = {"rules": ["other"], "models": ["openai:gpt-4.1"]}
    asked = service([text_completion("a"), text_completion("b")], config)

    fields: list[Any] = [ask(asked, model=name).model_dump() for name in ("flexchat/other", "openai:gpt-4.1")]

    assert [(each["model"], each["flexchat"]["rule"], each["flexchat"]["model"]) for each in fields] == [
        ("flexchat/other", "other", "openai:o3"),
        ("openai:gpt-4.1", "all", "openai:gpt-4.1"),
    ]


@pytest.mark.parametrize(
    ("reason", "finish"), [("length", "length"), ("content_filter", "content_filter"), ("refusal", "content_filter")]
)
def test_finish_reasons_are_those_of_openai(reason: FinishReason, finish: str) -> None:
    assert ask(service([text_completion("x", reason)])).choices[0].finish_reason == finish


def test_an_answer_that_a_failure_cut_short_has_the_finish_reason_length(dynamodb: Any) -> None:
    failure = ModelError("broken", type="invalid_request", provider="openai")
    answer: Any = ask(service([SUM, failure], WITH_TOOL, dynamodb=dynamodb)).model_dump()

    assert answer["choices"][0]["finish_reason"] == "length"
    assert (answer["flexchat"]["status"], answer["flexchat"]["outcome"]) == ("partial", "model_failed")


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("authentication", 502, "model_authentication"),
        ("rate_limit", 503, "model_rate_limit"),
        ("timeout", 504, "model_timeout"),
        ("context_length", 400, "context_length_exceeded"),
        ("content_filter", 400, "content_filter"),
    ],
)
def test_failures_of_the_provider_have_openais_envelope(kind: ModelErrorType, status: int, code: str) -> None:
    error = rejected(service([ModelError("broken", type=kind, provider="openai")]))

    assert (error.status_code, error.code) == (status, code)
    assert error.request_id


def test_a_request_without_a_valid_token_is_an_authentication_error() -> None:
    error = rejected(service(principal=None))

    assert (type(error), error.code) == (openai.AuthenticationError, "invalid_api_key")


def test_a_reached_limit_has_openais_headers(dynamodb: Any) -> None:
    config = {**configuration(), "limits": {"caller": {"requests_per_minute": 1}}}
    asked = service([text_completion("x"), text_completion("x")], config, dynamodb=dynamodb)
    ask(asked)
    error = rejected(asked)

    assert (type(error), error.type, error.code) == (openai.RateLimitError, "requests", "rate_limit_exceeded")
    headers = error.response.headers
    assert (headers["x-ratelimit-limit-requests"], headers["x-ratelimit-remaining-requests"]) == ("1", "0")
    assert int(headers["retry-after"]) >= 1


def test_a_body_that_is_too_large_is_rejected() -> None:
    messages = [{"role": "user", "content": "x" * 5 * 1024 * 1024}]
    error = rejected(service(), messages=messages)

    assert (error.status_code, error.code) == (413, "payload_too_large")


def test_an_unpaired_surrogate_of_a_model_becomes_a_question_mark() -> None:
    assert ask(service([text_completion("a\ud83d")])).choices[0].message.content == "a?"


def test_an_unpaired_surrogate_in_a_request_is_rejected() -> None:
    body = '{"model": "flexchat", "messages": [{"role": "user", "content": "b\\ud83d"}]}'
    answer = service().chat.post(body, path="/v1/chat/completions")

    assert (answer.status, answer.body["error"]["type"]) == (400, "invalid_request_error")


def test_a_session_of_the_metadata_has_its_own_history(dynamodb: Any) -> None:
    asked = service([text_completion("Hello Ada."), text_completion("Ada.")], dynamodb=dynamodb)
    ask(asked, metadata={"session_id": "s1"}, messages=[{"role": "user", "content": "I am Ada."}])
    answer: Any = ask(
        asked, extra_headers={"X-Flexchat-Session": "s1"}, messages=[{"role": "user", "content": "My name?"}]
    ).model_dump()

    assert answer["flexchat"]["session_id"] == "s1"
    assert [message.text for message in asked.chat.model.seen[1][1:]] == ["I am Ada.", "Hello Ada.", "My name?"]


TOOL: Any = {"type": "function", "function": {"name": "get_stock", "parameters": {"type": "object", "properties": {}}}}


def test_calls_of_a_clients_tools_are_returned_and_continued(dynamodb: Any) -> None:
    script = [SUM, call_completion(("get_stock", {"item": "lamp"}), turn=2), text_completion("There are 12.")]
    asked = service(script, WITH_TOOL, dynamodb=dynamodb)
    first = ask(asked, tools=[TOOL])
    message = first.choices[0].message
    assert (first.choices[0].finish_reason, message.content) == ("tool_calls", None)
    (call,) = message.tool_calls or []
    assert call.type == "function"
    assert (call.function.name, call.function.arguments) == ("get_stock", '{"item":"lamp"}')

    result = {"role": "tool", "tool_call_id": call.id, "content": "12 of lamp"}
    answer = ask(asked, tools=[TOOL], messages=[*QUESTION, message.model_dump(), result])

    assert (answer.choices[0].finish_reason, answer.choices[0].message.content) == ("stop", "There are 12.")
    seen = asked.chat.model.seen[-1]
    assert [message.role for message in seen] == ["system", "user", "assistant", "tool", "assistant", "tool"]


def test_a_session_id_of_another_header_or_parameter_names_no_session(dynamodb: Any) -> None:
    """Clients send ids of their own, such as `X-Session-Id`, with every request of several conversations."""
    asked = service([text_completion("Hello."), text_completion("I do not know.")], dynamodb=dynamodb)
    for text in ("I am Ada.", "My name?"):
        answer: Any = ask(
            asked,
            extra_headers={"X-Session-Id": "s1", "X-Session-Affinity": "s1"},
            extra_body={"user": "s1", "session_id": "s1", "prompt_cache_key": "s1"},
            messages=[{"role": "user", "content": text}],
        ).model_dump()
        assert "session_id" not in answer["flexchat"]

    assert [message.text for message in asked.chat.model.seen[1][1:]] == ["My name?"]


def test_what_a_client_sends_as_history_is_the_history_of_its_session_too(dynamodb: Any) -> None:
    asked = service([text_completion("Hello Ada."), text_completion("Bob."), text_completion("x")], dynamodb=dynamodb)
    ask(asked, metadata={"session_id": "s1"}, messages=[{"role": "user", "content": "I am Ada."}])
    edited = [{"role": "user", "content": "I am Bob."}, {"role": "assistant", "content": "Hello Bob."}]
    ask(asked, metadata={"session_id": "s1"}, messages=[*edited, {"role": "user", "content": "My name?"}])
    ask(asked, metadata={"session_id": "s1"}, messages=[{"role": "user", "content": "Sure?"}])

    texts = [[message.text for message in messages[1:]] for messages in asked.chat.model.seen]
    assert texts[1] == ["I am Bob.", "Hello Bob.", "My name?"]
    assert texts[2] == ["I am Ada.", "Hello Ada.", "My name?", "Bob.", "Sure?"]


def test_a_tool_hides_that_of_the_service_with_its_name(dynamodb: Any) -> None:
    tool: Any = {"type": "function", "function": {"name": "calculate", "description": "The client's."}}
    asked = service([call_completion(("calculate", {}))], WITH_TOOL, dynamodb=dynamodb)

    answer = ask(asked, tools=[tool])

    offered: Any = asked.chat.model.options[0].tools[0]
    assert offered["function"]["description"] == "The client's."
    assert answer.choices[0].finish_reason == "tool_calls"


RECURSIVE: Any = {
    "type": "object",
    "properties": {
        "tree": {"$ref": "#/$defs/Node"},
        "name": {"type": "string", "pattern": "^(?!x)", "default": 5},
    },
    "$defs": {"Node": {"type": "object", "properties": {"below": {"$ref": "#/$defs/Node"}}}},
}


def test_a_schema_of_a_client_reaches_a_provider_that_takes_it_unchanged(dynamodb: Any) -> None:
    tool: Any = {"type": "function", "function": {"name": "walk", "parameters": RECURSIVE, "strict": True}}
    asked = service([text_completion("x")], dynamodb=dynamodb)
    ask(asked, tools=[tool])

    offered: Any = asked.chat.model.options[0].tools[0]
    assert (offered["function"]["parameters"], offered["function"]["strict"]) == (RECURSIVE, True)


def test_a_choice_of_one_tool_reaches_the_model(dynamodb: Any) -> None:
    asked = service([call_completion(("get_stock", {}))], dynamodb=dynamodb)
    ask(asked, tools=[TOOL], tool_choice={"type": "function", "function": {"name": "get_stock"}})

    assert asked.chat.model.options[0].tool_choice == NamedTool("get_stock")


def test_a_choice_of_a_tool_that_is_not_offered_is_refused() -> None:
    error = rejected(service(), tools=[TOOL], tool_choice={"type": "function", "function": {"name": "absent"}})

    assert (error.status_code, error.param, "absent" in error.message) == (400, "tool_choice", True)


def test_the_effort_of_a_client_takes_the_place_of_the_rules() -> None:
    config = configuration(rule={"name": "support", "reasoning_effort": "low"})
    for effort, sent in (({"reasoning_effort": "high"}, "high"), ({}, "low"), ({"reasoning_effort": None}, "low")):
        asked = service([text_completion("x")], config)
        ask(asked, extra_body=effort)

        assert asked.chat.model.options[0].reasoning_effort == sent


def test_without_a_tool_choice_no_tool_is_offered() -> None:
    asked = service([text_completion("x")], WITH_TOOL)
    ask(asked, tools=[TOOL], tool_choice="none")

    assert asked.chat.model.options[0].tools == ()
