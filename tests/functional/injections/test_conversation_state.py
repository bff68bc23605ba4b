"""State of a conversation that the injection policy decides by: kept over turns, restarts and resumed answers."""

from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from flexchat.messages import Message, ToolCall, ToolOutput, assistant, user
from tests.functional.chat.client_chat import OPEN_FILE, ClientChat, results
from tests.functional.chat.harness import Chat, deploy
from tests.functional.chat.rag_chat import Collections, found, hit
from tests.functional.chat.scripted_provider import Step, call_completion
from tests.functional.injections.conversations import (
    DONE,
    READS_THEN_SENDS,
    TRAITS,
    calls,
    config,
    errors,
    ran,
    sent,
    signing_secret,
)
from tests.unit.runs.table import CHATS

DOWN = ModelError("down", type="server_error", provider="openai")
SENDS: tuple[Step, ...] = (calls("send"), DONE)
REFUSED = [("send", "blocked_by_policy")]
RAN = [("send", None)]


def service(dynamodb: DynamoDBClient, *names: str, **settings: Any) -> Chat:
    return deploy([], config(names or tuple(TRAITS), **settings), dynamodb=dynamodb)


def meta(dynamodb: DynamoDBClient) -> dict[str, Any]:
    items = dynamodb.scan(TableName=CHATS)["Items"]
    return next(dict(item) for item in items if item["sk"] == {"S": "META"})


def recorded(dynamodb: DynamoDBClient) -> list[str]:
    return [each["S"] for each in meta(dynamodb)["exposure"]["L"]]


def test_a_chat_that_has_read_both_runs_no_way_out(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb)

    assert errors(sent(chat, *READS_THEN_SENDS)) == [
        ("search", None),
        ("send", "blocked_by_policy"),
        ("delete", "blocked_by_policy"),
        ("plain", None),
    ]
    assert ran(chat) == ["search", "plain"]


def test_a_later_turn_of_a_session_has_the_state_of_the_earlier_ones(dynamodb: DynamoDBClient) -> None:
    sent(service(dynamodb), calls("orders"), DONE, session_id="s1")
    assert recorded(dynamodb) == ["private"]
    assert errors(sent(service(dynamodb), *SENDS, session_id="s1")) == RAN

    sent(service(dynamodb), calls("web"), DONE, session_id="s1")
    assert recorded(dynamodb) == ["private", "untrusted"]
    assert errors(sent(service(dynamodb), *SENDS, session_id="s1")) == REFUSED
    assert errors(sent(service(dynamodb), *SENDS, session_id="s2")) == RAN


def test_the_state_outlives_the_messages_that_are_too_old_for_the_model(dynamodb: DynamoDBClient) -> None:
    sent(service(dynamodb), calls("search"), DONE, session_id="s1")
    forgetful = config()
    forgetful["sessions"] = {"max_history_tokens": 256}
    chat = deploy([], forgetful, dynamodb=dynamodb)
    for _ in range(3):
        sent(chat, DONE, session_id="s1", message="word " * 150)

    assert errors(sent(chat, *SENDS, session_id="s1")) == REFUSED
    assert not any(message.role == "tool" for message in chat.model.seen[-2])


def test_another_branch_of_the_session_has_its_state(dynamodb: DynamoDBClient) -> None:
    sent(service(dynamodb), calls("search"), DONE, session_id="s1")

    assert errors(sent(service(dynamodb), *SENDS, session_id="s1", parent_turn=0)) == REFUSED


def test_a_chat_that_fails_after_a_step_leaves_its_state(dynamodb: DynamoDBClient) -> None:
    failed = service(dynamodb)
    sent(failed, calls("search"), DOWN, session_id="s1")

    assert errors(sent(service(dynamodb), *SENDS, session_id="s1")) == REFUSED


def test_the_state_is_written_with_the_step_that_caused_it(dynamodb: DynamoDBClient) -> None:
    seen: list[list[str]] = []

    def answer(_messages: Any, _options: Any) -> Any:
        seen.append(recorded(dynamodb))
        return DONE

    sent(service(dynamodb), calls("search"), answer, session_id="s1")

    assert seen == [["private", "untrusted"]]


def test_the_state_takes_no_request_of_its_own(dynamodb: DynamoDBClient) -> None:
    def requests(name: str) -> list[str]:
        made: list[str] = []

        class Counting:
            def __getattr__(self, operation: str) -> Any:
                made.append(operation)
                return getattr(dynamodb, operation)

        chat = deploy([], config(), dynamodb=Counting())
        sent(chat, calls(name), DONE, session_id=name)
        return made

    assert requests("search") == requests("plain")


