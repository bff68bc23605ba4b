"""Compilation of a tool's definition for one provider."""

from typing import Protocol

from msgspec import Struct

from flexchat.messages import Json
from flexchat.schema.shape import Pointer
from flexchat.text import truncate
from functions.chat.tools.schema_compiler.alternatives import TopLevelFlattener
from functions.chat.tools.schema_compiler.dialects import (
    COMPOSITION,
    SILENT,
    Dialect,
    Keywords,
    LossReport,
    SchemaLoss,
    SubschemaLosses,
)
from functions.chat.tools.schema_compiler.rewriting import (
    described,
    parameter_sentence,
    rewritten,
    sentence,
    with_sentences,
)
from functions.chat.tools.schema_compiler.traversal import References, SchemaObject, named, names, rebuilt


class ToolSchema(Protocol):
    """Definition of a tool, as far as a model receives it."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def parameters(self) -> dict[str, Json]: ...


class CompiledTool(Struct, frozen=True):
    """Tool in the dialect of one provider, with its name in requests and the losses."""

    name: str
    description: str
    parameters: SchemaObject
    losses: tuple[SchemaLoss, ...]


def compile_tool(tool: ToolSchema, dialect: Dialect, *, wire_name: str, as_it_is: bool = False) -> CompiledTool:
    """Compile `tool` for a provider's dialect. Its schema must have passed `flexchat.schema.check_schema`.

    With `as_it_is` the schema is sent unchanged: the dialect `takes` it.
    """
    report = LossReport(tool.name)
    if wire_name != tool.name:
        report.rewritten("name", "name", f"sent as {wire_name!r}, and back")
    compiler = _Compiler(dialect, report)
    parameters, notes = (tool.parameters, []) if as_it_is else compiler.parameters(tool.parameters)
    new = [note for note in notes if note not in tool.description]
    description = _within(dialect, described(tool.description, new) if new else tool.description, report)
    return CompiledTool(wire_name, description, parameters, report.losses)


def _within(dialect: Dialect, description: str, report: LossReport) -> str:
    limit = dialect.description_limit
    if limit is None or len(description) <= limit:
        return description
    report.rewritten("description", "description", f"cut to {limit} characters of {len(description)}")
    return truncate(description, limit)


class _Compiler:
    """Compiler of one schema for one provider."""

    def __init__(self, dialect: Dialect, report: LossReport) -> None:
        self._dialect = dialect
        self._report = report

    def parameters(self, schema: SchemaObject) -> tuple[SchemaObject, list[str]]:
        """Return the compiled schema, and sentences for the tool's description."""
        top = self._dialect.top
        losses = self._report.at(())
        if not self._dialect.references or self._reshapes(schema):
            schema = References(schema).inlined(schema, self._report)
        notes: list[str] = []
        if any(keyword not in top for keyword in schema.keys() & {*COMPOSITION}):
            flattening = TopLevelFlattener(losses)
            schema = flattening.flat(schema)
            notes += flattening.notes
        if refused := self._refused_names(schema):
            schema, sentences = _without_refused_names(schema, refused, losses)
            notes += sentences
        if "description" not in top and isinstance(text := schema.get("description"), str):
            schema = {name: value for name, value in schema.items() if name != "description"}
            notes.insert(0, text)
            losses.rewritten("description", "moved to the tool's description")
        compiled, sentences = self._compiled(schema, (), top)
        notes += sentences
        if "properties" not in compiled:
            compiled["properties"] = {}
            losses.rewritten("properties", "an empty one is sent")
        if "description" not in top:
            return compiled, notes
        with_sentences(compiled, notes)
        return compiled, []

    def _reshapes(self, schema: SchemaObject) -> bool:
        """Return whether the top of `schema` changes, which would break references into it."""
        unknown = (keyword for keyword in schema if keyword not in self._dialect.top and keyword not in SILENT)
        return any(unknown) or bool(self._refused_names(schema))

    def _refused_names(self, schema: SchemaObject) -> list[str]:
        """Return the parameters with names that the provider refuses."""
        pattern = self._dialect.parameter_name
        return [name for name in named(schema, "properties") if pattern is not None and not pattern.fullmatch(name)]

    def _subschema(self, schema: Json, pointer: Pointer) -> Json:
        if not isinstance(schema, dict):
            return schema
        compiled, notes = self._compiled(schema, pointer, self._dialect.nested)
        with_sentences(compiled, notes)
        return compiled

    def _compiled(self, schema: SchemaObject, pointer: Pointer, takes: Keywords) -> tuple[SchemaObject, list[str]]:
        """Return `schema` and its subschemas in accepted keywords, and sentences for the others."""
        losses = self._report.at(pointer)
        schema = rewritten(schema, self._dialect, takes, losses)
        notes: list[str] = []
        for keyword in [keyword for keyword in schema if keyword not in takes]:
            self._leave_out(keyword, schema.pop(keyword), losses, notes)
        read = {name: value for name, value in schema.items() if name not in self._dialect.verbatim}
        return schema | rebuilt(read, pointer, self._subschema), notes

    def _leave_out(self, keyword: str, value: Json, losses: SubschemaLosses, notes: list[str]) -> None:
        if keyword in SILENT:
            losses.dropped(keyword, "has no meaning for a model")
        elif text := sentence(keyword, value):
            notes.append(text)
            losses.rewritten(keyword, "moved to the description")
        else:
            where = " at the top level" if keyword in self._dialect.nested else ""
            losses.dropped(keyword, f"not supported by {self._dialect.label}{where}")


def _without_refused_names(
    schema: SchemaObject, refused: list[str], losses: SubschemaLosses
) -> tuple[SchemaObject, list[str]]:
    """Return `schema` without the parameters `refused`, and sentences about them: a model may still send them."""
    properties, required = named(schema, "properties"), [*names(schema, "required")]
    for name in refused:
        losses.rewritten("properties", f"the name {name!r} is refused; moved to the description")
    plain = {name: value for name, value in schema.items() if name not in ("additionalProperties", "required")}
    if "additionalProperties" in schema:
        losses.dropped("additionalProperties", "it would refuse parameters that only the description names")
    plain["properties"] = {name: sub for name, sub in properties.items() if name not in refused}
    if left := [name for name in required if name not in refused]:
        plain["required"] = [*left]
    return plain, [parameter_sentence(name, properties[name], required=name in required) for name in refused]
