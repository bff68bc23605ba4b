"""Parameters as they were read: their values, and what their store knows of the last change of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LastChange:
    """When a parameter was last written, in seconds since the epoch, and how often it was in all."""

    at: float
    revision: int


class StoredParameters(Mapping[str, str]):
    """Values by the full name of their parameter, some of them secrets. `changes` says of which the last change is
    known."""

    def __init__(self, values: Mapping[str, str], changes: Mapping[str, LastChange] | None = None) -> None:
        self._values = dict(values)
        self.changes = dict(changes or {})

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
