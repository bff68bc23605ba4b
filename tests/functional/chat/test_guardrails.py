"""Guardrails of a rule: what they block and mask, and what no client, session, trace, run and log line has."""

import gzip
import json
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, ProviderState, Reasoning, Text, ToolCall, Usage
from flexchat.traces import TraceRecord
from functions.chat.generation.checks import BLOCKED_INPUT, BLOCKED_OUTPUT, UNCHECKED, WITHHELD_MESSAGE
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.guarded_chat import CANARY, WordGuardrail, guarded
from tests.functional.chat.harness import CALCULATE, configuration
from tests.functional.chat.phase_chat import INTENTS, phases
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.streams import StreamClient, streamed, text_of
from tests.functional.chat.test_traces import Traces

BAD, ADA, FAIL = f"bad {CANARY}", f"ada {CANARY}", f"fail {CANARY}"
SUM = call_completion(("calculate", {"expression": "1 + 1"}))
LONG = "The first sentence of the answer is harmless text. " * 4


class Guarded:
    """Deployed chat function with guardrails, its traces and its tables."""

    def __init__(
        self, dynamodb: DynamoDBClient, *script: Step, config: dict[str, Any] | None = None, **names: Any
    ) -> None:
        self.dynamodb = dynamodb
        self.words, self.traces = WordGuardrail(), Traces()
        own = guarded(config or configuration(tools=[CALCULATE]), **names)
        own["traces"] = {"content": "all"}
        self.chat: BackgroundChat = deploy_with_background(
            script, own, dynamodb, guardrail=self.words.create, handlers={"traces": self.traces.handle}
        )

    def post(self, message: str, **fields: Any) -> dict[str, Any]:
        answer = self.chat.post({"message": message, **fields})
        assert answer.status == 200, answer
        return answer.body

    def stream(self, message: str, client: StreamClient | None = None, **fields: Any) -> StreamClient:
        return streamed(self.chat, {"message": message, **fields}, client=client)

    def turns(self, session: str = "s1") -> list[dict[str, Any]]:
        return self.chat.get(f"/api/sessions/{session}").body["turns"]

    @property
    def records(self) -> list[TraceRecord]:
        queued = [event for name, event in self.chat.background.queued if name == "traces"]
        for event in queued[len(self.traces.events) :]:
            self.traces.handle(event, None)
        return self.traces.records

    def stored(self) -> str:
        """Return everything that the tables have, as text."""
        found: list[str] = []
        for table in self.dynamodb.list_tables()["TableNames"]:
            for item in self.dynamodb.scan(TableName=table)["Items"]:
                found.append(repr(item))
                for value in item.values():
                    content = value.get("B")
                    if isinstance(content, bytes):
                        found.append(repr(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content))
        return "\n".join(found)

    def traced(self) -> str:
        return "\n".join(record.as_json().decode() for record in self.records)


def steps_of(body: dict[str, Any]) -> list[tuple[Any, ...]]:
    steps = body["timings"]["steps"]
    return [(step["step"], step.get("source"), step.get("verdict")) for step in steps]


def test_a_blocked_message_reaches_no_model(dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]) -> None:
    service = Guarded(dynamodb, input=["hook"])
    body = service.post(f"Say {BAD}", session_id="s1")

    assert (body["content"], body["outcome"], body["finish_reason"], body["status"]) == (
        BLOCKED_INPUT,
        "blocked",
        "content_filter",
        "complete",
    )
    assert steps_of(body) == [("guardrail", "input", "blocked")]
    assert body["timings"]["steps"][0]["policies"] == ["content:HATE"]
    assert service.chat.model.seen == []
    assert body["session"]["title"] == WITHHELD_MESSAGE
    assert CANARY not in json.dumps(body) + service.stored() + service.traced() + capsys.readouterr().out
    (record,) = service.records
    assert (record.outcome, record.message, record.answer) == ("blocked", WITHHELD_MESSAGE, BLOCKED_INPUT)


def test_a_session_that_begins_with_a_blocked_message_gets_the_title_of_the_next_one(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion("Hello."), input=["hook"])
    service.post(f"Say {BAD}", session_id="s1")

    assert service.post("A fine question", session_id="s1")["session"]["title"] == "A fine question"
    assert [message.text for message in service.chat.model.seen[0]][1:] == [
        WITHHELD_MESSAGE,
        BLOCKED_INPUT,
        "A fine question",
    ]


