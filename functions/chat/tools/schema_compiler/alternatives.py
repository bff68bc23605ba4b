"""Flattening of alternatives at the top of a schema, for providers that accept one flat object."""

from collections.abc import Callable

from flexchat.json import dumps
from flexchat.messages import Json
from functions.chat.tools.schema_compiler.dialects import SubschemaLosses
from functions.chat.tools.schema_compiler.traversal import SchemaObject, named, names, schemas, types

_LARGEST = frozenset(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"))
_SMALLEST = frozenset(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"))
_ONE_SCHEMA = frozenset(("items", "additionalProperties", "propertyNames"))
_TEXTS = frozenset(("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
_KEYWORD_GROUPS = (frozenset(("contains", "minContains", "maxContains")), frozenset(("if", "then", "else")))
"""Groups of keywords whose meaning depends on each other; a mixture from two schemas would have another meaning."""


def conjunction(first: SchemaObject, second: SchemaObject, lost: Callable[[str], None]) -> SchemaObject:
    """Return a schema of values that fit both `first` and `second`; never stricter, looser where necessary.

    Texts are those of `first`. `lost` is called with each keyword whose value in `second` is dropped.
    """
    result = dict(first)
    for keyword, value in second.items():
        if any(keyword in group and not group.isdisjoint(first) for group in _KEYWORD_GROUPS):
            if first.get(keyword) != value:
                lost(keyword)
        elif keyword not in first:
            result[keyword] = value
        elif first[keyword] != value and keyword not in _TEXTS:
            result[keyword] = _both(keyword, first, second, lost)
    return result


def _both(keyword: str, first: SchemaObject, second: SchemaObject, lost: Callable[[str], None]) -> Json:
    """Return one value of a keyword that differs in the two schemas."""
    one, other = first[keyword], second[keyword]
    if keyword == "type":
        return _common_type(first, second) or one
    if keyword == "required":
        return [*dict.fromkeys((*names(first, keyword), *names(second, keyword)))]
    if keyword == "enum":
        return [value for value in schemas(first, keyword) if value in schemas(second, keyword)] or one
    if keyword == "properties":
        ours, theirs = named(first, keyword), named(second, keyword)
        return ours | {name: _schema(ours[name], sub, lost) if name in ours else sub for name, sub in theirs.items()}
    if keyword in _ONE_SCHEMA:
        return _schema(one, other, lost)
    if isinstance(one, int | float) and isinstance(other, int | float):
        if keyword in _LARGEST:
            return max(one, other)
        if keyword in _SMALLEST:
            return min(one, other)
    lost(keyword)
    return one


def _schema(one: Json, other: Json, lost: Callable[[str], None]) -> Json:
    if isinstance(one, dict) and isinstance(other, dict):
        return conjunction(one, other, lost)
    if one is False or other is False:
        return False
    return other if one is True else one


def _common_type(first: SchemaObject, second: SchemaObject) -> Json:
    ours, theirs = types(first), types(second)
    common: list[Json] = [
        name
        for name in dict.fromkeys((*ours, *theirs))
        if all(name in side or (name == "integer" and "number" in side) for side in (ours, theirs))
    ]
    return common[0] if len(common) == 1 else common


_QUANTIFIERS = {"anyOf": "at least one", "oneOf": "exactly one"}


class TopLevelFlattener:
    """Flattener of the top of one schema without references.

    It merges `allOf` and the parameters of `anyOf` and `oneOf`.
    """

    def __init__(self, losses: SubschemaLosses) -> None:
        self._losses = losses
        self.notes: list[str] = []
        """Sentences about the constraints that the flat schema lacks."""

    def flat(self, schema: SchemaObject) -> SchemaObject:
        """Return one object schema that accepts every value of `schema`.

        Values may have only parameters that the top of `schema` or their alternative names.
        """
        schema = self._merged(schema)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                schema = self._united(schema, keyword)
        return schema

    def _merged(self, schema: SchemaObject) -> SchemaObject:
        """Return `schema` with its `allOf` merged."""
        while branches := schemas(schema, "allOf"):
            rest = {name: value for name, value in schema.items() if name != "allOf"}
            for branch in branches:
                if isinstance(branch, dict):
                    rest = _with_all(rest, branch, self._losses)
            self._losses.rewritten("allOf", "merged into one schema")
            schema = rest
        return schema

    def _united(self, schema: SchemaObject, keyword: str) -> SchemaObject:
        """Return `schema` with the parameters of its alternatives; parameters required by all of them are required."""
        alternatives = [
            self.flat(branch) if isinstance(branch, dict) else {}
            for branch in schemas(schema, keyword)
            if branch is not False
        ]
        united = {name: value for name, value in schema.items() if name != keyword}
        required = [*names(united, "required")]
        common = [
            name
            for name in dict.fromkeys(name for branch in alternatives for name in names(branch, "required"))
            if name not in required and all(name in names(branch, "required") for branch in alternatives)
        ]
        self._describe(keyword, alternatives, {*required, *common})
        if required or common:
            united["required"] = [*required, *common]
        united["properties"] = named(united, "properties") | _parameters(
            alternatives, known=named(united, "properties")
        )
        self._losses.rewritten(keyword, "its parameters are merged; the description lists the sets")
        return united

    def _describe(self, keyword: str, alternatives: list[SchemaObject], required: set[str]) -> None:
        forms = [", ".join(_form(branch, required)) for branch in alternatives]
        if any(forms):
            sets = "; ".join(f"({form or 'nothing more'})" for form in forms)
            self.notes.append(f"Give {_QUANTIFIERS[keyword]} of these sets of parameters: {sets}.")


def _with_all(schema: SchemaObject, branch: SchemaObject, losses: SubschemaLosses) -> SchemaObject:
    """Return the conjunction of both; the `allOf` of `branch` is merged in the next round."""
    waiting = schemas(schema, "allOf") + schemas(branch, "allOf")
    one, other = ({name: value for name, value in side.items() if name != "allOf"} for side in (schema, branch))
    both = conjunction(one, other, lambda keyword: losses.dropped(keyword, "only one of two values is sent"))
    return {**both, "allOf": waiting} if waiting else both


def _parameters(alternatives: list[SchemaObject], *, known: SchemaObject) -> SchemaObject:
    """Return the parameters that only alternatives name, with the schemas of all alternatives."""
    variants: dict[str, list[Json]] = {}
    for branch in alternatives:
        for name, sub in named(branch, "properties").items():
            if name not in known and sub not in variants.setdefault(name, []):
                variants[name].append(sub)
    return {name: subs[0] if len(subs) == 1 else {"anyOf": subs} for name, subs in variants.items()}


def _form(branch: SchemaObject, required: set[str]) -> list[str]:
    """Return the parameters that identify an alternative: those with a fixed value and those that it alone requires."""
    form: list[str] = []
    for name, sub in named(branch, "properties").items():
        if isinstance(sub, dict) and "const" in sub:
            form.append(f"{name} = {dumps(sub['const'])}")
        elif name in names(branch, "required") and name not in required:
            form.append(name)
    return form + [
        name for name in names(branch, "required") if name not in required and name not in named(branch, "properties")
    ]
