"""Deletion of a session with all its items."""

import pytest

from flexchat.errors import UnavailableError
from functions.chat.sessions.store.sessions import SessionStore
from tests.unit.runs.table import CHATS
from tests.unit.sessions.clients import FailingClient, InterferingClient, PartialBatchClient, throttled
from tests.unit.sessions.harness import SessionHarness
from tests.unit.sessions.stored_sessions import listed

pytestmark = pytest.mark.slow


def test_a_deleted_session_loses_all_its_items_and_a_new_one_with_its_id_is_empty(harness: SessionHarness) -> None:
    harness.chat("one", run="r1", steps=30)
    harness.chat("other", run="r2", session="s2")

    harness.store.delete("ann", "s1", deadline=harness.deadline)

    assert listed(harness) == ["s2"]
    pks = {item["pk"].get("S") for item in harness.client.scan(TableName=CHATS)["Items"]}
    assert pks == {"S#ann#s2"}
    assert harness.history() == ()


def test_a_session_created_during_the_deletion_of_its_predecessor_is_not_deleted(harness: SessionHarness) -> None:
    harness.chat("one", run="r1", steps=30)
    meddling = InterferingClient(harness.client, lambda: harness.chat("two", run="r2"), operation="query")

    SessionStore(meddling.as_client(), CHATS).delete("ann", "s1", deadline=harness.deadline)

    assert [message.text for message in harness.history()] == ["two", "TWO"]
    assert harness.client.scan(TableName=CHATS)["Count"] == 3


def test_an_incomplete_deletion_continues_when_repeated(harness: SessionHarness) -> None:
    harness.chat("one", run="r1", steps=30)
    refusing = FailingClient(harness.client, "batch_write_item", throttled(), after=1)

    with pytest.raises(UnavailableError):
        SessionStore(refusing.as_client(), CHATS).delete("ann", "s1", deadline=harness.deadline)
    assert listed(harness) == []
    harness.store.delete("ann", "s1", deadline=harness.deadline)

    assert harness.client.scan(TableName=CHATS)["Count"] == 0


def test_unprocessed_deletions_are_retried(harness: SessionHarness) -> None:
    harness.chat("one", run="r1", steps=30)
    reluctant = PartialBatchClient(harness.client)

    SessionStore(reluctant.as_client(), CHATS).delete("ann", "s1", deadline=harness.deadline)

    assert harness.client.scan(TableName=CHATS)["Count"] == 0
    assert reluctant.calls > 3


def test_deletions_that_stay_unprocessed_are_abandoned(harness: SessionHarness) -> None:
    harness.chat("one", run="r1")
    stubborn = PartialBatchClient(harness.client, takes=0)

    with pytest.raises(UnavailableError, match="processes no items"):
        SessionStore(stubborn.as_client(), CHATS).delete("ann", "s1", deadline=harness.deadline)

    assert stubborn.calls == 8
