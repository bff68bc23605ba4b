"""Redaction of secrets and personal data in log lines, metrics and other services' error messages.

A value is redacted by the name it stands under and by what it looks like. Texts are cut before they are searched, and
every pattern takes linear time.
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

MAX_TEXT: Final = 2_000
MAX_ITEMS: Final = 50
MAX_DEPTH: Final = 8
MAX_VALUES: Final = 2_000
"""Values of one redacted object, at all levels together."""

MAX_MESSAGE_CHARACTERS: Final = 500
"""Characters of another service's error message that are shown."""

_MAX_SEARCHED_MESSAGE: Final = 65_536
"""Characters of another service's error message that are searched for configured secrets."""

_LOOKAHEAD: Final = 512
"""Text beyond the cut that is still searched, so that a secret across the cut does not survive in half."""

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
"""A quote, escaped as often as JSON stands within JSON, or as in an address."""

_EQUALS = rf"{_QUOTE}(?:\s|%20)*(?:[=:]|%3[AaDd])(?:\s|%20)*{_QUOTE}"

_AFTER_ITS_NAME = re.compile(
    rf"""
      ([?&;][\w.-]*(?:key|token|secret|signature|password|sig|credential)=)[^&\s"'<>]+
    | (authorization{_EQUALS})(?:[a-z][\w-]{{0,30}}(?:[ ]|%20)+)?[^\s"',;&}}\\]+     # its scheme may be any word
    | ((?:(?:access|api|account|secret|subscription)[ _-]?key|secret|password|passwd|token)
       {_EQUALS})(?:(?<=")[^"\\]+|(?<=')[^'\\]+|[^\s"',;&}}\\]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MASKED_KEY = re.compile(r"(?<![\w*.-])[\w.-]+\*{3,}[\w*.-]*")
"""A key that its provider quotes half masked: `sk-abc***wxyz` still shows its ends."""

_PERCENT = re.compile("%..")

_SHORTEST_SECRET: Final = 8
"""A shorter value would blank ordinary words, and protects nothing either."""

_CARD = re.compile(r"(?<![A-Za-z0-9-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![A-Za-z0-9-])")


_hidden: dict[str, None] = {}
"""Forms of the secrets that this process has resolved; a form is never removed, as a later line may quote it."""


def redact_in_logs(secrets: Iterable[str]) -> None:
    """Redact `secrets`, in whatever form, from every text that this process redacts from now on."""
    _hidden.update(dict.fromkeys(form for secret in secrets for form in _forms(secret)))


def redact_secrets(value: Any, secrets: Iterable[str]) -> Any:
    """Return a JSON value with each of `secrets` redacted, in whatever form: texts and names alike, of any length."""
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    return _replaced(value, forms)


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
    """A copy of `value` that is safe to log.

    Values under a secret's name and texts that look like one become `[redacted]`. Long texts are cut to `max_text`
    characters, containers to 50 items and 8 levels, the whole to 2,000 values; what is no JSON becomes text.
    """
    return _Redaction(max_text).value(value, MAX_DEPTH)


def redact_facts(facts: Mapping[str, object], *, max_text: int = MAX_TEXT) -> dict[str, object]:
    """`redact` for an object, such as a log line's facts."""
    return _Redaction(max_text).mapping(facts, MAX_DEPTH)


def redact_text(text: str, *, max_text: int = MAX_TEXT) -> str:
    """`text` with everything that looks like a secret, an e-mail address or a card number taken out."""
    cleaned = _cleaned(text[: max_text + _LOOKAHEAD])
    if len(text) <= max_text:
        return cleaned
    return f"{cleaned[:max_text]}… [{len(text)} characters]"


def presentable(message: str, *, secrets: Iterable[str] = ()) -> str:
    """Another service's error message, fit to be shown: on one line, at most 500 characters.

    `secrets` are replaced in whatever form the service quotes them: as they are, escaped for JSON, percent-encoded, in
    base64 (also inside a longer text, such as Basic credentials), or cut off at the end of the message. What looks like
    a key is replaced too.
    """
    shown = " ".join(message[:_MAX_SEARCHED_MESSAGE].split())
    length = len(shown) + max(0, len(message) - _MAX_SEARCHED_MESSAGE)
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    for form in forms:
        shown = shown.replace(form, REDACTED)
    for form in forms:
        shown = _without_beginning(shown, form)
    shown = _cleaned(_MASKED_KEY.sub(REDACTED, shown[: MAX_MESSAGE_CHARACTERS + _LOOKAHEAD]))
    if length <= MAX_MESSAGE_CHARACTERS:
        return shown
    return f"{shown[:MAX_MESSAGE_CHARACTERS]}… [{length} characters]"


def _forms(secret: str) -> Iterator[str]:
    """The forms in which `secret`, and the last word of it (of `Bearer <key>`), may be quoted on one line."""
    for part in {" ".join(secret.split()), *secret.split()[-1:]}:
        if len(part) < _SHORTEST_SECRET:
            continue
        escaped = json.dumps(part)[1:-1]
        yield from (part, escaped, json.dumps(escaped)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1])
        raw = part.encode("utf-8", "replace")
        for encoded in (quote(raw), quote(raw, safe=""), quote_plus(raw)):
            yield from (encoded, _PERCENT.sub(lambda escape: escape.group().lower(), encoded))
        for before in range(3):
            # The first and the last characters also encode what stands around the secret.
            core = b64encode(b"\0" * before + raw).decode()[(0, 2, 3)[before] :]
            core = core.rstrip("=")[: -1 if (before + len(raw)) % 3 else None]
            if len(core) >= _SHORTEST_SECRET:
                yield from (core, core.replace("+", "-").replace("/", "_"))


