"""Values computed from the tools of a request, which are stored for the next request."""

from typing import Any

from functions.chat.providers.wire_format import OfTools, RequestBodies, Tools

TOOLS: Tools = [{"name": "weather"}]


def test_the_tools_of_the_request_before_are_not_computed_again() -> None:
    computed: list[Any] = []
    number_of = OfTools(lambda tools: computed.append(tools) or len(tools))

    assert [number_of(tools) for tools in (TOOLS, TOOLS, (), TOOLS)] == [1, 1, 0, 1]
    assert computed == [TOOLS, (), TOOLS]


def test_equal_tools_of_another_configuration_have_their_own_text() -> None:
    bodies = RequestBodies(lambda tools: [dict(tool) for tool in tools])
    other = [{"name": "weather"}]

    first = bodies.encode({"model": "m"}, TOOLS)
    other[0]["name"] = "time"

    assert first == b'{"model":"m","tools":[{"name":"weather"}]}'
    assert bodies.encode({"model": "m"}, other) == b'{"model":"m","tools":[{"name":"time"}]}'
