"""Limits of the process that reads a document."""

import faulthandler
import itertools
import os
import signal
from collections.abc import Callable

import pytest

from flexchat.bounded_reading import MAX_MEGABYTES, BoundedReader, ReadError, ReadLimits


def refuse(_: bytes) -> bytes:
    raise ValueError("not a document")


def compute(_: bytes) -> bytes:
    for _number in itertools.count():
        pass
    return b""


def allocate(_: bytes) -> bytes:
    return bytes(200 * 1024 * 1024)


def crash(_: bytes) -> bytes:
    faulthandler.disable()  # pytest's, which would print the stack
    os.kill(os.getpid(), signal.SIGABRT)
    return b""


MEMORY = "reading it takes more than 129 MB of memory, or crashes its parser; simplify or split it"


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (refuse, "not a document"),
        (allocate, MEMORY),
        (crash, MEMORY),
        (compute, "reading it takes more than 2.0 seconds of processor time; simplify or split it"),
    ],
)
def test_a_refused_document_names_its_limit_and_the_next_one_is_read(
    work: Callable[[bytes], bytes], message: str
) -> None:
    reader = BoundedReader(lambda document: work(document) if document == b"bad" else document, preload=lambda: None)
    assert reader(b"good") == b"good"

    with pytest.raises(ReadError) as refused:
        reader(b"bad")

    assert str(refused.value) == message
    assert reader(b"good") == b"good"


def test_no_document_is_read_without_time() -> None:
    reader = BoundedReader(lambda _: pytest.fail("read"), preload=lambda: None)

    with pytest.raises(ReadError, match="no time is left to read it"):
        reader(b"", seconds=0.0)


def test_a_document_may_use_the_memory_of_the_limit_again_after_another() -> None:
    reader = BoundedReader(lambda _: bytes(bytearray(40 * 1024 * 1024))[:1], preload=lambda: None)

    assert [reader(b"x") for _ in range(8)] == [b"\0"] * 8


def test_a_packed_document_takes_at_most_the_memory_of_a_function() -> None:
    more = (MAX_MEGABYTES + 100) * 1024 * 1024
    reader = BoundedReader(lambda _: bytes(bytearray(more))[:1], preload=lambda: None, expansion=4)

    with pytest.raises(ReadError, match=f"more than {MAX_MEGABYTES} MB of memory"):
        reader(bytes(20_000_000))


def test_the_limits_grow_linearly_with_the_document_up_to_the_memory_of_a_function() -> None:
    sizes = (0, 1024 * 1024, 32 * 1024 * 1024, 64 * 1024 * 1024)

    assert [ReadLimits.of(size) for size in sizes] == [
        ReadLimits(2.0, 128),
        ReadLimits(3.0, 144),
        ReadLimits(34.0, MAX_MEGABYTES),
        ReadLimits(66.0, MAX_MEGABYTES),
    ]
