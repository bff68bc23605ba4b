import re
from copy import replace
from datetime import UTC, datetime, timedelta

import pytest

from flexchat.tokens import Token, issue, tokens_table

NOW = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_token_is_parsed_to_its_id_and_secret() -> None:
    issued = issue(name="laptop", roles=("user",), lifetime=DAY, now=NOW)

    assert Token.parse(issued.token.reveal()) == issued.token
    assert re.fullmatch(r"fc_[a-z2-9]{10}_[A-Za-z0-9_-]{43}", issued.token.reveal())


def test_a_record_contains_the_hash_and_not_the_token() -> None:
    issued = issue(name="laptop", roles=("user", "operator"), lifetime=DAY, now=NOW)
    record = issued.record

    assert (record.id, record.name, record.roles) == (issued.token.id, "laptop", ("user", "operator"))
    assert record.created_at == datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert record.expires_at == datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert record.hint == issued.token.secret[-4:]
    assert issued.token.secret.encode() not in record.digest + record.salt


def test_repr_contains_neither_the_secret_nor_its_hash() -> None:
    issued = issue(name="laptop", roles=("user",), lifetime=DAY, now=NOW)

    shown = repr(issued)

    assert issued.token.secret not in shown
    assert repr(issued.record.digest) not in shown


def test_every_hash_has_a_unique_salt() -> None:
    first = issue(name="a", roles=("user",), lifetime=DAY, now=NOW)
    second = issue(name="a", roles=("user",), lifetime=DAY, now=NOW)

    assert first.record.salt != second.record.salt
    assert not replace(first.record, salt=second.record.salt).admits(first.token, now=NOW)


def test_a_record_accepts_its_own_token_until_it_expires() -> None:
    issued = issue(name="laptop", roles=("user",), lifetime=DAY, now=NOW)
    last_moment = issued.record.expires_at - timedelta(microseconds=1)

    assert issued.record.admits(issued.token, now=last_moment)
    assert not issued.record.admits(issued.token, now=issued.record.expires_at)


@pytest.mark.parametrize("flaw", ["other secret", "other id", "secret cut short", "empty secret"])
def test_a_record_rejects_any_other_token(flaw: str) -> None:
    issued = issue(name="laptop", roles=("user",), lifetime=DAY, now=NOW)
    other = issue(name="other", roles=("user",), lifetime=DAY, now=NOW)
    forged = {
        "other secret": replace(issued.token, secret=other.token.secret),
        "other id": replace(issued.token, id=other.token.id),
        "secret cut short": replace(issued.token, secret=issued.token.secret[:-1]),
        "empty secret": replace(issued.token, secret=""),
    }[flaw]

    assert not issued.record.admits(forged, now=NOW)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fc_",
        "fc_abcdefghjk_",
        "fc_abcdefghjk_" + "s" * 42,
        "fc_abcdefghjk_" + "s" * 44,
        "fc_abcdefghj_" + "s" * 43,
        "fc_ABCDEFGHJK_" + "s" * 43,
        "fc_abcdefghjk_" + "s" * 42 + "=",
        "fc_abcdefghjk_" + "s" * 42 + "ß",
        "fc_abcdefghjk_" + "s" * 43 + "\n",
        " fc_abcdefghjk_" + "s" * 43,
        "xx_abcdefghjk_" + "s" * 43,
    ],
)
def test_an_invalid_token_is_not_parsed(text: str) -> None:
    assert Token.parse(text) is None


def test_the_table_name_contains_the_stage() -> None:
    assert tokens_table("dev") == "flexchat-dev-tokens"
