"""Redaction of secrets and personal data in log lines, metrics and error messages of other services.

A value is redacted by its key and by its form. Texts are truncated before they are searched, and every pattern takes
linear time.
"""

import json
import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, cast
from urllib.parse import quote, quote_plus

from flexchat.secret_patterns import REDACTED, is_card_number, is_secret_name, redact_patterns

MAX_TEXT: Final = 2_000
MAX_ITEMS: Final = 50
MAX_DEPTH: Final = 8
MAX_VALUES: Final = 2_000
"""Maximum number of values of one redacted object, over all levels."""

MAX_MESSAGE_CHARACTERS: Final = 500
"""Maximum length of another service's error message."""

_MAX_SEARCHED_MESSAGE: Final = 65_536
"""Maximum part of another service's error message that is searched for configured secrets."""

_LOOKAHEAD: Final = 512
"""Characters beyond the truncation that are searched too, so that a secret across it is redacted whole."""

_MASKED_KEY = re.compile(r"(?<![\w*.-])[\w.-]+\*{3,}[\w*.-]*")
"""Partly masked key in a provider's message: `sk-abc***wxyz` still shows both ends."""

_PERCENT = re.compile("%..")

MIN_SECRET: Final = 8
"""Minimum length of a redacted value; shorter ones would match ordinary words."""

_HTML_ESCAPES: Final = tuple(
    str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", **others})
    for others in (
        {},
        *({'"': "&quot;", "'": quote} for quote in ("'", "&#39;", "&#039;", "&#x27;", "&apos;")),
        *({'"': "&#34;", "'": "&#39;", **plus} for plus in ({}, {"+": "&#43;"})),
        {'"': "&quot;", "'": "&#x27;", "/": "&#x2F;"},
        {'"': "&quot;", "'": "&#39;", "/": "&#x2F;", "`": "&#x60;", "=": "&#x3D;"},
    )
)
"""Characters as escapers of common languages and template engines write them."""

_JSON_ESCAPES: Final = tuple(
    str.maketrans(escapes)
    for escapes in (
        {"/": "\\/"},
        {character: f"\\u{ord(character):04x}" for character in "<>&"},
        {character: f"\\u{ord(character):04x}" for character in "<>&'"},
        {"/": "\\/", **{character: f"\\u{ord(character):04X}" for character in "<>&'"}},
    )
)
"""Further escapes of JSON that is written into HTML, and of PHP."""


_MAX_HIDDEN: Final = 20_000
"""Maximum number of forms of secrets, about a thousand secrets; the first ones are dropped, and added
again by their next use."""

_hidden: dict[str, None] = {}
"""Forms of the secrets that this process has resolved, since later lines may quote them."""


def redact_in_logs(secrets: Iterable[str]) -> None:
    """Redact `secrets` in every form in all later texts of this process."""
    _hidden.update(dict.fromkeys(form for secret in secrets for form in _forms(secret)))
    for form in list(_hidden)[: max(0, len(_hidden) - _MAX_HIDDEN)]:
        _hidden.pop(form, None)


def redact_secrets(value: Any, secrets: Iterable[str]) -> Any:
    """Return a JSON value with `secrets` redacted in every form, in texts and names of any length."""
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    return _replaced(value, forms)


def redact_known_secrets(value: Any) -> Any:
    """Return a JSON value with the secrets of `redact_in_logs` redacted in every form, in texts of any length."""
    return _replaced(value, sorted(_hidden, key=len, reverse=True))


def _replaced(value: Any, forms: Sequence[str]) -> Any:
    match value:
        case str():
            for form in forms:
                value = value.replace(form, REDACTED)
            return value
        case dict():
            items = cast("dict[str, Any]", value).items()
            return {_replaced(name, forms): _replaced(item, forms) for name, item in items}
        case list():
            return [_replaced(item, forms) for item in cast("list[Any]", value)]
        case _:
            return value


def redact(value: object, *, max_text: int = MAX_TEXT) -> object:
    """Return a copy of `value` that is safe to log.

    Values under a secret's key and texts in the form of a secret become `[redacted]`. Texts are truncated to `max_text`
    characters, containers to 50 items and 8 levels, the whole to 2,000 values; values of other types become text.
    """
    return _Redaction(max_text).value(value, MAX_DEPTH)


def redact_facts(facts: Mapping[str, object], *, max_text: int = MAX_TEXT) -> dict[str, object]:
    """Return a mapping, such as the fields of a log line, redacted as by `redact`."""
    return _Redaction(max_text).mapping(facts, MAX_DEPTH)


