"""`echo`: returns its arguments, for tests of the connection."""

from collections.abc import Mapping

from flexchat.messages import Json


def echo(arguments: Mapping[str, Json]) -> Json:
    """Params: any. Result: `{"echo": params}`."""
    return {"echo": dict(arguments)}
