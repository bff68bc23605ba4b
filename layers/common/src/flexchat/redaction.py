"""Redaction of secrets and personal data in log lines, metrics and error messages of other services.

A value is redacted by its key and by its form. Texts are truncated before they are searched, and every pattern takes
linear time.
"""

import json
import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, Final, cast
from urllib.parse import quote, quote_plus

from flexchat.tokens import TOKEN_PATTERN

REDACTED: Final = "[redacted]"

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_WORDS = frozenset(
    {
        "auth",
        "authorization",
        "apikey",
        "bearer",
        "cookie",
        "credential",
        "credentials",
        "cvv",
        "jwt",
        "passphrase",
        "passwd",
        "password",
        "pwd",
        "secret",
        "secrets",
    }
)
_SECRET_PAIRS = frozenset(
    {
        ("access", "key"),
        ("account", "key"),
        ("api", "key"),
        ("encryption", "key"),
        ("master", "key"),
        ("private", "key"),
        ("secret", "key"),
        ("signing", "key"),
        ("subscription", "key"),
        ("token", "id"),
        ("x", "key"),
    }
)

_KEY_BEGINS = r"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4}))"
"""Boundary that a key may begin at, also behind an escaped character: `%20sk-…`, or `\\nsk-…` in quoted JSON."""

_SECRET_VALUE = re.compile(
    rf"""
      {_KEY_BEGINS}(?:
        eyJ[A-Za-z0-9_-]{{8,}}(?:\.[A-Za-z0-9_-]*){{0,2}}                # JSON Web Token, our own signed texts
      | {TOKEN_PATTERN}
      | (?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{{12,}}                 # AWS key ids
      | (?:ABSK|IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz|AQoDYXdz)[A-Za-z0-9+/=%_-]{{12,}}  # AWS session tokens, Bedrock
      | (?:sk|pk|rk)[-_][A-Za-z0-9_-]{{12,}}                             # OpenAI, Anthropic, OpenRouter, Stripe
      | (?:gsk|xai|hf|csk|pcsk|r8|fw|pplx|nvapi|tvly|tvly-dev|tvly-prod|jina|lsv2_[ps][tk])[-_][A-Za-z0-9]{{16,}}[\w-]*
      | (?:npm|whsec|ntn|sbp|shp(?:at|ca|pa|ss)|do[opr]_v1|dckr_pat|lin_api|glsa|glc|PMAK)[-_][A-Za-z0-9]{{16,}}[\w-]*
      | gl(?:pat|ptt|dt|rt|cbt|agent|ft|imt|soat)-[A-Za-z0-9_-]{{16,}}   # GitLab
      | gh[a-z]_[A-Za-z0-9]{{20,}} | github_pat_\w{{20,}}
      | xox[a-z]-[A-Za-z0-9-]{{10,}} | xapp-\d-[A-Za-z0-9-]{{10,}} | hooks\.slack\.com/services/[A-Za-z0-9/]+
      | AIza[A-Za-z0-9_-]{{20,}} | ya29\.[A-Za-z0-9_-]{{20,}} | GOCSPX-[A-Za-z0-9_-]{{20,}}  # Google
      | pypi-A[A-Za-z0-9_-]{{16,}} | SG\.[A-Za-z0-9_-]{{16,}}\.[A-Za-z0-9_-]{{16,}}
      | hv[sbr]\.[A-Za-z0-9_-]{{20,}} | ATATT3[A-Za-z0-9_=-]{{20,}} | AGE-SECRET-KEY-1[A-Z0-9]{{20,}}
      | (?:dapi|key-|SK)[a-f0-9]{{32}}(?![A-Za-z0-9])                     # Databricks, Mailgun, Twilio
      | (?i:bearer|basic)(?:\s+|%20)[A-Za-z0-9._~+/=%-]{{6,}}
      )
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----[\s\S]*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    | (?<=://)[^\s/@:]+:[^\s/@]+(?=@)                                     # user and password in a URL
    | (?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,8}}   # e-mail address
    """,
    re.VERBOSE,
)
_QUOTE = r"""(?:\\*["']|%22|%27)?"""
"""A quote, escaped once for each level of nested JSON, or as in an address."""

_EQUALS = rf"{_QUOTE}(?:\s|%20)*(?:[=:]|%3[AaDd])(?:\s|%20)*{_QUOTE}"

_SECRET_AFTER_NAME = re.compile(
    rf"""
      ([?&;][\w.-]*(?:key|token|secret|signature|password|sig|credential)=)[^&\s"'<>]+
    | (authorization{_EQUALS})(?:[a-z][\w-]{{0,30}}(?:[ ]|%20)+)?[^\s"',;&}}\\]+     # its scheme may be any word
    | ((?:(?:access|api|account|secret|subscription)[ _-]?key|secret|password|passwd|token)
       {_EQUALS})(?:(?<=")[^"\\]+|(?<=')[^'\\]+|[^\s"',;&}}\\]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CARD = re.compile(r"(?<![A-Za-z0-9-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![A-Za-z0-9-])")


def is_secret_name(name: str) -> bool:
    """Return whether `name` is a secret's: `api_key`, `X-Api-Key`, `accessToken`, `auth`; not `max_tokens`."""
    words = tuple(word.lower() for word in _WORD.findall(name))
    if not words:
        return False
    return (
        words == ("key",)
        or words[-1] == "token"
        or not _SECRET_WORDS.isdisjoint(words)
        or any(pair in _SECRET_PAIRS for pair in pairwise(words))
    )


def redact_patterns(text: str) -> str:
    """Return `text` without secrets, e-mail addresses and card numbers, by their form or the name before them."""
    text = _SECRET_AFTER_NAME.sub(_redact_value, _SECRET_VALUE.sub(REDACTED, text))
    return _CARD.sub(_redact_card, text)


def _redact_value(match: re.Match[str]) -> str:
    return (match[1] or match[2] or match[3]) + REDACTED


def _redact_card(match: re.Match[str]) -> str:
    return REDACTED if is_card_number(re.sub(r"\D", "", match.group())) else match.group()


def is_card_number(digits: str) -> bool:
    """Return whether `digits` is a card number: 14 to 19 digits with a valid Luhn checksum."""
    if not (14 <= len(digits) <= 19 and digits[0] in "3456"):
        return False
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    return (sum(int(digit) for digit in digits[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def contains_key(text: str) -> bool:
    """Return whether `text` contains a provider's key, a token or credentials in an address, by their form.

    E-mail addresses and words such as `basic arithmetic` do not count.
    """
    return any(_is_key(found.group()) for found in _SECRET_VALUE.finditer(text))


def _is_key(found: str) -> bool:
    words = found.replace("%20", " ").split(maxsplit=1)
    if len(words) > 1 and words[0].lower() in ("bearer", "basic"):
        return any(character.isdigit() for character in words[1])
    return "@" not in found


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
