"""A provider's own words, fit to be shown: without any key, on one line, and short."""

import re
from collections.abc import Iterable

from flexchat.redaction import REDACTED, redact_text

MAX_MESSAGE_CHARACTERS = 500

_MASKED_KEY = re.compile(r"\b(?:sk|pk|rk)[-_][\w*.-]*\*[\w*.-]*")
"""A key that its provider quotes half masked: `sk-abc***wxyz` still shows its ends."""

_SHORTEST_SECRET = 8
"""A shorter value would blank ordinary words, and protects nothing either."""


def presentable(message: str, *, secrets: Iterable[str] = ()) -> str:
    """`message` with `secrets` and whatever looks like a key taken out, at most 500 characters."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            message = message.replace(secret, REDACTED)
    message = _MASKED_KEY.sub(REDACTED, " ".join(message.split()))
    return redact_text(message, max_text=MAX_MESSAGE_CHARACTERS)
