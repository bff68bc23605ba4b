"""Schema dialect of a provider: the parts of a tool's definition that it accepts, as data."""

import re
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from flexchat.messages import Json
from flexchat.schema.shape import Pointer, path_of, subschemas_of


class Keywords(Struct, frozen=True):
    """A set of JSON Schema keywords: those in `names`, or with `excluded` all but those."""

    names: frozenset[str]
    excluded: bool = False

    def __contains__(self, keyword: str) -> bool:
        return (keyword in self.names) != self.excluded

    def without(self, *keywords: str) -> "Keywords":
        """The same set without `keywords`."""
        names = self.names.union(keywords) if self.excluded else self.names.difference(keywords)
        return Keywords(names, self.excluded)


def is_bare_array(schema: Mapping[str, Json]) -> bool:
    """Return whether a schema of arrays says nothing of their items."""
    kind = schema.get("type")
    return (kind == "array" or (isinstance(kind, list) and "array" in kind)) and "items" not in schema


class Dialect(Struct, frozen=True):
    """Parts of a tool's definition that one provider accepts.

    `top` are the keywords of the whole schema, `nested` those below it. Values of `verbatim` keywords are passed
    through unchanged. `references`: `$ref` into the schema itself. `boolean_schemas`: `true` and `false` as schemas (as
    the value of `additionalProperties` they always may be). `any_enum`: values other than texts and numbers.
    `bare_arrays`: arrays without `items`. `undefined_required`: `required` names that are not among the `properties`.
    `parameter_name`: the pattern of parameter names. `description_limit`: characters of a tool's description.

    A keyword that limits the matching alternatives (`oneOf`, `not`, `if`, `maxContains`) may be accepted only where
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

    def takes(self, schema: Mapping[str, Json]) -> bool:
        """Return whether the provider takes a whole schema as it is: one of an object, with any keyword below it.

        Only a dialect with references takes every keyword of JSON Schema there.
        """
        if not (self.references and self.nested == ALL_KEYWORDS and schema.get("type") == "object"):
            return False
        properties = schema.get("properties")
        names = properties if isinstance(properties, dict) else {}
        return (
            all(keyword in self.top or keyword in SILENT for keyword in schema)
            and (self.parameter_name is None or all(map(self.parameter_name.fullmatch, names)))
            and (self.bare_arrays or not any(map(is_bare_array, (sub for _, sub in subschemas_of(schema)))))
        )


SILENT: Final = frozenset(("$schema", "$id", "$comment"))
"""Keywords without a meaning for a model. `$schema` also often names another dialect than that of the checker."""

ALL_KEYWORDS: Final = Keywords(SILENT, excluded=True)
COMPOSITION: Final = ("allOf", "anyOf", "oneOf")
CLAUDE_PARAMETER_NAME: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


Action = Literal["dropped", "rewritten"]


class SchemaLoss(Struct, frozen=True):
    """Keyword of a tool's definition that a provider gets rewritten or not at all.

    `path` is its path in the definition, with references resolved where they are not sent. `why` is the reason, or the
    form of a rewritten keyword.
    """

    tool: str
    path: str
    keyword: str
    action: Action
    why: str


class LossReport:
    """Collector of the losses of one tool for one provider."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._losses: list[SchemaLoss] = []

    @property
    def losses(self) -> tuple[SchemaLoss, ...]:
        return tuple(self._losses)

    def dropped(self, path: str, keyword: str, why: str) -> None:
        self._losses.append(SchemaLoss(self._tool, path, keyword, "dropped", why))

    def rewritten(self, path: str, keyword: str, why: str) -> None:
        self._losses.append(SchemaLoss(self._tool, path, keyword, "rewritten", why))

    def at(self, pointer: Pointer) -> "SubschemaLosses":
        """Return the report for one path in the tool's parameters."""
        return SubschemaLosses(self, path_of(("parameters", *pointer)))


class SubschemaLosses(Struct, frozen=True):
    """Report of one subschema."""

    report: LossReport
    path: str

    def dropped(self, keyword: str, why: str) -> None:
        self.report.dropped(self.path, keyword, why)

    def rewritten(self, keyword: str, why: str) -> None:
        self.report.rewritten(self.path, keyword, why)
