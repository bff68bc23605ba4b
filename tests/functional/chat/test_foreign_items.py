"""Items of another principal, by every route that names one in its path, and by every field of a body that names one.

The routes and the fields are those of the OpenAPI document: a new one needs an entry here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from mypy_boto3_s3 import S3Client

from flexchat.errors import ModelError
from functions.chat.api.service import openapi_text
from tests.aws import aws_client, emulated_aws
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import SIGNING_SECRET, configuration, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.streams import follow
from tests.functional.chat.test_attachments import PICTURE, upload
from tests.functional.traces.harness import Service, chat
from tests.pictures import png

OWNER, OTHER = "ana", "bob"
CANARY = "canary of ana"
LATER = {"Prefer": "respond-async"}

DOCUMENT: dict[str, Any] = json.loads(openapi_text())
ROUTES = {f"{method.upper()} {path}" for path, methods in DOCUMENT["paths"].items() for method in methods}

OF_CHATS: dict[str, Any] = {
    "GET /api/sessions/{id}": None,
    "PATCH /api/sessions/{id}": {"title": "mine"},
    "GET /api/sessions/{id}/messages": None,
    "GET /api/sessions/{id}/export": None,
    "GET /api/sessions/{id}/files/{file}": None,
    "GET /api/sessions/{id}/shares": None,
    "POST /api/sessions/{id}/shares": {"expires_in_days": 1},
    "DELETE /api/sessions/{id}/shares/{share}": None,
    "DELETE /api/sessions/{id}": None,
    "GET /api/runs/{id}": None,
    "GET /api/runs/{id}/events": None,
    "GET /api/runs/{id}/approvals": None,
    "POST /api/runs/{id}/approvals": "decisions",
    "POST /api/runs/{id}/lease": None,
    "DELETE /api/runs/{id}": None,
    "GET /v1/responses/{response_id}": None,
    "POST /v1/responses/{response_id}/cancel": None,
    "DELETE /v1/responses/{response_id}": None,
}
"""Routes of items of one principal in the chat function, with a body; those that delete come last."""

OF_TRACES: dict[str, Any] = {
    "GET /api/traces/{id}": None,
    "POST /api/runs/{id}/feedback": {"rating": "up"},
}
"""Routes of traces of one principal."""

OF_NO_PRINCIPAL = {
    "GET /api/shared/{share}": "a link is for everyone who has its secret",
    "GET /v1/models/{model}": "models of the configuration, by role",
    "GET /api/collections/{name}": "collections of the stage, by role",
    "PATCH /api/collections/{name}": "operators only",
    "DELETE /api/collections/{name}": "operators only",
    "POST /api/collections/{name}/query": "collections of the stage, by role",
    "POST /api/collections/{name}/calibrate": "operators only",
    "GET /api/collections/{name}/documents": "collections of the stage, by role",
    "POST /api/collections/{name}/documents": "operators only",
    "DELETE /api/collections/{name}/documents": "operators only",
    "POST /api/collections/{name}/reindex": "operators only",
    "DELETE /api/collections/{name}/documents/{id}": "operators only",
    "DELETE /api/tools/validate/{model}": "operators only",
    "GET /api/tools/validate/{model}": "results of the stage",
    "GET /api/validation/runs/{id}": "results of the stage",
    "DELETE /api/validation/runs/{id}": "operators only",
    "POST /api/validation/runs/{id}/resume": "operators only",
    "GET /api/validation/suites/{name}": "suites of the stage",
    "PUT /api/validation/suites/{name}": "operators only",
    "DELETE /api/validation/suites/{name}": "operators only",
    "GET /api/configuration/versions/{number}": "operators only",
    "POST /api/configuration/versions/{number}/restore": "operators only",
    "DELETE /api/tokens/{id}": "operators only",
    "GET /api/traces/{id}/logs": "operators only",
    "GET /api/traces/{id}/case": "operators only",
    "POST /api/mcp/servers/{name}/refresh": "operators only",
    "POST /api/mcp/servers/{name}/approve": "operators only",
}
"""Routes whose parameter names no item of a principal."""

FIELDS = {
    "POST /api/chat attachments.file_id": "test_a_file_of_another_principal_is_not_read",
    "POST /api/chat resume_token": "test_a_partial_answer_of_another_principal_is_not_continued",
    "POST /api/chat session_id": "test_a_session_of_another_principal_is_not_continued",
    "POST /v1/responses previous_response_id": "test_a_response_of_another_principal_is_not_continued",
    "POST /api/collections/{name}/documents documents.file_id": "operators only, and their own uploads (collections)",
    "POST /api/collections/{name}/documents documents.id": "documents of the stage",
    "POST /api/mcp/trials server.auth.client_id": "a credential",
    "POST /v1/responses safety_identifier": "an end user, for services only",
    "PUT /api/validation/suites/{name} cases.id": "cases of the stage",
    "POST /api/configuration/match profiles.id": "an id of the answer",
    "POST /mcp id": "an id of the answer",
    "POST /api/runs/{id}/approvals decisions.call_id": "a call of the run in the path",
}
"""Fields of bodies that name something, with the test, or the reason why it is no item of a principal."""

_NAMING = re.compile(r"id|.*_(id|ids|token|identifier)")


def test_every_route_with_a_parameter_is_in_a_table() -> None:
    with_parameter = {route for route in ROUTES if "{" in route}

    assert with_parameter == OF_CHATS.keys() | OF_TRACES.keys() | OF_NO_PRINCIPAL.keys()
    assert len(with_parameter) == len(OF_CHATS) + len(OF_TRACES) + len(OF_NO_PRINCIPAL)


def test_routes_of_operators_only_have_that_role() -> None:
    operators = {route for route, reason in OF_NO_PRINCIPAL.items() if reason == "operators only"}
    found = {route: _operation(route)["x-role"] for route in OF_NO_PRINCIPAL}

    assert found == {route: "operator" if route in operators else "user" for route in OF_NO_PRINCIPAL}


def test_every_field_that_names_something_is_in_the_table() -> None:
    fields = {f"{route} {field}" for route in ROUTES for field in _fields(_operation(route).get("requestBody", {}))}

    assert fields == FIELDS.keys()
    assert {test for test in FIELDS.values() if test.startswith("test_")} <= globals().keys()


def _operation(route: str) -> dict[str, Any]:
    method, path = route.split(" ")
    return DOCUMENT["paths"][path][method.lower()]


def _fields(node: Any, path: tuple[str, ...] = (), inside: frozenset[str] = frozenset()) -> Iterator[str]:
    """Return the paths of all properties of a schema whose names are those of ids."""
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            yield from _fields(each, path, inside)
    elif isinstance(node, dict):
        schema = cast("dict[str, Any]", node)
        reference: str = schema.get("$ref", "")
        if reference and reference not in inside:
            target = DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]]
            yield from _fields(target, path, inside | {reference})
        properties: dict[str, Any] = schema.get("properties", {})
        for field, of_field in properties.items():
            if _NAMING.fullmatch(field):
                yield ".".join((*path, field))
            yield from _fields(of_field, (*path, field), inside)
        for name, value in schema.items():
            if name != "properties":
                yield from _fields(value, path, inside)


class Items:
    """Chat function in which ana has an item of each kind; `ids` are the parameters of its routes."""

    def __init__(self, dynamodb: DynamoDBClient, s3: S3Client) -> None:
        secrets = aws_client("secretsmanager")
        secrets.create_secret(Name=SIGNING_SECRET, SecretBinary=b"k" * 32)
        tools = [mock_tool(), {**mock_tool("pay"), "approval": "always"}]
        config = configuration(tools=tools) | {"sessions": {"sharing": {"enabled": True}}}
        self.s3 = s3
        self.chat: BackgroundChat = deploy_with_background([], config, dynamodb, s3=s3, secretsmanager=secrets)
        self.answers(text_completion(CANARY))
        self.send("POST /api/chat", {"message": CANARY, "attachments": [PICTURE], "session_id": "s1"})
        messages = self.send("GET /api/sessions/s1/messages").body["messages"]
        share = self.send("POST /api/sessions/s1/shares", {"expires_in_days": 1}).body["id"]
        run = self.send("POST /api/chat", {"message": CANARY}, headers=LATER).body["id"]
        asked = {"model": "flexchat", "input": CANARY, "background": True}
        response = self.send("POST /v1/responses", asked).body["id"]
        self.answers(call_completion(("pay", {"location": CANARY})))
        self.waiting = self.send("POST /api/chat", {"message": CANARY}).body["approvals"]
        self.ids = {"file": messages[0]["attachments"][0]["id"], "share": share, "run": run, "response_id": response}

    def answers(self, *script: Any) -> None:
        self.chat.model.script[:] = script

    def send(self, route: str, body: Any = None, *, principal: str = OWNER, headers: Any = None) -> Any:
        method, path = route.split(" ")
        return self.chat.request(method, path, body, principal=principal, headers=headers)

    def route(self, route: str) -> str:
        run = self.waiting["id"] if "/approvals" in route else self.ids["run"]
        return route.format(**self.ids, id=run if "/api/runs/" in route else "s1")

    def body(self, of_route: Any) -> Any:
        """Return the body of a route, with the decisions on the calls that wait."""
        if of_route != "decisions":
            return of_route
        calls: list[dict[str, Any]] = self.waiting["calls"]
        return {
            "decisions": [{"call_id": each["call_id"], "digest": each["digest"], "approve": False} for each in calls]
        }


@pytest.fixture
def items(dynamodb: DynamoDBClient, s3: S3Client) -> Items:
    return Items(dynamodb, s3)


@pytest.mark.parametrize("roles", ["user", "operator"])
def test_items_of_another_principal_do_not_exist_by_any_route(items: Items, roles: str) -> None:
    """Also for operators: their role is over the stage, not over what people write."""
    found: dict[str, int] = {}
    for route, body in OF_CHATS.items():
        method, path = items.route(route).split(" ")
        answer = items.chat.request(method, path, items.body(body), principal=OTHER, roles=roles)
        found[route] = answer.status
        assert CANARY not in json.dumps(answer.body)

    assert found == dict.fromkeys(OF_CHATS, 404)
    without_stream = {route: body for route, body in OF_CHATS.items() if not route.endswith("/events")}
    own = {route: items.send(items.route(route), items.body(body)).status for route, body in without_stream.items()}
    assert {route for route, status in own.items() if not 200 <= status < 300} == set()
    assert follow(items.chat, items.ids["run"], principal=OWNER).status == 200  # of a run that has ended


@pytest.mark.parametrize("path", ["/api/sessions", "/api/sessions?query=canary"])
def test_lists_have_no_items_of_another_principal(items: Items, path: str) -> None:
    path, _, query = path.partition("?")
    values = dict([query.split("=")]) if query else {}

    assert len(items.chat.get(path, query=values, principal=OWNER).body["sessions"]) == 1
    assert items.chat.get(path, query=values, principal=OTHER).body["sessions"] == []


def seen(items: Items) -> str:
    """Return everything that models received."""
    return repr(items.chat.model.seen)


def test_a_session_of_another_principal_is_not_continued(items: Items) -> None:
    items.answers(text_completion("Hello."))
    items.chat.model.seen.clear()

    answer = items.send("POST /api/chat", {"message": "Go on", "session_id": "s1"}, principal=OTHER)

    assert answer.status == 200
    assert CANARY not in seen(items)
    assert len(items.send("GET /api/sessions/s1/messages").body["messages"]) == 2
    assert CANARY not in json.dumps(items.send("GET /api/sessions/s1/messages", principal=OTHER).body)


def test_a_file_of_another_principal_is_not_read(items: Items) -> None:
    uploaded = upload(items.chat, items.s3, png(), principal=OWNER)
    stored = f"file-{items.ids['file']}"

    for file in (uploaded, stored):
        body = {"message": "What is it?", "attachments": [{"file_id": file}]}
        answer = items.send("POST /api/chat", body, principal=OTHER)
        assert (answer.status, answer.body["error"]) == (400, "image_file_not_found")


def test_a_partial_answer_of_another_principal_is_not_continued(items: Items) -> None:
    failed = ModelError("gone", type="overloaded", provider="openai", status=529)
    items.answers(call_completion(("get_weather", {"location": "Rome"})), failed)
    token = items.send("POST /api/chat", {"message": CANARY}).body["resume_token"]

    answer = items.send("POST /api/chat", {"resume_token": token}, principal=OTHER)

    assert (answer.status, answer.body["error"]) == (400, "resume_token_invalid")
    items.answers(text_completion("Sunny."))
    assert items.send("POST /api/chat", {"resume_token": token}).status == 200


def test_a_response_of_another_principal_is_not_continued(items: Items) -> None:
    items.answers(text_completion("Four."))
    first = items.send("POST /v1/responses", {"model": "flexchat", "input": CANARY}).body
    unknown = "resp_" + "0" * (len(first["id"]) - 5)

    def refusal(**body: Any) -> Any:
        answer = items.send("POST /v1/responses", {"model": "flexchat", "input": "And?", **body}, principal=OTHER)
        text = json.dumps(answer.body).replace(first["id"], "ID").replace(unknown, "ID")
        return answer.status, text

    assert refusal(previous_response_id=first["id"]) == refusal(previous_response_id=unknown)
    assert refusal(previous_response_id=first["id"])[0] == 400
    item = [{"type": "item_reference", "id": first["output"][0]["id"]}, {"role": "user", "content": "And?"}]
    assert refusal(input=item)[0] == 400


def test_traces_of_another_principal_do_not_exist_by_any_route(monkeypatch: pytest.MonkeyPatch) -> None:
    with emulated_aws(monkeypatch):
        service = Service()
        _assert_traces_are_found_by_their_principal_alone(service)


def _assert_traces_are_found_by_their_principal_alone(service: Service) -> None:
    service.store(chat("r1", answer=CANARY))
    found: Mapping[str, Any] = {
        route: service.request(route.split(" ")[0], route.split(" ")[1].format(id="r1"), caller=OTHER, body=body)
        for route, body in OF_TRACES.items()
    }

    assert {route: answer.status for route, answer in found.items()} == dict.fromkeys(OF_TRACES, 404)
    assert CANARY not in repr(found)
    assert service.ids(caller=OTHER) == []
    assert service.get("/api/traces/r1", caller=OWNER).status == 200
