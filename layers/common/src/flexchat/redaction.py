"""What must never reach a log, a metric or an audit record, taken out by key and by value."""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Final, cast

REDACTED: Final = "[redacted]"

MAX_TEXT: Final = 2_000
MAX_ITEMS: Final = 50
MAX_DEPTH: Final = 8

MAX_MESSAGE_CHARACTERS: Final = 500
"""Of another service's own words that are shown."""

_LOOKAHEAD: Final = 512
"""Text beyond the cut that is still searched, so that a secret across the cut does not survive in half."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_WORDS = frozenset(
    {
        "authorization",
        "apikey",
        "cookie",
        "credential",
        "credentials",
        "cvv",
        "passphrase",
        "passwd",
        "password",
        "pwd",
        "secret",
        "secrets",
    }
)
_SECRET_PAIRS = frozenset(
    {("api", "key"), ("access", "key"), ("private", "key"), ("secret", "key"), ("signing", "key")}
)

_SECRET_VALUE = re.compile(
    r"""
      -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----[\s\S]*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    | \beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}                     # JSON Web Token
    | \b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}                              # AWS access key id
    | \b(?:sk|pk|rk|flx)[-_][A-Za-z0-9_-]{12,}                            # OpenAI, Anthropic, Stripe, our own tokens
    | \bAIza[A-Za-z0-9_-]{20,}                                            # Google
    | \bgh[a-z]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bxox[a-z]-[A-Za-z0-9-]{10,}
    | (?i:\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}
    | (?<=://)[^\s/@:]+:[^\s/@]+(?=@)                                     # user and password in a URL
    | (?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}         # e-mail address
    """,
    re.VERBOSE,
)
_AFTER_ITS_NAME = re.compile(
    r"""
      ([?&;][\w.-]*(?:key|token|secret|signature|password|sig|credential)=)[^&\s"'<>]+
    | (\b(?:aws_secret_access_key|api[_-]?key|secret|password|passwd|token)["']?\s*[=:]\s*["']?)[^\s"',;&}]+
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MASKED_KEY = re.compile(r"\b(?:sk|pk|rk)[-_][\w*.-]*\*[\w*.-]*")
"""A key that its provider quotes half masked: `sk-abc***wxyz` still shows its ends."""

_SHORTEST_SECRET: Final = 8
"""A shorter value would blank ordinary words, and protects nothing either."""

_CARD = re.compile(r"(?<![\w-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\w-])")


def redact(value: object, *, max_text: int = MAX_TEXT) -> object:
    """A copy of `value` that is safe to log.

    Values under a secret's name and texts that look like one become `[redacted]`. Long texts are cut to `max_text`
    characters, containers to 50 items and 8 levels; what is no JSON becomes text.
    """
    return _redact(value, max_text, MAX_DEPTH)


def redact_facts(facts: Mapping[str, object], *, max_text: int = MAX_TEXT) -> dict[str, object]:
    """`redact` for an object, such as a log line's facts."""
    return _redact_mapping(facts, max_text, MAX_DEPTH)


def redact_text(text: str, *, max_text: int = MAX_TEXT) -> str:
    """`text` with everything that looks like a secret, an e-mail address or a card number taken out."""
    searched = text[: max_text + _LOOKAHEAD]
    cleaned = _AFTER_ITS_NAME.sub(_redact_value, _SECRET_VALUE.sub(REDACTED, searched))
    cleaned = _CARD.sub(_redact_card, cleaned)
    if len(text) <= max_text:
        return cleaned
    return f"{cleaned[:max_text]}… [{len(text)} characters]"


def presentable(message: str, *, secrets: Iterable[str] = ()) -> str:
    """Another service's own words, fit to be shown: on one line, short, with `secrets` and what looks like a key taken
    out."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            message = message.replace(secret, REDACTED)
    message = _MASKED_KEY.sub(REDACTED, " ".join(message.split()))
    return redact_text(message, max_text=MAX_MESSAGE_CHARACTERS)


def is_secret_name(name: str) -> bool:
    """Whether a key names a secret: `api_key`, `X-Api-Key`, `accessToken`; not `max_tokens`."""
    words = tuple(word.lower() for word in _WORD.findall(name))
    if not words:
        return False
    return (
        words[-1] == "token"
        or not _SECRET_WORDS.isdisjoint(words)
        or any(pair in _SECRET_PAIRS for pair in pairwise(words))
    )


def _redact(value: object, max_text: int, depth: int) -> object:
    match value:
        case None | bool():
            return value
        case str():
            return redact_text(value, max_text=max_text)
        case int():
            return REDACTED if value.bit_length() > 256 or _looks_like_card(str(value)) else value
        case float():
            return value if value - value == 0 else str(value)
        case Mapping() | list() | tuple() | set() | frozenset() if depth == 0:
            return "…"
        case Mapping():
            return _redact_mapping(cast("Mapping[Any, object]", value), max_text, depth)
        case list() | tuple() | set() | frozenset():
            items = list(cast("Iterable[object]", value))
            kept = [_redact(item, max_text, depth - 1) for item in items[:MAX_ITEMS]]
            return kept if len(items) <= MAX_ITEMS else [*kept, f"… [{len(items)} items]"]
        case _:
            return redact_text(str(value), max_text=max_text)


def _redact_mapping(value: Mapping[Any, object], max_text: int, depth: int) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, item in list(value.items())[:MAX_ITEMS]:
        name = redact_text(str(key), max_text=200)
        result[name] = REDACTED if item is not None and is_secret_name(name) else _redact(item, max_text, depth - 1)
    if len(value) > MAX_ITEMS:
        result["…"] = f"[{len(value)} items]"
    return result


def _redact_value(match: re.Match[str]) -> str:
    return (match[1] or match[2]) + REDACTED


def _redact_card(match: re.Match[str]) -> str:
    return REDACTED if _looks_like_card(re.sub(r"\D", "", match.group())) else match.group()


def _looks_like_card(digits: str) -> bool:
    """Whether 14 to 19 digits pass the Luhn check, as card numbers do."""
    if not (14 <= len(digits) <= 19 and digits[0] in "3456"):
        return False
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    return (sum(int(digit) for digit in digits[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def holds_key(text: str) -> bool:
    """Whether `text` contains a key by its form: a provider's key, a token, credentials in an address.

    E-mail addresses, and words such as `basic arithmetic`, are none.
    """
    return any(_is_key(found.group()) for found in _SECRET_VALUE.finditer(text))


def _is_key(found: str) -> bool:
    scheme, space, credentials = found.partition(" ")
    if space and scheme.lower() in ("bearer", "basic"):
        return any(character.isdigit() for character in credentials)
    return "@" not in found
