"""Encoding of texts and metadata values in the index."""

import math

from flexchat.json import dumps
from flexchat.retrieval import MetadataValue


def attribute(value: MetadataValue) -> str:
    """Return a metadata value as text, equal exactly when the values are: `true` is not 1, and 1 is 1.0."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    return storable(repr(value) if isinstance(value, float) else dumps(value))


def storable(text: str) -> str:
    """Return `text` as valid UTF-8: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
