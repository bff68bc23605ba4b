"""Session store: list, read and rename, limited to the owner's sessions."""

import pytest

from flexchat.errors import ConfigError, UnavailableError
from flexchat.sessions import SessionNotFoundError
from functions.chat.sessions.store.sessions import SessionStore
from tests.unit.runs.table import CHATS
from tests.unit.sessions.clients import Counting, FailingClient, throttled
from tests.unit.sessions.harness import NOW, SessionHarness, closed
from tests.unit.sessions.stored_sessions import DAY, create, listed


def test_a_new_session_is_read_as_it_was_created(harness: SessionHarness) -> None:
    session = create(harness)

    assert harness.store.get("ann", "s1", now=harness.now, deadline=harness.deadline) == session
    assert (session.title, session.topic, session.turns, session.lock_run) == ("Plans", None, 0, None)


def test_an_existing_id_is_not_created_again(harness: SessionHarness) -> None:
    create(harness)

    with pytest.raises(UnavailableError, match="ConditionalCheckFailed"):
        create(harness)


def test_a_session_without_a_title_gets_that_of_its_first_message_only(harness: SessionHarness) -> None:
    create(harness, title=None)
    harness.chat("Where to\n go in   summer?", run="r1")
    harness.chat("And in winter?", run="r2")

    assert harness.store.get("ann", "s1", now=harness.now, deadline=harness.deadline).title == "Where to go in summer?"


def test_sessions_are_listed_by_last_change_newest_first(harness: SessionHarness) -> None:
    for name in ("a", "b", "c"):
        create(harness, name)
        harness.now += 1
    harness.chat("Hello", run="r1", session="a")

    assert listed(harness) == ["a", "c", "b"]


def test_the_list_continues_at_its_cursor(harness: SessionHarness) -> None:
    for number in range(7):
        create(harness, f"s{number}")
        harness.now += 1
    seen: list[str] = []
    cursor = None
    pages = 0
    while pages == 0 or cursor:
        page = harness.store.list("ann", limit=3, cursor=cursor, now=harness.now, deadline=harness.deadline)
        seen += [session.id for session in page.sessions]
        cursor = page.cursor
        pages += 1

    assert seen == ["s6", "s5", "s4", "s3", "s2", "s1", "s0"]
    assert pages == 3


def test_a_last_page_that_is_full_has_no_cursor(harness: SessionHarness) -> None:
    for number in range(3):
        create(harness, f"s{number}")

    assert harness.store.list("ann", limit=3, cursor=None, now=harness.now, deadline=harness.deadline).cursor is None


def test_expired_sessions_are_neither_listed_nor_read_nor_renamed(harness: SessionHarness) -> None:
    create(harness, "old")
    harness.now += DAY - 10
    create(harness, "new")
    harness.now += 60

    assert listed(harness) == ["new"]
    for read_page in (
        lambda: harness.store.get("ann", "old", now=harness.now, deadline=harness.deadline),
        lambda: harness.store.rename("ann", "old", "x", now=harness.now, deadline=harness.deadline),
        lambda: harness.store.messages("ann", "old", limit=9, cursor=None, now=harness.now, deadline=harness.deadline),
    ):
        with pytest.raises(SessionNotFoundError):
            read_page()


def test_sessions_of_another_owner_are_missing(harness: SessionHarness) -> None:
    harness.chat("secret", run="r1", session="s1", owner="ann")
    harness.chat("mine", run="r2", session="s2", owner="bob")

    assert (listed(harness, owner="ann"), listed(harness, owner="bob")) == (["s1"], ["s2"])
    for read_page in (
        lambda: harness.store.get("bob", "s1", now=harness.now, deadline=harness.deadline),
        lambda: harness.store.rename("bob", "s1", "x", now=harness.now, deadline=harness.deadline),
        lambda: harness.store.messages("bob", "s1", limit=9, cursor=None, now=harness.now, deadline=harness.deadline),
        lambda: harness.store.delete("bob", "s1", deadline=harness.deadline),
    ):
        with pytest.raises(SessionNotFoundError) as caught:
            read_page()
        assert (caught.value.status, caught.value.code) == (404, "session_not_found")
    assert len(harness.history()) == 2


