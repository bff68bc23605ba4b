"""Names of an object's values that its schema does not list."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from flexchat.messages import Json
from flexchat.patterns import Pattern, compile_pattern

compiled = lru_cache(maxsize=512)(compile_pattern)
"""Pattern of a schema, compiled once."""


def additional_names(instance: Mapping[str, Json], schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names in `instance` that neither `properties` nor `patternProperties` match."""
    patterns: list[Pattern] = [compiled(pattern) for pattern in schema.get("patternProperties", ())]
    for name in instance:
        if name not in schema.get("properties", ()) and not any(pattern.search(name) for pattern in patterns):
            yield name
