"""Structs with fields that no log line, error or traceback shows."""

from typing import ClassVar, override

from msgspec import Struct


class RedactedStruct(Struct, frozen=True):
    """Struct whose `repr` leaves out the fields named in `redacted`: secrets, or large values."""

    redacted: ClassVar[tuple[str, ...]] = ()

    @override
    def __repr__(self) -> str:
        shown = (name for name in self.__struct_fields__ if name not in self.redacted)
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"
