"""Definitions of MCP tools, their states, and their names in chats."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.config.models.tools import TOOL_NAME_PATTERN
from flexchat.mcp_listings import McpDefinition, McpListing, definitions_of, hash_of, model_names
from flexchat.messages import Json

READ: dict[str, Json] = {
    "name": "read",
    "title": "Read",
    "description": "Reads a file.",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}
WRITE: dict[str, Json] = {"name": "write", "inputSchema": {"properties": {}}}


def listing(*, listed: tuple[dict[str, Json], ...] = (), accepted: tuple[dict[str, Json], ...] = ()) -> McpListing:
    return McpListing(
        server="files",
        state="ready",
        checked_at=100.0,
        stale_at=200.0,
        connection_hash="c1",
        listed=definitions_of(listed),
        accepted=definitions_of(accepted),
    )


def test_a_definition_has_the_keys_that_reach_a_model() -> None:
    definition = McpDefinition.of({**READ, "_meta": {"nonce": 1}, "icons": [], "title": None})

    assert definition.content == {key: value for key, value in READ.items() if key != "title"}
    assert (definition.description, definition.parameters) == ("Reads a file.", READ["inputSchema"])
    assert definition.output_schema == {"type": "object"}


def test_a_definition_without_type_and_texts_is_an_object_without_description() -> None:
    definition = McpDefinition.of(WRITE)

    assert definition.parameters == {"type": "object", "properties": {}}
    assert (definition.description, definition.output_schema) == ("", None)


def test_the_title_describes_a_tool_without_a_description() -> None:
    assert McpDefinition.of({"name": "read", "title": "Read", "description": ""}).description == "Read"


def test_the_hash_depends_on_every_stored_key_and_not_on_their_order() -> None:
    base = McpDefinition.of(READ)
    changes: list[dict[str, Json]] = [
        {"title": "Other"},
        {"description": "Reads any file."},
        {"inputSchema": {"type": "object"}},
        {"outputSchema": None},
        {"annotations": {}},
    ]

    assert McpDefinition.of(dict(reversed(READ.items()))).hash == base.hash
    assert McpDefinition.of({**READ, "_meta": {"nonce": 2}}).hash == base.hash
    assert base.hash not in {McpDefinition.of({**READ, **change}).hash for change in changes}


def test_of_two_tools_with_one_name_the_first_is_used_and_one_without_a_name_is_left_out() -> None:
    assert definitions_of([READ, {**READ, "description": "Second."}, {"name": ""}, {"description": "No name."}]) == {
        "read": McpDefinition.of(READ)
    }


def test_the_hash_of_a_list_is_the_same_in_any_order() -> None:
    assert hash_of(definitions_of([READ, WRITE])) == hash_of(definitions_of([WRITE, READ]))
    assert hash_of(definitions_of([READ])) != hash_of(definitions_of([WRITE]))


def test_the_state_of_a_tool_compares_the_listed_with_the_accepted_definition() -> None:
    found = listing(
        listed=(READ, WRITE, {"name": "new"}), accepted=(READ, {**WRITE, "title": "Write"}, {"name": "old"})
    )

    assert {name: found.tool_state(name) for name in found.names} == {
        "read": "offered",
        "write": "changed",
        "new": "new",
        "old": "removed",
    }


@pytest.mark.parametrize(("connection", "now", "due"), [("c1", 199.0, False), ("c1", 200.0, True), ("c2", 0.0, True)])
def test_a_listing_is_refreshed_when_it_is_old_or_of_another_connection(connection: str, now: float, due: bool) -> None:
    assert listing().needs_refresh(connection, now) is due


def test_names_begin_with_the_server_and_replace_characters_that_no_name_has() -> None:
    assert model_names("files", ["read_file", "a/b:c.d-e", "list files", "größe"]) == {
        "read_file": "files/read_file",
        "a/b:c.d-e": "files/a/b:c.d-e",
        "list files": "files/list_files",
        "größe": "files/gr__e",
    }


def test_a_tool_with_exactly_a_name_keeps_it_and_the_others_have_a_suffix() -> None:
    names = model_names("files", ["read file", "read_file", "read!file"])

    assert names["read_file"] == "files/read_file"
    assert len(set(names.values())) == 3
    assert all(re.fullmatch("files/read_file_[0-9a-f]{8}", names[tool]) for tool in ("read file", "read!file"))


def test_a_long_name_is_cut_and_has_a_suffix() -> None:
    names = model_names("s" * 32, ["t" * 200, "t" * 201])

    assert [len(name) for name in names.values()] == [128, 128]
    assert len(set(names.values())) == 2


@given(tools=st.lists(st.text(min_size=1, max_size=140), unique=True, max_size=6))
def test_every_name_is_valid_and_unique(tools: list[str]) -> None:
    names = model_names("srv", tools)

    assert list(names) == tools
    assert len(set(names.values())) == len(tools)
    assert all(re.fullmatch(TOOL_NAME_PATTERN.strip("^$"), name) for name in names.values())
