"""Files of the page in memory, with paths that depend on their contents."""

import hashlib
import html
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from msgspec import Struct

CONTENT_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""Content types by file extension; other files are not served."""

VIEWS = ("tools-testing", "chat", "validation", "retrieval", "configuration")
"""Paths of the document beside `/`; each is a route of the template and a view of the page."""


class File(Struct, frozen=True):
    """File with the headers of its response; `etag` is quoted."""

    text: str
    content_type: str
    etag: str


class PageFiles(Struct, frozen=True):
    """Document and files of the page, by their path in the folder.

    `version` is a hash of all files and part of their URLs: browsers may cache them indefinitely and never combine the
    files of two deployments.
    """

    document: File
    assets: Mapping[str, File]
    version: str

    @classmethod
    def read(cls, folder: Path, *, stage: str) -> Self:
        """Return the page of `folder`; its `index.html` has `assets/…` for its files and `{stage}` for the stage."""
        assets = {
            path.relative_to(folder).as_posix(): _file(path.read_text("utf-8"), CONTENT_TYPES[path.suffix])
            for path in sorted(folder.rglob("*"))
            if path.suffix in CONTENT_TYPES
        }
        version = _digest("\n".join(f"{name} {file.etag}" for name, file in assets.items()))[:12]
        text = (folder / "index.html").read_text("utf-8").replace('"assets/', f'"assets/{version}/')
        document = _file(text.replace("{stage}", html.escape(stage)), "text/html; charset=utf-8")
        return cls(document=document, assets=assets, version=version)


def _file(text: str, content_type: str) -> File:
    return File(text=text, content_type=content_type, etag=f'"{_digest(text)[:32]}"')


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
