"""ZIP files of office documents and e-books: their parts, within limits."""

import io
import zipfile
import zlib
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import unquote
from xml.etree import ElementTree

from functions.retrieval.ingest.documents import LoadError, one_title

MAX_UNPACKED_BYTES = 256 * 1024 * 1024
MAX_PARTS = 20_000

_COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")
"""Start of an encrypted office document, and of one in a format before 2007."""

_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


class Archive:
    """Parts of a ZIP file by their names.

    Raises LoadError for a broken or encrypted file, and for one that unpacks to more than `MAX_UNPACKED_BYTES`.
    """

    def __init__(self, content: bytes) -> None:
        if content.startswith(_COMPOUND_FILE):
            raise LoadError(
                "the file is encrypted, or in a format before 2007; save it without a password in the new format"
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as exc:
            raise broken(exc) from exc
        parts = self._zip.infolist()
        if len(parts) > MAX_PARTS:
            raise LoadError(f"the file has {len(parts)} parts, at most {MAX_PARTS} are accepted; split it")
        unpacked = sum(part.file_size for part in parts)
        if unpacked > MAX_UNPACKED_BYTES:
            raise LoadError(
                f"the file unpacks to {unpacked} bytes, at most {MAX_UNPACKED_BYTES} are accepted; split it"
            )
        if any(part.flag_bits & 1 for part in parts):
            raise LoadError("the file is encrypted; save it without a password")

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def read(self, name: str) -> bytes:
        """Return a part. Raises LoadError for a missing or broken one."""
        try:
            return self._zip.read(name)
        except KeyError as exc:
            raise LoadError(f"the file is broken: it has no {name!r}; open it and save it again") from exc
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as exc:
            raise broken(exc) from exc

    def xml(self, name: str) -> ElementTree.Element:
        """Return a part that is XML. Raises LoadError; expat refuses entities that expand to much text."""
        try:
            return ElementTree.fromstring(self.read(name))  # noqa: S314 # expat limits the expansion of entities
        except (ElementTree.ParseError, ValueError, LookupError) as exc:
            raise broken(exc) from exc

    def related(self, name: str) -> dict[str, tuple[str, str]]:
        """Return the relations of a part of an office document: its type and its target by its id."""
        path = PurePosixPath(name)
        relations = f"{path.parent}/_rels/{path.name}.rels"
        if relations not in self:
            return {}
        return {
            found.get("Id", ""): (found.get("Type", "").rpartition("/")[2], beside(name, found.get("Target", "")))
            for found in self.xml(relations).iter(_RELATION)
            if found.get("TargetMode") != "External"
        }

    def title(self) -> str:
        """Return the title in the properties of an office document, if it has one."""
        if "docProps/core.xml" not in self:
            return ""
        return one_title(self.xml("docProps/core.xml").findtext(f".//{_TITLE}") or "")


def beside(name: str, target: str) -> str:
    """Return the name of a part that the part `name` refers to."""
    return normpath(f"{PurePosixPath(name).parent}/{unquote(target)}" if not target.startswith("/") else target).lstrip(
        "/"
    )


def broken(exc: Exception) -> LoadError:
    return LoadError(f"the file is broken ({exc}); open it and save it again")