def test_a_failed_chat_leaves_neither_the_message_nor_its_placeholder(dynamodb: DynamoDBClient) -> None:
    down = ModelError("down", type="authentication", provider="openai")
    service = Guarded(dynamodb, down, input=["hook"])

    assert service.chat.post({"message": f"I am {ADA}", "session_id": "s1"}).status == 502
    assert CANARY not in service.stored() + service.traced()
    assert service.records[0].message == "I am {NAME}"


def test_a_masked_message_is_what_the_model_the_session_and_the_trace_have(
    dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configuration(rule={"prompt": "Answer {{user_message}} on {{topic}}.", "name": "all"})
    service = Guarded(dynamodb, text_completion("Hello."), text_completion("Again."), config=config, input=["hook"])
    body = service.post(f"I am {ADA} here", session_id="s1")
    service.post("And now?", session_id="s1")

    first, second = service.chat.model.seen
    assert [message.text for message in first] == ["Answer I am {NAME} here on I am {NAME} here.", "I am {NAME} here"]
    assert [message.text for message in second][1:] == ["I am {NAME} here", "Hello.", "And now?"]
    assert (body["outcome"], body["session"]["title"], steps_of(body)[0]) == (
        "answered",
        "I am {NAME} here",
        ("guardrail", "input", "masked"),
    )
    assert service.records[0].message == "I am {NAME} here"
    assert service.records[0].profile["user_message"] == "I am {NAME} here"
    assert CANARY not in json.dumps(body) + service.stored() + service.traced() + capsys.readouterr().out


def test_no_message_is_stored_before_its_verdict(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion("Hello."), input=["hook"])
    stored: list[str] = []
    service.words.on_check = lambda: stored.append(service.stored())
    service.post("Just a question", session_id="s1")

    assert [("Just a question" in each, WITHHELD_MESSAGE in each) for each in stored] == [(False, True)]


def test_an_allowed_message_is_stored_as_it_is(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion("Hello."), input=["hook"])
    body = service.post("Just a question", session_id="s1")

    assert (body["session"]["title"], body["session"]["saved"]) == ("Just a question", True)
    assert "Just a question" in service.stored()
    assert WITHHELD_MESSAGE not in service.stored()


@pytest.mark.parametrize("tools", [True, False])
def test_a_blocked_answer_is_replaced(
    dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str], tools: bool
) -> None:
    script = (SUM, text_completion(f"It is {BAD}.")) if tools else (text_completion(f"It is {BAD}."),)
    config = configuration(tools=[CALCULATE], rule={"tools": {"enabled": tools}})
    service = Guarded(dynamodb, *script, config=config, output=["hook"])
    body = service.post("1 + 1?", session_id="s1")

    assert (body["content"], body["outcome"], body["finish_reason"]) == (BLOCKED_OUTPUT, "blocked", "content_filter")
    assert len(body.get("tool_calls") or []) == int(tools)
    assert body["usage"]["total_tokens"] == 15 * len(script)
    assert service.records[0].answer == BLOCKED_OUTPUT
    assert CANARY not in json.dumps(body) + service.stored() + service.traced() + capsys.readouterr().out


def test_a_text_before_calls_is_checked_before_the_tools_run(dynamodb: DynamoDBClient) -> None:
    turn = Completion(
        Message("assistant", (Text(f"First {BAD}."), ToolCall("c1", "calculate", {"expression": "1+1"}, "{}"))),
        "tool_calls",
        Usage(10, 5),
        "scripted",
    )
    service = Guarded(dynamodb, turn, output=["hook"])
    body = service.post("1 + 1?", session_id="s1")

    assert (body["outcome"], body["tool_calls"], service.chat.background.executed) == ("blocked", [], [])
    assert CANARY not in service.stored()


