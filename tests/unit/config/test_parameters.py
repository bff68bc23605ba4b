"""A configuration split into parameters, and joined again."""

import base64
import json
import random
import string
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexchat.config.catalog import DisabledEntry
from flexchat.config.encoding import ENTRY_LIMIT, GZIP_FORMAT, PARAMETER_LIMIT, EncodingError, decode, digest, encode
from flexchat.config.parameters import join, manifest_name, split
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from tests.unit.config.sources import STAGE, parameter_of, rule, source, stored, tool

MANIFEST = manifest_name(STAGE)

Object = dict[str, Json]

WORDS = string.ascii_letters + string.digits + "_-./:"
names = st.text(WORDS, min_size=1, max_size=12).filter(lambda name: name != "comment")
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
    noise = "".join(random.Random(1).choices(string.ascii_letters, k=6_000))  # noqa: S311 - text that does not compress
    document = source(
        responses=[rule(), rule(prompt=noise)],
        tools={"registry": [tool("ok"), tool("big", description=noise)]},
        comment=noise,
    )

    with pytest.raises(ConfigError) as caught:
        stored(document)

    sizes = [problem.message.split()[1] for problem in caught.value.problems]
    remedy = "bytes after gzip, an SSM parameter holds 4096: shorten its texts, or split it into several entries"
    assert caught.value.problems == (
        Problem("tools.registry[1]", f"takes {sizes[0]} {remedy}"),
        Problem("the settings outside llms, responses and tools.registry", f"takes {sizes[1]} {remedy}"),
        Problem("responses[1]", f"takes {sizes[2]} {remedy}"),
    )
    assert all(4_096 < int(size) < 8_000 for size in sizes)


def test_an_entry_that_unpacks_beyond_the_limit_is_rejected() -> None:
    document: Object = {"responses": [rule(prompt="a" * ENTRY_LIMIT)]}
    size = len(json.dumps(rule(prompt="a" * ENTRY_LIMIT), separators=(",", ":")))

    with pytest.raises(ConfigError) as caught:
        stored(document)

    message = f"takes {size} bytes, one entry may take 262144: shorten its texts, or split it into several entries"
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


def test_a_manifest_with_a_missing_part_is_an_error_with_the_remedy() -> None:
    parameters = stored(source(tools={"registry": [tool(f"lookup_customer_{number}") for number in range(200)]}))
    del parameters[next(name for name in parameters if "/manifest-parts/" in name)]
    with pytest.raises(ConfigError, match="config push"):
        join(parameters, stage=STAGE)


@pytest.mark.parametrize(
    ("part", "kind", "name"),
    [
        ("tools/calculate", "tool", "calculate"),
        ("llms/main", "llm", "main"),
        ("rag_services/docs", "service", "docs"),
    ],
)
def test_an_entry_that_is_missing_changed_or_damaged_is_disabled_alone(part: str, kind: str, name: str) -> None:
    parameters = stored(source())
    parameter = parameter_of(parameters, part)
    whole = join(parameters, stage=STAGE).source

    for value, problem in (
        (None, f"the parameter {parameter!r} is missing"),
        ("{}", f"the parameter {parameter!r} was changed by hand: its hash is not the manifest's"),
        ("gz:%%%", "the compressed value is damaged"),
    ):
        changed = {key: remaining for key, remaining in parameters.items() if key != parameter}
        joined = join(changed if value is None else {**changed, parameter: value}, stage=STAGE)

        assert [(entry.kind, entry.name, entry.problems) for entry in joined.disabled] == [(kind, name, (problem,))]
        assert name not in json.dumps(_named_entries(joined.source))
        assert len(_named_entries(joined.source)) == len(_named_entries(whole)) - 1


def test_a_missing_rule_leaves_the_positions_of_the_others_unchanged() -> None:
    document = source(responses=[rule(name="a"), rule(name="b"), rule(name="c")])
    parameters = stored(document)
    gone = [name for name in parameters if "/responses/" in name][1]
    del parameters[gone]

    joined = join(parameters, stage=STAGE)

    assert joined.source["responses"] == [rule(name="a"), None, rule(name="c")]
    assert joined.disabled == (DisabledEntry("rule", "responses[1]", (f"the parameter {gone!r} is missing",)),)


def test_no_manifest_is_no_configuration() -> None:
    with pytest.raises(ConfigError) as caught:
        join({}, stage=STAGE)

    message = "no configuration is stored; run `flexchat config push --stage test`"
    assert caught.value.problems == (Problem(MANIFEST, message),)


@pytest.mark.parametrize("value", ["gz:AAAA", "nonsense", "[]", '{"version":2,"settings":"x"}', "{}"])
def test_an_unreadable_manifest_is_an_error_with_the_remedy(value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        join({**stored(source()), MANIFEST: value}, stage=STAGE)

    message = "cannot be read by this version; run `flexchat config push --stage test` again"
    assert caught.value.problems == (Problem(MANIFEST, message),)


def test_unreadable_settings_leave_no_configuration() -> None:
    parameters = stored(source())
    name = parameter_of(parameters, "settings")

    with pytest.raises(ConfigError) as caught:
        join({**parameters, name: "{}"}, stage=STAGE)

    assert caught.value.problems == (
        Problem(name, f"the parameter {name!r} was changed by hand: its hash is not the manifest's"),
    )


def test_settings_that_are_no_object_are_rejected() -> None:
    manifest = {"settings": digest("[]")}
    name = f"/flexchat/test/chat/settings/{manifest['settings'][:12]}"

    with pytest.raises(ConfigError) as caught:
        join({MANIFEST: json.dumps(manifest), name: "[]"}, stage=STAGE)

    assert caught.value.problems == (Problem(name, "must be a JSON object"),)


def test_a_compressed_value_cannot_grow_beyond_the_limit() -> None:
    compressor = zlib.compressobj(wbits=GZIP_FORMAT)
    bomb = compressor.compress(b"a" * (ENTRY_LIMIT + 1)) + compressor.flush()

    with pytest.raises(EncodingError, match="cut off or grows beyond"):
        decode("gz:" + base64.b64encode(bomb).decode())


def test_a_truncated_compressed_value_is_rejected() -> None:
    value = encode("some text " * 1_000)

    with pytest.raises(EncodingError, match="cut off"):
        decode(value[:-8])


def _rules(document: dict[str, Json]) -> list[Json]:
    rules = document["responses"]
    assert isinstance(rules, list)
    return rules


def _named_entries(document: dict[str, Json]) -> list[str]:
    llms, services, tools = document["llms"], document["rag_services"], document["tools"]
    assert isinstance(llms, dict)
    assert isinstance(services, dict)
    assert isinstance(tools, dict)
    registry = tools["registry"]
    assert isinstance(registry, list)
    return [*llms, *services, *(str(entry["name"]) for entry in registry if isinstance(entry, dict))]
