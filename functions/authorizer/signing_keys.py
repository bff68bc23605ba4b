"""Public keys of an OpenID Connect issuer, which it may replace at any time.

Sources: OpenID Connect Discovery 1.0, sections 4.1 and 4.3, and RFC 7517.
"""

import time
from collections.abc import Callable, Mapping
from typing import Final

from jwt import PyJWK, PyJWKError
from jwt.exceptions import InvalidKeyError
from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import UnavailableError
from flexchat.http_client import BoundedHttpClient, HttpRequestError
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.observability import logger

DISCOVERY_PATH: Final = ".well-known/openid-configuration"

ALGORITHMS: Final = frozenset(
    ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
)
"""Algorithms of signatures that are accepted: those with a public key (RFC 8725, section 3.1)."""

FRESH_SECONDS: Final = 3_600
"""Age of the keys from which they are fetched again."""

USABLE_SECONDS: Final = 86_400
"""Age up to which keys are used while the issuer does not answer."""

PAUSE_SECONDS: Final = 30
"""Shortest time between two fetches, so that tokens with invented key ids do not cause a request each."""

FETCH_SECONDS: Final = 3.0
MAX_BODY_BYTES: Final = 262_144
MAX_KEYS: Final = 100
MIN_RSA_BITS: Final = 2_048


class _Keys(Struct, frozen=True):
    by_id: Mapping[str, PyJWK]
    without_id: tuple[PyJWK, ...]
    fetched_at: float

    def find(self, kid: str | None) -> PyJWK | None:
        if kid is not None and kid in self.by_id:
            return self.by_id[kid]
        every = (*self.by_id.values(), *self.without_id)
        if kid is None:
            return every[0] if len(every) == 1 else None
        return self.without_id[0] if len(every) == 1 and self.without_id else None


class SigningKeys:
    """Keys of one issuer in the memory of this environment.

    `clock` returns seconds since the epoch, which include the time in which an environment is frozen or a snapshot.
    """

    def __init__(self, issuer: str, client: BoundedHttpClient, *, clock: Callable[[], float] = time.time) -> None:
        self._issuer = issuer
        self._client = client
        self._clock = clock
        self._keys: _Keys | None = None
        self._tried_at: float | None = None
        self._failed = False

    def find(self, kid: str | None) -> PyJWK | None:
        """Return the key with the id `kid`, or the only key for a token without one; None for an unknown key.

        The keys are fetched when they are an hour old, and for an unknown id at most twice a minute. Raises
        UnavailableError when the issuer does not answer and the key is not among the stored ones.
        """
        key = self._stored(kid, FRESH_SECONDS)
        if key is not None:
            return key
        if self._may_fetch():
            self._fetch()
        key = self._stored(kid, USABLE_SECONDS)
        if key is None and self._failed:
            raise UnavailableError("the signing keys of the identity provider cannot be read")
        return key

    def _stored(self, kid: str | None, max_age: float) -> PyJWK | None:
        keys = self._keys
        return keys.find(kid) if keys is not None and self._clock() - keys.fetched_at < max_age else None

    def _may_fetch(self) -> bool:
        tried = self._tried_at
        return tried is None or not 0 <= self._clock() - tried < PAUSE_SECONDS

    def _fetch(self) -> None:
        """Replace the keys; those of before remain when the issuer does not answer as specified."""
        self._tried_at = self._clock()
        due = Deadline.after(FETCH_SECONDS)
        try:
            self._keys = _usable_keys(self._get(self._key_address(due), due), fetched_at=self._clock())
        except (_UnusableError, HttpRequestError, BodyTooLargeError, JsonError) as error:
            self._failed = True
            logger.error("signing keys not fetched", issuer=self._issuer, error=_reason(error))
            return
        self._failed = False
        logger.info("signing keys fetched", issuer=self._issuer, keys=len(self._keys.by_id))

    def _key_address(self, due: Deadline) -> str:
        """Return the address of the key set by the discovery document of the issuer."""
        document = self._get(f"{self._issuer.rstrip('/')}/{DISCOVERY_PATH}", due)
        if document.get("issuer") != self._issuer:
            raise _UnusableError(f"its discovery document has the issuer {document.get('issuer')!r}")
        address = document.get("jwks_uri")
        if not isinstance(address, str):
            raise _UnusableError("its discovery document has no jwks_uri")
        return address

    def _get(self, url: str, due: Deadline) -> Mapping[str, Json]:
        response = self._client.send("GET", url, None, seconds=FETCH_SECONDS, due=due, max_bytes=MAX_BODY_BYTES)
        if not response.is_success:
            raise _UnusableError(f"HTTP status {response.status} of {url!r}")
        value = safe_loads(response.body)
        if not isinstance(value, dict):
            raise _UnusableError(f"no JSON object at {url!r}")
        return value


class _UnusableError(Exception):
    """Response of an issuer that is not as specified."""


def _reason(error: Exception) -> str:
    return error.failure if isinstance(error, HttpRequestError) else str(error)


def _usable_keys(document: Mapping[str, Json], *, fetched_at: float) -> _Keys:
    """Return the keys of a JWK set that may sign tokens; others are left out (RFC 7517, section 5)."""
    listed = document.get("keys")
    if not isinstance(listed, list):
        raise _UnusableError("its key set has no list of keys")
    usable = [key for each in listed[:MAX_KEYS] if (key := _usable(each)) is not None]
    if not usable:
        raise _UnusableError("its key set has no usable key")
    return _Keys(
        by_id={key.key_id: key for key in usable if key.key_id is not None},
        without_id=tuple(key for key in usable if key.key_id is None),
        fetched_at=fetched_at,
    )


def _usable(value: Json) -> PyJWK | None:
    """Return a public key for signatures; None for one of another use, of a secret, or too weak."""
    if not isinstance(value, dict) or value.get("use", "sig") != "sig":
        return None
    try:
        key = PyJWK.from_dict(value)
    except (PyJWKError, InvalidKeyError, ValueError, TypeError):
        return None
    if key.algorithm_name not in ALGORITHMS:
        return None
    is_weak = key.key_type == "RSA" and getattr(key.key, "key_size", 0) < MIN_RSA_BITS
    return None if is_weak else key
