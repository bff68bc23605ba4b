"""Documents loaded from JSON, JSONL and CSV records."""

import json
from typing import Any

import pytest

from functions.retrieval.ingest.documents import Document, Failure, SourceFile
from functions.retrieval.ingest.load import load
from functions.retrieval.ingest.records import MAX_RECORD_BYTES, FieldSchema
from tests.unit.ingest.loaded import failure


def records(content: Any, **schema: Any) -> list[Document | Failure]:
    return list(load(SourceFile("r.json", json.dumps(content).encode()), FieldSchema(**schema)))


def test_records_become_documents_by_their_schema() -> None:
    found = records(
        [{"id": 7, "head": "H", "body": ["one", "two"], "info": {"url": "https://x", "n": 1}, "ok": True, "no": None}],
        text_fields=["head", "body", "absent"],
        text_separator=" | ",
        metadata_fields=["ok", "info.n", "no", "absent"],
        id_field="id",
        title_field="head",
        source_field="info.url",
    )
    assert found == [
        Document(id="7", title="H", source="https://x", text="H | one\n\ntwo", metadata={"ok": True, "info.n": 1})
    ]


def test_the_title_of_a_record_without_names_is_its_position() -> None:
    assert records({"text": 5}) == [Document(id="r.json#1", title="r", source="r.json#1", text="5")]


def test_a_field_name_can_contain_dots() -> None:
    (found,) = records([{"a.b": "x", "a": {"b": "y"}}], text_fields=["a.b"])
    assert isinstance(found, Document)
    assert found.text == "x"


@pytest.mark.parametrize(
    ("record", "schema", "error_text"),
    [
        ({"Text": "a"}, {}, "no text in 'text'; it has 'Text'; did you mean 'Text'?"),
        ({}, {"text_fields": ["a", "b"]}, "no text in 'a' or 'b'; it has nothing"),
        ({"text": {"a": 1}}, {}, "the field 'text' is not text"),
        ({"text": True}, {}, "the field 'text' is not text"),
        ({"text": ["a", 1]}, {}, "the field 'text' is not text"),
        ({"text": " "}, {}, "it contains no text"),
        ({"text": "a"}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": 1.5}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": True}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": ""}, {"id_field": "id"}, "no id in 'id'"),
        ({"text": "a", "id": "x" * 1025}, {"id_field": "id"}, "more than 1024 characters"),
        ({"text": "a", "tags": ["x"]}, {"metadata_fields": ["tags"]}, "'tags' is not text, a number, true or false"),
        ("a", {}, "a record must be an object"),
        ({"text": "a" * MAX_RECORD_BYTES}, {}, f"at most {MAX_RECORD_BYTES}"),
    ],
)
def test_an_unreadable_record_is_reported_by_position_and_the_others_are_loaded(
    record: Any, schema: dict[str, Any], error_text: str
) -> None:
    good = {"text": "good", "a": "good", "id": "good"}
    first, second, third = records([good, record, good], **schema)
    assert isinstance(first, Document)
    assert isinstance(third, Document)
    assert isinstance(second, Failure)
    assert second.source == "r.json#2"
    assert error_text in second.reason


def test_invalid_jsonl_lines_are_reported_one_by_one_with_line_numbers() -> None:
    content = '\ufeff{"text": "one"}\r\n\n{"text": "two"\n{"text": "a", "text": "b"}\n  \n{"text": "last\u2028one"}\n'

    found = list(load(SourceFile("l.jsonl", content.encode())))

    assert [(type(each).__name__, each.source) for each in found] == [
        ("Document", "l.jsonl#1"),
        ("Failure", "l.jsonl#3"),
        ("Failure", "l.jsonl#4"),
        ("Document", "l.jsonl#6"),
    ]
    reasons = [each.reason for each in found if isinstance(each, Failure)]
    assert "not valid JSON" in reasons[0]
    assert "same name twice" in reasons[1]


@pytest.mark.parametrize(
    ("name", "content", "error_text"),
    [
        ("a.json", b"[1, 2", "not valid JSON"),
        ("a.json", b"\xff", "not UTF-8"),
        ("a.json", b"[" * 100, "nested deeper"),
        ("a.jsonl", b"\xff", "not UTF-8"),
        ("a.json", b"[" + b"1," * 200_000 + b"1]", "has 200001 records, at most 200000"),
    ],
)
def test_an_unreadable_file_of_records_is_one_error(name: str, content: bytes, error_text: str) -> None:
    assert error_text in failure(name, content)
