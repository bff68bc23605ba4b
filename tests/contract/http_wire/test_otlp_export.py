"""Export of traces to a collector at a private address."""

import json

import pytest

from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from functions.traces.otlp.exporter import otlp_export
from functions.traces.otlp.settings import OtlpSettings
from tests.contract.http_wire.hostile_server import HostileServer
from tests.unit.otlp.collector import all_spans, parsed
from tests.unit.otlp.records import record_of
from tests.unit.otlp.test_spans import NoSecrets


@pytest.mark.parametrize("is_private", [True, False])
def test_a_collector_at_a_private_address_is_reached_only_if_the_operator_declares_it(
    server: HostileServer, is_private: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = OtlpSettings(server.url("/good"), is_private=is_private)
    export = otlp_export(
        settings, secrets=NoSecrets(), egress=EgressPolicy(allowed_hosts=frozenset({"a.example.com"})), resource={}
    )

    assert export(record_of(), deadline=Deadline.after(20)) is is_private

    assert [len(all_spans(parsed(request.body))) for request in server.requests] == ([6] if is_private else [])
    line = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert line["message"] == ("trace exported" if is_private else "trace not exported")
