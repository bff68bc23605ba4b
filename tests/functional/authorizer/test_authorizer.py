"""Handler of the authorizer with API Gateway events and an emulated table."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError
from mypy_boto3_dynamodb import DynamoDBClient
from pydantic import ValidationError

from flexchat.aws import clients
from flexchat.aws.tokens import TokenStore
from flexchat.errors import ConfigError, UnavailableError
from flexchat.tokens import IssuedToken, Role, issue
from functions.authorizer import app
from tests.functional.authorizer.events import ALL_ROUTES, EVENT, authorizer_event


def _issued(
    store: TokenStore, *, roles: tuple[Role, ...] = ("user",), lifetime: timedelta = timedelta(days=1)
) -> IssuedToken:
    issued = issue(name="laptop", roles=roles, lifetime=lifetime, now=datetime.now(UTC))
    store.put(issued.record)
    return issued


def _policy(effect: str, principal: str) -> dict[str, Any]:
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": ALL_ROUTES}
    return {"principalId": principal, "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}}


def test_valid_token_is_allowed_for_the_whole_stage_with_its_principal(store: TokenStore) -> None:
    issued = _issued(store, roles=("user", "operator"))

    answer = app.lambda_handler(authorizer_event(f"Bearer {issued.token.reveal()}"), None)

    assert answer == _policy("Allow", issued.token.id) | {
        "context": {
            "principal": issued.token.id,
            "name": "laptop",
            "roles": "user,operator",
            "expires_at": int(issued.record.expires_at.timestamp()),
        }
    }


@pytest.mark.parametrize("name", ["authorization", "AUTHORIZATION"])
@pytest.mark.parametrize("form", ["bearer {}", "BEARER   {}", "  Bearer {}  "])
def test_header_is_read_with_any_case_and_spacing(store: TokenStore, name: str, form: str) -> None:
    issued = _issued(store)

    answer = app.lambda_handler(authorizer_event(form.format(issued.token.reveal()), name=name), None)

    assert answer["policyDocument"] == _policy("Allow", issued.token.id)["policyDocument"]


def test_request_with_single_value_headers_only_is_allowed(store: TokenStore) -> None:
    issued = _issued(store)
    event = authorizer_event(f"Bearer {issued.token.reveal()}") | {"multiValueHeaders": None}

    assert app.lambda_handler(event, None)["policyDocument"] == _policy("Allow", issued.token.id)["policyDocument"]


@pytest.mark.parametrize("authorization", [None, "", "   "])
def test_request_without_credentials_is_unauthorized(store: TokenStore, authorization: str | None) -> None:
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        app.lambda_handler(authorizer_event(authorization), None)


def test_request_without_any_header_is_unauthorized(store: TokenStore) -> None:
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        app.lambda_handler(authorizer_event(None) | {"headers": None, "multiValueHeaders": None}, None)


@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic dXNlcjpwYXNz",
        "{token}",
        "Token {token}",
        "Bearer {token}x",
        "Bearer{token}",
    ],
)
def test_header_without_a_bearer_token_is_denied(store: TokenStore, authorization: str) -> None:
    token = _issued(store).token.reveal()

    assert app.lambda_handler(authorizer_event(authorization.replace("{token}", token)), None) == _policy(
        "Deny", "unknown"
    )


def test_unknown_token_is_denied(store: TokenStore) -> None:
    stranger = issue(name="x", roles=("user",), lifetime=timedelta(days=1), now=datetime.now(UTC)).token

    assert app.lambda_handler(authorizer_event(f"Bearer {stranger.reveal()}"), None) == _policy("Deny", stranger.id)


def test_token_with_a_wrong_secret_is_denied(store: TokenStore) -> None:
    first, other = _issued(store).token, _issued(store).token
    forged = f"fc_{first.id}_{other.secret}"

    assert app.lambda_handler(authorizer_event(f"Bearer {forged}"), None) == _policy("Deny", first.id)


def test_expired_token_is_denied_before_the_table_deletes_it(store: TokenStore) -> None:
    issued = _issued(store, lifetime=timedelta(seconds=-1))

    assert store.get(issued.token.id) is not None
    assert app.lambda_handler(authorizer_event(f"Bearer {issued.token.reveal()}"), None) == _policy(
        "Deny", issued.token.id
    )


def test_revoked_token_is_denied(store: TokenStore) -> None:
    issued = _issued(store)
    store.revoke(issued.token.id)

    assert app.lambda_handler(authorizer_event(f"Bearer {issued.token.reveal()}"), None) == _policy(
        "Deny", issued.token.id
    )


@pytest.mark.parametrize("values", [("Bearer x", "{}"), ("{}", "Bearer x"), ("{}", "{}")])
def test_two_authorization_headers_are_denied(store: TokenStore, values: tuple[str, str]) -> None:
    bearer = f"Bearer {_issued(store).token.reveal()}"
    event = authorizer_event(bearer)
    event["multiValueHeaders"]["Authorization"] = [value.format(bearer) for value in values]

    assert app.lambda_handler(event, None) == _policy("Deny", "unknown")


def test_every_token_is_denied_without_stored_tokens(store: TokenStore) -> None:
    event: dict[str, Any] = json.loads(EVENT.read_text(encoding="utf-8"))

    assert store.list() == ()
    assert app.lambda_handler(event, None) == _policy("Deny", "k7m2p9qx4d")


def test_timeout_of_the_table_allows_no_request(store: TokenStore) -> None:
    issued = _issued(store)

    def refuse(**_: object) -> None:
        raise EndpointConnectionError(endpoint_url="https://dynamodb.example")

    clients.dynamodb().meta.events.register("before-send.dynamodb.GetItem", refuse)

    with pytest.raises(UnavailableError, match="flexchat-test-tokens"):
        app.lambda_handler(authorizer_event(f"Bearer {issued.token.reveal()}"), None)


def test_missing_table_allows_no_request(store: TokenStore, dynamodb: DynamoDBClient) -> None:
    issued = _issued(store)
    dynamodb.delete_table(TableName="flexchat-test-tokens")

    with pytest.raises(ConfigError, match="flexchat-test-tokens"):
        app.lambda_handler(authorizer_event(f"Bearer {issued.token.reveal()}"), None)


def test_unconfigured_table_allows_no_request(dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLEXCHAT_TOKENS_TABLE")

    with pytest.raises(ConfigError, match="FLEXCHAT_TOKENS_TABLE"):
        app.lambda_handler(authorizer_event("Bearer x"), None)


def test_event_without_a_stage_is_rejected(store: TokenStore) -> None:
    with pytest.raises(ValidationError):
        app.lambda_handler(authorizer_event("Bearer x") | {"methodArn": "arn:aws:execute-api"}, None)


def test_token_and_request_are_not_logged(store: TokenStore, capsys: pytest.CaptureFixture[str]) -> None:
    issued = _issued(store)
    app.lambda_handler(authorizer_event(f"Bearer {issued.token.reveal()}"), None)
    app.lambda_handler(authorizer_event("Bearer a-secret-of-another-kind"), None)

    lines = capsys.readouterr().out.splitlines()
    logged = [{key: json.loads(line).get(key) for key in ("message", "principal", "request_id")} for line in lines]

    request_id = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
    assert logged == [
        {"message": "request admitted", "principal": issued.token.id, "request_id": request_id},
        {"message": "request denied", "principal": None, "request_id": request_id},
    ]
    assert issued.token.secret not in "".join(lines)
    assert "a-secret-of-another-kind" not in "".join(lines)
