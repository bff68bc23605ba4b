import json
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner, Result

from cli.commands.tokens import app
from cli.errors import UnknownNameError
from flexchat.aws.parameters import operator_store
from flexchat.aws.tokens import TokenStore
from flexchat.config.parameters import split
from flexchat.messages import Json
from flexchat.tokens import Token, issue
from tests.unit.config.sources import source

pytestmark = pytest.mark.usefixtures("store")
"""Every command meets the table of this process."""


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_a_created_token_is_the_only_standard_output_and_is_valid(store: TokenStore) -> None:
    result = _run("create", "--stage", "test", "--name", "laptop", "--days", "7")

    token = Token.parse(result.stdout.strip())
    assert (result.exit_code, token is not None) == (0, True)
    assert token is not None
    (record,) = store.list()
    assert record.admits(token, now=datetime.now(UTC))
    assert (record.name, record.roles, record.expires_at - record.created_at) == (
        "laptop",
        ("user",),
        timedelta(days=7),
    )
    assert "cannot be shown again" in result.stderr


def test_a_created_token_is_printed_as_json(store: TokenStore) -> None:
    result = _run("create", "--stage", "test", "--name", "ops", "--role", "operator", "--role", "user", "--json")

    (record,) = store.list()
    shown = json.loads(result.stdout)
    token = Token.parse(shown.pop("token"))
    assert token is not None
    assert record.admits(token, now=datetime.now(UTC))
    assert shown == {
        "id": record.id,
        "name": "ops",
        "roles": ["user", "operator"],
        "hint": token.secret[-4:],
        "created_at": record.created_at.isoformat(),
        "expires_at": record.expires_at.isoformat(),
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("--name", ""),
        ("--name", "x" * 65),
        ("--name", "two\nlines"),
        ("--name", " spaced"),
        ("--name", "x", "--role", "No role"),
        ("--name", "x", "--days", "0"),
        ("--name", "x", "--days", "99999"),
        (),
    ],
)
def test_invalid_token_options_are_rejected(store: TokenStore, arguments: tuple[str, ...]) -> None:
    result = _run("create", "--stage", "test", *arguments)

    assert (result.exit_code, result.stdout, store.list()) == (2, "", ())


def test_a_token_has_a_role_of_the_published_configuration(store: TokenStore) -> None:
    publish({**source(), "roles": {"support": {}}})

    created = _run("create", "--stage", "test", "--name", "desk", "--role", "service", "--role", "support")
    refused = _run("create", "--stage", "test", "--name", "desk", "--role", "suport")

    assert created.exit_code == 0, created.stderr
    assert [record.roles for record in store.list()] == [("service", "support")]
    assert isinstance(refused.exception, UnknownNameError)
    assert str(refused.exception).startswith(
        "the configuration of stage 'test' has no role 'suport'; it has: 'support'"
    )


def publish(document: dict[str, Json]) -> None:
    for name, value in split(document, stage="test").items():
        operator_store().put(name, value)


def test_valid_tokens_are_listed_without_their_secrets(store: TokenStore) -> None:
    now = datetime.now(UTC)
    live = issue(name="laptop", roles=("user",), lifetime=timedelta(days=1), now=now)
    expired = issue(name="old", roles=("user",), lifetime=timedelta(seconds=-1), now=now)
    store.put(live.record)
    store.put(expired.record)

    result = _run("list", "--stage", "test")

    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == [live.record.id]
    assert f"…{live.record.hint}" in result.stdout
    assert "laptop" in result.stdout
    assert live.token.secret not in result.stdout


def test_valid_tokens_are_listed_as_json(store: TokenStore) -> None:
    record = issue(name="laptop", roles=("user",), lifetime=timedelta(days=1), now=datetime.now(UTC)).record
    store.put(record)

    assert json.loads(_run("list", "--stage", "test", "--json").stdout) == [
        {
            "id": record.id,
            "name": "laptop",
            "roles": ["user"],
            "hint": record.hint,
            "created_at": record.created_at.isoformat(),
            "expires_at": record.expires_at.isoformat(),
        }
    ]


def test_without_tokens_the_command_that_creates_one_is_printed() -> None:
    result = _run("list", "--stage", "test")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "flexchat tokens create" in result.stderr


def test_a_token_is_revoked_by_its_id(store: TokenStore) -> None:
    record = issue(name="laptop", roles=("user",), lifetime=timedelta(days=1), now=datetime.now(UTC)).record
    store.put(record)

    result = _run("revoke", record.id, "--stage", "test")

    assert (result.exit_code, store.list()) == (0, ())


def test_revoking_a_missing_token_is_an_error() -> None:
    result = _run("revoke", "abcdefghjk", "--stage", "test")

    assert result.exit_code == 1
    assert str(result.exception) == "stage 'test' has no token 'abcdefghjk'; it has: none"


def test_a_stage_that_is_not_deployed_is_reported() -> None:
    result = _run("list", "--stage", "nowhere")

    assert isinstance(result.exception, UnknownNameError)
    assert "no deployed stage 'nowhere'" in str(result.exception)
