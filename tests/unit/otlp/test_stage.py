"""Settings of the collector of a stage, from its parameter or the environment."""

import json
from collections.abc import Iterable, Mapping

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.http_client import BoundedHttpClient
from functions.traces.otlp.exporter import OtlpExport
from functions.traces.otlp.settings import OtlpSettings
from functions.traces.otlp.stage import StageExport
from tests.unit.otlp.collector import Collector
from tests.unit.otlp.records import record_of
from tests.unit.otlp.test_spans import NoSecrets

NAME = "/flexchat/dev/deployment/otlp"
VALUE = {"endpoint": "https://c.example.com", "headers": "a=1", "captures_content": True, "is_private": False}


class Parameters:
    """Parameters of SSM; `None` does not answer."""

    def __init__(self, *values: str | None) -> None:
        self.values = list(values)
        self.reads = 0

    def read(self, names: Iterable[str]) -> Mapping[str, str]:
        assert list(names) == [NAME]
        self.reads += 1
        value = self.values.pop(0)
        if value is None:
            raise UnavailableError("SSM does not answer")
        return {NAME: value} if value else {}


def export_of(
    parameters: Parameters, collector: Collector, environment: Mapping[str, str] | None = None
) -> tuple[StageExport, list[OtlpSettings]]:
    made: list[OtlpSettings] = []

    def new_export(settings: OtlpSettings) -> OtlpExport:
        made.append(settings)
        client = BoundedHttpClient(transport=collector.transport)
        return OtlpExport(settings, client, secrets=NoSecrets(), resource={})

    return StageExport(parameters, stage="dev", environment=environment or {}, new_export=new_export), made


def test_the_parameter_is_read_once() -> None:
    parameters, collector = Parameters(json.dumps(VALUE)), Collector()
    export, made = export_of(parameters, collector)

    assert [export(record_of(), deadline=Deadline.after(20)) for _ in range(2)] == [True, True]
    assert made == [OtlpSettings("https://c.example.com/v1/traces", headers="a=1", captures_content=True)]
    assert (parameters.reads, len(collector.requests)) == (1, 2)


def test_the_environment_takes_precedence() -> None:
    collector = Collector()
    export, made = export_of(Parameters(), collector, {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://e.example.com"})

    assert export(record_of(), deadline=Deadline.after(20))
    assert made == [OtlpSettings("https://e.example.com/v1/traces")]


@pytest.mark.parametrize("value", ["", json.dumps({**VALUE, "endpoint": ""})])
def test_a_stage_without_a_collector_exports_nothing(value: str) -> None:
    parameters = Parameters(value)
    export, made = export_of(parameters, Collector())

    assert [export(record_of(), deadline=Deadline.after(20)) for _ in range(2)] == [False, False]
    assert (made, parameters.reads) == ([], 1)


def test_a_parameter_that_cannot_be_read_is_logged_and_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    export, _ = export_of(Parameters(None, '{"endpoint": "canary', json.dumps(VALUE)), Collector())

    assert [export(record_of(), deadline=Deadline.after(20)) for _ in range(3)] == [False, False, True]
    output = capsys.readouterr().out
    assert output.count("trace not exported") == 2
    assert "canary" not in output
