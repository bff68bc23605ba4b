"""Missing, changed and damaged parameters."""

import base64
import json
import zlib

import pytest

from flexchat.config.catalog import DisabledEntry
from flexchat.config.encoding import ENTRY_LIMIT, GZIP_FORMAT, EncodingError, decode, digest, encode
from flexchat.config.parameters import join, manifest_name
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from tests.unit.config.sources import STAGE, parameter_of, rule, source, stored, tool

MANIFEST = manifest_name(STAGE)


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
        ("{}", f"the parameter {parameter!r} was changed directly: its hash differs from the manifest's"),
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
    missing = [name for name in parameters if "/responses/" in name][1]
    del parameters[missing]

    joined = join(parameters, stage=STAGE)

    assert joined.source["responses"] == [rule(name="a"), None, rule(name="c")]
    assert joined.disabled == (DisabledEntry("rule", "responses[1]", (f"the parameter {missing!r} is missing",)),)


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
        Problem(name, f"the parameter {name!r} was changed directly: its hash differs from the manifest's"),
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


def _named_entries(document: dict[str, Json]) -> list[str]:
    llms, services, tools = document["llms"], document["rag_services"], document["tools"]
    assert isinstance(llms, dict)
    assert isinstance(services, dict)
    assert isinstance(tools, dict)
    registry = tools["registry"]
    assert isinstance(registry, list)
    return [*llms, *services, *(str(entry["name"]) for entry in registry if isinstance(entry, dict))]
