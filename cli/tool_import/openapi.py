"""Tools from the operations of an OpenAPI document."""

import re
from collections.abc import Callable, Collection
from copy import replace
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from cli.tool_import.arguments import Argument, ArgumentReader, Arguments
from cli.tool_import.definition_check import definition_problems, size_problem
from cli.tool_import.document import Document, JsonObject, NotImportableError, object_of, text_of
from cli.tool_import.report import ImportedTool, ImportReport, LeftOut
from cli.tool_import.schemas import MAX_DESCRIPTION as MAX_TEXT
from cli.tool_import.schemas import SchemaConverter, TooLargeError
from cli.tool_import.security import Authentication, SecurityReader
from cli.tool_import.servers import ServerReader
from cli.tool_import.suggestions import suggestions
from cli.tool_import.texts import name_of_path, parameter_name, plain, tool_name
from flexchat.config.encoding import PARAMETER_LIMIT
from flexchat.messages import Json
from flexchat.schema.shape import shape_of
from functions.tools.http.implementation import BODY_METHODS, IDEMPOTENT_METHODS, Location

MAX_DESCRIPTION: Final = 1_024

METHODS: Final = ("get", "head", "post", "put", "patch", "delete")
_OTHER_METHODS: Final = ("options", "trace", "query")

ENTRY: Final = f"an entry of the configuration has at most {PARAMETER_LIMIT} bytes after gzip"

MIN_DESCRIPTION: Final = 200
"""Characters of a tool's own description that are kept in every attempt."""

_DEPTHS: Final = (None, 8, 6, 4, 3, 2, 1)
"""Maximum nesting of schemas in the attempts to convert an operation."""

_TEXTS: Final = (MAX_TEXT, 100, 30)
"""Maximum length of the descriptions in a schema, in the attempts for each nesting."""

_PATH_PARAMETER = re.compile(r"\{([^{}]*)\}")

