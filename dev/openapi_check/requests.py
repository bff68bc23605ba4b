"""Validation of a request by the operation of a document that it is meant for."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote

from dev.openapi_check.schemas import MismatchError, SchemaReader, entries, leaves, members
from dev.openapi_check.styles import Style, parsed, style_of

_DESCRIBED_ELSEWHERE = frozenset({"accept", "authorization", "content-type", "host", "content-length"})
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Received:
    """Request as a server received it, with its raw target."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Findings:
    """Result for one request: the number of parameters and fields with a right value, and the faults.

    `declared` are faults that the report of the import names under CHANGED.
    """

    right: int = 0
    declared: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])


class RequestValidator:
    """Validator of the requests of one operation.

    `notes` are those of the import: a parameter that they name may be absent, or be sent as JSON. `secrets` are the
    query parameters and headers of authentication, in lower case.
    """

    def __init__(
        self,
        source: dict[str, Any],
        path: str,
        method: str,
        *,
        notes: tuple[str, ...] = (),
        secrets: frozenset[str] = frozenset(),
    ) -> None:
        self._source = source
        self._version = str(source.get("openapi", source.get("swagger", "")))[:3]
        self._path = path
        self._method = method
        self._notes = notes
        self._secrets = secrets
        reader = SchemaReader(source)
        item = reader.resolved(source["paths"][path])
        self._operation: dict[str, Any] = item[method]
        found = [
            reader.resolved(each)
            for each in (*entries(item.get("parameters")), *entries(self._operation.get("parameters")))
        ]
        self._parameters = {(each.get("in"), each["name"]): each for each in found if each.get("name")}
        self._names = frozenset(name for _, name in self._parameters)

    def findings(self, request: Received, *, base: str, arguments: dict[str, Any]) -> Findings:
        """Return the faults of a request to the path below `base` that was sent for `arguments`."""
        result = Findings()
        target, _, query = request.target.partition("?")
        template, _, fixed = self._path.partition("?")
        in_query = {value.strip("{}"): name for name, value in parse_qsl(fixed)}
        names = re.findall(r"\{([^{}]*)\}", template)
        pattern = re.sub(r"\\\{[^{}]*\\\}", "([^/]*)", re.escape(f"{base}{template}").replace(r"\$", r"(?:\$|%24)"))
        found = re.fullmatch(pattern, target)
        if request.method != self._method.upper() or found is None:
            result.wrong.append(f"{request.method} {target} is not {self._method.upper()} {template}")
            return result
        segments = dict(zip(names, found.groups(), strict=True))
        fields = _raw_fields(query, "&")
        cookies = _raw_fields(request.headers.get("cookie", ""), ";")
        values: list[Any] = []
        used = {*self._secrets, *in_query.values()}
        for (location, name), parameter in self._parameters.items():
            raw: str | list[tuple[str, str]] | None
            match location:
                case "path" if name in in_query:
                    raw, name, location = fields, in_query[name], "query"
                case "path":
                    raw = segments.pop(name, None)
                case "query":
                    raw = fields
                case "header" if name.lower() not in _DESCRIBED_ELSEWHERE:
                    raw = request.headers.get(name.lower())
                case "cookie":
                    raw = cookies
                case _:
                    continue
            if name.lower() in self._secrets:
                continue
            style = style_of(parameter, location, version=self._version)
            schema = self._schema(parameter)
            if names := self._check(result, f"{location} {name!r}", name, raw, style, schema, values):
                used |= names if location == "query" else set()
        values += segments.values()
        for name, _ in fields:
            if unquote(name) not in used and unquote(name).lower() not in used:
                result.wrong.append(f"unexpected query parameter {unquote(name)!r}")
        self._body(result, request, values)
        self._compare(result, arguments, values)
        return result

    def _schema(self, parameter: dict[str, Any]) -> Any:
        if self._version == "2.0":
            return {key: value for key, value in parameter.items() if key not in ("name", "in", "required")}
        content = next(iter(members(parameter.get("content")).values()), None)
        return parameter.get("schema") or members(content).get("schema") or {}

    def _check(
        self,
        result: Findings,
        part: str,
        name: str,
        raw: str | list[tuple[str, str]] | None,
        style: Style,
        schema: Any,
        values: list[Any],
        *,
        inner_json: bool = False,
    ) -> set[str]:
        """Add the finding for one parameter, and its value to `values`; return the names of its fields.

        With `inner_json`, lists and objects inside of the value may be JSON.
        """
        reader = SchemaReader(self._source)
        is_declared = any(repr(name) in note for note in self._notes)
        try:
            present, value, used = False, None, set[str]()
            if raw is not None:
                present, value, used = parsed(raw, name, style, schema, reader, others=self._names | self._secrets)
        except MismatchError as exc:
            (result.declared if is_declared else result.wrong).append(f"{part}: {exc}")
            if isinstance(raw, list):
                values.append([_unquoted(text) for key, text in raw if _belongs(unquote(key), name)])
                return {unquote(key) for key, _ in raw if _belongs(unquote(key), name)}
            return {name}
        if not present and reader.resolved(schema).get("readOnly"):
            return set()
        if not present:
            (result.declared if is_declared else result.wrong).append(f"{part} is missing")
            return set()
        values.append(value)
        if reader.json_texts and not inner_json:
            (result.declared if is_declared else result.wrong).append(f"{part} has JSON text in the style {style.name}")
        else:
            result.right += 1
        return used

    def _body(self, result: Findings, request: Received, values: list[Any]) -> None:
        media = request.headers.get("content-type", "").partition(";")[0].lower()
        if not request.body or not media:
            return
        reader = SchemaReader(self._source)
        schema, encodings = self._body_schema(reader, media)
        if media == _FORM:
            self._form(result, _raw_fields(request.body.decode(), "&"), schema, encodings, values)
            return
        content = json.loads(request.body)
        values.append(content)
        if schema is None:
            if content != {}:
                result.wrong.append("body: the operation has none")
            return
        if isinstance(content, dict):
            for name, each in reader.properties(schema, alternatives=False).items():
                if name not in content and not reader.resolved(each).get("readOnly"):
                    is_declared = any(repr(name) in note or _is_cut(note) for note in self._notes)
                    (result.declared if is_declared else result.wrong).append(f"body field {name!r} is missing")
                elif name in content:
                    result.right += 1
        try:
            reader.value(content, schema)
        except MismatchError as exc:
            is_declared = any(_is_cut(note) for note in self._notes)
            (result.declared if is_declared else result.wrong).append(f"body: {exc}")

    def _body_schema(self, reader: SchemaReader, media: str) -> tuple[Any, dict[str, Any]]:
        if self._version == "2.0":
            own = self._parameters.items()
            form: dict[str, Any] = {name: each for (place, name), each in own if place == "formData"}
            if form:
                fields: dict[str, Any] = {name: self._schema(each) for name, each in form.items()}
                return {"type": "object", "properties": fields}, form
            whole = next((each for (place, _), each in own if place == "body"), None)
            return members(whole).get("schema"), {}
        content = members(reader.resolved(self._operation.get("requestBody")).get("content"))
        names = [name for name in content if name.partition(";")[0].lower() == media] or [
            name for name in content if "json" in name or "*" in name
        ]
        entry = members(content[names[0]]) if names else {}
        return entry.get("schema"), members(entry.get("encoding"))

    def _form(
        self,
        result: Findings,
        fields: list[tuple[str, str]],
        schema: Any,
        encodings: dict[str, Any],
        values: list[Any],
    ) -> None:
        reader = SchemaReader(self._source)
        used: set[str] = set()
        for name, each in reader.properties(schema).items():
            encoding = members(encodings.get(name))
            has_style = self._version == "2.0" or not {"style", "explode"}.isdisjoint(encoding)
            if has_style:
                style = style_of(encoding, "form", version=self._version)
            elif reader.kinds(each) == {"object"} or "json" in encoding.get("contentType", ""):
                style = Style("form", explode=False, media="application/json")
            else:  # a list is repeated, and its objects are JSON
                style = Style("form", explode=True)
            names = self._check(result, f"form {name!r}", name, fields, style, each, values, inner_json=not has_style)
            used |= names
        undescribed = set(entries(reader.resolved(schema).get("required"))) - set(reader.properties(schema))
        values += [_unquoted(text) for name, text in fields if unquote(name) in undescribed]
        used |= undescribed
        if not reader.properties(schema):
            values += [_unquoted(text) for _, text in fields]
            used |= {unquote(name) for name, _ in fields}
        for name, _ in fields:
            if unquote(name) not in used:
                result.wrong.append(f"unexpected form field {unquote(name)!r}")

    @staticmethod
    def _compare(result: Findings, arguments: dict[str, Any], values: list[Any]) -> None:
        """Add a fault for each scalar of the arguments that is not in the request."""
        sent, found = Counter(leaves(arguments)), Counter(leaves(values))
        for text in sent - found:
            result.wrong.append(f"the value {text[:40]!r} is not in the request")


def _is_cut(note: str) -> bool:
    """Return true for the note of a schema that has lost a part of its nesting or its values."""
    return note.endswith(("are cut", "is cut", "values is left out"))


def _raw_fields(text: str, separator: str) -> list[tuple[str, str]]:
    pairs = (pair.strip().partition("=") for pair in text.split(separator))
    return [(name, value) for name, _, value in pairs if name]


def _belongs(key: str, name: str) -> bool:
    return key == name or key.startswith(f"{name}[")


def _unquoted(text: str) -> Any:
    decoded = unquote(text.replace("+", "%20"))
    try:
        return json.loads(decoded) if decoded[:1] in ("{", "[") else decoded
    except ValueError:
        return decoded
