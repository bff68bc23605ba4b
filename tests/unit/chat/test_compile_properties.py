"""Properties of every compiled schema."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from jsonschema import Draft202012Validator

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from flexchat.schema import check_schema
from functions.chat.tools.formats import tool_format
from functions.chat.tools.schema_compiler import CompiledTool, compile_tool
from tests.unit.chat.schema_family import Example, examples

pytestmark = pytest.mark.slow

NAMED = ("properties", "patternProperties", "$defs", "dependentSchemas")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
ONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")

EXAMPLES = settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def compiled(schema: dict[str, Any], provider: ProviderType) -> CompiledTool:
    tool = ToolDefinition(name="t", description="T", parameters=schema, implementation={"type": "mock"})
    return compile_tool(tool, tool_format(provider).dialect, wire_name="t")


def outside_the_table(schema: Any, provider: ProviderType, *, top: bool = True) -> list[str]:
    """Return the keywords of a compiled schema that the provider's table does not include."""
    dialect = tool_format(provider).dialect
    if isinstance(schema, bool):
        return [] if dialect.boolean_schemas else [f"{schema} as a schema"]
    takes = dialect.top if top else dialect.nested
    found: list[str] = [keyword for keyword in schema if keyword not in takes]
    for keyword in schema.keys() - dialect.verbatim:
        value = schema[keyword]
        below = value.values() if keyword in NAMED else value if keyword in LISTS else [value] if keyword in ONE else []
        if keyword == "additionalProperties" and isinstance(value, bool):
            continue
        for sub in below:
            found += outside_the_table(sub, provider, top=False)
    if not dialect.references and '"$ref"' in json.dumps(schema):
        found.append("$ref")
    if dialect.parameter_name and top:
        found += [name for name in schema.get("properties", {}) if not dialect.parameter_name.fullmatch(name)]
    if not dialect.any_enum:
        found += [repr(value) for value in schema.get("enum", ()) if type(value) not in (str, int, float)]
    if not dialect.undefined_required:
        found += [name for name in schema.get("required", ()) if name not in schema.get("properties", {})]
    if not dialect.bare_arrays and "array" in schema.get("type", ()) and "items" not in schema:
        found.append("an array without items")
    return found


@EXAMPLES
@given(example=examples())
def test_a_compiled_schema_is_within_the_table_and_never_stricter(example: Example) -> None:
    """Arguments that fit the tool's own schema fit the compiled schema.

    Some providers receive top-level alternatives as one flat object. In that case the property covers arguments
    generated for one alternative: `{"a": 1}` also fits the alternative `{"b": true}`, but such a match is accidental.
    """
    assume(check_schema(example.schema) == ())
    before = deepcopy(example.schema)
    original: Any = Draft202012Validator(example.schema)
    form: Any = Draft202012Validator(example.form)
    fitting = [given for given in example.arguments if original.is_valid(given) and form.is_valid(given)]

    for provider in PROVIDER_TYPES:
        sent = compiled(example.schema, provider).parameters

        assert example.schema == before
        assert outside_the_table(sent, provider) == []
        Draft202012Validator.check_schema(sent)
        assert (sent["type"], type(sent["properties"])) == ("object", dict)
        checker: Any = Draft202012Validator(sent)
        errors = [error.message for given in fitting for error in checker.iter_errors(given)]
        assert (provider, errors) == (provider, [])


@EXAMPLES
@given(example=examples())
def test_every_change_of_a_schema_is_reported(example: Example) -> None:
    """Definitions are exempt, because references are replaced by them."""
    assume(check_schema(example.schema) == ())
    for provider in PROVIDER_TYPES:
        tool = compiled(example.schema, provider)
        if not tool.losses:
            without = {keyword: value for keyword, value in example.schema.items() if keyword != "$defs"}
            sent = {keyword: value for keyword, value in tool.parameters.items() if keyword != "$defs"}
            assert (sent, tool.description) == (without, "T")
