"""Export to a collector: settings, headers with secrets, the rules for its address, signatures and failures."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest
from boto3.session import Session
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.observability import logger
from flexchat.secret_references import SecretsError
from functions.traces.otlp.aws.signature import sigv4, xray_region
from functions.traces.otlp.exporter import OtlpExport, otlp_export
from functions.traces.otlp.settings import OtlpSettings, parse_headers
from tests.unit.otlp.collector import Collector
from tests.unit.otlp.records import record_of

ENDPOINT = "https://collector.example.com/v1/traces"
KEY = "canary-key-1234567890"


class Secrets:
    """Secrets of a stage; with `hosts` they are bound."""

    def __init__(self, *hosts: str) -> None:
        self._hosts = frozenset(hosts)

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        if names != ("COLLECTOR_KEY",):
            raise SecretsError(f"secret {names[0]!r} is not stored", type="configuration")
        return {"COLLECTOR_KEY": KEY}

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        return dict.fromkeys(names, self._hosts)


def export_to(
    collector: Collector, *, headers: str = "", secrets: Secrets | None = None, waits: list[float] | None = None
) -> OtlpExport:
    return OtlpExport(
        OtlpSettings(ENDPOINT, headers=headers),
        BoundedHttpClient(transport=collector.transport),
        secrets=secrets or Secrets(),
        resource={"service.name": "flexchat"},
        sleep=([] if waits is None else waits).append,
    )


def lines_of(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def failure_of(output: str) -> tuple[str, str]:
    [line] = [line for line in lines_of(output) if line["message"] == "trace not exported"]
    return line["request_id"], line["reason"]


@pytest.mark.parametrize(
    ("environment", "endpoint"),
    [
        ({}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example.com"}, "https://c.example.com/v1/traces"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example.com/otlp/"}, "https://c.example.com/otlp/v1/traces"),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example.com", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": ENDPOINT},
            ENDPOINT,
        ),
    ],
)
def test_the_endpoint_is_that_of_opentelemetry_s_variables(environment: dict[str, str], endpoint: str | None) -> None:
    settings = OtlpSettings.of(environment)

    assert (settings and settings.endpoint) == endpoint


def test_headers_content_and_the_name_of_the_service_are_those_of_opentelemetry_s_variables() -> None:
    settings = OtlpSettings.of(
        {
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": ENDPOINT,
            "OTEL_EXPORTER_OTLP_HEADERS": "a=1",
            "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "True",
            "OTEL_SERVICE_NAME": "support-bot",
        }
    )

    assert settings == OtlpSettings(ENDPOINT, headers="a=1", captures_content=True, service_name="support-bot")
    assert "a=1" not in repr(settings)


def test_headers_are_a_list_of_encoded_values() -> None:
    assert parse_headers("Authorization=Basic%20dXNlcg==, x-team = blue,,") == {
        "authorization": "Basic dXNlcg==",
        "x-team": "blue",
    }


def test_a_malformed_header_is_an_error_without_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    collector = Collector()

    assert not export_to(collector, headers=f"a=1,{KEY}")(record_of(), deadline=Deadline.after(20))

    output = capsys.readouterr().out
    assert failure_of(output) == (
        "request-1",
        "header 2 of OTEL_EXPORTER_OTLP_HEADERS must have the form 'name=value'",
    )
    assert KEY not in output
    assert collector.requests == []


def test_an_export_is_one_compressed_request_with_the_configured_headers(capsys: pytest.CaptureFixture[str]) -> None:
    collector = Collector()
    export = export_to(collector, headers="authorization=Bearer%20${COLLECTOR_KEY},x-team=blue")

    assert export(record_of(), deadline=Deadline.after(20))

    [request] = collector.requests
    assert (request.method, str(request.url)) == ("POST", ENDPOINT)
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["x-team"] == "blue"
    assert request.headers["content-type"] == "application/x-protobuf"
    assert request.headers["content-encoding"] == "gzip"
    assert KEY not in capsys.readouterr().out


def test_a_secret_is_redacted_from_later_log_lines(capsys: pytest.CaptureFixture[str]) -> None:
    export_to(Collector(), headers="a=${COLLECTOR_KEY}")(record_of(), deadline=Deadline.after(20))

    logger.info("collector answered", detail=f"unknown key {KEY}")

    assert KEY not in capsys.readouterr().out


def test_a_missing_secret_is_logged_and_nothing_is_sent(capsys: pytest.CaptureFixture[str]) -> None:
    collector = Collector()

    assert not export_to(collector, headers="a=${OTHER}")(record_of(), deadline=Deadline.after(20))

    assert failure_of(capsys.readouterr().out) == ("request-1", "secret 'OTHER' is not stored")
    assert collector.requests == []


@pytest.mark.parametrize(("host", "sent"), [("collector.example.com", True), ("elsewhere.example.com", False)])
def test_a_bound_secret_is_sent_to_its_hosts_alone(host: str, sent: bool) -> None:
    collector = Collector()
    export = export_to(collector, headers="a=${COLLECTOR_KEY}", secrets=Secrets(host))

    assert export(record_of(), deadline=Deadline.after(20)) is sent
    assert bool(collector.requests) is sent


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 500])
def test_a_refusal_is_logged_and_not_repeated(status: int, capsys: pytest.CaptureFixture[str]) -> None:
    collector = Collector([httpx2.Response(status, text=f"wrong key {KEY}")])

    assert not export_to(collector, headers="a=${COLLECTOR_KEY}")(record_of(), deadline=Deadline.after(20))

    output = capsys.readouterr().out
    assert failure_of(output) == ("request-1", f"the collector answered with HTTP {status}")
    assert KEY not in output
    assert len(collector.requests) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_collector_is_asked_again_at_most_twice(status: int, capsys: pytest.CaptureFixture[str]) -> None:
    collector, waits = Collector([httpx2.Response(status)]), list[float]()

    assert not export_to(collector, waits=waits)(record_of(), deadline=Deadline.after(20))

    assert failure_of(capsys.readouterr().out) == ("request-1", f"the collector answered with HTTP {status}")
    assert (len(collector.requests), len(waits)) == (3, 2)


def test_an_unreachable_collector_is_asked_again() -> None:
    collector = Collector([httpx2.ConnectError("refused"), httpx2.Response(200)])

    assert export_to(collector)(record_of(), deadline=Deadline.after(20))
    assert len(collector.requests) == 2


def test_a_delay_beyond_the_time_of_the_export_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    collector, waits = Collector([httpx2.Response(503, headers={"retry-after": "60"})]), list[float]()

    assert not export_to(collector, waits=waits)(record_of(), deadline=Deadline.after(120))
    assert (len(collector.requests), waits) == (1, [])


def test_a_collector_that_does_not_answer_is_not_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    collector = Collector([httpx2.ReadTimeout("slow")])

    assert not export_to(collector)(record_of(), deadline=Deadline.after(20))
    assert failure_of(capsys.readouterr().out) == ("request-1", "the collector did not answer in time")
    assert len(collector.requests) == 1


def test_nothing_is_sent_without_time(capsys: pytest.CaptureFixture[str]) -> None:
    collector = Collector()

    assert not export_to(collector)(record_of(), deadline=Deadline.after(0.4))
    assert failure_of(capsys.readouterr().out) == ("request-1", "no time was left")
    assert collector.requests == []


def test_a_record_that_cannot_be_converted_is_logged_without_its_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert not export_to(Collector())(record_of(trace_id="not hexadecimal"), deadline=Deadline.after(20))
    assert "canary" not in capsys.readouterr().out


def test_spans_that_a_collector_rejects_are_counted_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    answer = ExportTraceServiceResponse()
    answer.partial_success.rejected_spans = 3
    answer.partial_success.error_message = "canary"
    response = httpx2.Response(
        200, headers={"content-type": "application/x-protobuf"}, content=answer.SerializeToString()
    )

    assert export_to(Collector([response]))(record_of(), deadline=Deadline.after(20))

    output = capsys.readouterr().out
    assert [line["spans"] for line in lines_of(output) if line["message"] == "spans rejected"] == [3]
    assert "canary" not in output


@pytest.mark.parametrize(
    ("endpoint", "allowed"),
    [
        ("http://collector.example.com/v1/traces", None),
        ("https://10.0.0.7/v1/traces", None),
        ("https://169.254.169.254/v1/traces", None),
        ("https://localhost:4318/v1/traces", None),
        (ENDPOINT, frozenset({"api.example.com"})),
    ],
)
def test_the_rules_for_outgoing_requests_apply_to_the_collector(
    endpoint: str, allowed: frozenset[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    export = otlp_export(
        OtlpSettings(endpoint), secrets=Secrets(), egress=EgressPolicy(allowed_hosts=allowed), resource={}
    )

    assert not export(record_of(), deadline=Deadline.after(20))
    assert failure_of(capsys.readouterr().out)[1].startswith("the address of the collector is not allowed")


@pytest.mark.parametrize(
    ("endpoint", "region"),
    [
        ("https://xray.eu-west-1.amazonaws.com/v1/traces", "eu-west-1"),
        ("https://xray-fips.us-gov-west-1.amazonaws.com/v1/traces", "us-gov-west-1"),
        ("https://xray.eu-west-1.amazonaws.com.example.com/v1/traces", None),
        (ENDPOINT, None),
    ],
)
def test_only_requests_to_x_ray_are_signed(endpoint: str, region: str | None) -> None:
    assert xray_region(endpoint) == region


def test_a_request_to_x_ray_has_the_signature_of_its_body() -> None:
    sign = sigv4("eu-west-1", session=Session("AKIDEXAMPLE", "secret", "token", region_name="us-east-1"))
    url = "https://xray.eu-west-1.amazonaws.com/v1/traces"

    headers = sign(url, b"body", {"content-type": "application/x-protobuf"})
    other = sign(url, b"another", {"content-type": "application/x-protobuf"})

    assert "/eu-west-1/xray/aws4_request" in headers["authorization"]
    assert headers["x-amz-security-token"] == "token"
    assert headers["content-type"] == "application/x-protobuf"
    assert headers["authorization"] != other["authorization"]


def test_the_export_sends_the_signed_headers() -> None:
    collector = Collector()
    export = OtlpExport(
        OtlpSettings(ENDPOINT),
        BoundedHttpClient(transport=collector.transport),
        secrets=Secrets(),
        resource={},
        sign=lambda url, body, headers: {**headers, "authorization": f"signed {len(body)} bytes for {url}"},
    )

    assert export(record_of(), deadline=Deadline.after(20))

    [request] = collector.requests
    assert request.headers["authorization"] == f"signed {len(request.content)} bytes for {ENDPOINT}"
