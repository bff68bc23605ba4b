"""Responses of HTTP/1.1: their status line, headers and length. `http.client` reads their bodies."""

import io
import re
from collections.abc import Mapping
from http.client import BadStatusLine, HTTPException, HTTPResponse, RemoteDisconnected
from typing import Any, Final, override

MAX_LINE_BYTES: Final = 65_536
MAX_HEADERS: Final = 100

_STATUS_LINE: Final = re.compile(r"HTTP/1\.([0-9]) ([1-9][0-9]{2})(?: [^\0\r\n]*)?\r?\n")
_HEADER_LINE: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\0\r\n]*)\r?\n")

_LENGTH: Final = re.compile(r"[0-9]{1,20}")
"""Length of a body; `int` raises ValueError for one of thousands of digits."""

_STATUSES_WITHOUT_BODY: Final = frozenset({204, 304})


class Response(HTTPResponse):
    """Response whose head `begin` reads strictly (RFC 9112).

    `fields` are its headers, with names in lower case and the values of one name joined. `http.client` parses headers
    as those of a mail, which takes most of the time of a small response.
    """

    fp: io.BufferedReader
    fields: Mapping[str, str]

    def __init__(self, connection: Any, method: str) -> None:
        super().__init__(connection, method=method)
        self._has_body = method != "HEAD"

    @override
    def begin(self) -> None:
        """Read the status line and the headers. Raises OSError, and HTTPException for a body of unclear length."""
        minor, self.status = _read_status(self.fp)
        fields = self.fields = _read_fields(self.fp)
        length, coding = fields.get("content-length"), fields.get("transfer-encoding")
        if length is not None and not _LENGTH.fullmatch(length):
            raise HTTPException("malformed length")
        if coding is not None and coding.lower() != "chunked":
            raise HTTPException("unknown transfer coding")
        if self.status < 200 or self.status in _STATUSES_WITHOUT_BODY or not self._has_body:
            length, coding = "0", None
        self.chunked = coding is not None
        self.chunk_left = None
        self.length = None if length is None or self.chunked else int(length)
        connection = fields.get("connection", "keep-alive" if minor else "close").lower()
        ends_with_connection = self.length is None and not self.chunked
        self.will_close = ends_with_connection or "close" in connection or not (minor or "keep-alive" in connection)


def _read_status(stream: io.BufferedReader) -> tuple[int, int]:
    """Return the minor version and the status. Raises HTTPException."""
    line = _read_line(stream)
    if not line:
        raise RemoteDisconnected("the connection ended before the response")
    match = _STATUS_LINE.fullmatch(line)
    if match is None:
        raise BadStatusLine(line[:100])
    return int(match[1]), int(match[2])


def _read_fields(stream: io.BufferedReader) -> dict[str, str]:
    """Return the headers. Raises HTTPException."""
    fields: dict[str, str] = {}
    for _ in range(MAX_HEADERS + 1):
        line = _read_line(stream)
        if line in ("\r\n", "\n"):
            return fields
        match = _HEADER_LINE.fullmatch(line)
        if match is None:
            raise HTTPException("malformed headers")
        name, value = match[1].lower(), match[2].strip(" \t")
        fields[name] = f"{fields[name]}, {value}" if name in fields else value
    raise HTTPException("too many headers")


def _read_line(stream: io.BufferedReader) -> str:
    """Return the next line, which has no end if it is too long or the last one."""
    return stream.readline(MAX_LINE_BYTES).decode("latin-1")