def test_other_items_of_an_owner_are_not_listed_as_sessions(harness: SessionHarness) -> None:
    harness.client.put_item(
        TableName=CHATS,
        Item={
            "pk": {"S": "R#ann#run1"},
            "sk": {"S": "META"},
            "owner": {"S": "ann"},
            "updated_at": {"S": "2030-01-01T00:00:00.000000+00:00"},
            "expires_at": {"N": str(int(NOW) + DAY)},
        },
    )

    assert listed(harness) == []


def test_a_renamed_session_has_the_same_position_in_the_list(harness: SessionHarness) -> None:
    created = create(harness)
    harness.now += 5

    renamed = harness.store.rename("ann", "s1", "Holidays \ud800", now=harness.now, deadline=harness.deadline)

    assert (renamed.title, renamed.updated_at) == ("Holidays ?", created.updated_at)
    assert harness.store.get("ann", "s1", now=harness.now, deadline=harness.deadline) == renamed


def test_a_session_can_be_renamed_while_a_chat_is_running(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1")
    harness.store.rename("ann", "s1", "Holidays", now=harness.now, deadline=harness.deadline)

    assert closed(conversation, "Bye").saved
    assert harness.store.get("ann", "s1", now=harness.now, deadline=harness.deadline).title == "Holidays"


def test_a_missing_session_is_neither_renamed_nor_deleted(harness: SessionHarness) -> None:
    with pytest.raises(SessionNotFoundError):
        harness.store.rename("ann", "s1", "x", now=harness.now, deadline=harness.deadline)
    with pytest.raises(SessionNotFoundError):
        harness.store.delete("ann", "s1", deadline=harness.deadline)


@pytest.mark.parametrize("operation", ["get", "list", "messages", "rename", "delete", "create"])
def test_a_missing_table_is_a_configuration_error(harness: SessionHarness, operation: str) -> None:
    store = SessionStore(harness.client, "flexchat-nowhere-chats")
    now, deadline = harness.now, harness.deadline
    calls = {
        "get": lambda: store.get("ann", "s1", now=now, deadline=deadline),
        "list": lambda: store.list("ann", limit=1, cursor=None, now=now, deadline=deadline),
        "messages": lambda: store.messages("ann", "s1", limit=1, cursor=None, now=now, deadline=deadline),
        "rename": lambda: store.rename("ann", "s1", "x", now=now, deadline=deadline),
        "delete": lambda: store.delete("ann", "s1", deadline=deadline),
        "create": lambda: store.create("ann", "s1", title=None, now=now, expires_at=int(now) + 1, deadline=deadline),
    }

    with pytest.raises(ConfigError, match="flexchat-nowhere-chats: table not found"):
        calls[operation]()


@pytest.mark.parametrize("operation", ["get_item", "query", "update_item", "delete_item"])
def test_a_throttled_table_is_unavailable(harness: SessionHarness, operation: str) -> None:
    store = SessionStore(FailingClient(harness.client, operation, throttled()).as_client(), CHATS)
    now, deadline = harness.now, harness.deadline

    def everything() -> None:
        store.get("ann", "s1", now=now, deadline=deadline)
        store.list("ann", limit=1, cursor=None, now=now, deadline=deadline)
        store.rename("ann", "s1", "x", now=now, deadline=deadline)
        store.delete("ann", "s1", deadline=deadline)

    create(harness)
    with pytest.raises(UnavailableError, match="ThrottlingException"):
        everything()


def test_a_list_reads_only_the_required_pages(harness: SessionHarness) -> None:
    for number in range(5):
        create(harness, f"s{number}")
    counting = Counting(harness.client, "query")

    SessionStore(counting.as_client(), CHATS).list(
        "ann", limit=2, cursor=None, now=harness.now, deadline=harness.deadline
    )

    assert counting.calls == 1
