"""API tokens: `fc_<id>_<secret>`, shown once and kept as a salted hash.

The secret is 256 random bits, so one round of SHA-256 is the right hash: there is no dictionary of such secrets to slow
an attacker down in, and a slow hash would only add its time to every request. The salt, new for each token, keeps equal
secrets and prepared tables out of the question at no cost.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal

Role = Literal["user", "operator"]
"""What a token's holder may do: `user` chats, `operator` also sees how the service is run."""

_ID_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_ID_LENGTH = 10
_SECRET_BYTES = 32
_SALT_BYTES = 16
_HINT_LENGTH = 4
_ID_PATTERN = rf"[{_ID_ALPHABET}]{{{_ID_LENGTH}}}"
_TOKEN = re.compile(rf"fc_({_ID_PATTERN})_([A-Za-z0-9_-]{{43}})")

TOKEN_PATTERN: Final = rf"fc_{_ID_PATTERN}_[A-Za-z0-9_-]+"
"""Pattern of a token inside a text, also of one that was cut off in its secret."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token in the clear: only its holder has it, and its `repr` does not show the secret."""

    id: str
    secret: str = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "Token | None":
        """The token that `text` spells, or None when it is not one."""
        match = _TOKEN.fullmatch(text)
        return cls(id=match[1], secret=match[2]) if match else None

    def reveal(self) -> str:
        """The whole token, as its holder sends it."""
        return f"fc_{self.id}_{self.secret}"


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """What is kept of a token: enough to recognise it, nothing to make it again.

    `hint` is the last four characters of the secret, by which a holder tells tokens apart. The times are aware and
    whole seconds.
    """

    id: str
    name: str
    roles: tuple[Role, ...]
    salt: bytes = field(repr=False)
    digest: bytes = field(repr=False)
    hint: str
    created_at: datetime
    expires_at: datetime

    def is_live(self, *, now: datetime) -> bool:
        """Whether the token has not expired; the table deletes an expired one up to days later."""
        return now < self.expires_at

    def admits(self, token: Token, *, now: datetime) -> bool:
        """Whether `token` is the one recorded here and still live, in a time that does not depend on the secret."""
        same = hmac.compare_digest(self.digest, _digest(self.salt, token.secret))
        return same and token.id == self.id and self.is_live(now=now)


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token and the record that stands for it from now on."""

    token: Token
    record: TokenRecord


def issue(*, name: str, roles: tuple[Role, ...], lifetime: timedelta, now: datetime) -> IssuedToken:
    """A new token for `name`, valid for `lifetime` from `now`, which is an aware time."""
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
    )
    return IssuedToken(token=token, record=record)


def tokens_table(stage: str) -> str:
    """The name of the table that `template.yaml` gives a stage's tokens."""
    return f"flexchat-{stage}-tokens"


def _digest(salt: bytes, secret: str) -> bytes:
    return hashlib.sha256(salt + secret.encode()).digest()