type Advance = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a document; `label` is its id, or its method and path."""

    method: str
    path: str
    item: JsonObject
    source: JsonObject
    name: str

    @property
    def label(self) -> str:
        return text_of(self.source.get("operationId")) or self.route

    @property
    def route(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def summary(self) -> str:
        return plain(text_of(self.source.get("summary")) or text_of(self.source.get("description")), 100)

    def is_selected(self, patterns: Collection[str]) -> bool:
        """Return true if a pattern with `*` matches the operation's id, its method and path, or the tool's name."""
        return any(fnmatchcase(text, pattern) for text in (self.label, self.route, self.name) for pattern in patterns)


def operations(document: Document) -> tuple[Operation, ...]:
    """Return the operations of a document, with unique names of tools."""
    taken: set[str] = set()
    found: list[Operation] = []
    for path, value in object_of(document.source.get("paths")).items():
        try:
            item = document.resolved(value)
        except NotImportableError:
            continue
        for method in (*METHODS, *_OTHER_METHODS):
            if not isinstance(source := item.get(method), dict):
                continue
            own = text_of(source.get("operationId"))
            name = tool_name(own, taken) if own else name_of_path(method, path, taken)
            taken.add(name)
            found.append(Operation(method, path, item, source, name))
    return tuple(found)


def import_operations(
    document: Document,
    selected: Collection[Operation],
    *,
    server: str | None = None,
    deprecated: bool = False,
    advance: Advance = lambda: None,
) -> ImportReport:
    """Return the tools of the selected operations and the reasons for those left out.

    `server` replaces the servers of the document. `deprecated` operations are imported only on request. `advance` is
    called for each operation, and again for each tool that is checked.
    """
    importer = _Importer(document, server)
    tools: list[ImportedTool] = []
    left_out: list[LeftOut] = []
    sources: dict[str, Operation] = {}
    for operation in selected:
        advance()
        if operation.source.get("deprecated") is True and not deprecated:
            left_out.append(LeftOut(operation.label, "is deprecated; name it with --only to import it"))
            continue
        try:
            tools.append(importer.tool(operation))
            sources[operation.name] = operation
        except NotImportableError as error:
            left_out.append(LeftOut(operation.label, str(error)))
    problems = definition_problems([tool.definition for tool in tools], advance=advance)
    # Most problems are defaults that do not fit their own schemas.
    again = {name: _without_defaults(importer.tool(sources[name], defaults=False)) for name in problems}
    problems = definition_problems([tool.definition for tool in again.values()])
    tools = [again.get(tool.name, tool) for tool in tools]
    return ImportReport(tuple(tools), tuple(left_out)).without(problems)


def _without_defaults(tool: ImportedTool) -> ImportedTool:
    return replace(tool, notes=(*tool.notes, "its defaults are left out, since one does not fit its schema"))


class _Importer:
    """Importer of single operations."""

    def __init__(self, document: Document, server: str | None) -> None:
        self._document = document
        self._servers = ServerReader(document, given=server)
        self._security = SecurityReader(document)
        self._arguments = ArgumentReader(document)

    def tool(self, operation: Operation, *, defaults: bool = True) -> ImportedTool:
        """Return the tool of an operation, with the `defaults` of its schemas. Raises NotImportableError."""
        if operation.method in _OTHER_METHODS:
            raise NotImportableError(f"uses the method {operation.method.upper()}, which http tools do not have")
        if "#" in operation.path:
            raise NotImportableError("has a path with a fragment, which is not sent")
        base, host = self._servers.read(operation.item, operation.source)
        security = self._security.read(operation.source, host)
        arguments = self._arguments.read(operation.item.get("parameters"), operation.source, security.places)
        path = _complete(arguments, operation)
        implementation, names = _implementation(operation.method.upper(), base, path, arguments, security)
        text = "\n\n".join(text_of(operation.source.get(name)) for name in ("summary", "description"))
        definition: JsonObject = {
            "name": operation.name,
            "description": plain(text, MAX_DESCRIPTION) or operation.route,
            "parameters": {},
            "implementation": implementation,
        }
        if operation.method.upper() in IDEMPOTENT_METHODS:
            definition["idempotent"] = True
        definition, notes = self._fitting(definition, arguments, names, defaults=defaults)
        return ImportedTool(
            operation.label,
            definition,
            (*arguments.notes, *security.notes, *notes),
            tuple(suggestions(self._document, operation.source, arguments, operation.method.upper())),
            security.secrets,
            (host, *(other for other in security.hosts if other != host)) if security.secrets else (),
        )

    def _fitting(
        self, definition: JsonObject, arguments: Arguments, names: list[str], *, defaults: bool
    ) -> tuple[JsonObject, tuple[str, ...]]:
        """Return the definition with the schema of its arguments, as detailed as the limits allow.

        Those are the limits of a schema, and that of an entry of the configuration. Raises NotImportableError.
        """
        problem = "parameters: the schema is too large"
        for depth in _DEPTHS:
            for most in _TEXTS:
                converter = SchemaConverter(self._document, max_depth=depth, defaults=defaults, max_text=most)
                try:
                    schema = _object_schema(arguments.items, names, converter)
                except TooLargeError:
                    break
                if problems := shape_of(schema).problems:
                    problem = f"parameters: {problems[0]}"
                    break
                text = plain(text_of(definition["description"]), max(most, MIN_DESCRIPTION))
                short = definition if most == MAX_TEXT else {**definition, "description": text}
                found: JsonObject = {**short, "parameters": schema}
                if (size := size_problem(found)) is None:
                    cut = () if most == MAX_TEXT else (f"descriptions are cut to {most} characters: {ENTRY}",)
                    return found, (*converter.notes, *cut)
                problem = f"{size}, also without its longer descriptions and nested schemas"
        raise NotImportableError(problem)


def _object_schema(items: list[Argument], names: list[str], converter: SchemaConverter) -> JsonObject:
    properties: JsonObject = {}
    for name, item in zip(names, items, strict=True):
        converter.subject = item.name
        properties[name] = converter.convert(item.schema)
    schema: JsonObject = {"type": "object", "properties": properties}
    if required := [name for name, item in zip(names, items, strict=True) if item.required]:
        schema["required"] = [*required]
    if converter.definitions:
        schema["$defs"] = converter.definitions
    return {**schema, "additionalProperties": False}


def _complete(arguments: Arguments, operation: Operation) -> str:
    """Return the path of the request without parameters in its query, which become parameters of the query.

    Adds the parameters of the path that the operation does not list, and checks that every argument can be sent.
    """
    path = _without_query_parameters(arguments, operation.path)
    wanted = list(dict.fromkeys(_PATH_PARAMETER.findall(path)))
    for name in wanted:
        if not arguments.has(name, "path"):
            arguments.items.append(Argument(name, "path", {"type": "string"}, required=True))
            arguments.notes.append(f"the path parameter {name!r} is not described")
    arguments.items = [item for item in arguments.items if item.location != "path" or item.name in wanted]
    method = operation.method.upper()
    if method in BODY_METHODS or (method == "DELETE" and arguments.whole_body is None):
        return path
    if any(item.location == "body" and item.required for item in arguments.items):
        raise NotImportableError(f"requires a body in a {method} request")
    if len(items := [item for item in arguments.items if item.location != "body"]) < len(arguments.items):
        arguments.items = items
        arguments.notes.append(f"the body of a {method} request is left out")
    arguments.whole_body = None
    return path


def _without_query_parameters(arguments: Arguments, path: str) -> str:
    """Return `path` without the pairs `key={name}` of its query; their arguments move into the query."""
    base, _, query = path.partition("?")
    fixed: list[str] = []
    for pair in query.split("&"):
        key, _, value = pair.partition("=")
        if (found := _PATH_PARAMETER.fullmatch(value)) is None:
            fixed.append(pair)
            continue
        name = found[1]
        described = next((item for item in arguments.items if item.name == name and item.location == "path"), None)
        if described is not None:
            arguments.items.remove(described)
        if not arguments.has(key, "query"):
            schema: Json = {"type": "string"} if described is None else described.schema
            arguments.items.append(Argument(key, "query", schema, required=True))
    return f"{base}?{'&'.join(fixed)}" if any(fixed) else base


def _implementation(
    method: str, base: str, path: str, arguments: Arguments, security: Authentication
) -> tuple[JsonObject, list[str]]:
    """Return the implementation and the names of the arguments."""
    wires: dict[str, str] = {}
    for name in _PATH_PARAMETER.findall(path):
        if name not in wires:
            wires[name] = parameter_name(name, wires.values())
    # A dollar sign before a parameter would make it the reference to a secret.
    path = _PATH_PARAMETER.sub(lambda found: f"{{{wires[found[1]]}}}", path.replace("${", "%24{"))
    names: list[str] = []
    mapping: JsonObject = {}
    for item in arguments.items:
        wire = wires[item.name] if item.location == "path" else item.name
        wanted = wire if parameter_name(wire, names) == wire else f"{item.location}_{wire}" if wire in names else wire
        name = parameter_name(wanted, names)
        names.append(name)
        if (entry := _mapped(name, wire, item, method, wires.values())) is not None:
            mapping[name] = entry
    implementation: JsonObject = {"type": "http", "url": f"{base}{path}", "method": method}
    headers = {**arguments.headers, **security.all_headers}
    if headers:
        implementation["headers"] = {**headers}
    if security.query:
        implementation["query"] = {**security.query}
    if mapping:
        implementation["params_mapping"] = mapping
    if arguments.whole_body is not None:
        body = next(name for name, item in zip(names, arguments.items, strict=True) if item.location == "body")
        implementation["body"] = {"template": f"{{{{{body}}}}}"}
    elif arguments.body_format != "json" and any(item.location == "body" for item in arguments.items):
        implementation["body"] = {"format": arguments.body_format}
    if security.auth is not None:
        implementation["auth"] = security.auth
    return implementation, names


def _mapped(name: str, wire: str, item: Argument, method: str, path_names: Collection[str]) -> Json:
    """Return the entry of `params_mapping`; None for an argument that is sent there without one."""
    default: Location = "path" if wire in path_names else "body" if method in BODY_METHODS else "query"
    entry: JsonObject = {"name": wire}
    if item.location != default:
        entry["in"] = item.location
    if item.serialization is not None:
        entry["style"] = item.serialization.style
        if item.serialization.explode is not None:
            entry["explode"] = item.serialization.explode
    if len(entry) > 1:
        return entry
    return None if name == wire else wire
