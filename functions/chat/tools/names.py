"""What tools are called on a provider's wire: a configured name may hold what no provider takes in a name."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256

MAX_CHARACTERS = 64

_SAFE = re.compile(rf"[a-zA-Z_][a-zA-Z0-9_-]{{0,{MAX_CHARACTERS - 1}}}")
"""What every provider accepts: OpenAI and Bedrock take no dot, Gemini no digit at the start."""

_NOT_SAFE = re.compile(r"[^a-zA-Z0-9_-]")
_HASH_DIGITS = 8


class WireNames:
    """A one-to-one map between the names of tools and their names on the wire.

    A safe name is its own wire name. It depends on the names alone, not on their order.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._to_wire = _wire_names(frozenset(names))
        self._to_tool = {wire: name for name, wire in self._to_wire.items()}

    def wire_name(self, tool: str) -> str:
        """What a registered tool is called on the wire."""
        return self._to_wire[tool]

    def tool_name(self, wire: str) -> str:
        """The tool a model means by `wire`; a name that no tool has on the wire is returned as it is."""
        return self._to_tool.get(wire, wire)


def _wire_names(names: frozenset[str]) -> Mapping[str, str]:
    safe = {name: name for name in names if _SAFE.fullmatch(name)}
    readable = {name: _readable(name) for name in sorted(names - safe.keys())}
    wanted = Counter((*safe, *readable.values()))
    wire = safe | {name: text for name, text in readable.items() if wanted[text] == 1 and len(text) <= MAX_CHARACTERS}
    taken = {*wire.values()}
    for name in readable:
        if name not in wire:
            wire[name] = _hashed(name, taken)
            taken.add(wire[name])
    return wire


def _readable(name: str) -> str:
    replaced = _NOT_SAFE.sub("_", name)
    return replaced if replaced[:1].isalpha() or replaced.startswith("_") else f"_{replaced}"


def _hashed(name: str, taken: set[str]) -> str:
    """A name with as many digits of a hash as make it unlike any in `taken`."""
    digest = sha256(name.encode()).hexdigest()
    candidates = (
        f"{_readable(name)[: MAX_CHARACTERS - digits - 1]}_{digest[:digits]}"
        for digits in range(_HASH_DIGITS, len(digest))
    )
    return next(candidate for candidate in candidates if candidate not in taken)
