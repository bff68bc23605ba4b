"""Conversations of clients that do not fit the window of a model: cut oldest first, and never silently."""

import json
from typing import Any

import openai
import pytest

from tests.functional.chat.harness import configuration
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.openai_api.openai_client import Service, service

WINDOW = 4_000


def small_model(*, max_history_tokens: int = 1_000) -> dict[str, Any]:
    config = configuration(rule={"name": "support"})
    config["llms"]["openai"]["profiles"] = {"*": {"context_window": WINDOW}}
    return {**config, "sessions": {"max_history_tokens": max_history_tokens}}


def conversation(turns: int, *, characters: int = 1_000) -> list[dict[str, str]]:
    """Return earlier turns of `characters` each, and a question."""
    earlier = [
        message
        for number in range(turns)
        for message in (
            {"role": "user", "content": f"Question {number}. ".ljust(characters // 2, "q")},
            {"role": "assistant", "content": f"Answer {number}. ".ljust(characters // 2, "a")},
        )
    ]
    return [*earlier, {"role": "user", "content": "And now?"}]


def ask(asked: Service, messages: Any, **parameters: Any) -> Any:
    create: Any = asked.client.chat.completions.with_raw_response.create
    return create(model="flexchat", messages=messages, **parameters)


def firsts(asked: Service) -> list[str]:
    """Return the beginnings of the messages that the model got, after the system prompt."""
    return [message.text.partition(".")[0] for message in asked.chat.model.seen[-1][1:]]


def test_a_history_that_fits_the_window_is_whole_whatever_sessions_keep() -> None:
    asked = service([text_completion("Now.")], small_model())

    answer = ask(asked, conversation(8))

    assert len(firsts(asked)) == 17
    assert "warnings" not in json.loads(answer.text)["flexchat"]
    assert "x-flexchat-warnings" not in answer.headers


def test_of_a_history_that_does_not_fit_the_oldest_turns_are_left_out_and_the_answer_says_so(capsys: Any) -> None:
    asked = service([text_completion("Now.")], small_model())

    answer = ask(asked, conversation(30))

    kept = firsts(asked)
    assert kept[-3:] == ["Question 29", "Answer 29", "And now?"]
    omitted = 60 + 1 - len(kept)
    assert kept[0] == f"Question {omitted // 2}"
    warning = f"the oldest {omitted} of 60 earlier messages were left out: openai:gpt-4o has a window of 4000 tokens"
    assert json.loads(answer.text)["flexchat"]["warnings"] == [warning]
    assert answer.headers["x-flexchat-warnings"] == warning
    assert '"message":"history cut"' in capsys.readouterr().out


def test_the_last_chunk_of_a_stream_has_the_warnings() -> None:
    asked = service([text_completion("Now.")], small_model())

    create: Any = asked.client.chat.completions.create
    chunks: list[Any] = [*create(model="flexchat", messages=conversation(30), stream=True)]

    extension: Any = chunks[-1].model_dump()["flexchat"]
    assert len(extension["warnings"]) == 1


def test_responses_have_the_warnings_too() -> None:
    asked = service([text_completion("Now.")], small_model())

    create: Any = asked.client.responses.with_raw_response.create
    response = create(model="flexchat", input=conversation(30))

    assert "earlier messages were left out" in json.loads(response.text)["flexchat"]["warnings"][0]
    assert "earlier messages were left out" in response.headers["x-flexchat-warnings"]


def test_a_message_that_does_not_fit_alone_is_an_error_with_the_code_of_openai() -> None:
    asked = service([], small_model())

    with pytest.raises(openai.BadRequestError) as caught:
        ask(asked, [{"role": "user", "content": "x" * 40_000}])

    assert caught.value.code == "context_length_exceeded"
    assert "maximum context length is 4000 tokens" in caught.value.message
    assert asked.chat.model.seen == []


def test_a_long_message_for_a_large_model_is_sent_whole() -> None:
    asked = service([text_completion("Read.")])

    ask(asked, [{"role": "user", "content": "x" * 200_000}])

    assert len(asked.chat.model.seen[0][-1].text) == 200_000