def test_a_masked_answer_replaces_the_original_and_shows_no_reasoning(dynamodb: DynamoDBClient) -> None:
    parts = (Reasoning(ProviderState("openai", None), f"about {ADA}"), Text(f"Hello {ADA}."))
    completion = Completion(Message("assistant", parts), "stop", Usage(10, 5), "scripted")
    service = Guarded(dynamodb, completion, output=["hook"])
    body = service.post("hello", session_id="s1")

    assert (body["content"], body["outcome"]) == ("Hello {NAME}.", "answered")
    assert CANARY not in json.dumps(body) + service.stored() + service.traced()


def test_guardrails_check_in_order_each_the_text_of_the_one_before(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion("ok"), input=["one", "two"], output=["two"])
    body = service.post(f"I am {ADA}")

    assert service.words.seen == [
        ("input", f"I am {ADA}"),
        ("input", "I am {NAME}"),
        ("output", "ok"),
    ]
    assert [step["name"] for step in body["timings"]["steps"] if step["step"] == "guardrail"] == ["one", "two", "two"]


def test_a_failed_check_blocks_and_the_text_is_nowhere(
    dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    service = Guarded(dynamodb, input=["hook"])
    body = service.post(f"I {FAIL}", session_id="s1")

    assert (body["content"], body["outcome"]) == (UNCHECKED, "blocked")
    assert steps_of(body) == [("guardrail", "input", "failed")]
    assert service.records[0].spans[0].error == "timeout"
    assert CANARY not in json.dumps(body) + service.stored() + service.traced() + capsys.readouterr().out


def test_a_failed_check_may_allow_with_a_warning(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion(f"I {FAIL} too"), input=["hook"], output=["hook"], on_error="allow")
    body = service.post(f"I {FAIL}")

    assert (body["content"], body["outcome"]) == (f"I {FAIL} too", "answered")
    assert body["warnings"] == [
        "the guardrail 'hook' could not check the message",
        "the guardrail 'hook' could not check a part of the answer",
    ]


def test_checks_are_counted_by_guardrail(dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]) -> None:
    Guarded(dynamodb, text_completion(f"Hello {ADA}"), input=["hook"], output=["hook"]).post("hello")

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (counted,) = [line for line in lines if "GuardrailChecks" in line]
    expected = {
        "guardrail": "hook",
        "GuardrailChecks": [2.0],
        "GuardrailBlocks": [0.0],
        "GuardrailMasks": [1.0],
        "GuardrailFailures": [0.0],
        "GuardrailTextUnits": [2.0],
    }
    assert {name: counted[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (f"{BAD} from the start. {LONG}", ""),
        (f"{LONG}{BAD} in the middle. {LONG}", LONG),
        (f"{LONG}{BAD}", LONG),
    ],
    ids=["first", "middle", "last"],
)
def test_no_piece_of_a_stream_leaves_before_its_check(
    dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str], answer: str, shown: str
) -> None:
    service = Guarded(dynamodb, text_completion(answer), output=["hook"])
    client = service.stream("hello", session_id="s1")
    final = client.events[-1].data

    assert text_of(client.events) == shown
    assert (final["content"], final["outcome"], final["finish_reason"]) == (BLOCKED_OUTPUT, "blocked", "content_filter")
    run = service.chat.get(f"/api/runs/{client.events[0].data['run_id']}").body
    assert (run["status"], run["answer"]) == ("succeeded", final)
    everything = b"".join(client.pieces).decode() + service.stored() + service.traced() + capsys.readouterr().out
    assert CANARY not in everything


def test_pieces_of_a_masked_stream_are_the_answer(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion(f"{LONG}Hello {ADA}. Bye."), output=["hook"])
    client = service.stream("hello", session_id="s1")

    assert text_of(client.events) == client.events[-1].data["content"] == f"{LONG}Hello {{NAME}}. Bye."
    assert CANARY not in b"".join(client.pieces).decode() + service.stored() + service.traced()


def test_a_stream_that_the_client_cancels_stores_only_checked_text(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion(f"{LONG}{LONG}{BAD}. {LONG}"), output=["hook"])
    client = StreamClient()

    def cancel(piece: bytes) -> None:
        if b"event: delta" in piece:
            service.chat.delete(f"/api/runs/{client.events[0].data['run_id']}")

    client.on_piece = cancel
    service.stream("hello", client, session_id="s1")

    assert client.events[-1].data.get("error") == "cancelled" or client.events[-1].data["outcome"] == "blocked"
    assert CANARY not in b"".join(client.pieces).decode() + service.stored() + service.traced()


