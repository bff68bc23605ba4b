"""What each provider takes of a tool's definition, as data."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flexchat.config.providers import ProviderType


@dataclass(frozen=True, slots=True)
class Keywords:
    """A set of JSON Schema keywords: those in `names`, or with `excluded` all but those."""

    names: frozenset[str]
    excluded: bool = False

    def __contains__(self, keyword: str) -> bool:
        return (keyword in self.names) != self.excluded

    def without(self, *keywords: str) -> "Keywords":
        """The same set without `keywords`."""
        names = self.names.union(keywords) if self.excluded else self.names.difference(keywords)
        return Keywords(names, self.excluded)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one provider takes.

    `top` are the keywords it takes in the whole schema, `nested` those below. What stands under one of `verbatim` is
    handed on unread. `references`: `$ref` into the schema itself. `boolean_schemas`: `true` and `false` as schemas
    (as the value of `additionalProperties` they always may be). `any_enum`: values other than texts and numbers.
    `bare_arrays`: arrays without `items`. `undefined_required`: `required` names that are not among the `properties`.
    `parameter_name`: what a parameter's name must look like. `description_limit`: characters of a tool's description.

    A keyword that tells how few alternatives may fit (`oneOf`, `not`, `if`, `maxContains`) may only be taken where
    everything below it is: looser alternatives would make it stricter.
    """

    label: str
    top: Keywords
    nested: Keywords
    verbatim: frozenset[str] = frozenset()
    references: bool = True
    boolean_schemas: bool = True
    any_enum: bool = True
    bare_arrays: bool = True
    undefined_required: bool = True
    parameter_name: re.Pattern[str] | None = None
    description_limit: int | None = None


SILENT: Final = frozenset(("$schema", "$id", "$comment"))
"""Keywords that say nothing to a model. `$schema` often names another dialect than arguments are checked by, too."""

_ALL: Final = Keywords(SILENT, excluded=True)
_ALTERNATIVES: Final = ("allOf", "anyOf", "oneOf")
_CLAUDE_PARAMETER: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")

_OLLAMA: Final = Keywords(frozenset(("type", "description", "enum", "items", "anyOf", "properties", "required")))

_GEMINI: Final = Keywords(
    frozenset(
        (
            "type",
            "format",
            "title",
            "description",
            "default",
            "enum",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "properties",
            "propertyOrdering",
            "additionalProperties",
            "required",
        )
    )
)

DIALECTS: Mapping[ProviderType, Dialect] = {
    # "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level";
    # "array schema missing items"; "string too long. Expected a string with maximum length 1024" (its error messages).
    "openai": Dialect(
        label="OpenAI",
        top=_ALL.without(*_ALTERNATIVES, "enum", "const", "not"),
        nested=_ALL,
        bare_arrays=False,
        description_limit=1024,
    ),
    # The fields of ToolFunctionParameters and ToolProperty in its api/types.go: others vanish as the request is read,
    # and a schema that is not an object has the whole request refused. `items` is kept as it comes.
    "ollama": Dialect(
        label="Ollama",
        top=_OLLAMA.without("description", "enum", "anyOf", "items"),
        nested=_OLLAMA,
        verbatim=frozenset(("items",)),
        references=False,
        boolean_schemas=False,
    ),
    # The list at `response_json_schema` in the API's own GenerationConfig, which `parametersJsonSchema` shares, and
    # `default`. "$ref was set alongside unsupported fields" (its error message), so there are no references.
    "gemini": Dialect(
        label="Gemini",
        top=_GEMINI.without("anyOf"),
        nested=_GEMINI,
        references=False,
        boolean_schemas=False,
        any_enum=False,
        undefined_required=False,
    ),
    # "input_schema does not support oneOf, allOf, or anyOf at the top level"; "Property keys should match pattern"
    # (its error messages).
    "anthropic": Dialect(
        label="Anthropic",
        top=_ALL.without(*_ALTERNATIVES),
        nested=_ALL,
        parameter_name=_CLAUDE_PARAMETER,
    ),
    # Amazon Nova: "inputSchema/json: extraneous key [definitions] is not permitted", for all but three. Claude has the
    # rules it has at Anthropic.
    "bedrock": Dialect(
        label="Bedrock",
        top=Keywords(frozenset(("type", "properties", "required"))),
        nested=_ALL,
        references=False,
        parameter_name=_CLAUDE_PARAMETER,
    ),
}
