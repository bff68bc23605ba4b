"""Small pictures and files for tests."""

import struct
import zlib
from base64 import b64encode
from typing import Final

from flexchat.messages import Document, Image, ImageDetail


def png(width: int = 2, height: int = 1, *, padding: int = 0) -> bytes:
    """Return a red picture; `padding` are random-looking bytes in a text chunk, for a larger file."""
    rows = b"".join(b"\x00" + b"\xff\x00\x00" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    text = bytes(index * 7919 % 251 for index in range(padding))
    chunks = [(b"IHDR", head), *([(b"teXt", text)] if padding else []), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


JPEG: Final = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b080003000501011100ffd9")
"""Head of a picture of 5 by 3 pixels."""

GIF: Final = b"GIF89a\x02\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,;"
WEBP: Final = b"RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00/\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
PDF: Final = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
)


def base64(content: bytes) -> str:
    return b64encode(content).decode()


def data_url(content: bytes, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{base64(content)}"


def image(content: bytes | None = None, media_type: str = "image/png", *, detail: ImageDetail = "auto") -> Image:
    content = png() if content is None else content
    return Image(media_type, base64(content), len(content), detail)


def pdf(name: str = "report.pdf", content: bytes = PDF) -> Document:
    return Document("application/pdf", name, base64(content), len(content), tokens=2_000)
