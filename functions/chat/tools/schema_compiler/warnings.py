"""What a provider is not told as the tool's definition says it."""

from dataclasses import dataclass
from typing import Literal

from flexchat.schema.shape import Pointer, path_of

Action = Literal["dropped", "rewritten"]


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing in a tool's definition that a provider gets differently, or not at all.

    `path` is where it stands in the definition, with references followed where they are not sent; `keyword` is what
    stood there. `rewritten` was said in another way, which `why` tells.
    """

    tool: str
    path: str
    keyword: str
    action: Action
    why: str


class LossReport:
    """Collects the losses of one tool on its way to one provider."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._losses: list[Loss] = []

    @property
    def losses(self) -> tuple[Loss, ...]:
        return tuple(self._losses)

    def dropped(self, path: str, keyword: str, why: str) -> None:
        self._losses.append(Loss(self._tool, path, keyword, "dropped", why))

    def rewritten(self, path: str, keyword: str, why: str) -> None:
        self._losses.append(Loss(self._tool, path, keyword, "rewritten", why))

    def at(self, pointer: Pointer) -> "SchemaLosses":
        """The same report, for one place in the tool's parameters."""
        return SchemaLosses(self, path_of(("parameters", *pointer)))


@dataclass(frozen=True, slots=True)
class SchemaLosses:
    """The report of one subschema."""

    report: LossReport
    path: str

    def dropped(self, keyword: str, why: str) -> None:
        self.report.dropped(self.path, keyword, why)

    def rewritten(self, keyword: str, why: str) -> None:
        self.report.rewritten(self.path, keyword, why)