def redact_text(text: str, *, max_text: int = MAX_TEXT) -> str:
    """Return `text` without secrets, e-mail addresses and card numbers."""
    cleaned = _redacted_forms(text[: max_text + _LOOKAHEAD])
    if len(text) <= max_text:
        return cleaned
    return f"{cleaned[:max_text]}… [{len(text)} characters]"


def redact_error_message(message: str, *, secrets: Iterable[str] = ()) -> str:
    """Return another service's error message on one line, redacted, with at most 500 characters.

    `secrets` are redacted in every form that a service quotes: plain, escaped for JSON and HTML, percent-encoded, in
    base64 (also inside a longer text, such as Basic credentials), or truncated at the end of the message. Texts in the
    form of a key are redacted too.
    """
    shown = " ".join(message[:_MAX_SEARCHED_MESSAGE].split())
    length = len(shown) + max(0, len(message) - _MAX_SEARCHED_MESSAGE)
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    for form in forms:
        shown = shown.replace(form, REDACTED)
    for form in forms:
        shown = _without_partial_secret(shown, form)
    shown = _redacted_forms(_MASKED_KEY.sub(REDACTED, shown[: MAX_MESSAGE_CHARACTERS + _LOOKAHEAD]))
    if length <= MAX_MESSAGE_CHARACTERS:
        return shown
    return f"{shown[:MAX_MESSAGE_CHARACTERS]}… [{length} characters]"


def _forms(secret: str) -> Iterator[str]:
    """Yield the quoted forms of `secret` on one line, and of its last word (as in `Bearer <key>`)."""
    for part in {" ".join(secret.split()), *secret.split()[-1:]}:
        if len(part) < MIN_SECRET:
            continue
        escaped = json.dumps(part)[1:-1]
        yield from (part, escaped, json.dumps(escaped)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1])
        yield from (escaped.translate(escapes) for escapes in _JSON_ESCAPES)
        for escapes in _HTML_ESCAPES:
            for text in dict.fromkeys((part, escaped)):
                once = text.translate(escapes)
                yield from (once, once.translate(escapes))
        raw = part.encode("utf-8", "replace")
        for encoded in (quote(raw), quote(raw, safe=""), quote_plus(raw)):
            yield from (encoded, _PERCENT.sub(lambda escape: escape.group().lower(), encoded))
        for before in range(3):
            # The first and the last characters also encode bytes around the secret.
            core = b64encode(b"\0" * before + raw).decode()[(0, 2, 3)[before] :]
            core = core.rstrip("=")[: -1 if (before + len(raw)) % 3 else None]
            if len(core) >= MIN_SECRET:
                yield from (core, core.replace("+", "-").replace("/", "_"))


def _without_partial_secret(text: str, secret: str) -> str:
    """Return `text` without a prefix of `secret` at its end, as in a truncated text."""
    start = max(0, len(text) - len(secret))
    while (start := text.find(secret[:MIN_SECRET], start)) >= 0:
        if secret.startswith(text[start:]):
            return text[:start] + REDACTED
        start += 1
    return text


class _Redaction:
    """Redaction of one value, with at most `MAX_VALUES` values; further ones are left out."""

    def __init__(self, max_text: int) -> None:
        self._max_text = max_text
        self._remaining = MAX_VALUES

    def value(self, value: object, depth: int) -> object:
        self._remaining -= 1
        match value:
            case None | bool():
                return value
            case _ if self._remaining < 0:
                return "…"
            case str():
                return redact_text(value, max_text=self._max_text)
            case int():
                return REDACTED if value.bit_length() > 256 or is_card_number(str(value)) else value
            case float():
                return value if value - value == 0 else str(value)
            case Mapping() | list() | tuple() | set() | frozenset() if depth == 0:
                return "…"
            case Mapping():
                return self.mapping(cast("Mapping[Any, object]", value), depth)
            case list() | tuple() | set() | frozenset():
                items = cast("Collection[object]", value)
                redacted = [self.value(item, depth - 1) for item in islice(items, MAX_ITEMS)]
                return redacted if len(items) <= MAX_ITEMS else [*redacted, f"… [{len(items)} items]"]
            case _:
                return redact_text(str(value), max_text=self._max_text)

    def mapping(self, value: Mapping[Any, object], depth: int) -> dict[str, object]:
        result: dict[str, object] = {}
        for key, item in islice(value.items(), MAX_ITEMS):
            name = str(key)
            secret = item is not None and is_secret_name(name[:MAX_TEXT])
            result[redact_text(name, max_text=200)] = REDACTED if secret else self.value(item, depth - 1)
        if len(value) > MAX_ITEMS:
            result["…"] = f"[{len(value)} items]"
        return result


def _redacted_forms(text: str) -> str:
    for form in sorted(_hidden, key=len, reverse=True):
        text = text.replace(form, REDACTED)
    return redact_patterns(text)
