"""Arguments of a tool from the parameters and the request body of an operation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from cli.tool_import.document import Document, JsonObject, NotImportableError, list_of, object_of, text_of
from cli.tool_import.schemas import is_object, required_of
from flexchat.messages import Json
from functions.tools.http.implementation import Location

_SEPARATORS: Final[Mapping[str, str]] = {
    "csv": "commas",
    "ssv": "spaces",
    "tsv": "tabs",
    "pipes": "|",
    "spaceDelimited": "spaces",
    "pipeDelimited": "|",
}
_IGNORED_HEADERS: Final = frozenset(("accept", "authorization", "content-type", "host", "content-length"))
"""Headers that OpenAPI describes elsewhere, or that the HTTP client sets."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Argument by its name and place in the request; `schema` is that of the document."""

    name: str
    location: Location
    schema: Json
    required: bool = False


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
        """Return the arguments of a parameter in the path, the query or a header."""
        required = parameter.get("required") is True or location == "path"
        schema = self._parameter_schema(parameter)
        match location:
            case "path" | "query":
                yield from self._in_address(arguments, parameter, location, name, schema, required=required)
            case "header" if name.lower() in _IGNORED_HEADERS:
                return
            case "header":
                resolved = self._document.resolved(schema)
                choices = list_of(resolved.get("enum"))
                if required and len(choices) == 1 and isinstance(choices[0], str):
                    arguments.headers[name] = choices[0]
                else:
                    yield Argument(name, "header", schema, required)
            case _:
                self._leave_out(arguments, f"the {location or 'unplaced'} parameter {name!r}", required=required)

    def _parameter_schema(self, parameter: JsonObject) -> JsonObject:
        """Return the schema of a parameter with its own description; OpenAPI 2.0 has the keywords in the parameter."""
        content = object_of(parameter.get("content"))
        if self._document.version == "2.0":
            skipped = ("name", "in", "required")
            return {key: value for key, value in parameter.items() if key not in skipped}
        schema = object_of(parameter.get("schema") or object_of(next(iter(content.values()), None)).get("schema"))
        text = text_of(parameter.get("description"))
        texts: JsonObject = {"description": text} if text else {}
        if "example" in parameter and "$ref" not in schema:
            texts["example"] = parameter["example"]
        plain: JsonObject = {"nullable": False} if schema.get("nullable") is True else {}
        return {**schema, **texts, **plain}

    def _in_address(
        self,
        arguments: Arguments,
        parameter: JsonObject,
        location: Location,
        name: str,
        schema: JsonObject,
        *,
        required: bool,
    ) -> Iterator[Argument]:
        resolved = self._document.resolved(schema)
        style = text_of(parameter.get("style"))
        if resolved.get("type") == "array":
            if location == "query" and style == "deepObject":
                yield Argument(f"{name}[]", location, schema, required)
            elif location == "query" and (separator := self._separator(parameter, style)):
                note = f"Values separated by {separator}."
                text = f"{text_of(schema.get('description')) or text_of(resolved.get('description'))} {note}".strip()
                yield Argument(name, location, {"type": "string", "description": text}, required)
            else:
                yield Argument(name, location, schema, required)
        elif is_object(resolved) and "content" not in parameter:
            properties = object_of(resolved.get("properties"))
            if location == "path" or not properties or not all(self._is_plain(value) for value in properties.values()):
                self._leave_out(arguments, f"the {location} parameter {name!r}, an object", required=required)
                return
            for key, value in properties.items():
                wire = f"{name}[{key}]" if style == "deepObject" else key
                yield Argument(wire, location, value, required and key in required_of(resolved))
        else:
            yield Argument(name, location, schema, required)

    def _separator(self, parameter: JsonObject, style: str) -> str | None:
        """Return the separator of a list in one text; None for a repeated parameter."""
        if self._document.version == "2.0":
            return _SEPARATORS.get(text_of(parameter.get("collectionFormat")) or "csv")
        if style in _SEPARATORS:
            return _SEPARATORS[style]
        return "commas" if parameter.get("explode") is False else None

    def _is_plain(self, schema: Json) -> bool:
        resolved = self._document.resolved(schema)
        return not is_object(resolved) and resolved.get("type") != "array"

    def _leave_out(self, arguments: Arguments, part: str, *, required: bool) -> None:
        if required:
            raise NotImportableError(f"requires {part}, which cannot be sent")
        arguments.notes.append(f"{part} is left out")

    def _request_body(self, arguments: Arguments, body: JsonObject) -> None:
        content = object_of(body.get("content"))
        required = body.get("required") is True
        media = next((name for name in content if _is_json(name)), None)
        if media is not None:
            self._json_body(arguments, object_of(content[media]).get("schema"), required=required, media=media)
            return
        form = next((name for name in content if name.split(";")[0] == "application/x-www-form-urlencoded"), None)
        if form is not None:
            entry = object_of(content[form])
            self._form_3(arguments, self._document.resolved(entry.get("schema")), object_of(entry.get("encoding")))
        elif content:
            self._leave_out(arguments, f"a body of type {next(iter(content))!r}", required=True)

    def _json_body(self, arguments: Arguments, schema: Json, *, required: bool, media: str) -> None:
        if media not in ("application/json", "*/*"):
            arguments.headers["Content-Type"] = media.partition(";")[0].replace("*", "json")
        merged = self._merged(schema)
        if merged is None or not object_of(merged.get("properties")):
            arguments.whole_body = "body"
            arguments.items.append(Argument("body", "body", schema if schema is not None else {}, required=True))
            return
        needed = required_of(merged) if required else []
        for name, value in object_of(merged["properties"]).items():
            if self._document.resolved(value).get("readOnly") is not True:
                arguments.items.append(Argument(name, "body", value, name in needed))

    def _merged(self, schema: Json, depth: int = 0) -> JsonObject | None:
        """Return an object schema with its `allOf` merged; None for one with alternatives, or of no object."""
        resolved = self._document.resolved(schema)
        parts = list_of(resolved.get("allOf"))
        if "oneOf" in resolved or "anyOf" in resolved or depth > 10 or not (parts or is_object(resolved)):
            return None
        properties = dict(object_of(resolved.get("properties")))
        required: list[Json] = [*required_of(resolved)]
        for part in parts:
            merged = self._merged(part, depth + 1)
            if merged is None:
                return None
            properties = {**object_of(merged.get("properties")), **properties}
            required += list_of(merged.get("required"))
        return {"properties": properties, "required": required}

    def _form_2(self, arguments: Arguments, form: JsonObject, required: list[Json], operation: JsonObject) -> None:
        """Add the fields of a form of OpenAPI 2.0."""
        types = [text for text in list_of(operation.get("consumes")) if isinstance(text, str)] or self._consumes
        if any(object_of(field).get("type") == "file" for field in form.values()) or (
            types and not any("urlencoded" in text for text in types)
        ):
            self._leave_out(arguments, f"a body of type {next(iter(types), 'multipart/form-data')!r}", required=True)
        fields: JsonObject = {
            name: {key: item for key, item in object_of(value).items() if key not in ("name", "in", "required")}
            for name, value in form.items()
        }
        self._form_3(arguments, {"type": "object", "properties": fields, "required": required}, {})

    def _form_3(self, arguments: Arguments, schema: JsonObject, encoding: JsonObject) -> None:
        arguments.body_format = "form"
        merged = self._merged(schema) or {}
        needed = required_of(merged)
        for name, value in object_of(merged.get("properties")).items():
            resolved = self._document.resolved(value)
            deep = object_of(encoding.get(name)).get("style") == "deepObject"
            properties = object_of(resolved.get("properties"))
            if deep and resolved.get("type") == "array" and self._is_plain(resolved.get("items")):
                arguments.items.append(Argument(f"{name}[]", "body", value, name in needed))
            elif self._is_plain(value) or (resolved.get("type") == "array" and self._is_plain(resolved.get("items"))):
                arguments.items.append(Argument(name, "body", value, name in needed))
            elif deep and properties and all(self._is_plain(part) for part in properties.values()):
                wanted = required_of(resolved) if name in needed else []
                arguments.items += (
                    Argument(f"{name}[{key}]", "body", part, key in wanted) for key, part in properties.items()
                )
            else:
                self._leave_out(arguments, f"the nested form field {name!r}", required=name in needed)


def _is_json(media: str) -> bool:
    name = media.partition(";")[0].strip().lower()
    return name in ("application/json", "*/*", "application/*", "text/json") or name.endswith("+json")
