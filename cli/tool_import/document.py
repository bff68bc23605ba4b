"""OpenAPI documents: OpenAPI 2.0 (Swagger), 3.0 and 3.1, in JSON and YAML."""

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

from cli.tool_import.yaml_reader import MAX_DEPTH, YamlError, read_yaml
from flexchat.charsets import UndecodableError, decode_file
from flexchat.errors import ConfigError, FlexchatError, Problem
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

MAX_DOCUMENT_BYTES: Final = 33_554_432
MAX_REFERENCES: Final = 20
"""Maximum length of a chain of references."""

_INDEX: Final = re.compile(r"[0-9]{1,9}")
"""Step of a reference into a list; `int` raises ValueError for one of thousands of digits."""

type JsonObject = dict[str, Json]
type Version = Literal["2.0", "3.0", "3.1"]


class NotImportableError(FlexchatError):
    """A part of a document that no tool can be made of; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Document:
    """OpenAPI document; `base_url` is its address, which relative servers refer to."""

    source: JsonObject
    version: Version
    base_url: str | None = None

    @property
    def title(self) -> str:
        return text_of(object_of(self.source.get("info")).get("title"))

    def resolved(self, value: Json) -> JsonObject:
        """Return the object that `value` is or refers to; empty for any other value. Raises NotImportableError."""
        for _ in range(MAX_REFERENCES):
            if not isinstance(value, dict):
                return {}
            reference = value.get("$ref")
            if not isinstance(reference, str):
                return value
            value = self.target(reference)
        raise NotImportableError("its references form a cycle")

    def target(self, reference: str) -> Json:
        """Return the value that a local reference points to. Raises NotImportableError."""
        if reference != "#" and not reference.startswith("#/"):
            raise NotImportableError(f"refers to {reference[:100]!r} outside of the document")
        value: Json = self.source
        for step in reference.split("/")[1:]:
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and name in value:
                value = value[name]
            elif isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
                value = value[int(name)]
            else:
                raise NotImportableError(f"refers to {reference[:100]!r}, which the document lacks")
        return value


def read_document(content: bytes, *, name: str, base_url: str | None = None) -> Document:
    """Return the document in `content`; `name` is its file or address. Raises ConfigError."""
    try:
        source = _parsed(content)
    except (JsonError, YamlError) as exc:
        raise _error(name, str(exc)) from exc
    if not isinstance(source, dict):
        raise _error(name, "must be an object")
    return Document(source, _version(source, name), base_url)


def object_of(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def list_of(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def text_of(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _parsed(content: bytes) -> Json:
    if len(content) > MAX_DOCUMENT_BYTES:
        raise YamlError(f"has {len(content)} bytes, at most {MAX_DOCUMENT_BYTES} are accepted")
    try:
        content = decode_file(content).encode()
    except UndecodableError as exc:
        raise YamlError(f"is not {exc.encoding}: byte {exc.position}") from exc
    if content.lstrip()[:1] == b"{":
        try:
            return safe_loads(content, max_bytes=MAX_DOCUMENT_BYTES, max_depth=MAX_DEPTH)
        except JsonError as error:
            # A flow mapping of YAML begins like JSON.
            try:
                return read_yaml(content.decode())
            except YamlError:
                raise error from None
    return read_yaml(content.decode())


def _version(source: JsonObject, name: str) -> Version:
    version = str(source.get("openapi", source.get("swagger", "")))
    if version.startswith("2."):
        return "2.0"
    if version.startswith("3.0"):
        return "3.0"
    if version.startswith("3."):
        return "3.1"
    raise _error(name, "is not an OpenAPI document: 'openapi' must be 3.0 or 3.1, or 'swagger' 2.0")


def _error(name: str, message: str) -> ConfigError:
    return ConfigError((Problem(name, message),))
