"""YAML of untrusted documents."""

import pytest

from cli.tool_import.yaml_reader import YamlError, read_yaml


def test_only_the_values_of_json_are_read() -> None:
    text = "a: no\nb: 2020-01-01\nc: 1.5\nd: 0123\n200: ~\ne: !!python/object:os.system x\nf: 'true'\ng: true\nh: 12"

    assert read_yaml(text) == {
        "a": "no", "b": "2020-01-01", "c": 1.5, "d": "0123", "200": None,
        "e": "x", "f": "true", "g": True, "h": 12,
    }  # fmt: skip


def test_aliases_and_merge_keys_are_resolved() -> None:
    assert read_yaml("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\ne: *x") == {
        "a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}, "e": {"b": 1, "c": 2}
    }  # fmt: skip


NESTED = "\n".join(f"a{place}: &a{place} [{','.join([f'*a{place - 1}'] * 9)}]" for place in range(1, 12))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"a0: &a0 [x, x, x]\n{NESTED}", "more than 3000000 values with its aliases expanded"),
        ("[" * 200 + "]" * 200, "nested deeper than 100 levels"),
        ("- " * 200 + "a", "nested deeper than 100 levels"),
        ("a: &x [*x]", "an alias has no anchor before it, or is inside of its own anchor"),
        ("? [a]\n: b", "a name must be a text"),
        ("a: 'b", "not valid YAML: found unexpected end of stream at line 1 column 6"),
    ],
)
def test_bombs_and_broken_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(YamlError) as raised:
        read_yaml(text)

    assert str(raised.value) == message
