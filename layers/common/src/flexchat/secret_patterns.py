"""Patterns of secrets and personal data: names, keys, tokens, addresses and card numbers."""

import re
from itertools import pairwise
from typing import Final

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
