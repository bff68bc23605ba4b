"""Deliberate faults of the service, each of which a run must report.

A mutant changes the input or output of the chat function: its events and responses, the requests to its provider, its
AWS clients or its configuration. No module of the service is changed.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import replace
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from dev.chaos.questions import CALLS_PER_TURN
from flexchat.messages import Completion, Message, ToolOutput
from functions.chat.providers.base import ChatOptions, OnDelta, Provider

type Event = dict[str, Any]
type Handle = Callable[[Event, Any], dict[str, Any]]
type Change[T] = Callable[[T], T]


def _unchanged[T](value: T) -> T:
    return value


@dataclass(frozen=True, slots=True)
class Mutant:
    """Deliberate fault and the interfaces that it changes."""

    fault: str
    handler: Change[Handle] = _unchanged
    provider: Change[Provider] = _unchanged
    tables: Change[Any] = _unchanged
    functions: Change[Any] = _unchanged
    configuration: Change[dict[str, Any]] = _unchanged


AS_IT_IS = Mutant("no fault")


def _is(event: Event, method: str, path: str) -> bool:
    return event.get("httpMethod") == method and event["path"].startswith(path)


def _is_async(event: Event) -> bool:
    return "Prefer" in event["headers"]


def _with_body(event: Event, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Event:
    return {**event, "body": json.dumps(change(json.loads(event["body"])))}


def _changed(response: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    return {**response, "body": json.dumps(change(json.loads(response["body"])))}


def _unavailable(handle: Handle) -> Handle:
    def mutated(event: Event, context: Any) -> dict[str, Any]:
        response = handle(event, context)
        if not _is(event, "POST", "/api/chat") or _is_async(event):
            return response
        body = {"error": "unavailable", "message": "try later", "request_id": context.aws_request_id}
        return {**response, "statusCode": 503, "body": json.dumps(body)}

    return mutated


def _empty_answers(handle: Handle) -> Handle:
    def emptied(body: dict[str, Any]) -> dict[str, Any]:
        return {**body, "content": ""} if "content" in body else body

    def mutated(event: Event, context: Any) -> dict[str, Any]:
        response = handle(event, context)
        return _changed(response, emptied) if _is(event, "POST", "/api/chat") else response

    return mutated


@dataclass(frozen=True, slots=True)
class _ChangedResults:
    """Provider that changes tool results before they are sent."""

    provider: Provider
    change: Callable[[Sequence[ToolOutput]], Sequence[ToolOutput]]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.provider, name)

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        outputs = [part for message in messages for part in message.parts if isinstance(part, ToolOutput)]
        changed = iter(self.change(outputs))
        sent = [
            replace(message, parts=tuple(next(changed) if isinstance(p, ToolOutput) else p for p in message.parts))
            for message in messages
        ]
        return self.provider.generate_chat(sent, model, options, on_delta)


def _emptied(outputs: Sequence[ToolOutput]) -> Sequence[ToolOutput]:
    return [replace(output, content='{"success": true, "result": {}}') for output in outputs]


def _swapped(outputs: Sequence[ToolOutput]) -> Sequence[ToolOutput]:
    contents = [output.content for output in reversed(outputs)]
    return [replace(output, content=content) for output, content in zip(outputs, contents, strict=True)]


def _changes_results(change: Callable[[Sequence[ToolOutput]], Sequence[ToolOutput]]) -> Change[Provider]:
    def mutate(provider: Provider) -> Provider:
        changed: Any = _ChangedResults(provider, change)
        return changed

    return mutate


def _without_deadline(*, asynchronous: bool) -> Change[Handle]:
    def mutate(handle: Handle) -> Handle:
        def mutated(event: Event, context: Any) -> dict[str, Any]:
            if _is(event, "POST", "/api/chat") and _is_async(event) is asynchronous:
                event = _with_body(event, lambda body: {**body, "deadline_ms": 28_000})
            return handle(event, context)

        return mutated

    return mutate


def _changes_stream(change: Callable[[list[str]], list[str]]) -> Change[Handle]:
    """Change the events of a streamed response, each with its fields as a text."""

    def mutate(handle: Handle) -> Handle:
        def mutated(event: Event, context: Any) -> dict[str, Any]:
            response = handle(event, context)
            if not str(response.get("body")).startswith("id: "):
                return response
            events = [text for text in response["body"].split("\n\n") if text]
            return {**response, "body": "".join(f"{text}\n\n" for text in change(events))}

        return mutated

    return mutate


def _delta_twice(events: list[str]) -> list[str]:
    return [text for event in events for text in ([event, event] if "event: delta" in event else [event])]


def _answer_twice(events: list[str]) -> list[str]:
    return [text for event in events for text in ([event, event] if "event: answer" in event else [event])]


def _without_key(handle: Handle) -> Handle:
    def mutated(event: Event, context: Any) -> dict[str, Any]:
        if "httpMethod" in event:
            event = {**event}
            for name in ("headers", "multiValueHeaders"):
                event[name] = {key: value for key, value in event[name].items() if key != "Idempotency-Key"}
        return handle(event, context)

    return mutated


def _ignores(method: str, path: str, *, instead: str | None = None) -> Change[Handle]:
    """Return a response to requests of this kind without handling them: that of `instead`, another method, or 204."""

    def mutate(handle: Handle) -> Handle:
        def mutated(event: Event, context: Any) -> dict[str, Any]:
            if not _is(event, method, path):
                return handle(event, context)
            if instead is None:
                return {"statusCode": 204, "multiValueHeaders": {}, "body": ""}
            return handle({**event, "httpMethod": instead}, context)

        return mutated

    return mutate


def _resumes_from_the_start(handle: Handle) -> Handle:
    events_by_token: dict[str, Event] = {}

    def mutated(event: Event, context: Any) -> dict[str, Any]:
        if not _is(event, "POST", "/api/chat"):
            return handle(event, context)
        token = json.loads(event["body"]).get("resume_token")
        original = events_by_token.get(str(token))
        if original is not None:
            event = {**event, "body": original["body"]}
        response = handle(event, context)
        token = json.loads(response["body"] or "{}").get("resume_token")
        if token is not None:
            events_by_token[token] = event
        return response

    return mutated


def _stores_messages_twice(handle: Handle) -> Handle:
    def mutated(event: Event, context: Any) -> dict[str, Any]:
        response = handle(event, context)
        if not (_is(event, "GET", "/api/sessions/") and event["path"].endswith("/messages")):
            return response
        return _changed(
            response,
            lambda body: (
                {**body, "messages": [*body["messages"], *body["messages"][-1:]]} if "messages" in body else body
            ),
        )

    return mutated


@dataclass(frozen=True, slots=True)
class _ChangedClient:
    """Client that passes its requests through `change`, called with the operation, the request and parameters."""

    client: Any
    change: Callable[[str, Callable[..., Any], Mapping[str, Any]], Any]

    def __getattr__(self, name: str) -> Any:
        real = getattr(self.client, name)

        def request(**parameters: Any) -> Any:
            return self.change(name, real, parameters)

        return request if callable(real) else real

    def get_paginator(self, operation: str) -> Any:
        return self.client.get_paginator(operation)


def _never_lost(operation: str, real: Callable[..., Any], parameters: Mapping[str, Any]) -> Any:
    """Refuse to end a run with an expired lease."""
    if "lease_until <= :now" in str(parameters.get("ConditionExpression")):
        raise ClientError({"Error": {"Code": "ConditionalCheckFailedException", "Message": "mutant"}}, operation)
    return real(**parameters)


def _without_due_time(operation: str, real: Callable[..., Any], parameters: Mapping[str, Any]) -> Any:
    """Store runs without the deadline of their caller."""
    if operation == "put_item" and parameters["Item"].get("sk") == {"S": "RUN"}:
        item = {name: value for name, value in parameters["Item"].items() if name != "deadline_at"}
        return real(**{**parameters, "Item": item})
    return real(**parameters)


def _locks_nothing(operation: str, real: Callable[..., Any], parameters: Mapping[str, Any]) -> Any:
    """Return every session as unlocked, and allow a second lock."""
    if operation == "transact_write_items":
        parameters = json.loads(json.dumps(parameters).replace("lock_until < :now", "lock_until <> :now"))
    answer = real(**parameters)
    if operation == "query":
        return {**answer, "Items": [item for item in answer["Items"] if item["sk"] != {"S": "META#LOCK"}]}
    return answer


def _invokes_twice(operation: str, real: Callable[..., Any], parameters: Mapping[str, Any]) -> Any:
    if operation == "invoke" and parameters.get("InvocationType") != "Event":
        real(**parameters)
    return real(**parameters)


def _changes_client(change: Callable[[str, Callable[..., Any], Mapping[str, Any]], Any]) -> Change[Any]:
    return lambda client: _ChangedClient(client, change)


def _without_call_limit(source: dict[str, Any]) -> dict[str, Any]:
    return {**source, "tools": {**source["tools"], "max_calls_per_turn": 2 * CALLS_PER_TURN}}


def _never_delivered(handle: Handle) -> Handle:
    def mutated(event: Event, context: Any) -> dict[str, Any]:
        return {"run": event["run"]["id"], "status": "running"} if "run" in event else handle(event, context)

    return mutated


MUTANTS: Mapping[str, Mutant] = {
    "unavailable": Mutant("every synchronous chat is answered with 503", handler=_unavailable),
    "empty_answers": Mutant("answers are empty", handler=_empty_answers),
    "emptied_results": Mutant("the model gets empty tool results", provider=_changes_results(_emptied)),
    "swapped_results": Mutant("the model gets the results of other calls", provider=_changes_results(_swapped)),
    "async_deadline": Mutant("background runs ignore their deadline", handler=_without_deadline(asynchronous=True)),
    "run_overtime": Mutant("background runs forget their deadline", tables=_changes_client(_without_due_time)),
    "late_answers": Mutant("synchronous chats ignore their deadline", handler=_without_deadline(asynchronous=False)),
    "never_run": Mutant("accepted runs are never done", handler=_never_delivered),
    "two_answers": Mutant("one Idempotency-Key gets two answers", handler=_without_key),
    "cancel_ignored": Mutant("a cancelled run continues", handler=_ignores("DELETE", "/api/runs/", instead="GET")),
    "delete_ignored": Mutant("a deleted session stays", handler=_ignores("DELETE", "/api/sessions/")),
    "lost_run": Mutant("the run of a dead worker never ends", tables=_changes_client(_never_lost)),
    "message_twice": Mutant("a session's message is there twice", handler=_stores_messages_twice),
    "no_lock": Mutant("a session takes several chats at once", tables=_changes_client(_locks_nothing)),
    "delta_twice": Mutant("a stream repeats its text", handler=_changes_stream(_delta_twice)),
    "answer_twice": Mutant("a stream has two answers", handler=_changes_stream(_answer_twice)),
    "resumed_twice": Mutant("a resumed chat runs its tools again", handler=_resumes_from_the_start),
    "too_many_calls": Mutant("a turn may run any number of calls", configuration=_without_call_limit),
    "tools_twice": Mutant("every tool is invoked twice", functions=_changes_client(_invokes_twice)),
}
