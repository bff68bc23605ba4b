"""Texts signed with HMAC-SHA256 and bound to their purpose and owner.

A signed text is `<payload>.<signature>`, both base64url without padding. The payload is readable without the key.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256


def sign(payload: bytes, *, key: bytes, bound_to: tuple[str, ...]) -> str:
    """Return `payload` as a signed text; `bound_to`, such as a purpose and an owner, is needed to verify it."""
    text = _base64url(payload)
    return f"{text}.{_signature(text, key, bound_to)}"


def verified(signed: str, *, key: bytes, bound_to: tuple[str, ...]) -> bytes | None:
    """Return the payload of a signed text; None when it was not signed with this key for `bound_to`."""
    text, _, signature = signed.rpartition(".")
    expected = _signature(text, key, bound_to)
    if not hmac.compare_digest(signature.encode(errors="replace"), expected.encode()):
        return None
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _signature(text: str, key: bytes, bound_to: tuple[str, ...]) -> str:
    """Sign a JSON array, in which text cannot move from one part to another."""
    return _base64url(hmac.digest(key, json.dumps([text, *bound_to]).encode(), sha256))


def _base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
