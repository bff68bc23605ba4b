"""Partial answers and their resumption."""

from collections.abc import Iterator

import pytest

from flexchat.errors import ModelError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json
from functions.chat.resumption.tokens import LIFETIME_SECONDS
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.chat.timed_chat import Service, outcomes, work
from tests.unit.runs.table import CHATS, empty_tables

BOB = Caller("bob", frozenset({"user"}))


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with empty_tables(monkeypatch) as dynamodb:
        yield Service(dynamodb)


def test_resumed_partial_answer_does_not_run_its_tools_again(service: Service) -> None:
    partial = service.send_chat(10, service.takes(3, work("a", 1)), service.takes(30, text_completion("")))
    assert (partial.status, outcomes(partial)) == ("partial", [("a", "ok")])

    answer = service.send_chat(
        20,
        service.takes(1, work("b", 1, turn=2)),
        service.takes(1, text_completion("Both.")),
        resume_token=partial.resume_token,
    )

    assert (answer.content, answer.status, answer.resume_token) == ("Both.", "complete", None)
    assert outcomes(answer) == [("a", "ok"), ("b", "ok")]
    assert [call.iteration for call in answer.tool_calls] == [1, 2]
    assert service.executed() == ["a", "b"]


def test_partial_answer_of_a_resumed_chat_can_be_resumed(service: Service) -> None:
    first = service.send_chat(10, service.takes(3, work("a", 1)), service.takes(30, text_completion("")))
    second = service.send_chat(
        10,
        service.takes(3, work("b", 1, turn=2)),
        service.takes(30, text_completion("")),
        resume_token=first.resume_token,
    )
    answer = service.send_chat(20, service.takes(1, text_completion("Both.")), resume_token=second.resume_token)

    assert (answer.status, outcomes(answer)) == ("complete", [("a", "ok"), ("b", "ok")])
    assert first.resume_token != second.resume_token
    assert service.refusal(first.resume_token) == (409, "resume_token_used")


def test_chat_with_a_failed_provider_can_be_resumed(service: Service) -> None:
    down = ModelError("down", type="server_error", provider="openai")
    partial = service.send_chat(20, service.takes(1, work("a", 1)), down)
    assert (partial.status, partial.error and partial.error.type) == ("partial", "server_error")

    answer = service.send_chat(20, service.takes(1, text_completion("Done.")), resume_token=partial.resume_token)

    assert (answer.content, outcomes(answer)) == ("Done.", [("a", "ok")])


def test_a_resumed_chat_has_the_schema_of_its_answer(service: Service) -> None:
    schema: dict[str, Json] = {"type": "object", "required": ["done"]}
    down = ModelError("down", type="server_error", provider="openai")
    partial = service.send_chat(20, service.takes(1, work("a", 1)), down, response_schema=schema)

    script = [service.takes(1, text_completion(text)) for text in ("{}", '{"done": true}')]
    answer = service.send_chat(20, *script, resume_token=partial.resume_token)

    assert (answer.content, outcomes(answer)) == ('{"done": true}', [("a", "ok")])


def test_resumed_chat_without_progress_starts_over(service: Service) -> None:
    partial = service.send_chat(5, service.takes(30, text_completion("")))

    answer = service.send_chat(20, service.takes(1, text_completion("Here I am.")), resume_token=partial.resume_token)

    assert (partial.status, answer.content, answer.status) == ("partial", "Here I am.", "complete")
    assert service.model.seen[0] == service.model.seen[1]


def test_resume_token_is_valid_for_one_answer_of_its_caller_for_an_hour(service: Service) -> None:
    partial = service.send_chat(5, service.takes(30, text_completion("")))
    other = service.send_chat(5, service.takes(30, text_completion("")))

    assert service.refusal(partial.resume_token, BOB) == (400, "resume_token_invalid")
    service.send_chat(20, service.takes(1, text_completion("Done.")), resume_token=partial.resume_token)
    assert service.refusal(partial.resume_token) == (409, "resume_token_used")
    service.clock.now += LIFETIME_SECONDS
    assert service.refusal(other.resume_token) == (410, "resume_token_expired")


def test_failed_resumption_leaves_its_token_valid(service: Service) -> None:
    partial = service.send_chat(5, service.takes(30, text_completion("")))
    down = ModelError("down", type="server_error", provider="openai")

    with pytest.raises(ModelError):
        service.send_chat(20, down, resume_token=partial.resume_token)
    answer = service.send_chat(20, service.takes(1, text_completion("Done.")), resume_token=partial.resume_token)

    assert answer.content == "Done."


def test_missing_table_omits_the_token_and_returns_the_answer(service: Service) -> None:
    service.dynamodb.delete_table(TableName=CHATS)

    answer = service.send_chat(10, service.takes(3, work("a", 1)), service.takes(30, text_completion("")))

    assert (answer.status, outcomes(answer), answer.resume_token) == ("partial", [("a", "ok")], None)
