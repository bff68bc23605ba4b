"""The files of the page, in memory, under a path that changes with their contents."""

import hashlib
import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

CONTENT_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""What is served, by the ending of its name; whatever else lies in the folder is not."""

FIRST_VIEW = "tools-testing"
"""What the page begins with."""


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent; `etag` is quoted, as the header wants it."""

    text: str
    content_type: str
    etag: str


@dataclass(frozen=True, slots=True)
class PageFiles:
    """The document as each view is served, and the files by their path in the folder. A view is a folder of `views`.

    `version` is a hash of all of them: a file is asked for below it, so that a browser may keep it for ever, and never
    mixes the files of two deployments.
    """

    documents: Mapping[str, File]
    assets: Mapping[str, File]
    version: str

    @classmethod
    def read(cls, folder: Path, *, stage: str) -> Self:
        """The page in `folder`, whose `index.html` names its files as `assets/…` and the stage as `{stage}`."""
        assets = {
            path.relative_to(folder).as_posix(): _file(path.read_text("utf-8"), CONTENT_TYPES[path.suffix])
            for path in sorted(folder.rglob("*"))
            if path.suffix in CONTENT_TYPES
        }
        version = _digest("\n".join(f"{name} {file.etag}" for name, file in assets.items()))[:12]
        text = (folder / "index.html").read_text("utf-8").replace("{stage}", html.escape(stage))
        views = sorted(path.name for path in (folder / "views").iterdir() if path.is_dir())
        documents = {view: _file(_linked(text, assets, version, view), "text/html; charset=utf-8") for view in views}
        return cls(documents=documents, assets=assets, version=version)


def _linked(document: str, assets: Mapping[str, File], version: str, view: str) -> str:
    """The document with its files where they are served, and every module that `view` needs named at once: a browser
    that found them by reading one after the other would ask in as many rounds as imports are deep."""
    modules = (
        name
        for name in assets
        if name.endswith(".js") and (not name.startswith("views/") or name.startswith(f"views/{view}/"))
    )
    links = "".join(f'\n    <link rel="modulepreload" href="assets/{name}">' for name in modules)
    return document.replace("\n  </head>", f"{links}\n  </head>").replace('"assets/', f'"assets/{version}/')


def _file(text: str, content_type: str) -> File:
    return File(text=text, content_type=content_type, etag=f'"{_digest(text)[:32]}"')


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
