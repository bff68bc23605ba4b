"""`echo`: gives back what it was given, to try the way there and back."""

from collections.abc import Mapping

from flexchat.messages import Json


def echo(arguments: Mapping[str, Json]) -> Json:
    """Params: any. Result: `{"echo": params}`."""
    return {"echo": dict(arguments)}
