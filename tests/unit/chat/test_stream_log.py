"""Numbered events of a stream: any cut continues without a loss or a repetition."""

from copy import replace
from random import Random

from functions.chat.streaming.log import (
    MAX_CHARACTERS,
    Logged,
    LoggedEvent,
    LoggedText,
    Position,
    after,
    events_of,
    merged,
    parts_of,
    position_after,
    sort_key,
)


def random_log(random: Random) -> list[Logged]:
    """A log of some turns, each with its text in random pieces."""
    log: list[Logged] = []
    for step in range(1, random.randint(2, 8)):
        log.append(LoggedEvent(step, "model_started", f'{{"iteration":{step}}}'))
        characters = 0
        for _ in range(random.randint(0, 6)):
            text = "".join(random.choices("aü\U0001f600 \n", k=random.randint(1, 5)))
            log.append(LoggedText(step, characters, step, text))
            characters += len(text)
    return log


def stored(log: list[Logged], random: Random) -> list[Logged]:
    """The same log as it is stored by flushes at random times."""
    parts: dict[str, str] = {}
    while log:
        size = random.randint(1, len(log))
        parts |= dict(parts_of(merged(log[:size])))
        # A write that seems to have failed is repeated with the next events.
        log = log[size:] if random.random() < 0.7 or size == len(log) else log
    return [each for key in sorted(parts) for each in events_of(parts[key])]


def plain(log: list[Logged]) -> list[Logged]:
    return merged(log)


def test_what_was_received_and_the_rest_are_the_uninterrupted_stream() -> None:
    random = Random(17)  # noqa: S311 (cut positions)
    for _ in range(300):
        log = random_log(random)
        cut = random.randint(0, len(log))
        position = position_after(log[cut - 1]) if cut else Position()
        rest = list(after(stored(log, random), position))

        assert plain([*log[:cut], *rest]) == plain(log)


def test_a_cut_inside_a_stored_text_sends_the_rest_of_it() -> None:
    text = LoggedText(3, 0, 1, "abcdef")

    assert list(after([text], Position(3, 4))) == [replace(text, start=4, text="ef")]
    assert list(after([text], Position(3, 6))) == []


def test_a_long_text_is_stored_in_pieces_below_the_size_of_an_item() -> None:
    text = LoggedText(3, 5, 1, "\x00\U0001f600" * MAX_CHARACTERS)

    parts = dict(parts_of([LoggedEvent(3, "model_started", "{}"), text]))

    assert max(len(content.encode()) for content in parts.values()) < 400_000
    assert merged(each for key in sorted(parts) for each in events_of(parts[key])) == [
        LoggedEvent(3, "model_started", "{}"),
        text,
    ]


def test_the_key_of_a_position_is_not_above_that_of_a_part_with_later_events() -> None:
    [(key, _)] = parts_of([LoggedEvent(3, "model_started", "{}"), LoggedText(3, 0, 1, "abc")])

    assert (
        sort_key(Position(2, 900)) < sort_key(Position(3, 0)) < sort_key(Position(3, 2)) < key < sort_key(Position(4))
    )
