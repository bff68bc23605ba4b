"""Export to the collector of a stage, which its deployment names."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.observability import logger
from flexchat.traces import TraceRecord
from functions.traces.otlp.settings import OtlpSettings, otlp_name

if TYPE_CHECKING:
    from functions.traces.otlp.exporter import OtlpExport

type NewExport = Callable[[OtlpSettings], OtlpExport]


class Parameters(Protocol):
    """Store of parameters, such as a ParameterStore."""

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...


class StageExport:
    """Exports records to the collector of the environment's variables, else of the stage's parameter.

    The parameter is read once for each environment: a deployment that changes it replaces no function.
    """

    def __init__(
        self, parameters: Parameters, *, stage: str, environment: Mapping[str, str], new_export: NewExport
    ) -> None:
        self._parameters = parameters
        self._name = otlp_name(stage)
        self._new_export = new_export
        self._settings = OtlpSettings.of(environment)
        self._is_read = self._settings is not None
        self._export: OtlpExport | None = None

    def __call__(self, record: TraceRecord, *, deadline: Deadline) -> bool:
        """Export a record; return whether a collector has accepted it. Nothing is raised."""
        try:
            if not self._is_read:
                text = self._parameters.read((self._name,)).get(self._name)
                self._settings = None if text is None else OtlpSettings.from_json(text)
                self._is_read = True
            if self._settings is None:
                return False
            if self._export is None:
                self._export = self._new_export(self._settings)
        except (FlexchatError, ValueError) as exc:
            logger.error("trace not exported", request_id=record.id, reason=str(exc))
            return False
        return self._export(record, deadline=deadline)
