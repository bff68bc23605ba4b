"""API tokens: `fc_<id>_<secret>`, shown once and stored as a salted hash.

The secret is 256 random bits, so one round of SHA-256 is enough: no dictionary holds such secrets, and a slow hash
would add its time to every request. The salt, new for each token, excludes prepared tables at no cost.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal, get_args

from msgspec import Struct

from flexchat.redacted_struct import RedactedStruct

Role = Literal["user", "operator", "service"]
"""Built-in roles: `user` chats, `operator` also reads operational data.

A `service` may name the end user of its requests. Every other role has the rights that the section `roles` of the
configuration gives it.
"""

ROLES: Final[tuple[Role, ...]] = get_args(Role)

ROLE_PATTERN: Final = "^[a-z][a-z0-9_-]{0,31}$"
"""Names of roles."""

_ROLE_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
_MAX_ROLE: Final = 32


def is_role_name(text: str) -> bool:
    """Return whether a text has the form of the name of a role (`ROLE_PATTERN`)."""
    return 0 < len(text) <= _MAX_ROLE and _ROLE_CHARACTERS.issuperset(text) and "a" <= text[0] <= "z"


def ordered_roles(names: Collection[str]) -> tuple[str, ...]:
    """Return roles, each once: the built-in ones first, then the others by name. Other texts are left out."""
    own = {name for name in names if is_role_name(name)}
    return (*(role for role in ROLES if role in own), *sorted(own.difference(ROLES)))


MAX_NAME: Final = 64
"""Most characters of the name of a token."""

MAX_DAYS: Final = 3_650
"""Most days that a token is valid."""

_ID_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_ID_LENGTH = 10
_SECRET_BYTES = 32
_SALT_BYTES = 16
_HINT_LENGTH = 4
_ID_PATTERN = rf"[{_ID_ALPHABET}]{{{_ID_LENGTH}}}"
_TOKEN = re.compile(rf"fc_({_ID_PATTERN})_([A-Za-z0-9_-]{{43}})")

TOKEN_PATTERN: Final = rf"fc_{_ID_PATTERN}_[A-Za-z0-9_-]+"
"""Pattern of a token inside a text, also of one that was cut off in its secret."""


PERSON_PREFIX: Final = "oidc_"
"""Beginning of the principals of people, who sign in at an identity provider; the id of a token has no underscore."""


class Token(RedactedStruct, frozen=True):
    """A token in plain text, whose `repr` does not show the secret."""

    redacted: ClassVar = ("secret",)

    id: str
    secret: str

    @classmethod
    def parse(cls, text: str) -> "Token | None":
        """Return the token in `text`, or None for any other text."""
        match = _TOKEN.fullmatch(text)
        return cls(id=match[1], secret=match[2]) if match else None

    def reveal(self) -> str:
        """Return the token in plain text, as clients send it."""
        return f"fc_{self.id}_{self.secret}"


class TokenRecord(RedactedStruct, frozen=True):
    """The stored record of a token, from which the secret cannot be restored.

    `hint` is the last four characters of the secret, which identify a token to its holder. `created_by` is the caller
    of the API that created it, empty for a command. The times are aware and in whole seconds.
    """

    redacted: ClassVar = ("salt", "digest")

    id: str
    name: str
    roles: tuple[str, ...]
    salt: bytes
    digest: bytes
    hint: str
    created_at: datetime
    expires_at: datetime
    created_by: str = ""

    def is_live(self, *, now: datetime) -> bool:
        """Return True until the expiry; the table deletes an expired token up to days later."""
        return now < self.expires_at

    def admits(self, token: Token, *, now: datetime) -> bool:
        """Return True for the recorded, live token, in a time that does not depend on the secret."""
        same = hmac.compare_digest(self.digest, _digest(self.salt, token.secret))
        return same and token.id == self.id and self.is_live(now=now)


class IssuedToken(Struct, frozen=True):
    """A new token and its record."""

    token: Token
    record: TokenRecord


def checked_name(name: str) -> str:
    """Return the name of a new token. Raises ValueError."""
    if not 1 <= len(name) <= MAX_NAME or not name.isprintable() or name != name.strip():
        raise ValueError(f"must be 1 to {MAX_NAME} printable characters, without space at either end")
    return name


def issue(
    *, name: str, roles: tuple[str, ...], lifetime: timedelta, now: datetime, created_by: str = ""
) -> IssuedToken:
    """Return a new token for `name`, valid for `lifetime` from `now`, an aware time."""
    token = Token(
        id="".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LENGTH)),
        secret=secrets.token_urlsafe(_SECRET_BYTES),
    )
    salt = secrets.token_bytes(_SALT_BYTES)
    created_at = now.replace(microsecond=0)
    record = TokenRecord(
        id=token.id,
        name=name,
        roles=roles,
        salt=salt,
        digest=_digest(salt, token.secret),
        hint=token.secret[-_HINT_LENGTH:],
        created_at=created_at,
        expires_at=created_at + lifetime,
        created_by=created_by,
    )
    return IssuedToken(token=token, record=record)


def tokens_table(stage: str) -> str:
    """Return the name of a stage's table of tokens, as in `template.yaml`."""
    return f"flexchat-{stage}-tokens"


def _digest(salt: bytes, secret: str) -> bytes:
    return hashlib.sha256(salt + secret.encode()).digest()
