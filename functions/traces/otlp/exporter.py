"""Export of the spans of one record, in one request to a collector.

The collector is reached by the same rules as every other address of a deployment (`flexchat.egress`): the exporter of
OpenTelemetry's own HTTP package has no such rules, and repeats requests beyond the end of an invocation. Its encoding
is used. An export that fails is logged; the trace is stored all the same.
"""

import gzip
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import FlexchatError
from flexchat.http_client import BoundedHttpClient, HttpRequestError, HttpResponse
from flexchat.observability import logger, stack_of
from flexchat.redaction import redact_in_logs, redact_text
from flexchat.retry import Retry, retry_after_seconds
from flexchat.secret_references import SecretsError, fill, references_in
from flexchat.traces import TraceRecord
from functions.traces.otlp.settings import HEADERS, OtlpSettings, parse_headers

if TYPE_CHECKING:
    from opentelemetry.sdk.resources import Resource

EXPORT_SECONDS: Final = 10.0
"""Maximum time of an export, with its repetitions; that of OpenTelemetry's exporters."""

MARGIN_SECONDS: Final = 0.5
"""Reserved before the end of the invocation."""

MAX_RETRIES: Final = 2
RETRIED_STATUSES: Final = frozenset({429, 502, 503, 504})
"""Statuses after which the specification allows a repetition: https://opentelemetry.io/docs/specs/otlp/#failures-1"""

MAX_RESPONSE_BYTES: Final = 65_536
MAX_REASON_CHARACTERS: Final = 200

MEDIA_TYPE: Final = "application/x-protobuf"


class SecretReader(Protocol):
    """Secrets of a stage, such as StageSecrets; both raise SecretsError."""

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]: ...

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]: ...


type Sign = Callable[[str, bytes, Mapping[str, str]], Mapping[str, str]]
"""Returns the headers of a signed request, from its address, body and headers. Raises FlexchatError."""


class ExportFailedError(FlexchatError):
    """Spans that a collector did not accept; the text has no secret."""


