"""Search over sessions: words, excerpts, and what a search reads."""

from collections.abc import Iterator

import pytest

from flexchat.api.sessions import TextPart
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.messages import Message, Text, user
from flexchat.sessions import RecordedMessage, Session
from functions.chat.sessions.search import (
    EXCERPT_CHARACTERS,
    MAX_WORDS,
    PARALLEL_READS,
    excerpt,
    folded,
    marked,
    match_of,
    read_words,
    search,
)
from tests.clock import Clock


def session(title: str | None, name: str = "s1") -> Session:
    return Session(name, "ann", "i1", title, None, 1, "t", "t", 9)


def messages(*texts: str) -> list[RecordedMessage]:
    """Messages of turns 1, 2, …, alternately of the user and the assistant."""
    return [
        RecordedMessage(
            1 + place // 2, 0, "t", user(text) if place % 2 == 0 else Message("assistant", (Text(text),)), 9
        )
        for place, text in enumerate(texts)
    ]


def shown(parts: tuple[TextPart, ...]) -> str:
    """Parts as one text, with brackets around marked ones."""
    return "".join(f"[{part.text}]" if part.marked else part.text for part in parts)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Straße", "STRASSE"),
        ("STRASSE", "straße"),
        ("Übung", "übung"),
        ("U\u0308bung", "Übung"),
        ("\uff26\uff4c\uff45\uff58", "flex"),
        ("ﬁnd", "find"),
        ("ΟΔΟΣ", "οδος"),
        ("東京の天気", "天気"),
        ("don't", "don't"),
    ],
)
def test_words_match_regardless_of_case_and_form(text: str, query: str) -> None:
    match = match_of(session(text), read_words(query), lambda _session: ())

    assert match is not None
    assert [part.marked for part in match.title].count(True) == 1


def test_every_word_must_be_in_the_title_or_a_message() -> None:
    recorded = messages("Where is the kettle?", "In the kitchen.")

    found = match_of(session("Tea"), read_words("tea kitchen"), lambda _session: recorded)
    assert found is not None
    assert (shown(found.title), found.turn, found.role, shown(found.message)) == (
        "[Tea]",
        1,
        "assistant",
        "In the [kitchen].",
    )
    assert match_of(session("Tea"), read_words("tea garden"), lambda _session: recorded) is None


def test_the_message_with_most_words_is_shown() -> None:
    recorded = messages("red", "blue red", "blue")

    found = match_of(session("x"), read_words("red blue"), lambda _session: recorded)

    assert found is not None
    assert shown(found.message) == "[blue] [red]"


def test_messages_are_not_read_for_a_title_with_all_words() -> None:
    def read(_session: Session) -> Iterator[RecordedMessage]:
        raise AssertionError

    found = match_of(session("Trip to Rome"), read_words("rome trip"), read)

    assert found is not None
    assert (shown(found.title), found.turn, found.message) == ("[Trip] to [Rome]", None, ())


def test_excerpt_begins_near_the_first_word_and_is_one_line() -> None:
    text = "word " * 100 + "the needle\nis here " + "more " * 200

    parts = excerpt(text, ("needle",))

    assert shown(parts).startswith("…word word")
    assert "the [needle] is here" in shown(parts)
    assert shown(parts).endswith("…")
    assert len("".join(part.text for part in parts)) <= EXCERPT_CHARACTERS + 2


def test_excerpt_of_a_long_text_in_another_script_is_found() -> None:
    text = "я" * 300_000 + " Москва " + "я" * 300_000

    assert "[Москва]" in shown(excerpt(text, ("москва",)))


def test_overlapping_words_are_marked_once() -> None:
    assert shown(marked("foobar", ("foob", "obar"))) == "[foobar]"
    assert shown(marked("aaa", ("a",))) == "[a][a][a]"


def test_markup_in_a_text_stays_text() -> None:
    assert shown(marked("<b>bold</b>", ("bold",))) == "<b>[bold]</b>"


@pytest.mark.parametrize("query", ["", "   ", "\u3000"])
def test_query_without_words_is_rejected(query: str) -> None:
    with pytest.raises(RequestError, match="white space"):
        read_words(query)


def test_query_with_too_many_words_is_rejected() -> None:
    with pytest.raises(RequestError, match="at most 16"):
        read_words(" ".join(map(str, range(MAX_WORDS + 1))))


def test_words_are_folded_and_different() -> None:
    assert read_words("Rome ROME rom") == ("rome", "rom")
    assert folded("ẞ") == "ss"


def test_search_ends_after_a_batch_at_its_deadline() -> None:
    clock = Clock()
    sessions = (session("x", f"s{number}") for number in range(3 * PARALLEL_READS))

    found = list(search(sessions, ("x",), lambda _session: (), deadline=Deadline.after(0, clock=clock)))

    assert [each.session.id for each in found] == [f"s{number}" for number in range(PARALLEL_READS)]
    assert next(sessions).id == f"s{PARALLEL_READS}"
