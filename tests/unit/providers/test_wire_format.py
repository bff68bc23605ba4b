import pytest

from flexchat.messages import Json
from functions.chat.providers.wire_format import to_json


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
