"""Tool names for providers: safe, unique and reversible."""

import re

from hypothesis import given
from hypothesis import strategies as st

from flexchat.config.models.tools import TOOL_NAME_PATTERN
from functions.chat.tools.formats import WireNames

LONG = "server/" + "x" * 121

CONFIGURED = st.from_regex(TOOL_NAME_PATTERN, fullmatch=True) | st.text("a_./:9-", min_size=1, max_size=4)


def on_the_wire(*names: str) -> dict[str, str]:
    wire = WireNames(names)
    return {name: wire.wire_name(name) for name in names}


def test_safe_names_are_unchanged_and_others_become_readable() -> None:
    assert on_the_wire("get_weather", "_x", "Get-2", "x" * 64, "github/search", "files.read", "a:b", "2fast", "-x") == {
        "get_weather": "get_weather",
        "_x": "_x",
        "Get-2": "Get-2",
        "x" * 64: "x" * 64,
        "github/search": "github_search",
        "files.read": "files_read",
        "a:b": "a_b",
        "2fast": "_2fast",
        "-x": "_-x",
    }


def test_ambiguous_or_too_long_names_get_a_hash() -> None:
    assert on_the_wire("a/b", "a.b", "c_d", "c.d", LONG) == {
        "a/b": "a_b_c14cddc0",
        "a.b": "a_b_2e7336dc",
        "c_d": "c_d",
        "c.d": "c_d_713ff6c4",
        LONG: f"server_{'x' * 48}_8934a3be",
    }


def test_a_hash_equal_to_the_name_of_another_tool_gets_longer() -> None:
    hashed = on_the_wire("a.b", "a/b")["a.b"]

    wire = on_the_wire("a.b", "a/b", hashed)

    assert wire[hashed] == hashed
    assert wire["a.b"] == "a_b_2e7336dc8"


def test_a_name_of_no_tool_is_unchanged() -> None:
    wire = WireNames(["a.b"])

    assert [wire.tool_name(name) for name in ("a_b", "a.b", "functions.nothing", "")] == [
        "a.b",
        "a.b",
        "functions.nothing",
        "",
    ]


@given(data=st.data())
def test_every_wire_name_is_safe_unique_and_independent_of_order(data: st.DataObject) -> None:
    names = data.draw(st.lists(CONFIGURED, unique=True, max_size=8))
    wire = on_the_wire(*names)

    assert all(re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}", name) for name in wire.values())
    assert len(set(wire.values())) == len(names)
    assert [WireNames(names).tool_name(wire[name]) for name in names] == names
    assert on_the_wire(*data.draw(st.permutations(names))) == wire
