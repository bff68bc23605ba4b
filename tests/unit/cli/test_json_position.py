"""Places of faults in a JSON file."""

from pathlib import Path

import pytest

from cli.configuration import read_file
from flexchat.errors import ConfigError


def problem_of(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_file(path)
    (problem,) = caught.value.problems
    assert problem.path == str(path)
    return problem.message


@pytest.mark.parametrize("comment", ["// mine", "/* mine */", "# mine"])
def test_a_comment_is_named_with_the_remedy(tmp_path: Path, comment: str) -> None:
    assert problem_of(tmp_path / "a.json", f'{{\n  {comment}\n  "llms": {{}}\n}}').splitlines() == [
        "JSON has no comments; write them as the value of the key `comment`, at line 2 column 3",
        f"      {comment}",
        "      ^",
    ]


def test_a_fault_has_its_line_and_a_mark_below_it(tmp_path: Path) -> None:
    text = '{\n  "llms": {"a": {"type": "ollama"},}\n}'

    assert problem_of(tmp_path / "a.json", text).splitlines() == [
        "not valid JSON: a comma follows the last entry at line 2 column 35",
        '      "llms": {"a": {"type": "ollama"},}',
        "                                      ^",
    ]


def test_a_name_that_an_object_has_twice_is_found(tmp_path: Path) -> None:
    text = '{\n  "a": {"x": 1, "y": "\\"x\\": {"},\n  "b": [{"x": 1}, {"x": 2}],\n  "a": 2\n}'

    assert problem_of(tmp_path / "a.json", text).splitlines() == [
        'the name "a" is in this object already, at line 2; give every name once at line 4 column 3',
        '      "a": 2',
        "      ^",
    ]


def test_a_long_line_is_shown_around_the_place(tmp_path: Path) -> None:
    text = '{"a": "' + "x" * 500 + '", "b": }'

    _, shown, mark = problem_of(tmp_path / "a.json", text).splitlines()

    assert (len(shown) < 120, shown[mark.index("^")]) == (True, "}")


def test_a_line_with_a_secret_is_not_shown(tmp_path: Path) -> None:
    text = '{"api_key": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789", "b": }'

    assert problem_of(tmp_path / "a.json", text).count("\n") == 0
