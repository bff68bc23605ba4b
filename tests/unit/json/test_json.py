"""Reading and writing JSON at the borders."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.json import JsonError, byte_size, dumps, safe_loads
from flexchat.messages import Json

JSON_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON_VALUES)
def test_written_json_is_read_back(value: Json):
    assert safe_loads(dumps(value)) == value


@given(st.text() | st.binary())
def test_any_text_is_parsed_or_raises_a_json_error(text: str | bytes):
    try:
        value = safe_loads(text)
    except JsonError:
        return
    assert value == json.loads(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 100_000, "the JSON text is nested deeper than 64 levels"),
        ('{"a":' * 100_000, "the JSON text is nested deeper than 64 levels"),
        ("1" * 5_000, "a number has 5000 characters, at most 308 are accepted"),
        ("-" + "1" * 5_000, "a number has 5001 characters, at most 308 are accepted"),
        ("0." + "1" * 5_000, "a number is too large; send one in the range of a double"),
        ("1e999", "a number is too large; send one in the range of a double"),
        ("-1e999", "a number is too large; send one in the range of a double"),
        ("NaN", "NaN is not JSON; send a finite number or null"),
        ('{"a": Infinity}', "Infinity is not JSON; send a finite number or null"),
        ("[-Infinity]", "-Infinity is not JSON; send a finite number or null"),
        ('{"a": 1, "a": 2}', "an object has the same name twice; send every name once"),
        ('[{"b": {"a": 1, "a": 1}}]', "an object has the same name twice; send every name once"),
        (r'"\ud800"', "the text contains an unpaired surrogate; send complete Unicode characters"),
        (r'{"\uDFFF": 1}', "the text contains an unpaired surrogate; send complete Unicode characters"),
        ("\ud800", "the text contains an unpaired surrogate; send complete Unicode characters"),
        (b'"\xff"', "the JSON text is not UTF-8 (byte 1)"),
        ("", "not valid JSON: a value is missing at line 1 column 1"),
        ("{'a': 1}", "not valid JSON: a name in double quotes is missing at line 1 column 2"),
        ('{"a": 1} secret', "not valid JSON: unexpected text after the value at line 1 column 10"),
        ('"line\nbreak"', "not valid JSON: a string has a line break or another control character at line 1 column 6"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_unsafe_values_are_rejected_with_the_reason(text: str | bytes, problem: str):
    with pytest.raises(JsonError) as error:
        safe_loads(text)

    assert str(error.value) == problem


def test_a_json_error_is_a_value_error():
    assert issubclass(JsonError, ValueError)


def test_a_text_over_the_limit_is_rejected_before_parsing():
    with pytest.raises(JsonError) as error:
        safe_loads('"éé"', max_bytes=5)

    assert str(error.value) == "the JSON text has 6 bytes, at most 5 are accepted"


def test_a_text_at_every_limit_is_parsed():
    assert safe_loads('"éé"', max_bytes=6) == "éé"
    assert safe_loads("[[1]]", max_depth=2) == [[1]]
    assert safe_loads("12345", max_digits=5) == 12345


def test_nesting_depth_counts_and_not_the_number_of_brackets():
    assert safe_loads("[[],[],[]]", max_depth=2) == [[], [], []]
    with pytest.raises(JsonError):
        safe_loads("[[],[[]]]", max_depth=2)


def test_brackets_inside_strings_do_not_nest():
    text = '"[[[[\\"[[{{{\\\\"'

    assert safe_loads(text, max_depth=1) == '[[[["[[{{{\\'


def test_an_unterminated_text_of_escaped_quotes_is_rejected_in_linear_time():
    with pytest.raises(JsonError, match="a string is not closed"):
        safe_loads('"' + '\\"' * 200_000 + "[" * 100)


def test_a_complete_surrogate_pair_is_one_character():
    assert safe_loads(r'"\ud83d\ude00"') == "😀"


def test_an_escaped_backslash_before_u_is_no_surrogate():
    assert safe_loads(r'"\\ud800"') == r"\ud800"


def test_json_is_written_compactly_and_unescaped():
    assert dumps({"b": [1, 2.5, None, True], "a": "é 😀"}) == '{"b":[1,2.5,null,true],"a":"é 😀"}'


def test_keys_are_sorted_on_request():
    assert dumps({"b": 1, "a": {"d": 1, "c": 2}}, sort_keys=True) == '{"a":{"c":2,"d":1},"b":1}'


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "not a JSON value: Out of range float values are not accepted: nan"),
        ({1, 2}, "not a JSON value: Object of type set"),
        (b"secret", "not a JSON value: Object of type bytes"),
        ({("a",): 1}, "not a JSON value: keys must be str, int, float, bool or None, not tuple"),
    ],
)
def test_values_without_a_json_form_are_rejected(value: object, problem: str):
    with pytest.raises(JsonError) as error:
        dumps(value)

    assert str(error.value).startswith(problem)


def test_a_circular_value_is_rejected():
    value: list[object] = []
    value.append(value)

    with pytest.raises(JsonError, match="not a JSON value"):
        dumps(value)


def test_too_deep_nesting_is_rejected():
    value: list[object] = []
    for _ in range(100_000):
        value = [value]

    with pytest.raises(JsonError, match="nested too deeply or inside itself"):
        dumps(value)


def test_size_is_measured_in_bytes():
    assert byte_size("é😀") == 8


def test_a_lone_surrogate_has_no_size():
    with pytest.raises(JsonError, match="an unpaired surrogate"):
        byte_size({"a": "\ud800"})
