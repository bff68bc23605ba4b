"""Generated requests to every operation: no server error, no undocumented response.

`FLEXCHAT_SCHEMA_EXAMPLES` is the number of requests to each operation with each role.
"""

# schemathesis omits type arguments.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

import json
import os
from collections.abc import Iterator
from typing import Any, cast

import httpx2
import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.openapi import from_dict
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cli.local_stack import StackState
from functions.chat.api.service import openapi_text
from tests.e2e.commands import flexchat

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("FLEXCHAT_SCHEMA_EXAMPLES", "30"))
SECONDS = 60.0
LONG_DEADLINE_MS = 20_000
"""Shorter deadlines of generated requests may cause a correct 504."""

type AnyOperation = APIOperation[Any, Any, Any, Any]

CONTENT_TYPES = ("application/json", "APPLICATION/JSON", "Application/Json; Charset=UTF-8")
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EVENT_STREAM = "text/event-stream"
STREAM_CHECKS = [check for check in CHECKS if check is not response_schema_conformance]
"""A stream is a string in the document; schemathesis compares each of its events with that schema."""

OPERATIONS = [
    (path, method) for path, operations in json.loads(openapi_text())["paths"].items() for method in sorted(operations)
]


@pytest.fixture(scope="module")
def served(api: httpx2.Client) -> dict[str, Any]:
    return api.get("/api/openapi.json").json()


@pytest.fixture(scope="module")
def user_token() -> Iterator[str]:
    """Token with the role `user` only."""
    created = json.loads(
        flexchat("tokens", "create", "--stage", "local", "--name", "schema", "--role", "user", "--json")
    )
    yield created["token"]
    flexchat("tokens", "revoke", created["id"], "--stage", "local")


@pytest.fixture(scope="module")
def tokens(stack: StackState, user_token: str) -> dict[str, str]:
    return {"user": user_token, "operator": stack.token}


@pytest.fixture(scope="module", autouse=True)
def created_items_are_deleted(api: httpx2.Client) -> Iterator[None]:
    """Delete what generated requests created."""
    before = _stored_items(api)
    yield
    for path in _stored_items(api) - before:
        assert api.delete(path).status_code in (200, 204, 404)


def _stored_items(api: httpx2.Client) -> set[str]:
    """Return the URLs of everything that a caller can create and delete."""
    collections = api.get("/api/collections").json()["collections"]
    suites = api.get("/api/validation/suites").json()["suites"]
    sessions = api.get("/api/sessions", params={"limit": 100}).json()["sessions"]
    return {
        *(f"/api/collections/{each['name']}" for each in collections),
        *(f"/api/validation/suites/{each['name']}" for each in suites),
        *(f"/api/sessions/{each['id']}" for each in sessions),
    }


def test_served_document_has_every_operation(served: dict[str, Any]) -> None:
    assert sorted((path, method) for path, methods in served["paths"].items() for method in methods) == sorted(
        OPERATIONS
    )


@pytest.mark.parametrize("role", ["user", "operator"])
@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=lambda part: part)
def test_generated_requests_are_answered_as_the_document_declares(
    stack: StackState, tokens: dict[str, str], served: dict[str, Any], path: str, method: str, role: str
) -> None:
    operation: AnyOperation = from_dict(served)[path][method]
    session = requests.Session()
    session.trust_env = False

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(case=_cases(operation), content_type=st.sampled_from(CONTENT_TYPES))
    def answered_as_declared(case: Case[Any], content_type: str) -> None:
        headers = {"Authorization": f"Bearer {tokens[role]}"}
        if method in ("post", "put", "patch"):
            headers["Content-Type"] = content_type
        response = case.call(base_url=stack.url, session=session, headers=headers, timeout=SECONDS)
        is_stream = EVENT_STREAM in response.headers.get("content-type", [])
        case.validate_response(response, checks=STREAM_CHECKS if is_stream else CHECKS)

    with session:
        answered_as_declared()


def _cases(operation: AnyOperation) -> st.SearchStrategy[Case[Any]]:
    """Return a strategy of valid and invalid requests."""
    cases: st.SearchStrategy[Case[Any]] = operation.as_strategy(GenerationMode.POSITIVE)
    if operation.body or list(operation.iter_parameters()):
        refused: st.SearchStrategy[Case[Any]] = operation.as_strategy(GenerationMode.NEGATIVE)
        cases = st.one_of(cases, refused)
    if operation.path.startswith("/v1/") and operation.body:
        valid: st.SearchStrategy[Case[Any]] = operation.as_strategy(GenerationMode.POSITIVE)
        cases = st.one_of(cases, st.builds(_answerable, valid, st.booleans()))
    return cases.map(_with_long_deadline)


def _answerable(case: Case[Any], stream: bool) -> Case[Any]:
    """Return a request to an OpenAI-compatible route with a model and a message that are answered.

    The document describes neither: generated ones are refused.
    """
    if isinstance(case.body, dict):
        fields = cast("dict[str, Any]", case.body)
        known = {"model": "flexchat", "messages": [{"role": "user", "content": "Hello"}], "input": "Hello"}
        fields |= {name: value for name, value in known.items() if name in fields}
        fields.pop("tools", None)
        if "messages" in fields or "input" in fields:
            fields["stream"] = stream
    return case


def _with_long_deadline(case: Case[Any]) -> Case[Any]:
    body = case.body
    if isinstance(body, dict):
        fields = cast("dict[str, Any]", body)
        deadline = fields.get("deadline_ms")
        if isinstance(deadline, int) and 1_000 <= deadline < LONG_DEADLINE_MS:
            fields["deadline_ms"] = LONG_DEADLINE_MS
    return case
