"""The configuration function in process, as the API of a page without a stack."""

import json
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Request

from flexchat.audit import AuditRecord
from flexchat.config.history import RecordedVersion
from flexchat.config.publication import Attribution, publish
from flexchat.deadline import Deadline
from flexchat.messages import Json
from flexchat.tokens import TokenRecord
from functions.configuration.api import ConfigurationApi
from functions.configuration.editor import ConfigurationEditor
from functions.configuration.tokens import TokenManager
from tests.browser.trace_pages import Response, StubApi
from tests.functional.configuration.harness import NOW, STAGE, LambdaContext, source
from tests.unit.config.sources import MemoryHistory, MemoryParameters

ROOT = "/api/configuration"
TOKENS = "/api/tokens"
PROFILES: Json = {
    "profiles": [
        {
            "id": f"request-{number}",
            "started_at": "2026-11-27T02:00:00Z",
            "message": message,
            "rule": "weather",
            "fields": {"topic": message, "user_message": message},
        }
        for number, message in enumerate(("What is the weather in Bern?", "Will it rain today?", "Hello"))
    ],
    "without_profile": 2,
}


class Copies:
    """Packed copies without readers."""

    def write(self, parameters: Any) -> bool:
        return bool(parameters)


class MemoryTokens:
    """Records of tokens, the newest first."""

    def __init__(self) -> None:
        self.records: list[TokenRecord] = []

    def put(self, record: TokenRecord) -> None:
        self.records.insert(0, record)

    def list(self) -> tuple[TokenRecord, ...]:
        return tuple(self.records)

    def revoke(self, id: str) -> TokenRecord | None:
        found = next((record for record in self.records if record.id == id), None)
        if found is not None:
            self.records.remove(found)
        return found


class NoAudit:
    def write(self, record: AuditRecord, *, deadline: Deadline) -> bool:
        return bool(record and deadline)


class ConfigurationStub:
    """A stage with one published configuration; `editor` and `tokens` are the services of the routes."""

    def __init__(self, *, editing: bool = True, managed: bool = True) -> None:
        self.store, self.history = MemoryParameters(), MemoryHistory()
        self.editor = ConfigurationEditor(
            self.store,
            packed=Copies(),
            history=self.history,
            stage=STAGE,
            editing=editing,
            clock=lambda: NOW,
        )
        self.records = MemoryTokens()
        self.tokens = TokenManager(
            self.records,
            limits=self.editor.limits,
            roles=self.editor.roles,
            stage=STAGE,
            managed=managed,
            clock=lambda: NOW,
        )
        self.audit = NoAudit()
        services: Any = self
        self.api = ConfigurationApi(services)
        self.push(source(), "the first")

    def push(self, document: dict[str, Json], comment: str) -> None:
        """Publish as another operator."""
        publish(
            document,
            stage=STAGE,
            store=self.store,
            history=self.history,
            attribution=Attribution("ada", comment),
            clock=lambda: NOW - 3_600,
        )

    def newest(self) -> RecordedVersion:
        version = self.history.newest()
        assert version is not None
        return version

    def install(self, api: StubApi) -> None:
        for route in ("GET", "POST"):
            for path in ("", "/check", "/match", "/versions", *(f"/versions/{number}" for number in range(1, 9))):
                api.set(f"{route} {ROOT}{path}", self.answer)
        for number in range(1, 9):
            api.set(f"POST {ROOT}/versions/{number}/restore", self.answer)
        api.set("GET /api/traces/profiles", PROFILES)
        self.install_tokens(api)

    def install_tokens(self, api: StubApi) -> None:
        """Add the routes of tokens, also for those that the page creates."""

        def answer(request: Request) -> Response:
            response = self.answer(request)
            for record in self.records.list():
                api.set(f"DELETE {TOKENS}/{record.id}", answer)
            return response

        for method in ("GET", "POST"):
            api.set(f"{method} {TOKENS}", answer)

    def answer(self, request: Request) -> Response:
        path = urlsplit(request.url).path
        event = {
            "resource": path,
            "path": path,
            "httpMethod": request.method,
            "headers": {"Content-Type": "application/json"},
            "multiValueHeaders": {"Content-Type": ["application/json"]},
            "requestContext": {
                "requestId": "r-1",
                "stage": STAGE,
                "authorizer": {"principal": "k7m2p9qx4d", "name": "grace", "roles": "user,operator"},
            },
            "body": request.post_data,
            "isBase64Encoded": False,
        }
        response = self.api.resolve(event, LambdaContext())
        return response["statusCode"], json.loads(response["body"] or "null")
