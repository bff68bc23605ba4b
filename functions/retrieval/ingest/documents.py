"""Documents of a file before indexing, and the reasons for those that fail."""

import codecs
import re
from collections.abc import Mapping
from copy import replace
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct, field

from flexchat.charsets import UndecodableError, declared_charset, decode_file
from flexchat.errors import FlexchatError
from flexchat.retrieval import MetadataValue

Format = Literal["text", "markdown", "html", "json", "jsonl", "csv", "pdf", "docx", "pptx", "xlsx", "epub"]

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_DOCUMENT_CHARACTERS = 8_000_000
MAX_ID_CHARACTERS = 1_024
MAX_TITLE_CHARACTERS = 300


class LoadError(FlexchatError):
    """A file or a record cannot be read as a document; the message has the expected form."""


class Section(Struct, frozen=True):
    """Start of a part of a document, in characters of its text, and the citation of its passages."""

    offset: int
    title: str
    source: str


class Document(Struct, frozen=True):
    """Text with its metadata. `id` is unique in a collection; `sections` are in order of their offsets.

    `warnings` name the parts of the file that its text lacks. `origin` names what the document was added from, such as
    a directory; a document of another origin does not silently replace it. `bytes` is the size of its file, 0 for a
    record of a file.
    """

    id: str
    title: str
    source: str
    text: str
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict[str, MetadataValue])
    sections: tuple[Section, ...] = ()
    warnings: tuple[str, ...] = ()
    origin: str = ""
    bytes: int = 0

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
    """File or record that is skipped, with the reason; `exists` for one that another document prevents."""

    source: str
    reason: str
    exists: bool = False


class SourceFile(Struct, frozen=True):
    """Bytes of a file, and its name in citations. Without `format` the extension of its name determines it."""

    name: str
    content: bytes
    format: Format | None = None


_UTF_32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_LINE_END = re.compile(r"\r\n?|\u2028|\u2029")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]|[\ud800-\udfff]")


def decoded(content: bytes, *, is_markup: bool = False) -> str:
    """Decode a text: by its byte order mark, else by its declaration if it `is_markup`, else as UTF-8.

    Raises LoadError for a text in another encoding.
    """
    if content.startswith(_UTF_32_MARKS):
        raise LoadError("the file is UTF-32; save it as UTF-8 (`iconv -f UTF-32 -t UTF-8`)")
    if b"\0" in content[:4096] and declared_charset(content, is_markup=is_markup) not in ("utf-16le", "utf-16be"):
        raise LoadError("the file is binary; text must be UTF-8, and a PDF is read with the format 'pdf'")
    try:
        return decode_file(content, is_markup=is_markup)
    except UndecodableError as exc:
        if exc.encoding != "utf-8":
            message = f"the file declares {exc.encoding}, but byte {exc.position} is no text in it; save it as UTF-8"
            raise LoadError(message) from exc
        raise LoadError(
            f"the file is not UTF-8 (byte {exc.position}); convert it, for example `iconv -f WINDOWS-1252 -t UTF-8`"
        ) from exc


def cleaned(text: str) -> str:
    """Return `text` with line feeds as line ends and a space for every other control character."""
    return _CONTROL.sub(" ", _LINE_END.sub("\n", text))


def checked(text: str) -> str:
    """Return the cleaned text of a document. Raises LoadError for an empty or too long text."""
    clean = cleaned(text)
    if not clean.strip():
        raise LoadError("it contains no text")
    if len(clean) > MAX_DOCUMENT_CHARACTERS:
        raise LoadError(
            f"its text has {len(clean)} characters, at most {MAX_DOCUMENT_CHARACTERS} are accepted; split the file"
        )
    return clean


def one_title(text: str) -> str:
    """Return a title of a file's properties on one line, without soft hyphens, cut to its maximum."""
    return " ".join(cleaned(text.replace("\xad", "")).split())[:MAX_TITLE_CHARACTERS]


def stem(name: str) -> str:
    """Return the title of a file without its own title."""
    return PurePosixPath(name).stem or name


def load_text(file: SourceFile) -> Document:
    """Return plain text, titled by its file's name. Raises LoadError."""
    return Document(id=file.name, title=stem(file.name), source=file.name, text=checked(decoded(file.content)))
