"""A configuration split into parameters, and joined again."""

import json
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexchat.config.encoding import ENTRY_LIMIT, PARAMETER_LIMIT
from flexchat.config.parameters import join, manifest_name, split
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from tests.unit.config.sources import STAGE, parameter_of, rule, source, stored, tool

MANIFEST = manifest_name(STAGE)

Object = dict[str, Json]

CHARACTERS = string.ascii_letters + string.digits + "_-./:"
names = st.text(CHARACTERS, min_size=1, max_size=12).filter(lambda name: name != "comment")
numbers = st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
anything: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
objects: st.SearchStrategy[Json] = st.dictionaries(names, anything, min_size=1, max_size=3)


@st.composite
def mappings(draw: st.DrawFn) -> Object:
    """A section of named entries, with or without a comment."""
    entries = draw(st.dictionaries(names, objects, max_size=4))
    return {**entries, "comment": draw(anything)} if draw(st.booleans()) else entries


@st.composite
def registries(draw: st.DrawFn) -> list[Json]:
    return [tool(name, note=draw(anything)) for name in draw(st.lists(names, unique=True, max_size=4))]


tool_sections = st.fixed_dictionaries(
    {}, optional={"enabled": st.booleans(), "comment": anything, "registry": registries()}
)
sources = st.fixed_dictionaries(
    {},
    optional={
        "$schema": st.text(max_size=10),
        "comment": anything,
        "llms": mappings(),
        "rag_services": mappings(),
        "topic": anything,
        "intent": anything,
        "responses": st.lists(objects, max_size=4),
        "tools": tool_sections,
    },
)


@pytest.mark.slow
@settings(max_examples=150)
@given(document=sources)
def test_split_parameters_are_joined_to_the_original(document: Object) -> None:
    joined = join(split(document, stage=STAGE), stage=STAGE)

    assert joined.disabled == ()
    assert json.dumps(joined.source, sort_keys=True) == json.dumps(document, sort_keys=True)


def test_the_order_of_tools_rules_llms_and_entry_keys_is_preserved() -> None:
    document = source(
        tools={"registry": [tool("z"), tool("a"), tool("m")]}, responses=[rule(name=name) for name in "zam"]
    )

    joined = join(stored(document), stage=STAGE).source

    assert [json.dumps(joined[section]) for section in ("tools", "responses")] == [
        json.dumps(document[section]) for section in ("tools", "responses")
    ]


def test_every_entry_has_its_parameter_and_the_manifest_is_written_last() -> None:
    parameters = stored(source())

    assert [name.removeprefix("/flexchat/test/chat/").rpartition("/")[0] for name in parameters] == [
        "llms/main",
        "llms/local",
        "rag_services/docs",
        "tools/get_weather",
        "tools/calculate",
        "settings",
        "responses",
        "responses",
        "",
    ]
    assert list(parameters)[-1] == MANIFEST


def test_a_tool_with_any_name_has_a_valid_parameter_name() -> None:
    tools = ["calculate", "files.read", "github/search", "github:search", "a/b/c/d/e/f/g/h/i/j/k/l", "x" * 128]
    document: Object = {"tools": {"registry": [tool(name) for name in tools]}}

    parameters = stored(document)

    prefix = "/flexchat/test/chat/tools/"
    parents = [name.removeprefix(prefix).rpartition("/")[0] for name in parameters if name.startswith(prefix)]
    assert parents == [
        "calculate",
        "files.read",
        "github.2f.search",
        "github.3a.search",
        "a.2f.b.2f.c.2f.d.2f.e.2f.f.2f.g.2f.h.2f.i.2f.j.2f.k.2f.l",
        "x" * 128,
    ]
    assert join(parameters, stage=STAGE).source == document


def test_tools_with_the_same_parameter_name_are_both_stored() -> None:
    document: Object = {"tools": {"registry": [tool("github/search"), tool("github.2f.search")]}}

    assert join(stored(document), stage=STAGE).source == document


def test_a_changed_entry_gets_a_new_parameter_name_and_the_others_keep_theirs() -> None:
    before = stored(source())
    after = stored(source(responses=[rule(name="new"), *_rules(source())]))

    assert before.keys() - after.keys() == set()
    assert len(after.keys() - before.keys()) == 1
    assert before[MANIFEST] != after[MANIFEST]


def test_two_equal_rules_share_a_parameter_and_both_are_read() -> None:
    document: dict[str, Json] = {"responses": [rule(), rule()]}

    parameters = stored(document)

    assert len(parameters) == 3
    assert join(parameters, stage=STAGE).source == document


def test_no_value_contains_an_ssm_parameter_reference() -> None:
    document = source(responses=[rule(prompt="{{user_message}} {{{x}}} {{ssm:y}} \\{{z}}")])
    parameters = stored(document)

    assert not any("{{" in value for value in parameters.values())
    assert join(parameters, stage=STAGE).source == document


def test_a_large_entry_is_compressed_and_read_again() -> None:
    document = source(responses=[rule(prompt="{{user_message}} wörds, " * 2_000)])

    parameters = stored(document)

    assert parameters[parameter_of(parameters, "responses")].startswith("gz:")
    assert max(map(len, parameters.values())) <= PARAMETER_LIMIT
    assert join(parameters, stage=STAGE).source == document


def test_an_entry_too_large_after_gzip_is_reported_with_its_size_and_the_remedy() -> None:
    incompressible = "".join(random.Random(1).choices(string.ascii_letters, k=6_000))  # noqa: S311 - text that does not compress
    document = source(
        responses=[rule(), rule(prompt=incompressible)],
        tools={"registry": [tool("ok"), tool("big", description=incompressible)]},
        comment=incompressible,
    )

    with pytest.raises(ConfigError) as caught:
        stored(document)

    sizes = [problem.message.split()[1] for problem in caught.value.problems]
    remedy = "bytes after gzip, at most 4096 are accepted: shorten its texts, or split it into several entries"
    assert caught.value.problems == (
        Problem("tools.registry[1]", f"has {sizes[0]} {remedy}"),
        Problem("the settings outside llms, responses and tools.registry", f"has {sizes[1]} {remedy}"),
        Problem("responses[1]", f"has {sizes[2]} {remedy}"),
    )
    assert all(4_096 < int(size) < 8_000 for size in sizes)


def test_an_entry_that_unpacks_beyond_the_limit_is_rejected() -> None:
    document: Object = {"responses": [rule(prompt="a" * ENTRY_LIMIT)]}
    size = len(json.dumps(rule(prompt="a" * ENTRY_LIMIT), separators=(",", ":")))

    with pytest.raises(ConfigError) as caught:
        stored(document)

    message = f"has {size} bytes, at most 262144 are accepted: shorten its texts, or split it into several entries"
    assert caught.value.problems == (Problem("responses[0]", message),)


def test_a_manifest_of_many_entries_is_split_and_read_again() -> None:
    hundred = source(tools={"registry": [tool(f"lookup_customer_{number}") for number in range(100)]})
    assert not stored(hundred)[MANIFEST].startswith("parts:")

    thousand = source(tools={"registry": [tool(f"lookup_customer_{number}") for number in range(1_000)]})
    parameters = stored(thousand)
    assert parameters[MANIFEST].startswith("parts:")
    assert list(parameters)[-1] == MANIFEST
    assert max(map(len, parameters.values())) <= PARAMETER_LIMIT
    assert join(parameters, stage=STAGE).source == thousand


def _rules(document: dict[str, Json]) -> list[Json]:
    rules = document["responses"]
    assert isinstance(rules, list)
    return rules
