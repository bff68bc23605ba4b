"""Documents of a file before indexing, and the reasons for those that fail."""

from collections.abc import Mapping
from copy import replace
from typing import Literal

from msgspec import Struct, field

from flexchat.errors import FlexchatError
from flexchat.retrieval import MetadataValue

Format = Literal["text", "markdown", "html", "json", "jsonl", "pdf"]

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_DOCUMENT_CHARACTERS = 8_000_000
MAX_ID_CHARACTERS = 1_024


class LoadError(FlexchatError):
    """A file or a record cannot be read as a document; the message has the expected form."""


class Section(Struct, frozen=True):
    """Start of a part of a document, in characters of its text, and the citation of its passages."""

    offset: int
    title: str
    source: str


class Document(Struct, frozen=True):
    """Text with its metadata. `id` is unique in a collection; `sections` are in order of their offsets."""

    id: str
    title: str
    source: str
    text: str
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict[str, MetadataValue])
    sections: tuple[Section, ...] = ()

    def called(self, *, title: str | None = None, source: str | None = None) -> "Document":
        """Return this document with another title or source, also in its sections."""
        title, source = title or self.title, source or self.source
        sections = tuple(
            replace(
                section,
                title=title + section.title.removeprefix(self.title),
                source=source + section.source.removeprefix(self.source),
            )
            for section in self.sections
        )
        return replace(self, title=title, source=source, sections=sections)


class Failure(Struct, frozen=True):
    """File or record that is skipped, with the reason."""

    source: str
    reason: str


class SourceFile(Struct, frozen=True):
    """Bytes of a file, and its name in citations. Without `format` the extension of its name determines it."""

    name: str
    content: bytes
    format: Format | None = None
