"""Identities of people by JSON Web Tokens of an OpenID Connect issuer.

Sources: RFC 7519, RFC 8725 (best current practices), RFC 9068 (access tokens), OpenID Connect Core 1.0.
"""

import base64
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

import jwt
from jwt.exceptions import PyJWTError

from flexchat.messages import Json
from flexchat.text import single_line, truncate
from flexchat.tokens import PERSON_PREFIX, Role
from functions.authorizer.authorize import EVERYONE, Admitted, OidcIssuer, RefusedTokenError
from functions.authorizer.signing_keys import ALGORITHMS, SigningKeys

MAX_TOKEN_CHARACTERS: Final = 10_240
"""Longest accepted token: API Gateway accepts no longer headers."""

LEEWAY_SECONDS: Final = 60
"""Difference between the clocks of issuer and service that is tolerated."""

MAX_SUBJECT_CHARACTERS: Final = 255
"""Longest subject (OpenID Connect Core 1.0, section 2)."""

MAX_NAME_CHARACTERS: Final = 100

_DIGEST_BYTES: Final = 16
_NAME_CLAIMS: Final = ("name", "preferred_username", "username", "email")
_SCOPE_CLAIMS: Final = frozenset(("scope", "scp"))
"""Claims whose text is a list separated by spaces (RFC 9068, section 2.2.3, and Microsoft Entra ID)."""


class Identities:
    """Verifies the tokens of one issuer."""

    def __init__(self, issuer: OidcIssuer, keys: SigningKeys) -> None:
        self._issuer = issuer
        self._keys = keys

    def identify(self, token: str) -> Admitted:
        """Return the subject of a token. Raises RefusedTokenError, and UnavailableError without the issuer's keys."""
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise RefusedTokenError("too long")
        try:
            header = jwt.get_unverified_header(token)
            if str(header.get("alg")) not in ALGORITHMS:
                raise RefusedTokenError("algorithm not accepted")
            if "crit" in header:
                raise RefusedTokenError("critical header not supported")
            # Keys in the token itself (`jwk`, `jku`, `x5c`, `x5u`) are never used (RFC 8725, section 3.10).
            key = self._keys.find(header.get("kid"))
            if key is None:
                raise RefusedTokenError("unknown key")
            claims = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                issuer=self._issuer.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss"], "verify_aud": False},
            )
            expires_at = datetime.fromtimestamp(int(claims["exp"]), UTC)
        except (PyJWTError, RecursionError, OverflowError, ValueError, OSError) as error:
            raise RefusedTokenError(type(error).__name__) from error
        if not self._is_addressed(claims):
            raise RefusedTokenError("other audience")
        return Admitted(
            principal=self._principal(claims),
            name=_name(claims),
            roles=self._roles(claims),
            expires_at=expires_at,
        )

    def _is_addressed(self, claims: Mapping[str, Json]) -> bool:
        """Return whether a token is for this service.

        Access tokens of Amazon Cognito have no audience; their `client_id` is that of the application.
        """
        if "aud" not in claims:
            return claims.get("token_use") == "access" and claims.get("client_id") in self._issuer.audiences
        return not self._issuer.audiences.isdisjoint(_texts(claims["aud"]))

    def _principal(self, claims: Mapping[str, Json]) -> str:
        subject = claims.get(self._issuer.principal_claim)
        if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_CHARACTERS:
            raise RefusedTokenError(f"claim {self._issuer.principal_claim!r} missing")
        # JSON strings have no NUL byte unescaped, and no issuer has one: the pair is unambiguous.
        digest = hashlib.sha256(f"{self._issuer.issuer}\0{subject}".encode()).digest()[:_DIGEST_BYTES]
        return PERSON_PREFIX + base64.b32encode(digest).decode().rstrip("=").lower()

    def _roles(self, claims: Mapping[str, Json]) -> tuple[str, ...]:
        values = frozenset(_role_values(self._issuer.roles_claim, claims))
        rules: tuple[tuple[Role, frozenset[str]], ...] = (
            ("user", self._issuer.users),
            ("operator", self._issuer.operators),
        )
        built_in = (role for role, accepted in rules if EVERYONE in accepted or not accepted.isdisjoint(values))
        return (*built_in, *sorted(self._issuer.named & values))


def _role_values(claim: str, claims: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the values of the claim of roles, or of the nested one that its dots name."""
    value: Json = dict(claims)
    for name in (claim,) if claim in claims else claim.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return tuple(value.split()) if isinstance(value, str) and claim in _SCOPE_CLAIMS else _texts(value)


def _texts(value: Json) -> tuple[str, ...]:
    """Return a text, or the texts of a list."""
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _name(claims: Mapping[str, Json]) -> str:
    """Return a name for people; it identifies no one."""
    named = (claims.get(claim) for claim in _NAME_CLAIMS)
    return next((truncate(single_line(name), MAX_NAME_CHARACTERS) for name in named if isinstance(name, str)), "")
