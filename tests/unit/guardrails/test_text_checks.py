"""Checks of whole and of streamed texts: pieces, replaced texts, and what is passed on."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.deadline import Deadline
from flexchat.messages import Message, ProviderState, Reasoning, Text, ToolCall
from functions.chat.generation.checks import (
    BLOCKED_INPUT,
    BLOCKED_OUTPUT,
    MAX_CHECKED_CHARACTERS,
    UNCHECKED,
    BlockedError,
    TextChecks,
    checked_message,
)
from functions.chat.generation.events import Event, GuardrailFinished, WarningRaised
from functions.chat.guardrails.base import GuardrailError, NamedGuardrail, TextSource, Verdict
from functions.chat.providers.base import ArgumentsDelta, CallDelta, Delta, TextDelta

ALLOWED = Verdict(action="allowed", units=1)

type Decide = Callable[[str], Verdict]


class FakeGuardrail:
    """Guardrail that decides in process; `seen` are the checked texts."""

    def __init__(self, decide: Decide) -> None:
        self.decide = decide
        self.seen: list[str] = []

    def check(self, text: str, source: TextSource, *, deadline: Deadline) -> Verdict:
        self.seen.append(text)
        return self.decide(text)


def blocks(word: str) -> Decide:
    return lambda text: Verdict(action="blocked", policies=("word",)) if word in text else ALLOWED


def masks(word: str) -> Decide:
    return lambda text: Verdict(action="masked", text=text.replace(word, "***")) if word in text else ALLOWED


def fails(_text: str) -> Verdict:
    raise GuardrailError("timeout")


def checks_of(
    *guardrails: FakeGuardrail, source: TextSource = "output", chunk: int = 40, **fields: Any
) -> tuple[TextChecks, list[Event]]:
    events: list[Event] = []
    config = GuardrailConfig.model_validate({"type": "http", "url": "https://hook.example.com", **fields})
    named = tuple(NamedGuardrail(f"g{number}", config, each) for number, each in enumerate(guardrails, 1))
    deadline = Deadline.after(60)
    checks = TextChecks(guardrails=named, source=source, deadline=deadline, emit=events.append, chunk_characters=chunk)
    return checks, events


def test_the_end_of_each_check_is_an_event_without_the_text() -> None:
    checks, events = checks_of(FakeGuardrail(masks("canary")))

    assert checks.check("a canary here", iteration=2) == "a *** here"
    (event,) = events
    assert isinstance(event, GuardrailFinished)
    assert (event.name, event.type, event.source, event.verdict, event.iteration) == (
        "g1",
        "http",
        "output",
        "masked",
        2,
    )
    assert "canary" not in repr(event)


def test_the_second_guardrail_checks_what_the_first_one_returned() -> None:
    first, second = FakeGuardrail(masks("canary")), FakeGuardrail(blocks("canary"))
    checks, events = checks_of(first, second)

    assert checks.check("a canary") == "a ***"
    assert (first.seen, second.seen, len(events)) == (["a canary"], ["a ***"], 2)


def test_nothing_is_checked_after_a_block() -> None:
    second = FakeGuardrail(blocks("x"))
    checks, _ = checks_of(FakeGuardrail(blocks("canary")), second)

    with pytest.raises(BlockedError):
        checks.check("a canary")
    assert second.seen == []


@pytest.mark.parametrize(
    ("source", "own", "fields", "expected"),
    [
        ("input", "", {}, BLOCKED_INPUT),
        ("output", "", {}, BLOCKED_OUTPUT),
        ("output", "From the guardrail.", {}, "From the guardrail."),
        ("output", "From the guardrail.", {"message": "Ours."}, "Ours."),
    ],
)
def test_a_blocked_text_is_replaced_by_a_message(
    source: TextSource, own: str, fields: dict[str, Any], expected: str
) -> None:
    guardrail = FakeGuardrail(lambda _text: Verdict(action="blocked", message=own))
    checks, _ = checks_of(guardrail, source=source, **fields)

    with pytest.raises(BlockedError) as blocked:
        checks.check("anything")
    assert blocked.value.answer == expected
    assert "anything" not in str(blocked.value)


def test_a_failed_check_blocks_by_default() -> None:
    checks, events = checks_of(FakeGuardrail(fails))

    with pytest.raises(BlockedError) as blocked:
        checks.check("anything")
    assert blocked.value.answer == UNCHECKED
    assert [(e.verdict, e.error) for e in events if isinstance(e, GuardrailFinished)] == [("failed", "timeout")]


def test_a_failed_check_may_allow_the_text_with_a_warning() -> None:
    checks, events = checks_of(FakeGuardrail(fails), on_error="allow")

    assert checks.check("anything") == "anything"
    assert events[1:] == [WarningRaised("the guardrail 'g1' could not check a part of the answer")]


def test_an_empty_text_is_not_checked() -> None:
    guardrail = FakeGuardrail(fails)

    assert (checks_of(guardrail)[0].check(" \n"), guardrail.seen) == (" \n", [])


def test_a_long_text_is_checked_in_pieces_of_the_largest_request() -> None:
    guardrail = FakeGuardrail(masks("canary"))
    text = "One sentence with a word. " * 3_000 + "canary"
    checks, _ = checks_of(guardrail)

    assert checks.check(text) == text.replace("canary", "***")
    assert max(map(len, guardrail.seen)) <= MAX_CHECKED_CHARACTERS
    assert len(guardrail.seen) == 4


def streamed(checks: TextChecks, deltas: list[Delta], text: str) -> tuple[str | None, list[Delta]]:
    """Return the checked text, None for a blocked one, and the deltas that were passed on."""
    passed: list[Delta] = []
    stream = checks.stream(passed.append, 1)
    try:
        for delta in deltas:
            stream(delta)
        return stream.finish(text), passed
    except BlockedError:
        return None, passed


def words(text: str) -> list[Delta]:
    return [TextDelta(part) for part in text.replace(" ", " \0").split("\0") if part]


SENTENCES = "First sentence here. Second one is here too. And here is the third one. Last."


def test_a_streamed_text_is_passed_on_by_sentences_after_their_check() -> None:
    guardrail = FakeGuardrail(lambda _text: ALLOWED)
    text, passed = streamed(checks_of(guardrail)[0], words(SENTENCES), SENTENCES)

    assert text == SENTENCES
    assert passed == [
        TextDelta("First sentence here. "),
        TextDelta("Second one is here too. "),
        TextDelta("And here is the third one. Last."),
    ]
    assert guardrail.seen == [each.text.strip() for each in passed if isinstance(each, TextDelta)]


@pytest.mark.parametrize(
    ("word", "shown"),
    [("First", ""), ("Second", "First sentence here. "), ("Last", "First sentence here. Second one is here too. ")],
)
def test_nothing_from_a_blocked_piece_on_is_passed_on(word: str, shown: str) -> None:
    text, passed = streamed(checks_of(FakeGuardrail(blocks(word)))[0], words(SENTENCES), SENTENCES)

    assert (text, "".join(each.text for each in passed if isinstance(each, TextDelta))) == (None, shown)


def test_a_blocked_stream_stays_blocked() -> None:
    guardrail, passed = FakeGuardrail(blocks("canary")), list[Delta]()
    stream = checks_of(guardrail)[0].stream(passed.append, 1)
    long = "canary " * 20

    for _ in range(3):
        with pytest.raises(BlockedError):
            stream(TextDelta(long))
    with pytest.raises(BlockedError):
        stream.finish(long)
    assert (passed, len(guardrail.seen)) == ([], 1)


def test_masked_pieces_keep_the_white_space_between_them() -> None:
    text = "My name is Ada. My mail is ada. \n\n ada again."
    checked, passed = streamed(checks_of(FakeGuardrail(masks("ada")), chunk=50)[0], words(text), text)

    assert checked == "".join(each.text for each in passed if isinstance(each, TextDelta))
    assert checked == text.replace("ada", "***")


def test_a_call_follows_the_whole_text_before_it() -> None:
    deltas: list[Delta] = [TextDelta("Let me see."), CallDelta(0, "calculate"), ArgumentsDelta(0, "{}")]
    text, passed = streamed(checks_of(FakeGuardrail(lambda _text: ALLOWED))[0], deltas, "Let me see.")

    assert (text, passed) == ("Let me see.", deltas)


def test_a_text_that_was_not_streamed_is_checked_as_a_whole() -> None:
    guardrail = FakeGuardrail(blocks("canary"))

    assert streamed(checks_of(guardrail)[0], [], "a canary") == (None, [])
    assert streamed(checks_of(guardrail)[0], [TextDelta("other")], "a canary") == (None, [TextDelta("other")])


def test_any_division_into_deltas_gives_the_same_text_in_bounded_pieces() -> None:
    random, guardrail = Random(5), FakeGuardrail(lambda _text: ALLOWED)  # noqa: S311 (texts of a test)
    for _ in range(200):
        text = "".join(random.choice(["word ", "end. ", "\n", "Satz! ", "x" * 60, "\u3002"]) for _ in range(30))
        cuts = sorted({0, len(text), *(random.randrange(len(text) + 1) for _ in range(10))})
        deltas: list[Delta] = [TextDelta(text[start:end]) for start, end in pairwise(cuts)]
        checked, passed = streamed(checks_of(guardrail)[0], deltas, text)
        assert checked == text == "".join(each.text for each in passed if isinstance(each, TextDelta))
    assert max(map(len, guardrail.seen)) <= 40


def test_a_replaced_message_keeps_its_calls_and_shows_no_reasoning() -> None:
    reasoning, call = Reasoning(ProviderState("anthropic", {"sig": 1}), "hm"), ToolCall("c", "t", {}, "{}")
    message = Message("assistant", (reasoning, Text("one "), call, Text("two")))

    hidden = Reasoning(ProviderState("anthropic", {"sig": 1}))
    assert checked_message(message, "one two").parts == (hidden, Text("one "), call, Text("two"))
    assert checked_message(message, "***").parts == (hidden, Text("***"), call)
    assert checked_message(message, "").parts == (hidden, call)
    assert checked_message(Message("assistant", (call,)), "***").parts == (call, Text("***"))
