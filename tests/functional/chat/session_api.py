"""Requests to the session routes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from flexchat.config.models.limits import SharingConfig
from flexchat.deadline import Deadline
from flexchat.http_api.caller import Caller
from flexchat.http_api.deadline import RequestDeadlines
from functions.chat.api.api import ChatApi
from functions.chat.sessions.api import SessionsApi
from functions.chat.sessions.shares import SharesApi
from functions.chat.sessions.store.sessions import SessionStore
from functions.chat.sessions.store.shares import ShareStore
from tests.functional.chat.harness import LambdaContext
from tests.unit.runs.table import CHATS
from tests.unit.sessions.harness import TTL_DAYS, SessionHarness

EVENT = json.loads((Path(__file__).parents[3] / "events" / "chat-http.json").read_text())
OWNER = "k7m2p9qx4d"
"""Principal of the event."""


@dataclass
class Api:
    """Session routes; `headers` are those of the last response, `exports` the records of exports and links."""

    harness: SessionHarness
    api: ChatApi
    headers: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    exports: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list[tuple[str, str, dict[str, Any]]])

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        principal: str | None = OWNER,
        roles: str = "user",
        headers: Mapping[str, str] | None = None,
        **query: str,
    ) -> "tuple[int, Any]":
        sent = {**EVENT["headers"], **(headers or {})}
        event = {
            **EVENT,
            "headers": sent,
            "multiValueHeaders": {name: [value] for name, value in sent.items()},
            "httpMethod": method,
            "path": path,
            "resource": path,
            "body": None if body is None else json.dumps(body),
            "queryStringParameters": query or None,
            "multiValueQueryStringParameters": {name: [value] for name, value in query.items()} or None,
            "requestContext": {
                **EVENT["requestContext"],
                "httpMethod": method,
                "authorizer": {"principal": principal, "roles": roles} if principal else None,
            },
        }
        response = self.api.resolve(event, LambdaContext())
        self.headers = response["multiValueHeaders"]
        return response["statusCode"], json.loads(response["body"]) if response["body"] else None


def served(harness: SessionHarness, store: SessionStore | None = None, *, sharing: SharingConfig | None = None) -> Api:
    exports: list[tuple[str, str, dict[str, Any]]] = []

    def exported(action: str, target: str, *, caller: Caller, request_id: str, **details: Any) -> None:
        assert request_id
        exports.append((action, target, {"by": caller.principal, **details}))

    services: Any = SimpleNamespace(
        traces=SimpleNamespace(exported=exported),
        operations=SimpleNamespace(
            sessions=SessionsApi(
                store=store or harness.store, delete_files=_no_files, clock=harness.clock, ttl_days=TTL_DAYS
            ),
            shares=SharesApi(
                sessions=store or harness.store,
                shares=ShareStore(harness.client, CHATS),
                settings=sharing or SharingConfig(),
                clock=harness.clock,
            ),
        ),
    )
    return Api(harness, ChatApi(services, deadlines=RequestDeadlines(clock=harness.deadline.clock)), exports=exports)


ROUTES_OF_ONE = (
    ("GET", "/api/sessions/s1", None),
    ("GET", "/api/sessions/s1/messages", None),
    ("PATCH", "/api/sessions/s1", {"title": "x"}),
    ("DELETE", "/api/sessions/s1", None),
)


def _no_files(_owner: str, _session_id: str, _deadline: Deadline) -> None:
    """Delete nothing: no session here has a file."""