def _without_beginning(text: str, secret: str) -> str:
    """`text` without the beginning of `secret` that it may end with, as in a text that was cut."""
    start = max(0, len(text) - len(secret))
    while (start := text.find(secret[:_SHORTEST_SECRET], start)) >= 0:
        if secret.startswith(text[start:]):
            return text[:start] + REDACTED
        start += 1
    return text


def is_secret_name(name: str) -> bool:
    """Return whether a name is that of a secret: `api_key`, `X-Api-Key`, `accessToken`, `auth`; not `max_tokens`."""
    words = tuple(word.lower() for word in _WORD.findall(name))
    if not words:
        return False
    return (
        words == ("key",)
        or words[-1] == "token"
        or not _SECRET_WORDS.isdisjoint(words)
        or any(pair in _SECRET_PAIRS for pair in pairwise(words))
    )


class _Redaction:
    """The redaction of one value: once `MAX_VALUES` values were copied, the rest is left out."""

    def __init__(self, max_text: int) -> None:
        self._max_text = max_text
        self._left = MAX_VALUES

    def value(self, value: object, depth: int) -> object:
        self._left -= 1
        match value:
            case None | bool():
                return value
            case _ if self._left < 0:
                return "…"
            case str():
                return redact_text(value, max_text=self._max_text)
            case int():
                return REDACTED if value.bit_length() > 256 or _looks_like_card(str(value)) else value
            case float():
                return value if value - value == 0 else str(value)
            case Mapping() | list() | tuple() | set() | frozenset() if depth == 0:
                return "…"
            case Mapping():
                return self.mapping(cast("Mapping[Any, object]", value), depth)
            case list() | tuple() | set() | frozenset():
                items = cast("Collection[object]", value)
                kept = [self.value(item, depth - 1) for item in islice(items, MAX_ITEMS)]
                return kept if len(items) <= MAX_ITEMS else [*kept, f"… [{len(items)} items]"]
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


def _cleaned(text: str) -> str:
    for form in sorted(_hidden, key=len, reverse=True):
        text = text.replace(form, REDACTED)
    text = _AFTER_ITS_NAME.sub(_redact_value, _SECRET_VALUE.sub(REDACTED, text))
    return _CARD.sub(_redact_card, text)


def _redact_value(match: re.Match[str]) -> str:
    return (match[1] or match[2] or match[3]) + REDACTED


def _redact_card(match: re.Match[str]) -> str:
    return REDACTED if _looks_like_card(re.sub(r"\D", "", match.group())) else match.group()


def _looks_like_card(digits: str) -> bool:
    """Whether 14 to 19 digits pass the Luhn check, as card numbers do."""
    if not (14 <= len(digits) <= 19 and digits[0] in "3456"):
        return False
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    return (sum(int(digit) for digit in digits[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def holds_key(text: str) -> bool:
    """Return whether `text` contains a key by its form: a provider's key, a token, credentials in an address.

    E-mail addresses, and words such as `basic arithmetic`, are none.
    """
    return any(_is_key(found.group()) for found in _SECRET_VALUE.finditer(text))


def _is_key(found: str) -> bool:
    words = found.replace("%20", " ").split(maxsplit=1)
    if len(words) > 1 and words[0].lower() in ("bearer", "basic"):
        return any(character.isdigit() for character in words[1])
    return "@" not in found