def test_an_answer_that_breaks_off_in_a_background_run_is_checked_anew(dynamodb: DynamoDBClient) -> None:
    broken = ModelError("the connection broke", type="network", provider="openai", after_output=True)
    service = Guarded(dynamodb, broken, text_completion(f"{LONG}{BAD}"), output=["hook"])
    run = service.chat.post({"message": "hello"}, headers={"Prefer": "respond-async"}).body["id"]
    service.chat.deliver()
    answer = service.chat.get(f"/api/runs/{run}").body["answer"]

    assert (answer["content"], answer["outcome"]) == (BLOCKED_OUTPUT, "blocked")
    assert CANARY not in service.stored() + service.traced()


def test_phases_run_beside_the_check_and_their_topic_of_a_masked_message_is_dropped(dynamodb: DynamoDBClient) -> None:
    config = {
        **configuration(),
        "topic": {"enabled": True, "provider": {"llm": "openai", "model": "gpt-4o-mini"}},
    }
    topic = f'{{"topic_status": "new_topic", "topic_summary": "about {ADA}"}}'
    reply = phases(topic=topic)
    service = Guarded(dynamodb, reply, reply, config=config, input=["hook"])
    body = service.post(f"I am {ADA}", session_id="s1")

    assert (body.get("topic"), body["content"]) == (None, "It is sunny.")
    assert {step["step"] for step in body["timings"]["steps"]} == {"topic", "guardrail", "model"}
    assert CANARY not in json.dumps(body) + service.stored() + service.traced()


def test_only_the_guardrails_of_the_matching_rule_check(dynamodb: DynamoDBClient) -> None:
    config = guarded(configuration(), input=["hook"])
    open_rule = {"llm": "openai", "model": "gpt-4o", "prompt": "x", "name": "open", "match": {"topic_contains": "open"}}
    config["responses"].insert(0, open_rule)
    words = WordGuardrail()
    chat = deploy_with_background([text_completion("a")], config, dynamodb, guardrail=words.create)

    assert chat.post({"message": f"open {BAD}", "session_id": "s1"}).body["rule"] == "open"
    assert words.seen == []
    assert chat.post({"message": BAD}).body["outcome"] == "blocked"
    assert words.seen == [("input", BAD)]


@pytest.mark.parametrize(("attachments", "status"), [("refuse", 400), ("ignore", 200)])
def test_pictures_are_refused_unless_the_guardrail_ignores_them(
    dynamodb: DynamoDBClient, attachments: str, status: int
) -> None:
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    picture = f"data:image/png;base64,{pixel}"
    service = Guarded(dynamodb, text_completion("ok"), input=["hook"], attachments=attachments)
    content = [{"type": "text", "text": "what?"}, {"type": "image_url", "image_url": {"url": picture}}]
    body = {"model": "flexchat", "messages": [{"role": "user", "content": content}]}
    answer = service.chat.post(body, path="/v1/chat/completions")

    assert answer.status == status, answer.body
    if status == 400:
        assert answer.body["error"]["code"] == "unchecked_attachments"


def test_a_rule_with_an_unknown_guardrail_answers_nothing(dynamodb: DynamoDBClient) -> None:
    for place in ("input", "output"):
        config = configuration(rule={"guardrails": {place: ["gone"]}})
        chat = deploy_with_background([text_completion("unchecked")], config, dynamodb)
        answer = chat.post({"message": "hello"})

        assert (answer.status, "unchecked" in json.dumps(answer.body)) == (500, False)
        rules = chat.request("GET", "/api/config", roles="operator").body["rules"]
        assert "the guardrail 'gone' cannot be used: it is not configured" in rules[0]["problems"][0]


