"""Arguments of a tool from the parameters and the request body of an operation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cli.tool_import.document import Document, JsonObject, NotImportableError, list_of, object_of, text_of
from cli.tool_import.schemas import is_object, required_of
from cli.tool_import.styles import Serialization, StyleReader, is_json
from flexchat.messages import Json
from flexchat.redaction import contains_key
from functions.tools.http.implementation import Location

_IGNORED_HEADERS: Final = frozenset(("accept", "authorization", "content-type", "host", "content-length"))
"""Headers that OpenAPI describes elsewhere, or that the HTTP client sets."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Argument by its name and place in the request; `schema` is that of the document.

    `serialization` is its style, None for that of an http tool without one.
    """

    name: str
    location: Location
    schema: Json
    required: bool = False
    serialization: Serialization | None = None


@dataclass(frozen=True, slots=True)
class _Fields:
    """Properties of a body, and the names of those that it requires."""

    properties: JsonObject
    required: tuple[str, ...]


@dataclass(slots=True)
class Arguments:
    """Arguments of one operation, its fixed headers, the form of its body, and the parts that are left out."""

    items: list[Argument] = field(default_factory=list[Argument])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body_format: str = "json"
    whole_body: str | None = None
    """Name of the argument that is the body."""
    notes: list[str] = field(default_factory=list[str])

    def has(self, name: str, location: Location) -> bool:
        return any(item.name == name and item.location == location for item in self.items)


class ArgumentReader:
    """Reader of the parameters of operations."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._styles = StyleReader(document)
        self._consumes = [text for text in list_of(document.source.get("consumes")) if isinstance(text, str)]

    def read(self, shared: Json, operation: JsonObject, secret_places: frozenset[tuple[str, str]]) -> Arguments:
        """Return the arguments of an operation; `shared` are the parameters of its path.

        `secret_places` are the parameters that authentication sets, as (`in`, name). Raises NotImportableError.
        """
        arguments = Arguments()
        parameters: dict[tuple[str, str], JsonObject] = {}
        for value in (*list_of(shared), *list_of(operation.get("parameters"))):
            parameter = self._document.resolved(value)
            parameters[text_of(parameter.get("in")), text_of(parameter.get("name"))] = parameter
        form: JsonObject = {}
        required: list[Json] = []
        for (location, name), parameter in parameters.items():
            if not name or (location, name.lower()) in secret_places:
                continue
            if location == "formData":
                form[name] = parameter
                required += [name] if parameter.get("required") is True else []
            elif location == "body":
                self._json_body(
                    arguments,
                    parameter.get("schema"),
                    required=parameter.get("required") is True,
                    media="application/json",
                )
            else:
                arguments.items += self._placed(arguments, parameter, location, name)
        if form:
            self._form_2(arguments, form, required, operation)
        if isinstance(operation.get("requestBody"), dict):
            self._request_body(arguments, self._document.resolved(operation["requestBody"]))
        return arguments

    def _placed(self, arguments: Arguments, parameter: JsonObject, location: str, name: str) -> Iterator[Argument]:
        """Return the arguments of a parameter in the path, the query, a header or a cookie."""
        required = parameter.get("required") is True or location == "path"
        schema = self._parameter_schema(parameter)
        match location:
            case "header" if name.lower() in _IGNORED_HEADERS:
                return
            case "header" if required and (fixed := self._only_value(schema)):
                arguments.headers[name] = fixed
            case "path" | "query" | "header" | "cookie":
                style, notes = self._styles.of_parameter(parameter, location, name, schema)
                arguments.notes += notes
                yield Argument(name, location, schema, required, style)
            case _:
                self._leave_out(arguments, f"the {location or 'unplaced'} parameter {name!r}", required=required)

    def _only_value(self, schema: JsonObject) -> str | None:
        choices = list_of(self._document.resolved(schema).get("enum"))
        only = choices[0] if len(choices) == 1 else None
        return only if isinstance(only, str) and not contains_key(only) else None

    def _parameter_schema(self, parameter: JsonObject) -> JsonObject:
        """Return the schema of a parameter with its own description; OpenAPI 2.0 has the keywords in the parameter."""
        content = object_of(parameter.get("content"))
        if self._document.version == "2.0":
            return _schema_2(parameter)
        schema = object_of(parameter.get("schema") or object_of(next(iter(content.values()), None)).get("schema"))
        text = text_of(parameter.get("description"))
        texts: JsonObject = {"description": text} if text else {}
        if "example" in parameter and "$ref" not in schema:
            texts["example"] = parameter["example"]
        plain: JsonObject = {"nullable": False} if schema.get("nullable") is True else {}
        return {**schema, **texts, **plain}

    def _leave_out(self, arguments: Arguments, part: str, *, required: bool) -> None:
        if required:
            raise NotImportableError(f"requires {part}, which cannot be sent")
        arguments.notes.append(f"{part} is left out")

    def _request_body(self, arguments: Arguments, body: JsonObject) -> None:
        content = object_of(body.get("content"))
        required = body.get("required") is True
        media = next((name for name in content if is_json(name)), None)
        if media is not None:
            self._json_body(arguments, object_of(content[media]).get("schema"), required=required, media=media)
            return
        form = next((name for name in content if name.split(";")[0] == "application/x-www-form-urlencoded"), None)
        if form is not None:
            entry = object_of(content[form])
            self._form_3(arguments, entry.get("schema"), object_of(entry.get("encoding")), required=required)
        elif content:
            self._leave_out(arguments, f"a body of type {next(iter(content))!r}", required=True)

    def _json_body(self, arguments: Arguments, schema: Json, *, required: bool, media: str) -> None:
        if media not in ("application/json", "*/*"):
            arguments.headers["Content-Type"] = media.partition(";")[0].replace("*", "json")
        merged = self._merged(schema)
        if merged is None or not merged.properties:
            arguments.whole_body = "body"
            arguments.items.append(Argument("body", "body", schema if schema is not None else {}, required))
            return
        for name, value in self._fields(arguments, merged):
            arguments.items.append(Argument(name, "body", value, required and name in merged.required))

    def _fields(self, arguments: Arguments, body: _Fields) -> Iterator[tuple[str, Json]]:
        """Return the properties of a body that a request may have, and the required ones that it lacks."""
        for name, value in body.properties.items():
            if self._document.resolved(value).get("readOnly") is not True:
                yield name, value
        for name in body.required:
            if name not in body.properties:
                arguments.notes.append(f"the required field {name!r} of the body is not described: it takes any value")
                yield name, {}

    def _merged(self, schema: Json, depth: int = 0, *, alternatives: bool = False) -> _Fields | None:
        """Return the fields of an object with its `allOf` merged; None for one with alternatives, or of no object.

        With `alternatives` those are merged, too: a field is required if it is in all of them.
        """
        resolved = self._document.resolved(schema)
        parts = list_of(resolved.get("allOf"))
        choices = [each for keyword in ("oneOf", "anyOf") if (each := list_of(resolved.get(keyword)))]
        if (choices and not alternatives) or depth > 10 or not (parts or choices or is_object(resolved)):
            return None
        properties: JsonObject = {}
        required = dict.fromkeys(required_of(resolved))
        for part in parts:
            merged = self._merged(part, depth + 1, alternatives=alternatives)
            if merged is None:
                return None
            properties |= merged.properties
            required |= dict.fromkeys(merged.required)
        for several in choices:
            found = [self._merged(each, depth + 1, alternatives=True) for each in several]
            objects = [each for each in found if each is not None]
            if len(objects) < len(found):
                return None
            properties |= _combined([each.properties for each in objects])
            required |= {name: None for name in objects[0].required if all(name in each.required for each in objects)}
        return _Fields({**properties, **object_of(resolved.get("properties"))}, tuple(required))

    def _form_2(self, arguments: Arguments, form: JsonObject, required: list[Json], operation: JsonObject) -> None:
        """Add the fields of a form of OpenAPI 2.0."""
        types = [text for text in list_of(operation.get("consumes")) if isinstance(text, str)] or self._consumes
        if any(object_of(field).get("type") == "file" for field in form.values()) or (
            types and not any("urlencoded" in text for text in types)
        ):
            self._leave_out(arguments, f"a body of type {next(iter(types), 'multipart/form-data')!r}", required=True)
        fields: JsonObject = {name: _schema_2(object_of(value)) for name, value in form.items()}
        self._form_3(arguments, {"type": "object", "properties": fields, "required": required}, form, required=True)

    def _form_3(self, arguments: Arguments, schema: Json, encoding: JsonObject, *, required: bool) -> None:
        """Add the fields of a form; `encoding` has the style of each."""
        arguments.body_format = "form"
        merged = self._merged(schema) or self._merged(schema, alternatives=True)
        if merged is None or not merged.properties:
            if required or self._document.resolved(schema).get("additionalProperties"):
                arguments.items.append(Argument("body", "body", schema, required, Serialization("form", explode=True)))
            return
        if self._merged(schema) is None:
            arguments.notes.append("the alternatives of the form are merged into one, with the fields of all")
        for name, value in self._fields(arguments, merged):
            style, notes = self._styles.of_field(object_of(encoding.get(name)), name, object_of(value))
            arguments.notes += notes
            arguments.items.append(Argument(name, "body", value, required and name in merged.required, style))


def _combined(alternatives: list[JsonObject]) -> JsonObject:
    """Return the properties of all alternatives; one with different schemas has each of them."""
    found: dict[str, list[Json]] = {}
    for properties in alternatives:
        for name, schema in properties.items():
            schemas = found.setdefault(name, [])
            if schema not in schemas:
                schemas.append(schema)
    return {name: schemas[0] if len(schemas) == 1 else {"anyOf": schemas} for name, schemas in found.items()}


def _schema_2(parameter: JsonObject) -> JsonObject:
    """Return the keywords of a parameter of OpenAPI 2.0 that are its schema."""
    return {key: value for key, value in parameter.items() if key not in ("name", "in", "required")}
