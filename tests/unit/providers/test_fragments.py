from collections.abc import Mapping

import pytest

from flexchat.messages import Json
from functions.chat.providers.fragments import FragmentCache, to_json

type Item = Mapping[str, Json]


class Writer:
    """Writes JSON and counts how often."""

    def __init__(self) -> None:
        self.written: list[Item] = []

    def __call__(self, item: Item) -> bytes:
        self.written.append(item)
        return to_json(dict(item))


@pytest.mark.parametrize(
    ("value", "json"),
    [
        ({"a": [1, 2.5, None, True]}, b'{"a":[1,2.5,null,true]}'),
        ("Grüße 👋", '"Grüße 👋"'.encode()),
        ("half \ud83d pair", b'"half ? pair"'),
        ('"\\\n\x00', b'"\\"\\\\\\n\\u0000"'),
    ],
)
def test_json_is_compact_utf8(value: Json, json: bytes) -> None:
    assert to_json(value) == json


def test_each_object_is_written_once() -> None:
    writer = Writer()
    cache = FragmentCache[Item](writer)
    first, second, third = {"n": 1}, {"n": 2}, {"n": 1}

    cache.join([first, second])

    assert cache.join([first, second, third]) == b'[{"n":1},{"n":2},{"n":1}]'
    assert writer.written == [first, second, third]


def test_an_item_without_json_leaves_no_gap() -> None:
    cache = FragmentCache[bytes](lambda item: item)

    assert cache.join([b"1", b"", b"2"]) == b"[1,2]"
    assert cache.join([]) == b"[]"


def test_a_full_cache_starts_afresh_and_keeps_its_bound() -> None:
    writer = Writer()
    cache = FragmentCache[Item](writer, limit_bytes=16)
    first, second, third = {"n": 1}, {"n": 2}, {"n": 3}

    assert cache.join([first, second, third]) == b'[{"n":1},{"n":2},{"n":3}]'
    cache.join([third])
    cache.join([first])

    assert writer.written == [first, second, third, first]
