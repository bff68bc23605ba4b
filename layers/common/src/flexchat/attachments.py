"""Pictures and files of messages: their types by content, and the forms in which clients send them."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import ClassVar, Final
from urllib.parse import unquote_to_bytes

from flexchat.errors import FlexchatError
from flexchat.messages import Attachment, Document, Image, ImageDetail, file_size
from flexchat.redacted_struct import RedactedStruct
from flexchat.tools import principal_hash

MAX_FILE_BYTES: Final = 20_000_000
"""Largest picture or file of a message."""

MAX_INLINE_BYTES: Final = 5 * 1024 * 1024
"""Largest body of a request whose messages may have pictures and files: Lambda accepts events of 6 MB."""

MAX_ATTACHMENTS: Final = 50
"""Most pictures and files of one request, those of its history included."""

MAX_NAME_CHARACTERS: Final = 255
MAX_URL_CHARACTERS: Final = 4_096

PAGE_TOKENS: Final = 2_000
"""Estimate of the tokens of a page of a PDF: its text, and for some models its picture."""

_PAGE: Final = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")
_PAGE_BYTES: Final = 100_000
"""Estimated size of a page of a PDF whose pages are compressed."""

IMAGE_NAMES: Final = "PNG, JPEG, WebP or GIF"
FILE_NAMES: Final = f"a picture ({IMAGE_NAMES}), a PDF, Word, PowerPoint, Excel or EPUB file, or a text in UTF-8"

_OFFICE: Final[Mapping[str, str]] = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "epub": "application/epub+zip",
}
"""Media types of packed documents by the extension of their names."""

_TEXTS: Final[Mapping[str, str]] = {
    "csv": "text/csv",
    "htm": "text/html",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "tsv": "text/tab-separated-values",
    "xml": "application/xml",
}
"""Media types of texts by the extension of their names; those of others are `text/plain`."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of UTF-16."""

UPLOAD_ID: Final = re.compile(r"file-[0-9a-f]{32}")
"""Id of an uploaded file."""


class AttachmentError(FlexchatError):
    """A picture or file that cannot be used: `message` continues the sentence that begins with its place.

    `code` is that of OpenAI's API.
    """

    def __init__(self, message: str, *, code: str = "invalid_request") -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class LoadedFile(RedactedStruct, frozen=True):
    """Content of a file by its reference, and the name that it was uploaded with."""

    redacted: ClassVar = ("content",)

    content: bytes
    name: str = ""


type LoadedFiles = Mapping[str, LoadedFile]
"""Contents by the references of pictures and files."""


def upload_key(owner: str, file_id: str) -> str:
    """Return the key of a file that `owner` uploaded; each owner has a prefix of their own."""
    return f"files/short/{principal_hash(owner)}/uploads/{file_id}"


