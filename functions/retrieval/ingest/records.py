"""JSON and JSONL loaders: one document per record, by a schema of its fields."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Annotated

from pydantic import ConfigDict, Field

from flexchat.config.suggestions import did_you_mean
from flexchat.deferred_model import DeferredModel
from flexchat.json import JsonError, byte_size, safe_loads
from flexchat.messages import Json
from flexchat.retrieval import MetadataValue
from functions.retrieval.ingest.documents import (
    MAX_FILE_BYTES,
    MAX_ID_CHARACTERS,
    Document,
    Failure,
    LoadError,
    SourceFile,
    checked,
    decoded,
    stem,
)

MAX_RECORD_BYTES = 1_048_576
MAX_RECORDS = 200_000

FieldName = Annotated[str, Field(min_length=1, max_length=256)]


class FieldSchema(DeferredModel):
    """Roles of the fields of a record. A field inside an object is written `outer.inner`.

    `text_fields` are joined by `text_separator`; missing ones are skipped; a record must have one.
    `metadata_fields` can be filtered on. `id_field` identifies a record that is added again; without it, its
    position in the file does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text_fields: Annotated[tuple[FieldName, ...], Field(min_length=1)] = ("text",)
    text_separator: str = "\n\n"
    metadata_fields: tuple[FieldName, ...] = ()
    id_field: FieldName | None = None
    title_field: FieldName | None = None
    source_field: FieldName | None = None


def load_json(file: SourceFile, schema: FieldSchema) -> Iterator[Document | Failure]:
    """Return the records of a JSON file: an array of objects, or one object.

    Raises LoadError for an unreadable file.
    """
    try:
        value = safe_loads(decoded(file.content), max_bytes=MAX_FILE_BYTES)
    except JsonError as exc:
        raise LoadError(str(exc)) from exc
    records = value if isinstance(value, list) else [value]
    places = ((f"{file.name}#{number}", record) for number, record in enumerate(records, start=1))
    return _documents(file, schema, places, len(records), _sized)


def load_jsonl(file: SourceFile, schema: FieldSchema) -> Iterator[Document | Failure]:
    """Return the records of a JSONL file, one object per line, without empty lines. Raises LoadError."""
    lines = re.split(r"\r?\n", decoded(file.content))
    places = ((f"{file.name}#{number}", line) for number, line in enumerate(lines, start=1) if line.strip())
    return _documents(file, schema, places, len(lines), _parsed)


def _documents[T](
    file: SourceFile,
    schema: FieldSchema,
    records: Iterable[tuple[str, T]],
    count: int,
    read: Callable[[T], Json],
) -> Iterator[Document | Failure]:
    if count > MAX_RECORDS:
        raise LoadError(f"the file has {count} records, at most {MAX_RECORDS} are accepted; split it")
    return (_document(file, schema, place, record, read) for place, record in records)


def _document[T](
    file: SourceFile, schema: FieldSchema, place: str, record: T, read: Callable[[T], Json]
) -> Document | Failure:
    try:
        return _read(file, schema, place, read(record))
    except LoadError as exc:
        return Failure(place, str(exc))


def _parsed(line: str) -> Json:
    try:
        return safe_loads(line, max_bytes=MAX_RECORD_BYTES)
    except JsonError as exc:
        raise LoadError(str(exc)) from exc


def _sized(record: Json) -> Json:
    size = byte_size(record)
    if size > MAX_RECORD_BYTES:
        raise LoadError(f"the record has {size} bytes, at most {MAX_RECORD_BYTES} are accepted")
    return record


def _read(file: SourceFile, schema: FieldSchema, place: str, record: Json) -> Document:
    if not isinstance(record, dict):
        raise LoadError("a record must be an object")
    parts = [part for part in (_text(record, name) for name in schema.text_fields) if part]
    if not parts:
        raise LoadError(_no_text(record, schema))
    return Document(
        id=_id(record, schema.id_field) if schema.id_field else place,
        title=(schema.title_field and _text(record, schema.title_field)) or stem(file.name),
        source=(schema.source_field and _text(record, schema.source_field)) or place,
        text=checked(schema.text_separator.join(parts)),
        metadata=dict(_metadata(record, schema.metadata_fields)),
    )


def _value(record: Mapping[str, Json], name: str) -> Json:
    """Return the value of a field: the key of that name, else the path that its dots separate."""
    if name in record:
        return record[name]
    first, dot, rest = name.partition(".")
    inner = record.get(first)
    return _value(inner, rest) if dot and isinstance(inner, dict) else None


def _text(record: Mapping[str, Json], name: str) -> str:
    """Return a field as text: paragraphs for a list of texts. Raises LoadError for anything else."""
    value = _value(record, name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "\n\n".join(str(part) for part in value)
    raise LoadError(f"the field {name!r} is not text")


def _no_text(record: Mapping[str, Json], schema: FieldSchema) -> str:
    wanted = " or ".join(repr(name) for name in schema.text_fields)
    held = ", ".join(repr(name) for name in list(record)[:12]) or "nothing"
    near = did_you_mean(schema.text_fields[0], islice(record, 100))
    return f"the record has no text in {wanted}; it has {held}{near}. A schema's `text_fields` name the right ones"


def _id(record: Mapping[str, Json], name: str) -> str:
    value = _value(record, name)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise LoadError(f"the record has no id in {name!r}; an id is text or a whole number")
    if len(str(value)) > MAX_ID_CHARACTERS:
        raise LoadError(f"the id in {name!r} has more than {MAX_ID_CHARACTERS} characters")
    return str(value)


def _metadata(record: Mapping[str, Json], names: Iterable[str]) -> Iterator[tuple[str, MetadataValue]]:
    for name in names:
        value = _value(record, name)
        if isinstance(value, str | int | float):
            yield name, value
        elif value is not None:
            raise LoadError(f"the metadata field {name!r} is not text, a number, true or false")
