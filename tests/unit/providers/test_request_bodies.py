"""Bodies of requests with the tools of a chat."""

import json
from collections.abc import Mapping, Sequence

from flexchat.messages import Json
from functions.chat.providers.wire_format import RequestBodies

TOOLS: Sequence[Mapping[str, Json]] = [{"name": "é"}, {"name": "b"}]


def test_a_request_has_its_tools_beside_its_other_members() -> None:
    bodies = RequestBodies()
    requests: Sequence[Mapping[str, Json]] = ({"model": "m"}, {"model": "n", "messages": []})

    for request in requests:
        assert json.loads(bodies.encode(request, TOOLS)) == {**request, "tools": TOOLS}


def test_a_request_without_tools_has_none_after_one_with_tools() -> None:
    bodies = RequestBodies()
    bodies.encode({"model": "m"}, TOOLS)

    assert json.loads(bodies.encode({"model": "m"}, ())) == {"model": "m"}


def test_the_tools_of_a_chat_are_converted_once_and_those_of_another_chat_again() -> None:
    converted: list[Sequence[Mapping[str, Json]]] = []

    def convert(tools: Sequence[Mapping[str, Json]]) -> Json:
        converted.append(tools)
        return [str(tool["name"]) for tool in tools]

    bodies, others = RequestBodies(convert), [{"name": "c"}]
    sent = [json.loads(bodies.encode({"model": "m"}, tools))["tools"] for tools in (TOOLS, TOOLS, others, TOOLS)]

    assert sent == [["é", "b"], ["é", "b"], ["c"], ["é", "b"]]
    assert converted == [TOOLS, others, TOOLS]
