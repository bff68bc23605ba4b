"""Files of the page in memory, with paths that depend on their contents."""

import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self, cast

from msgspec import Struct

from flexchat.messages import Json
from functions.page.sign_in import SignIn

CONTENT_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""Content types by file extension; other files are not served."""

DOCUMENT_TYPE = "text/html; charset=utf-8"

VIEWS = ("chat", "tools-testing", "validation", "traces", "usage", "retrieval", "configuration")
"""Paths of the document beside `/`; each is a route of the template and a view of the page."""

MODULES = "modules/"
"""Folder of the modules that a page loads on demand; their names have hashes of their contents."""

FOLDERS = ("runs", "shared")
"""Folders of the permalinks of traces, `/runs/{id}`, and of links to sessions, `/shared/{id}`."""


class File(Struct, frozen=True):
    """File with the headers of its response; `etag` is quoted."""

    text: str
    content_type: str
    etag: str


class PageFiles(Struct, frozen=True):
    """Document and files of the page, by their path in the folder.

    `document` is the text of the document, with `{sign-in}` for the settings of the sign-in and links from the root.
    `version` is a hash of all files and part of their URLs: browsers may cache them indefinitely and never combine the
    files of two deployments. `files_origin` is that of the bucket of uploads and downloads.
    """

    document: str
    assets: Mapping[str, File]
    version: str
    files_origin: str = ""

    @classmethod
    def read(cls, folder: Path, *, stage: str, files_origin: str = "") -> Self:
        """Return the page of `folder`; its `index.html` has `assets/…` for its files, `{stage}` and `{sign-in}`."""
        assets = {
            path.relative_to(folder).as_posix(): _file(path.read_text("utf-8"), CONTENT_TYPES[path.suffix])
            for path in sorted(folder.rglob("*"))
            if path.suffix in CONTENT_TYPES
        }
        version = _digest("\n".join(f"{name} {file.etag}" for name, file in assets.items()))[:12]
        text = (folder / "index.html").read_text("utf-8").replace('"assets/', f'"assets/{version}/')
        text = text.replace("{stage}", html.escape(stage))
        return cls(document=text, assets=assets, version=version, files_origin=files_origin)

    def document_file(self, sign_in: SignIn | None, *, nested: bool = False) -> File:
        """Return the document of a stage with this sign-in; `nested` is that of a path in a folder.

        Its ETag is a hash of both: a browser gets the document again when the settings have changed.
        """
        settings = "" if sign_in is None else json.dumps(sign_in.document())
        text = self.document.replace('"assets/', '"../assets/') if nested else self.document
        return _file(text.replace("{sign-in}", html.escape(settings)), DOCUMENT_TYPE)


def _file(text: str, content_type: str) -> File:
    return File(text=text, content_type=content_type, etag=f'"{_digest(text)[:32]}"')


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def content_security_policy(origins: Sequence[str] = ()) -> str:
    """Return the policy of the page, which may send requests to its own origin and to `origins`."""
    connected = "".join(f" {origin}" for origin in origins)
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            f"connect-src 'self'{connected}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


CONTENT_SECURITY_POLICY = content_security_policy()
"""Content security policy: only the page's own files and API are allowed, and no conversion of text to markup or
script. Pictures of answers are data URLs; previews and stored pictures are blobs that the page has created."""

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=63072000",
    "X-Content-Type-Options": "nosniff",
}

REVALIDATE = "no-cache"
"""Caching of the document: it is revalidated for each use."""

IMMUTABLE = "public, max-age=31536000, immutable"
"""Caching of a file: the content of its path never changes."""


def page_response(event: Mapping[str, Any], files: PageFiles) -> dict[str, Json]:
    """Return the proxy response to `event`, a GET of a view or of `/assets/{file+}`."""
    parameters: Mapping[str, str] = event.get("pathParameters") or {}
    if "file" in parameters:
        return _asset(parameters["file"], event, files)
    if _lacks_slash(event):
        context_path: str = event["requestContext"]["path"]
        return _response(HTTPStatus.PERMANENT_REDIRECT, {"Location": f"{context_path}/", "Cache-Control": REVALIDATE})
    view = str(event.get("path", "")).strip("/")
    folder, _, name = view.partition("/")
    nested = folder in FOLDERS and name != "" and "/" not in name
    if not nested and view not in ("", *VIEWS):
        return _not_found(event, f"view not found; the views are {', '.join(VIEWS)}")
    return _document_response(event, files, nested=nested)


def _asset(path: str, event: Mapping[str, Any], files: PageFiles) -> dict[str, Json]:
    version, _, name = path.partition("/")
    # A page that was opened before a deployment names its own version, also of a module that is unchanged.
    if name not in files.assets or (version != files.version and not name.startswith(MODULES)):
        return _not_found(event, "file not found; reload the page")
    return _file_response(files.assets[name], event, caching=IMMUTABLE)


def _not_found(event: Mapping[str, Any], message: str) -> dict[str, Json]:
    request_id = event.get("requestContext", {}).get("requestId", "")
    body = json.dumps({"error": "not_found", "message": message, "request_id": request_id})
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return _response(HTTPStatus.NOT_FOUND, headers, body)


def _file_response(file: File, event: Mapping[str, Any], *, caching: str) -> dict[str, Json]:
    headers = {"ETag": file.etag, "Cache-Control": caching}
    if file.etag in _etags(event):
        return _response(HTTPStatus.NOT_MODIFIED, headers)
    return _response(HTTPStatus.OK, {**headers, "Content-Type": file.content_type}, file.text)


def _document_response(event: Mapping[str, Any], files: PageFiles, *, nested: bool) -> dict[str, Json]:
    sign_in = SignIn.from_variables(event.get("stageVariables"))
    response = _file_response(files.document_file(sign_in, nested=nested), event, caching=REVALIDATE)
    origins = (files.files_origin, *(sign_in.connected() if sign_in else ()))
    policy = {"Content-Security-Policy": content_security_policy(tuple(filter(None, origins)))}
    return {**response, "headers": {**cast("dict[str, Json]", response["headers"]), **policy}}


def _etags(event: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ETags of `If-None-Match`. A proxy that compresses responses may have marked them as weak."""
    headers: Mapping[str, str] = event.get("headers") or {}
    sent = next((value for name, value in headers.items() if name.lower() == "if-none-match"), "")
    return tuple(tag.strip().removeprefix("W/") for tag in sent.split(","))


def _lacks_slash(event: Mapping[str, Any]) -> bool:
    """Return true for a request of the stage as `/dev`, where relative links would leave the stage."""
    path: str = event.get("requestContext", {}).get("path", "/")
    return event.get("path") == "/" and not path.endswith("/")


def _response(status: HTTPStatus, headers: Mapping[str, str], body: str = "") -> dict[str, Json]:
    return {
        "statusCode": int(status),
        "headers": {**SECURITY_HEADERS, **headers},
        "body": body,
        "isBase64Encoded": False,
    }
