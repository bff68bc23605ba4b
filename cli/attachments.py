"""Pictures and files of a question: small ones in the request, large ones by an upload."""

from base64 import b64encode
from collections.abc import Sequence
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from cli.client import Client
from cli.files import read_bytes
from flexchat.attachments import AttachmentError, attachment_of
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json

MAX_INLINE_BYTES: Final = 3_000_000
"""Bytes of all files that a request has itself: in base64 they are a third more, and a request has at most 5 MiB."""


def attachments(client: Client, paths: Sequence[Path]) -> list[Json]:
    """Return the attachments of a request. Raises ConfigError for a file that no model reads, and ServiceError."""
    parts: list[Json] = []
    left = MAX_INLINE_BYTES
    for path in paths:
        content = read_bytes(path)
        try:
            media_type = attachment_of(content, name=path.name).media_type
        except AttachmentError as exc:
            raise ConfigError((Problem(str(path), exc.message),)) from exc
        if len(content) <= left:
            left -= len(content)
            url = f"data:{guess_type(path.name)[0] or media_type};base64,{b64encode(content).decode()}"
            parts.append({"url": url, "name": path.name})
        else:
            parts.append({"file_id": client.upload(path.name, content), "name": path.name})
    return parts
