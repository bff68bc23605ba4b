"""A tool from the command line of curl."""

from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from cli.tool_import.curl_line import CurlError, CurlLine, parse_line
from cli.tool_import.definition_check import definition_problems
from cli.tool_import.document import JsonObject
from cli.tool_import.report import ImportedTool
from cli.tool_import.texts import name_of_path, parameter_name, plain, secret_name, secret_prefix, tool_name
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.redaction import contains_key, is_secret_name
from functions.tools.http.implementation import BODY_METHODS, IDEMPOTENT_METHODS

_DROPPED_HEADERS: Final = frozenset(
    ("host", "content-length", "connection", "accept-encoding", "transfer-encoding", "cookie", "origin", "referer")
)
_MAX_EXAMPLE: Final = 200


def import_curl(line: str, *, name: str | None = None, description: str | None = None) -> ImportedTool:
    """Return the tool of one command line, whose values become parameters with their types. Raises ConfigError.

    Secrets become references: none is in the definition, in a note or in an error.
    """
    return _Builder(parse_line(line)).tool(name, description)


class _Builder:
    """Builder of the definition; `_names` are the parameters so far."""

    def __init__(self, line: CurlLine) -> None:
        self._line = line
        url = line.url if "://" in line.url else f"https://{line.url}"
        try:
            self._host = parse_address(url.partition("#")[0]).host
        except EgressError as exc:
            raise CurlError(f"the URL cannot be used: {exc.message}") from exc
        self._parts = urlsplit(url)
        self._notes = [*line.notes]
        self._properties: JsonObject = {}
        self._required: list[Json] = []
        self._mapping: JsonObject = {}
        self._secrets: list[str] = []
        has_data = bool(line.data) and "get" not in line.flags
        self._method = line.method or ("HEAD" if "head" in line.flags else "POST" if has_data else "GET")

    def tool(self, name: str | None, description: str | None) -> ImportedTool:
        if self._method not in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
            raise CurlError(f"http tools have no method {self._method[:20]!r}")
        path = self._path()
        implementation: JsonObject = {
            "type": "http",
            "url": f"{self._parts.scheme}://{self._parts.netloc}{path}",
            "method": self._method,
        }
        self._headers(implementation)
        self._query(implementation)
        self._body(implementation)
        if self._mapping:
            implementation["params_mapping"] = self._mapping
        if self._line.timeout_ms is not None:
            implementation["timeout_ms"] = self._line.timeout_ms
        if "location" in self._line.flags:
            implementation["follow_redirects"] = 3
        parameters: JsonObject = {"type": "object", "properties": self._properties}
        if self._required:
            parameters["required"] = self._required
        definition: JsonObject = {
            "name": tool_name(name, ()) if name else name_of_path(self._method, path, ()),
            "description": description or f"{self._method} {self._host}{path}",
            "parameters": {**parameters, "additionalProperties": False},
            "implementation": implementation,
        }
        if self._method in IDEMPOTENT_METHODS:
            definition["idempotent"] = True
        if problems := definition_problems([definition]):
            raise CurlError("; ".join(problems.values()))
        suggestions = () if description else ("description: the purpose of the tool, for the model",)
        secrets = tuple(dict.fromkeys(self._secrets))
        hosts = (self._host,) if secrets else ()
        return ImportedTool(f"{self._method} {path}", definition, tuple(self._notes), suggestions, secrets, hosts)

    def _path(self) -> str:
        """Return the path with its numbers and UUIDs as parameters."""
        segments = self._parts.path.split("/")
        for place, segment in enumerate(segments):
            if contains_key(unquote(segment)):
                segments[place] = self._secret("path_key")
            elif segment.isdecimal() or (len(segment) == 36 and segment.count("-") == 4):
                owner = segments[place - 1] if place else ""
                name = parameter_name(f"{owner.removesuffix('s')}_id" if owner.isalpha() else "id", self._properties)
                kind = "integer" if segment.isdecimal() else "string"
                self._properties[name] = {"type": kind, "examples": [int(segment) if kind == "integer" else segment]}
                self._required.append(name)
                segments[place] = f"{{{name}}}"
        return "/".join(segments) or "/"

    def _headers(self, implementation: JsonObject) -> None:
        headers: JsonObject = {}
        if any(kind == "json" for kind, _ in self._line.data):
            headers |= {"Accept": "application/json"}
        for name, value in self._line.headers:
            scheme, _, token = value.partition(" ")
            if name.lower() in _DROPPED_HEADERS:
                self._notes.append(f"the header {name} is left out")
            elif name.lower() == "authorization" and scheme.lower() == "bearer" and token:
                self._bearer(implementation)
            elif name.lower() == "authorization" and scheme.lower() == "basic":
                self._basic(implementation)
            elif is_secret_name(name) or contains_key(value):
                headers[name] = self._secret("api_key" if "key" in name.lower() else name)
            elif value:
                headers[name] = value
        if self._line.user is not None:
            self._basic(implementation)
        elif self._line.bearer:
            self._bearer(implementation)
        if headers:
            implementation["headers"] = headers

    def _bearer(self, implementation: JsonObject) -> None:
        implementation["auth"] = {"type": "bearer", "token": self._secret("token")}

    def _basic(self, implementation: JsonObject) -> None:
        implementation["auth"] = {
            "type": "basic", "username": self._secret("username"), "password": self._secret("password")
        }  # fmt: skip

    def _query(self, implementation: JsonObject) -> None:
        fields = parse_qsl(self._parts.query, keep_blank_values=True)
        if "get" in self._line.flags:
            fields += [pair for kind, text in self._line.data for pair in _form(kind, text)]
        fixed: JsonObject = {}
        for name, values in _grouped(fields).items():
            if is_secret_name(name) or contains_key(values[0]):
                fixed[name] = self._secret("api_key" if "key" in name.lower() else name)
            else:
                self._argument(name, _value_of(values), "query")
        if fixed:
            implementation["query"] = fixed

    def _body(self, implementation: JsonObject) -> None:
        if not self._line.data or "get" in self._line.flags:
            return
        if self._method in ("GET", "HEAD"):
            raise CurlError(f"a {self._method} request of an http tool has no body; use -G for a query")
        texts = [text for kind, text in self._line.data if kind != "urlencode"]
        if len(texts) == len(self._line.data) and "&".join(texts).lstrip()[:1] in ("{", "["):
            try:
                content = safe_loads("&".join(texts))
            except JsonError as exc:
                raise CurlError(f"the body is {exc}") from exc
            if not isinstance(content, dict):
                self._properties[name := parameter_name("body", self._properties)] = _schema(content)
                self._required.append(name)
                implementation["body"] = {"template": f"{{{{{name}}}}}"}
                return
            fields = content
        else:
            pairs = [pair for kind, text in self._line.data for pair in _form(kind, text)]
            if any(not name for name, _ in pairs):
                raise CurlError("the body is neither JSON nor a form")
            fields = {name: _value_of(values) for name, values in _grouped(pairs).items()}
            implementation["body"] = {"format": "form"}
        for name, value in fields.items():
            may_be_secret = is_secret_name(name) or (isinstance(value, str) and contains_key(value))
            if may_be_secret:
                self._notes.append(f"the value of {name!r} in the body is left out: it may be a secret")
            self._argument(name, value, "body", is_shown=not may_be_secret)

    def _argument(self, wire: str, value: Json, location: str, *, is_shown: bool = True) -> None:
        taken = wire in self._properties
        name = parameter_name(f"{location}_{wire}" if taken else wire, self._properties)
        self._properties[name] = _schema(value, default=location == "query", is_shown=is_shown)
        if location == "body":
            self._required.append(name)
        default = "body" if self._method in BODY_METHODS else "query"
        if location != default or taken:
            self._mapping[name] = {"name": wire, "in": location}
        elif name != wire:
            self._mapping[name] = wire

    def _secret(self, word: str) -> str:
        name = secret_name(secret_prefix(self._host), word.lower().removeprefix("x-"))
        self._secrets.append(name)
        return f"${{{name}}}"


