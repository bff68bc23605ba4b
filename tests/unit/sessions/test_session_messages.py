"""Messages of a session: pages and cursors."""

import pytest

from flexchat.errors import RequestError
from tests.unit.sessions.harness import SessionHarness, closed, step_of
from tests.unit.sessions.stored_sessions import create


def test_messages_are_read_oldest_first_in_pages(harness: SessionHarness) -> None:
    for number in range(1, 4):
        harness.chat(f"message {number}", run=f"r{number}", steps=2)

    def read(limit: int) -> list[tuple[int, int, int]]:
        seen: list[tuple[int, int, int]] = []
        cursor = None
        while not seen or cursor:
            page = harness.store.messages(
                "ann", "s1", limit=limit, cursor=cursor, now=harness.now, deadline=harness.deadline
            )
            assert len(page.messages) <= limit
            seen += [(message.turn, message.step, len(message.calls)) for message in page.messages]
            cursor = page.cursor
        return seen

    whole = [(turn, step, calls) for turn in (1, 2, 3) for step, calls in ((0, 0), (1, 1), (2, 1), (9_999, 0))]
    assert read(100) == read(5) == read(4) == read(1) == whole


def test_messages_are_read_from_a_turn_and_a_cursor_continues_after_its_page(harness: SessionHarness) -> None:
    for number in range(1, 4):
        harness.chat(f"message {number}", run=f"r{number}", steps=1)

    def read(from_turn: int, *, limit: int = 9, cursor: str | None = None) -> tuple[list[tuple[int, int]], str | None]:
        page = harness.store.messages(
            "ann", "s1", limit=limit, cursor=cursor, now=harness.now, deadline=harness.deadline, from_turn=from_turn
        )
        return [(message.turn, message.step) for message in page.messages], page.cursor

    last = [(3, 0), (3, 1), (3, 9_999)]
    assert read(3) == (last, None)
    assert read(4) == ([], None)
    beginning, cursor = read(2, limit=2)
    assert beginning == [(2, 0), (2, 1)]
    assert read(1, cursor=cursor) == ([(2, 9_999), *last], None)


def test_a_page_of_long_messages_ends_early(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1")
    for step in range(1, 31):
        conversation.observe(step_of(f"call_{step}", iteration=step, result="x" * 200_000))
    closed(conversation, "Bye")

    first = harness.store.messages("ann", "s1", limit=100, cursor=None, now=harness.now, deadline=harness.deadline)
    second = harness.store.messages(
        "ann", "s1", limit=100, cursor=first.cursor, now=harness.now, deadline=harness.deadline
    )

    assert [message.step for message in first.messages] == [0, 1, 2, 3, 4, 5]
    assert second.messages[0].step == 6


def test_a_session_without_messages_has_an_empty_page(harness: SessionHarness) -> None:
    create(harness)

    page = harness.store.messages("ann", "s1", limit=9, cursor=None, now=harness.now, deadline=harness.deadline)

    assert (page.messages, page.cursor) == ((), None)


def test_a_cursor_of_another_listing_is_rejected(harness: SessionHarness) -> None:
    for number in range(3):
        harness.chat("Hello", run=f"r{number}", session=f"s{number}")
        harness.chat("Hello", run=f"r{number}", session=f"s{number}", owner="bob")
        harness.now += 1
    anns = harness.store.list("ann", limit=1, cursor=None, now=harness.now, deadline=harness.deadline).cursor
    first = harness.store.messages("ann", "s1", limit=1, cursor=None, now=harness.now, deadline=harness.deadline).cursor

    def messages(session_id: str, cursor: str | None) -> object:
        return harness.store.messages(
            "ann", session_id, limit=1, cursor=cursor, now=harness.now, deadline=harness.deadline
        )

    def sessions(owner: str, cursor: str | None) -> object:
        return harness.store.list(owner, limit=1, cursor=cursor, now=harness.now, deadline=harness.deadline)

    sessions("ann", anns)
    messages("s1", first)
    for read_page in (
        lambda: sessions("bob", anns),
        lambda: sessions("ann", first),
        lambda: messages("s2", first),
        lambda: messages("s1", anns),
        lambda: messages("s1", "nonsense"),
        lambda: messages("s1", ""),
    ):
        with pytest.raises(RequestError) as caught:
            read_page()
        assert (caught.value.status, caught.value.code) == (400, "invalid_cursor")


def test_a_cursor_of_a_deleted_session_is_rejected_for_a_new_session_with_its_id(harness: SessionHarness) -> None:
    harness.chat("Hello", run="r1")
    cursor = harness.store.messages(
        "ann", "s1", limit=1, cursor=None, now=harness.now, deadline=harness.deadline
    ).cursor
    harness.store.delete("ann", "s1", deadline=harness.deadline)
    harness.chat("Hello", run="r2")

    with pytest.raises(RequestError, match="cursor is not valid for this listing"):
        harness.store.messages("ann", "s1", limit=1, cursor=cursor, now=harness.now, deadline=harness.deadline)
