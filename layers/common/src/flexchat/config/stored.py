"""Stored parameters: their values, and the last change of each."""

from collections.abc import Iterator, Mapping

from msgspec import Struct


class LastChange(Struct, frozen=True):
    """Last change of a parameter: its time in seconds since the epoch, and the number of changes."""

    at: float
    revision: int


class StoredParameters(Mapping[str, str]):
    """Values by the full name of their parameter, some of them secrets.

    `changes` has the last change where it is known.
    """

    def __init__(self, values: Mapping[str, str], changes: Mapping[str, LastChange] | None = None) -> None:
        self._values = dict(values)
        self.changes = dict(changes or {})

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
