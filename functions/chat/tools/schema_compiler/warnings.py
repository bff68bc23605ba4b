"""Losses: the parts of a tool's definition that a provider gets changed or not at all."""

from typing import Literal

from msgspec import Struct

from flexchat.schema.shape import Pointer, path_of

Action = Literal["dropped", "rewritten"]


class SchemaLoss(Struct, frozen=True):
    """Keyword of a tool's definition that a provider gets rewritten or not at all.

    `path` is its path in the definition, with references resolved where they are not sent. `why` is the reason, or the
    form of a rewritten keyword.
    """

    tool: str
    path: str
    keyword: str
    action: Action
    why: str


class LossReport:
    """Collector of the losses of one tool for one provider."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._losses: list[SchemaLoss] = []

    @property
    def losses(self) -> tuple[SchemaLoss, ...]:
        return tuple(self._losses)

    def dropped(self, path: str, keyword: str, why: str) -> None:
        self._losses.append(SchemaLoss(self._tool, path, keyword, "dropped", why))

    def rewritten(self, path: str, keyword: str, why: str) -> None:
        self._losses.append(SchemaLoss(self._tool, path, keyword, "rewritten", why))

    def at(self, pointer: Pointer) -> "SubschemaLosses":
        """Return the report for one path in the tool's parameters."""
        return SubschemaLosses(self, path_of(("parameters", *pointer)))


class SubschemaLosses(Struct, frozen=True):
    """Report of one subschema."""

    report: LossReport
    path: str

    def dropped(self, keyword: str, why: str) -> None:
        self.report.dropped(self.path, keyword, why)

    def rewritten(self, keyword: str, why: str) -> None:
        self.report.rewritten(self.path, keyword, why)
