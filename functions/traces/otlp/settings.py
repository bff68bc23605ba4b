"""Settings of the export, by the environment variables of OpenTelemetry.

https://opentelemetry.io/docs/specs/otel/protocol/exporter/
"""

from collections.abc import Mapping
from copy import replace
from typing import ClassVar, Final
from urllib.parse import unquote

import msgspec

from flexchat.redacted_struct import RedactedStruct

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
TRACES_ENDPOINT: Final = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
HEADERS: Final = "OTEL_EXPORTER_OTLP_HEADERS"
TRACES_HEADERS: Final = "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
CAPTURE_CONTENT: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
SERVICE_NAME: Final = "OTEL_SERVICE_NAME"
PRIVATE_ENDPOINT: Final = "FLEXCHAT_OTLP_PRIVATE_ENDPOINT"

DEFAULT_SERVICE_NAME: Final = "flexchat"

_TRUE: Final = frozenset({"true", "span_only", "span_and_event"})
"""Values of `CAPTURE_CONTENT` by which instrumentations record content on spans."""


class OtlpSettings(RedactedStruct, frozen=True):
    """Collector of the spans.

    `headers` is a list `name=value,…`, whose values may name secrets as `${NAME}`. One that `is_private` may have
    a private address, or use http.
    """

    redacted: ClassVar = ("headers",)

    endpoint: str
    headers: str = ""
    captures_content: bool = False
    is_private: bool = False
    service_name: str = DEFAULT_SERVICE_NAME

    @classmethod
    def from_json(cls, text: str) -> "OtlpSettings | None":
        """Return the settings in the parameter of a stage, `otlp_name`; None without a collector.

        Raises ValueError, which quotes no value, for other JSON.
        """
        try:
            found = msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as exc:
            raise ValueError("the collector's parameter has another form than the template's") from exc
        return replace(found, endpoint=_spans_address(found.endpoint)) if found.endpoint else None

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "OtlpSettings | None":
        """Return the settings of an environment; None without a collector."""
        own, base = (environment.get(name, "").strip() for name in (TRACES_ENDPOINT, ENDPOINT))
        if not own and not base:
            return None
        return cls(
            endpoint=own or _spans_address(base),
            headers=environment.get(TRACES_HEADERS, "").strip() or environment.get(HEADERS, "").strip(),
            captures_content=environment.get(CAPTURE_CONTENT, "").strip().lower() in _TRUE,
            is_private=environment.get(PRIVATE_ENDPOINT, "").strip().lower() == "true",
            service_name=environment.get(SERVICE_NAME, "").strip() or DEFAULT_SERVICE_NAME,
        )


def _spans_address(base: str) -> str:
    return f"{base.rstrip('/')}/v1/traces"


def otlp_name(stage: str) -> str:
    """Return the parameter with the settings of a stage; the template writes it."""
    return f"/flexchat/{stage}/deployment/otlp"


def parse_headers(text: str) -> dict[str, str]:
    """Return the headers of a list `name=value,name=value`, whose values are percent-encoded.

    Raises ValueError, which quotes no value, for another form.
    """
    headers: dict[str, str] = {}
    for position, pair in enumerate(filter(str.strip, text.split(",")), 1):
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"header {position} of {HEADERS} must have the form 'name=value'")
        headers[name.strip().lower()] = unquote(value.strip())
    return headers