def test_a_structured_answer_is_checked_before_its_form(dynamodb: DynamoDBClient) -> None:
    rule = {"response_schema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}
    text = json.dumps({"name": ADA})
    service = Guarded(dynamodb, text_completion(text), config=configuration(rule=rule), output=["hook"])
    client = service.stream("hello")

    assert json.loads(client.events[-1].data["content"]) == {"name": "{NAME}"}
    assert text_of(client.events) == client.events[-1].data["content"]


def test_chat_completions_end_with_content_filter(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion(f"{LONG}{BAD}"), text_completion(BAD), input=["hook"], output=["hook"])
    body: dict[str, Any] = {"model": "flexchat", "messages": [{"role": "user", "content": "hello"}]}
    client = streamed(service.chat, {**body, "stream": True}, path="/v1/chat/completions")
    lines = b"".join(client.pieces).decode().split("\n\n")
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]
    text = "".join(each["choices"][0]["delta"].get("content") or "" for each in chunks)

    assert text == f"{LONG}\n\n{BLOCKED_OUTPUT}"
    assert chunks[-1]["choices"][0]["finish_reason"] == "content_filter"
    assert chunks[-1]["flexchat"]["outcome"] == "blocked"

    whole = service.chat.post(body, path="/v1/chat/completions").body
    assert (whole["choices"][0]["message"]["content"], whole["choices"][0]["finish_reason"]) == (
        BLOCKED_OUTPUT,
        "content_filter",
    )
    refused = service.chat.post(
        {**body, "messages": [{"role": "user", "content": BAD}]}, path="/v1/chat/completions"
    ).body
    assert (refused["choices"][0]["message"]["content"], refused["choices"][0]["finish_reason"]) == (
        BLOCKED_INPUT,
        "content_filter",
    )
    assert CANARY not in b"".join(client.pieces).decode() + json.dumps([whole, refused])


def test_responses_are_incomplete_and_store_no_blocked_text(dynamodb: DynamoDBClient) -> None:
    service = Guarded(
        dynamodb, text_completion(f"{LONG}{BAD}"), text_completion("Hi."), input=["hook"], output=["hook"]
    )
    client = streamed(service.chat, {"model": "flexchat", "input": f"I am {ADA}", "stream": True}, path="/v1/responses")
    last = json.loads(b"".join(client.pieces).decode().strip().split("data: ")[-1])["response"]

    assert (last["status"], last["incomplete_details"]) == ("incomplete", {"reason": "content_filter"})
    assert [part["text"] for item in last["output"] for part in item["content"]] == [LONG, BLOCKED_OUTPUT]
    assert CANARY not in b"".join(client.pieces).decode() + service.stored()

    again = {"model": "flexchat", "input": "And now?", "previous_response_id": last["id"]}
    assert service.chat.post(again, path="/v1/responses").body["status"] == "completed"
    assert [message.text for message in service.chat.model.seen[-1]][1:] == [
        "I am {NAME}",
        BLOCKED_OUTPUT,
        "And now?",
    ]
    blocked = service.chat.post({"model": "flexchat", "input": BAD}, path="/v1/responses").body
    assert (blocked["status"], blocked["output"][0]["content"][0]["text"]) == ("incomplete", BLOCKED_INPUT)
    assert CANARY not in service.stored() + service.traced()


def test_the_chat_tool_of_the_mcp_server_returns_the_message(dynamodb: DynamoDBClient) -> None:
    service = Guarded(dynamodb, text_completion(BAD), input=["hook"], output=["hook"])

    for message, expected in ((BAD, BLOCKED_INPUT), ("hello", BLOCKED_OUTPUT)):
        call = {"name": "chat", "arguments": {"message": message}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        result = service.chat.post(body, path="/mcp").body["result"]
        assert expected in json.dumps(result)
        assert CANARY not in json.dumps(result)


def test_intents_of_a_masked_message_still_choose_the_rule(dynamodb: DynamoDBClient) -> None:
    config = configuration()
    config["intent"] = {
        "enabled": True,
        "provider": {"llm": "openai", "model": "gpt-4o-mini"},
        "detection": {"intents": INTENTS},
    }
    config["responses"].insert(
        0, {"name": "weather", "match": {"intent": "weather"}, "llm": "openai", "model": "gpt-4o", "prompt": "x"}
    )
    service = Guarded(dynamodb, *[phases()] * 2, config=config, input=["hook"])

    assert service.post(f"I am {ADA}")["rule"] == "weather"
