"""Results of tools in the histories of requests."""

from uuid import uuid4

import pytest

from flexchat.messages import Json
from functions.chat.providers import tool_calls
from functions.chat.providers.tool_calls import MAX_STORED_CHARACTERS, result_object


@pytest.mark.parametrize(("characters", "parses"), [(10, 1), (MAX_STORED_CHARACTERS, 3)])
def test_a_result_is_parsed_once_for_all_requests_of_a_chat_unless_it_is_large(
    characters: int, parses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str | bytes] = []
    parse = tool_calls.safe_loads

    def counted(text: str | bytes) -> Json:
        texts.append(text)
        return parse(text)

    monkeypatch.setattr(tool_calls, "safe_loads", counted)
    value = {"id": uuid4().hex, "text": "x" * characters}
    content = f'{{"id": "{value["id"]}", "text": "{value["text"]}"}}'

    assert [result_object(content) for _ in range(3)] == [value] * 3
    assert len(texts) == parses


def test_a_stored_result_is_checked_against_the_names_that_each_server_refuses() -> None:
    content = '{"$ref": "#/x"}'

    assert result_object(content) == {"$ref": "#/x"}
    assert result_object(content, refused_names=frozenset({"$ref"})) is None
    assert result_object(content) == {"$ref": "#/x"}
