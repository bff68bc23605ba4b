"""Command lines of curl."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from flexchat.errors import ConfigError, Problem

_VALUES: Final[Mapping[str, str]] = {
    "-X": "request", "--request": "request", "-H": "header", "--header": "header", "--url": "url",
    "-d": "data", "--data": "data", "--data-ascii": "data", "--data-raw": "raw", "--data-binary": "data",
    "--data-urlencode": "urlencode", "--json": "json", "-u": "user", "--user": "user",
    "-A": "agent", "--user-agent": "agent", "-e": "referer", "--referer": "referer", "--oauth2-bearer": "bearer",
    "-m": "timeout", "--max-time": "timeout", "-b": "cookie", "--cookie": "cookie", "-F": "multipart",
    "--form": "multipart", "--form-string": "multipart", "-T": "upload", "--upload-file": "upload",
    "-x": "proxy", "--proxy": "proxy", "-o": "ignored", "--output": "ignored", "-w": "ignored",
    "--write-out": "ignored", "--connect-timeout": "ignored", "--retry": "ignored", "-c": "ignored",
    "--cookie-jar": "ignored", "--max-redirs": "ignored", "--retry-delay": "ignored",
}  # fmt: skip
"""Options with a value."""

_FLAGS: Final[Mapping[str, str]] = {
    "-G": "get", "--get": "get", "-I": "head", "--head": "head", "-L": "location", "--location": "location",
    "-k": "insecure", "--insecure": "insecure", "-s": "ignored", "--silent": "ignored", "-S": "ignored",
    "--show-error": "ignored", "-v": "ignored", "--verbose": "ignored", "-i": "ignored", "--include": "ignored",
    "-f": "ignored", "--fail": "ignored", "--compressed": "ignored", "-N": "ignored", "--no-buffer": "ignored",
    "-g": "ignored", "--globoff": "ignored", "--http1.1": "ignored", "--http2": "ignored", "-#": "ignored",
    "--progress-bar": "ignored", "--fail-with-body": "ignored", "-O": "ignored", "-4": "ignored", "-6": "ignored",
}  # fmt: skip


class CurlError(ConfigError):
    """A line that no tool can be made of; the message quotes none of its values."""

    def __init__(self, message: str) -> None:
        super().__init__((Problem("curl", message),))


@dataclass(slots=True)
class CurlLine:
    """Parts of one command line; each of `data` has its kind before it."""

    url: str = ""
    method: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]], repr=False)
    data: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]], repr=False)
    user: str | None = field(default=None, repr=False)
    bearer: bool = False
    flags: set[str] = field(default_factory=set[str])
    timeout_ms: int | None = None
    notes: list[str] = field(default_factory=list[str])


def parse_line(text: str) -> CurlLine:
    """Return the parts of a command line. Raises CurlError."""
    try:
        words = shlex.split(text.replace("\\\r\n", " ").replace("\\\n", " "))
    except ValueError as exc:
        raise CurlError("a quotation mark is not closed") from exc
    if words[:1] == ["curl"]:
        words = words[1:]
    line = CurlLine()
    rest = iter(words)
    for word in rest:
        for option, value in _options(word, lambda: next(rest, None)):
            _apply(line, option, value)
    if not line.url:
        raise CurlError("the line has no URL")
    return line


def _options(word: str, following: Callable[[], str | None]) -> list[tuple[str, str]]:
    """Return the options of one word, each with its value: `-sSXPOST` has three."""
    if not word.startswith("-") or word == "-":
        return [("url", word)]
    if word.startswith("--"):
        name, equals, value = word.partition("=")
        if name in _FLAGS:
            return [(_FLAGS[name], "")]
        return [(_kind(name), value if equals else _value(name, following()))]
    found: list[tuple[str, str]] = []
    for place, letter in enumerate(word[1:], start=2):
        if (option := f"-{letter}") in _FLAGS:
            found.append((_FLAGS[option], ""))
        else:
            kind = _kind(option)
            return [*found, (kind, word[place:] or _value(option, following()))]
    return found


def _kind(option: str) -> str:
    if option not in _VALUES:
        raise CurlError(f"the option {option!r} is not supported")
    return _VALUES[option]


def _value(option: str, value: str | None) -> str:
    if value is None:
        raise CurlError(f"the option {option!r} has no value")
    return value


def _apply(line: CurlLine, option: str, value: str) -> None:
    match option:
        case "url":
            if line.url:
                raise CurlError("the line has more than one URL")
            line.url = value
        case "request":
            line.method = value.upper()
        case "header":
            name, _, text = value.partition(":")
            line.headers.append((name.strip(), text.strip()))
        case "agent" | "referer":
            line.headers.append(({"agent": "User-Agent", "referer": "Referer"}[option], value))
        case "data" | "urlencode" if "@" in (value[:1], value.partition("=")[0][-1:]):
            raise CurlError("a body from a file cannot be imported; write it into the line")
        case "data" | "raw" | "urlencode" | "json":
            line.data.append((option, value))
        case "user":
            line.user = value
        case "bearer":
            line.bearer = True
        case "timeout":
            line.timeout_ms = _milliseconds(value)
        case "cookie":
            line.notes.append("cookies are left out")
        case "proxy":
            line.notes.append("the proxy is left out: tools connect directly")
        case "multipart":
            raise CurlError("http tools send no multipart forms (-F)")
        case "upload":
            raise CurlError("http tools send no files (-T)")
        case "insecure":
            line.notes.append("-k is left out: certificates are always checked")
        case _:
            line.flags.add(option)


def _milliseconds(value: str) -> int:
    try:
        return min(60_000, max(1, int(float(value) * 1_000)))
    except (ValueError, OverflowError) as exc:
        raise CurlError("the time of -m is not a number of seconds") from exc