class _TransientExportError(ExportFailedError):
    """Failure that a repetition may survive; `retry_after` is in seconds."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class OtlpExport:
    """Sends the spans of records to one collector; an instance is called with each record.

    `resource` has the attributes of the service. `sign` adds the signature that a collector of AWS requires.
    """

    def __init__(
        self,
        settings: OtlpSettings,
        client: BoundedHttpClient,
        *,
        secrets: SecretReader,
        resource: Mapping[str, str],
        sign: Sign | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._settings = settings
        self._client = client
        self._secrets = secrets
        self._attributes = resource
        self._sign = sign
        self._sleep = sleep
        self._resource: Resource | None = None

    def __call__(self, record: TraceRecord, *, deadline: Deadline) -> bool:
        """Export the spans of a record before `deadline`; return whether the collector has accepted them.

        Nothing is raised: a failure is logged with its reason.
        """
        due = deadline.minus(MARGIN_SECONDS).within(EXPORT_SECONDS)
        try:
            self._export(record, due)
        except (FlexchatError, ValueError) as exc:
            reason = redact_text(str(exc), max_text=MAX_REASON_CHARACTERS)
            logger.error("trace not exported", request_id=record.id, reason=reason)
            return False
        except Exception as exc:  # noqa: BLE001 # the trace is stored
            logger.error("trace not exported", request_id=record.id, reason=type(exc).__name__, stack=stack_of(exc))
            return False
        logger.info("trace exported", request_id=record.id, spans=1 + len(record.spans))
        return True

    def _export(self, record: TraceRecord, due: Deadline) -> None:
        body = gzip.compress(self._encoded(record), compresslevel=6, mtime=0)
        headers = {**self._headers(), "content-type": MEDIA_TYPE, "content-encoding": "gzip"}
        retry = Retry(max_retries=MAX_RETRIES, sleep=self._sleep)
        retry.run(lambda: self._send(body, headers, due), transient=_TransientExportError, deadline=due)

    def _encoded(self, record: TraceRecord) -> bytes:
        from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

        from functions.traces.otlp.spans import resource_of, spans_of

        if self._resource is None:
            self._resource = resource_of(self._attributes)
        spans = spans_of(record, self._resource, captures_content=self._settings.captures_content)
        return encode_spans(spans).SerializeToString()

    def _headers(self) -> dict[str, str]:
        """Return the configured headers with their secrets. Raises SecretsError and ValueError."""
        headers = parse_headers(self._settings.headers)
        names = tuple(dict.fromkeys(name for value in headers.values() for name in references_in(value)))
        if not names:
            return headers
        secrets = self._secrets(names)
        host = parse_address(self._settings.endpoint).host
        for name, bound in self._secrets.hosts(names).items():
            if bound and host not in bound:
                raise SecretsError(f"secret {name!r} is not bound to the host of the collector", type="configuration")
        redact_in_logs(secrets.values())
        return {name: fill(value, secrets) for name, value in headers.items()}

    def _send(self, body: bytes, headers: Mapping[str, str], due: Deadline) -> None:
        """Send the request once. Raises ExportFailedError."""
        if due.expired:
            raise ExportFailedError("no time was left")
        signed = headers if self._sign is None else self._sign(self._settings.endpoint, body, headers)
        try:
            response = self._client.send(
                "POST",
                self._settings.endpoint,
                body,
                headers=signed,
                seconds=due.remaining(),
                due=due,
                max_bytes=MAX_RESPONSE_BYTES,
            )
        except HttpRequestError as exc:
            raise _failed(exc) from exc
        except BodyTooLargeError:
            return  # the body of a success is not needed
        if not response.is_success:
            raise _refused(response)
        if rejected := _rejected_spans(response):
            logger.warning("spans rejected", spans=rejected)


def _failed(exc: HttpRequestError) -> ExportFailedError:
    match exc.failure:
        case "unreachable" | "broken":
            return _TransientExportError("the collector could not be reached")
        case "timeout":
            return ExportFailedError("the collector did not answer in time")
        case "refused":
            return ExportFailedError(f"the address of the collector is not allowed: {exc.detail}")
        case "invalid_address":
            return ExportFailedError(f"the address or a header of the collector is not valid; check {HEADERS}")
        case _:
            return ExportFailedError(f"the response of the collector is {exc.failure}")


def _refused(response: HttpResponse) -> ExportFailedError:
    message = f"the collector answered with HTTP {response.status}"
    if response.status in RETRIED_STATUSES:
        return _TransientExportError(message, retry_after=retry_after_seconds(response.headers.get("retry-after")))
    return ExportFailedError(message)


def _rejected_spans(response: HttpResponse) -> int:
    """Return the number of spans that a collector has rejected in its success."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    if not response.headers.get("content-type", "").startswith(MEDIA_TYPE):
        return 0
    return ExportTraceServiceResponse.FromString(response.body).partial_success.rejected_spans


def otlp_export(
    settings: OtlpSettings,
    *,
    secrets: SecretReader,
    egress: EgressPolicy,
    resource: Mapping[str, str],
    client: BoundedHttpClient | None = None,
) -> OtlpExport:
    """Return the export to the collector of `settings`; requests to X-Ray are signed with the role of the function.

    A collector that the operator has declared as private may be in a private network, or on this machine.
    """
    from functions.traces.otlp.aws.signature import sigv4, xray_region

    if settings.is_private:
        egress = EgressPolicy(allowed_hosts=frozenset({urlsplit(settings.endpoint).hostname or ""}), local=True)
    region = xray_region(settings.endpoint)
    return OtlpExport(
        settings,
        client or BoundedHttpClient(egress=egress, max_connections=2, max_idle_connections=1),
        secrets=secrets,
        resource=resource,
        sign=None if region is None else sigv4(region),
    )