@pytest.mark.parametrize(("first", "expected"), [("search", REFUSED), ("plain", RAN)])
def test_a_session_of_an_earlier_version_has_the_state_of_its_messages(
    dynamodb: DynamoDBClient, first: str, expected: list[Any]
) -> None:
    sent(service(dynamodb), calls(first), DONE, session_id="s1")
    item = meta(dynamodb)
    del item["exposure"]
    dynamodb.put_item(TableName=CHATS, Item=item)

    assert errors(sent(service(dynamodb), *SENDS, session_id="s1")) == expected
    assert recorded(dynamodb) == (["private", "untrusted"] if expected == REFUSED else [])


def test_a_removed_tool_of_a_session_of_an_earlier_version_counts_as_both(dynamodb: DynamoDBClient) -> None:
    sent(service(dynamodb), calls("plain"), DONE, session_id="s1")
    item = meta(dynamodb)
    del item["exposure"]
    dynamodb.put_item(TableName=CHATS, Item=item)

    assert errors(sent(service(dynamodb, "send"), *SENDS, session_id="s1")) == REFUSED


def test_an_invented_tool_does_not_close_the_session(dynamodb: DynamoDBClient) -> None:
    sent(service(dynamodb), calls("invented"), DONE, session_id="s1")

    assert errors(sent(service(dynamodb), *SENDS, session_id="s1")) == RAN


@pytest.mark.parametrize("session", [None, "s1"])
def test_a_resumed_answer_has_the_state_of_the_partial_one(dynamodb: DynamoDBClient, session: str | None) -> None:
    secrets = signing_secret()
    asked = {} if session is None else {"session_id": session}
    partial = sent(deploy([], config(), dynamodb=dynamodb, secretsmanager=secrets), calls("search"), DOWN, **asked)
    chat = deploy([calls("send", turn=2), DONE], config(("send", "plain")), dynamodb=dynamodb, secretsmanager=secrets)
    answer = chat.post({"resume_token": partial["resume_token"]})

    assert errors(answer.body) == [("search", None), *REFUSED]


def test_found_documents_count_as_private_and_untrusted(dynamodb: DynamoDBClient) -> None:
    settings = config()
    settings["rag_services"] = {"kb": {}}
    collections = Collections({"kb/faq": found(hit(0.1))})
    chat = deploy([], settings, dynamodb=dynamodb, handlers={"internal": collections})
    request = {"selected_collections": ["kb/faq"], "session_id": "s1"}

    assert errors(sent(chat, *SENDS, **request)) == REFUSED
    assert errors(sent(chat, *SENDS, session_id="s1")) == REFUSED


def test_a_search_without_documents_adds_nothing(dynamodb: DynamoDBClient) -> None:
    settings = config()
    settings["rag_services"] = {"kb": {}}
    chat = deploy([], settings, dynamodb=dynamodb, handlers={"internal": Collections({"kb/faq": found()})})

    assert errors(sent(chat, *SENDS, selected_collections=["kb/faq"])) == RAN


def history(name: str) -> tuple[Message, ...]:
    """Return messages of a client with a call of the tool `name` and its result."""
    call = ToolCall("c1", name, {}, "{}")
    return (
        user("Hi"),
        Message("assistant", (call,)),
        Message("tool", (ToolOutput("c1", name, "text"),)),
        assistant(""),
    )


@pytest.mark.parametrize(
    ("name", "expected"), [("search", REFUSED), ("web", RAN), ("plain", RAN), ("of the client", REFUSED)]
)
def test_a_history_of_a_client_counts_by_the_names_of_its_tools(
    dynamodb: DynamoDBClient, name: str, expected: list[Any]
) -> None:
    client = ClientChat(service(dynamodb))
    answer = client.send(*SENDS, tools=(), history=history(name))

    assert [(call.tool, getattr(call.result, "error_type", None)) for call in answer.tool_calls] == expected


def test_a_result_of_a_tool_of_the_client_counts_as_both(dynamodb: DynamoDBClient) -> None:
    client = ClientChat(service(dynamodb))
    client.send(call_completion(("open_file", {"path": "a"})), tools=(OPEN_FILE,))
    answer = client.send(*SENDS, tools=(OPEN_FILE,), turns=results("text", of=client.calls))

    assert [call.tool for call in answer.tool_calls] == ["send"]
    assert ran(client.chat) == []


def test_a_tool_of_the_client_with_the_name_of_one_of_the_service_counts_as_both(dynamodb: DynamoDBClient) -> None:
    client = ClientChat(service(dynamodb))
    own = (OPEN_FILE.__class__(name="plain"),)
    client.send(call_completion(("plain", {})), tools=own)
    client.send(*SENDS, tools=own, turns=results("text", of=client.calls))

    assert ran(client.chat) == []
