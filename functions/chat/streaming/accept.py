"""Content negotiation of a chat: JSON, or server-sent events."""

from collections.abc import Iterator

EVENT_STREAM = "text/event-stream"
JSON = "application/json"


def prefers_events(accept: str) -> bool:
    """Return True if an `Accept` header (RFC 9110) names server-sent events, with no lower quality than JSON.

    JSON is preferred where both are named with the same quality.
    """
    qualities = dict(_qualities(accept))
    events = qualities.get(EVENT_STREAM, 0.0)
    if JSON in qualities:
        return events > qualities[JSON]
    return events > 0 and events >= qualities.get("application/*", qualities.get("*/*", 0.0))


def _qualities(accept: str) -> Iterator[tuple[str, float]]:
    for entry in accept.split(","):
        media_type, *parameters = (part.strip().lower() for part in entry.split(";"))
        quality = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                quality = _number(value.strip())
        yield media_type, quality


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if 0.0 <= number <= 1.0 else 0.0