def _form(kind: str, text: str) -> list[tuple[str, str]]:
    """Return the fields of one `-d`; the value of `--data-urlencode` is not encoded yet."""
    if kind == "urlencode":
        name, equals, value = text.partition("=")
        return [(name, value) if equals else ("", name)]
    return parse_qsl(text, keep_blank_values=True) if "=" in text else [("", text)]


def _grouped(fields: list[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in fields:
        grouped.setdefault(name, []).append(value)
    return grouped


def _value_of(values: list[str]) -> Json:
    """Return the value of a parameter, as the type that its text has."""
    if len(values) > 1:
        return [*values]
    text = values[0]
    if text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    # A number with a leading zero is a code.
    if digits.isascii() and digits.isdecimal() and len(digits) < 16 and (digits == "0" or digits[0] != "0"):
        return int(text)
    return text


def _schema(value: Json, *, default: bool = False, is_shown: bool = True) -> JsonObject:
    """Return a schema that `value` fits, with a short value as its default or example if it `is_shown`.

    A value beside the name of a secret is not shown.
    """
    match value:
        case None:
            return {}
        case dict():
            properties: JsonObject = {
                key: _schema(item, is_shown=is_shown and not is_secret_name(key)) for key, item in value.items()
            }
            return {"type": "object", "properties": properties}
        case list():
            return {"type": "array", "items": _schema(value[0], is_shown=is_shown) if value else {}}
        case bool():
            result: JsonObject = {"type": "boolean"}
        case int():
            result = {"type": "integer"}
        case float():
            result = {"type": "number"}
        case str():
            result = {"type": "string"}
    if not is_shown:
        return result
    if isinstance(value, str) and (contains_key(value) or len(value) > _MAX_EXAMPLE):
        return {**result, "description": plain(f"For example {value}", _MAX_EXAMPLE)}
    return {**result, "default": value} if default else {**result, "examples": [value]}
