"""Collector that parses the requests of the export by OpenTelemetry's own protocol buffers."""

import gzip
from dataclasses import dataclass, field
from typing import Any

import httpx2
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span

type Answer = httpx2.Response | httpx2.HTTPError


@dataclass
class Collector:
    """Network of a client; returns `answers` in order, and repeats the last one."""

    answers: list[Answer] = field(default_factory=list[Answer])
    requests: list[httpx2.Request] = field(default_factory=list[httpx2.Request])

    @property
    def transport(self) -> httpx2.MockTransport:
        return httpx2.MockTransport(self._receive)

    def _receive(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        if not self.answers:
            body = ExportTraceServiceResponse().SerializeToString()
            return httpx2.Response(200, headers={"content-type": "application/x-protobuf"}, content=body)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, httpx2.HTTPError):
            raise answer
        return answer

    @property
    def export(self) -> ExportTraceServiceRequest:
        """The last request."""
        return parsed(self.requests[-1].content)

    @property
    def spans(self) -> dict[str, Span]:
        """Spans of the last request by their names; of a repeated name the last one."""
        return {span.name: span for span in all_spans(self.export)}


def parsed(body: bytes) -> ExportTraceServiceRequest:
    return ExportTraceServiceRequest.FromString(gzip.decompress(body))


def all_spans(export: ExportTraceServiceRequest) -> list[Span]:
    return [span for of in export.resource_spans for scope in of.scope_spans for span in scope.spans]


def attributes_of(owner: Any) -> dict[str, Any]:
    """Return the attributes of a span or a resource."""
    pairs: list[KeyValue] = list(owner.attributes)
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in value.array_value.values]
    return None if kind is None else getattr(value, kind)