def image_type(content: bytes) -> str | None:
    """Return the media type of a picture by its first bytes; None for another content."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else None


def attachment_of(content: bytes, *, name: str = "", detail: ImageDetail = "auto", declared: str = "") -> Attachment:
    """Return a picture or a file with its type by its content; `declared` is the media type that its sender names.

    Raises AttachmentError for an empty or too large content, and for one that no model reads.
    """
    is_picture = declared.startswith("image/")
    if not content:
        raise AttachmentError("is empty", code="empty_image_file" if is_picture else "invalid_request")
    if len(content) > MAX_FILE_BYTES:
        message = f"has {file_size(len(content))}; at most {file_size(MAX_FILE_BYTES)} are accepted"
        raise AttachmentError(message, code="image_too_large" if is_picture else "invalid_request")
    name = name.rpartition("/")[2][:MAX_NAME_CHARACTERS]
    if (found := image_type(content)) is not None:
        return Image(found, b64encode(content).decode(), len(content), detail, name)
    if "svg" in declared or content.lstrip()[:4] == b"<svg":
        message = f"is an SVG drawing, which no model reads; send it as {IMAGE_NAMES}"
        raise AttachmentError(message, code="unsupported_image_media_type")
    if is_picture:
        message = f"is declared as {declared!r}, but its content is no picture of a known type; send {IMAGE_NAMES}"
        raise AttachmentError(message, code="unsupported_image_media_type")
    return _document(content, name)


def _document(content: bytes, name: str) -> Document:
    extension = name.rpartition(".")[2].lower()
    media_type, text, tokens = "", "", 0
    if content.startswith(b"%PDF-"):
        media_type = "application/pdf"
        tokens = max(1, len(_PAGE.findall(content)) or len(content) // _PAGE_BYTES) * PAGE_TOKENS
    elif content.startswith(b"PK\x03\x04"):
        media_type = _OFFICE.get(extension, "")
    elif content.startswith(_UTF_16) or b"\0" not in content[:4_096]:
        try:
            text = content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
        except UnicodeDecodeError as exc:
            raise AttachmentError(f"is a text that is not UTF-8 at byte {exc.start}; send it in UTF-8") from exc
        media_type = _TEXTS.get(extension, "text/plain")
    if not media_type:
        raise AttachmentError(f"is of an unknown type; send {FILE_NAMES}, with a name that ends as its type does")
    return Document(media_type, name, b64encode(content).decode(), len(content), text, tokens)


_DATA_URL: Final = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),", re.I)


def attachment_of_url(url: str, *, name: str = "", detail: ImageDetail = "auto") -> Attachment:
    """Return the picture or file of a data URL, or one that is fetched later of an https URL.

    Raises AttachmentError for another form.
    """
    if url[:5].lower() == "data:":
        return _of_data_url(url, name, detail)
    if not url.lower().startswith("https://"):
        kind = f"begins with {url[:12]!r}" if url else "is empty"
        message = f"{kind}; send a data URL such as 'data:image/png;base64,…', or an https URL"
        raise AttachmentError(message, code="invalid_image_url")
    if len(url) > MAX_URL_CHARACTERS:
        raise AttachmentError(f"has more than {MAX_URL_CHARACTERS} characters", code="invalid_image_url")
    return Image("", detail=detail, name=name[:MAX_NAME_CHARACTERS], reference=url)


def _of_data_url(url: str, name: str, detail: ImageDetail) -> Attachment:
    head = _DATA_URL.match(url)
    if head is None:
        message = "is no data URL; send one such as 'data:image/png;base64,…'"
        raise AttachmentError(message, code="invalid_image_url")
    rest = url[head.end() :]
    is_base64 = head[2].lower().replace(" ", "").endswith(";base64")
    content = decoded(rest) if is_base64 else unquote_to_bytes(rest)
    return attachment_of(content, name=name, detail=detail, declared=head[1].strip().lower())


def decoded(text: str) -> bytes:
    """Return the bytes of base64, also with line breaks and without padding. Raises AttachmentError."""
    if len(text) > MAX_FILE_BYTES * 3 // 2:
        message = f"is too large; at most {file_size(MAX_FILE_BYTES)} are accepted"
        raise AttachmentError(message, code="image_too_large")
    compact = "".join(text.split()).rstrip("=")
    try:
        return b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except ValueError as exc:
        message = "is not valid base64; send the bytes of the file in base64, such as `base64 -w0 FILE` prints"
        raise AttachmentError(message, code="invalid_base64_image") from exc


def uploaded(file_id: str, *, name: str = "", detail: ImageDetail = "auto") -> Attachment:
    """Return the file of `POST /api/files` with an id, which is read later. Raises AttachmentError."""
    if not UPLOAD_ID.fullmatch(file_id):
        message = f"is {file_id[:64]!r}; send the id of a file that POST /api/files returned"
        raise AttachmentError(message, code="image_file_not_found")
    return Image("", detail=detail, name=name[:MAX_NAME_CHARACTERS], reference=file_id)


def is_address(reference: str) -> bool:
    """Return whether a reference is the address of a picture that is not fetched yet."""
    return reference.startswith("https://")
