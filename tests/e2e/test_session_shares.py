"""Read-only links to a session on the deployed API: by whom they are created and opened, and when they end."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from tests.e2e.commands import flexchat, run_flexchat
from tests.e2e.conftest import AwsClients

TABLE = "flexchat-local-chats"
QUESTION = "What is 15% of 45?"
MAX_DAYS = 14


@pytest.fixture(scope="module", autouse=True)
def sharing(layout: Layout, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Serve the project's configuration with links, which it does not allow itself."""
    own = layout.root / "config" / "flexchat.json"
    authored = json.loads(own.read_text())
    authored.setdefault("sessions", {})["sharing"] = {"enabled": True, "roles": ["user"], "max_days": MAX_DAYS}
    path = tmp_path_factory.mktemp("sharing") / "flexchat.json"
    path.write_text(json.dumps(authored))
    flexchat("local", "up", "--config", str(path))
    yield
    flexchat("local", "up", "--config", str(own))


@pytest.fixture(scope="module")
def user(stack: StackState) -> Iterator[httpx2.Client]:
    """API client with a token of the role `user`."""
    token = flexchat("tokens", "create", "--stage", "local", "--name", "reader of links", "--role", "user").split()[-1]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=stack.url, headers=headers, timeout=60, trust_env=False) as client:
        yield client
    flexchat("tokens", "revoke", token.split("_")[1], "--stage", "local")


@pytest.fixture(scope="module")
def session(api: httpx2.Client) -> str:
    """Id of the operator's session with one turn."""
    session = f"e2e-{uuid4().hex}"
    asked = api.post("/api/chat", json={"message": QUESTION, "session_id": session})
    assert asked.status_code == 200, asked.text
    return session


@pytest.fixture
def create(api: httpx2.Client, session: str) -> Iterator[Callable[..., dict[str, Any]]]:
    """Creates links to the session, which are revoked after the test."""
    made: list[str] = []

    def create(**changes: Any) -> dict[str, Any]:
        created = api.post(f"/api/sessions/{session}/shares", json={"expires_in_days": 7, **changes})
        assert created.status_code == 201, created.text
        assert created.headers["cache-control"] == "no-store"
        made.append(created.json()["id"])
        return created.json()

    yield create
    for share in made:
        api.delete(f"/api/sessions/{session}/shares/{share}")


def opened(client: httpx2.Client, share: dict[str, Any], *, secret: str | None = None) -> httpx2.Response:
    headers = {"X-Flexchat-Share": share["secret"] if secret is None else secret}
    return client.get(f"/api/shared/{share['id']}", headers=headers)


def assert_not_found(response: httpx2.Response) -> None:
    assert (response.status_code, response.json()["error"]) == (404, "share_not_found")


def test_a_link_shows_another_principal_the_conversation_until_it_is_revoked(
    api: httpx2.Client, user: httpx2.Client, session: str, create: Callable[..., dict[str, Any]]
) -> None:
    share = create(role="user", tool_calls=True)

    shown = opened(user, share)
    assert shown.status_code == 200, shown.text
    assert [message["role"] for message in shown.json()["messages"]] == ["user", "assistant", "assistant"]
    assert shown.json()["messages"][0]["content"] == QUESTION
    assert "6.75" in shown.json()["messages"][-1]["content"]
    assert [call["tool"] for message in shown.json()["messages"] for call in message["tool_calls"]] == ["calculate"]
    assert session not in shown.text
    expiry = datetime.fromisoformat(share["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=6, hours=23) < expiry <= timedelta(days=7)

    assert api.delete(f"/api/sessions/{session}/shares/{share['id']}").status_code == 204

    assert_not_found(opened(user, share))
    assert api.delete(f"/api/sessions/{session}/shares/{share['id']}").status_code == 404


def test_no_link_opens_without_a_token(anonymous: httpx2.Client, create: Callable[..., dict[str, Any]]) -> None:
    refused = opened(anonymous, create(role="user"))

    assert (refused.status_code, refused.json()["error"]) == (401, "unauthorized")


def test_a_link_for_operators_and_one_with_another_secret_are_not_found(
    api: httpx2.Client, user: httpx2.Client, create: Callable[..., dict[str, Any]]
) -> None:
    share = create(role="operator")

    assert_not_found(opened(user, share))
    assert opened(api, share).status_code == 200
    assert_not_found(opened(api, share, secret="x" * len(share["secret"])))
    assert_not_found(api.get(f"/api/shared/{share['id']}"))


def test_an_expired_link_is_not_found_and_not_listed(
    api: httpx2.Client, user: httpx2.Client, aws: AwsClients, session: str, create: Callable[..., dict[str, Any]]
) -> None:
    share = create()
    assert opened(user, share).status_code == 200

    let_expire(aws, share["id"])

    assert_not_found(opened(user, share))
    assert [each["id"] for each in api.get(f"/api/sessions/{session}/shares").json()["shares"]] == []


def let_expire(aws: AwsClients, share: str) -> None:
    """Move the expiry of a link, which is a day away at least, into the past in both of its items."""
    client = aws.client("dynamodb")
    pages = client.get_paginator("scan").paginate(
        TableName=TABLE, FilterExpression="share_id = :id", ExpressionAttributeValues={":id": {"S": share}}
    )
    items = [item for page in pages for item in page["Items"]]
    assert len(items) == 2
    past = int((datetime.now(UTC) - timedelta(seconds=1)).timestamp())
    for item in items:
        client.update_item(
            TableName=TABLE,
            Key={"pk": item["pk"], "sk": item["sk"]},
            UpdateExpression="SET expires_at = :past",
            ExpressionAttributeValues={":past": {"N": str(past)}},
        )


def test_a_session_of_another_principal_has_no_links_to_create_list_or_revoke(
    user: httpx2.Client, session: str, create: Callable[..., dict[str, Any]]
) -> None:
    share = create()
    path = f"/api/sessions/{session}/shares"

    for answer in (
        user.post(path, json={"expires_in_days": 1}),
        user.get(path),
        user.delete(f"{path}/{share['id']}"),
    ):
        assert (answer.status_code, answer.json()["error"]) == (404, "session_not_found")
    assert opened(user, share).status_code == 200


@pytest.mark.parametrize("body", [{}, {"expires_in_days": MAX_DAYS + 1}, {"expires_in_days": 1, "role": "admin"}])
def test_an_invalid_link_is_not_created(api: httpx2.Client, session: str, body: dict[str, Any]) -> None:
    refused = api.post(f"/api/sessions/{session}/shares", json=body)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")


def test_the_command_creates_lists_and_revokes_a_link(user: httpx2.Client, stack: StackState, session: str) -> None:
    link = flexchat("sessions", "share", session, "--days", "2", "--role", "user").strip()
    address, _, secret = link.partition("#")
    share = {"id": address.rpartition("/")[2], "secret": secret}
    assert address == f"{stack.url}/shared/{share['id']}"
    assert opened(user, share).status_code == 200
    assert user.get(f"/shared/{share['id']}").headers["content-type"].startswith("text/html")
    assert share["id"] in flexchat("sessions", "links", session)
    too_long = run_flexchat("sessions", "share", session, "--days", str(MAX_DAYS + 1))
    assert too_long.returncode == 1
    assert f"at most {MAX_DAYS}" in too_long.stderr

    flexchat("sessions", "revoke", session, share["id"])

    assert_not_found(opened(user, share))
    assert share["id"] not in flexchat("sessions", "links", session)
