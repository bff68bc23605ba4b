"""Decoding and cleaning of text: UTF-8, line feeds, no control characters."""

import codecs
import re
from pathlib import PurePosixPath

from functions.retrieval.ingest.documents import MAX_DOCUMENT_CHARACTERS, Document, LoadError, SourceFile

_OTHER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_LINE_END = re.compile(r"\r\n?|\u2028|\u2029")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]|[\ud800-\udfff]")


def decoded(content: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark. Raises LoadError for any other encoding."""
    for mark, name in _OTHER_MARKS.items():
        if content.startswith(mark):
            raise LoadError(f"the file is {name}; save it as UTF-8 (`iconv -f {name} -t UTF-8`)")
    if b"\0" in content[:4096]:
        raise LoadError("the file is binary; text must be UTF-8, and a PDF is read with the format 'pdf'")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise LoadError(
            f"the file is not UTF-8 (byte {exc.start}); convert it, for example `iconv -f WINDOWS-1252 -t UTF-8`"
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


def stem(name: str) -> str:
    """Return the title of a file without its own title."""
    return PurePosixPath(name).stem or name


def load_text(file: SourceFile) -> Document:
    """Return plain text, titled by its file's name. Raises LoadError."""
    return Document(id=file.name, title=stem(file.name), source=file.name, text=checked(decoded(file.content)))
