"""Configuration of a tool of type http."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, cast
from urllib.parse import quote

from msgspec import Struct
from pydantic import AfterValidator, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from flexchat.config.models.base import ConfigModel, Flag, Headers, Milliseconds
from flexchat.config.models.http_auth import ApiKeyAuth, Auth, OAuth2Auth
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import Address, parse_address
from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.secret_references import SECRET_REFERENCE
from flexchat.tool_implementation import ToolImplementation

if TYPE_CHECKING:
    from jsonpath import JSONPath, JSONPathEnvironment


MAX_PATH = 500
MAX_MATCHES = 10_000
MAX_VALUES = 200_000
"""Maximum number of values in a response that a path with several results searches: each visit costs 3 µs and 400 B."""


def check_path(text: str) -> str:
    """Return `text` when it is a JSONPath that may be used. Raises PydanticCustomError."""
    if len(text) > MAX_PATH:
        raise PydanticCustomError(
            "json_path", "has {size} characters, at most {most}", {"size": len(text), "most": MAX_PATH}
        )
    from jsonpath import JSONPathError
    from jsonpath.segments import JSONPathRecursiveDescentSegment
    from jsonpath.selectors import Filter

    try:
        path = _parsed(text)
    except (JSONPathError, RecursionError) as exc:
        raise PydanticCustomError("json_path", "is not a JSONPath such as '$.data.items'") from exc
    if any(isinstance(selector, Filter) for segment in path.segments for selector in segment.selectors):
        raise PydanticCustomError("json_path", "must not have a filter; select the whole list")
    if sum(isinstance(segment, JSONPathRecursiveDescentSegment) for segment in path.segments) > 1:
        raise PydanticCustomError("json_path", "may have '..' only once")
    return text


def select(text: str, value: Json) -> Json:
    """Return the value at a checked path; a list of values for a path that may have several, None for no value.

    Raises ToolError for a value too large to search.
    """
    path = _parsed(text)
    if not path.singular_query() and _has_more(value, MAX_VALUES):
        message = f"The response of the API has more than {MAX_VALUES} values, too many for its response_path"
        raise ToolError(message, type="result_too_large")
    found: list[Json] = []
    for match in path.finditer(cast("dict[str, object]", value)) if isinstance(value, dict | list) else ():
        found.append(cast("Json", match.obj))
        if len(found) == MAX_MATCHES:
            break
    if path.singular_query():
        return found[0] if found else None
    return found


def _has_more(value: Json, most: int) -> bool:
    """Return True for a value that contains more than `most` values."""
    count, inner = 0, [value]
    while inner and count <= most:
        match inner.pop():
            case dict() as fields:
                count += len(fields)
                inner.extend(fields.values())
            case list() as items:
                count += len(items)
                inner.extend(items)
            case _:
                pass
    return count > most


@cache
def environment() -> "JSONPathEnvironment":
    """Return the parser of paths."""
    from jsonpath import JSONPathEnvironment

    return JSONPathEnvironment(strict=True)


@lru_cache(maxsize=256)
def _parsed(text: str) -> "JSONPath":
    return cast("JSONPath", environment().compile(text))


type Location = Literal["path", "query", "header", "cookie", "body"]

type Style = Literal[
    "form", "simple", "matrix", "label", "deepObject", "spaceDelimited", "pipeDelimited", "tabDelimited", "json"
]
"""Style of OpenAPI; `tabDelimited` is `tsv` of OpenAPI 2.0, `json` a parameter with `content: application/json`."""

STYLES: Mapping[Location, frozenset[Style]] = {
    "path": frozenset({"simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "tabDelimited", "json"}),
    "query": frozenset({"form", "deepObject", "spaceDelimited", "pipeDelimited", "tabDelimited", "json"}),
    "header": frozenset({"simple", "spaceDelimited", "pipeDelimited", "json"}),
    "cookie": frozenset({"form", "json"}),
    "body": frozenset({"form", "deepObject", "spaceDelimited", "pipeDelimited", "tabDelimited", "json"}),
}
"""Styles by the part of the request; those of `body` are for the fields of a form."""

ParameterName = Annotated[str, Field(min_length=1, max_length=128)]
Status = Annotated[int, Field(ge=100, le=599, strict=True)]


class MappedParameter(ConfigModel):
    """Place of an argument in the request: its name there, and where it goes.

    Without `in_` it goes into the path when the URL has `{name}`, else into the body of a request that has one, else
    into the query. `style` and `explode` are those of OpenAPI 3.1.1, for lists and objects.
    """

    name: ParameterName
    in_: Annotated[Location | None, Field(alias="in")] = None
    style: Style | None = None
    explode: Flag | None = None


class Place(Struct, frozen=True):
    """Place of an argument in the request, its name there, and the style of its value.

    Without a style, a list in the query or a form is repeated and an object is JSON.
    """

    location: Location
    name: str
    style: Style | None = None
    explode: bool = False


class RetrySettings(ConfigModel):
    """Attempts in all, and the pause before the second one; later pauses double, with jitter (decision C26)."""

    max_attempts: Annotated[int, Field(ge=1, le=5, strict=True)] = 1
    backoff_ms: Annotated[int, Field(ge=0, le=60_000, strict=True)] = 1_000


class BodyTemplate(ConfigModel):
    """Body of the request.

    `template` is JSON in which a text `{{name}}` is replaced by that argument, with its type when it is the whole text;
    a key or item whose argument is missing is omitted. Without a template the body is the object of the arguments
    mapped into it. A `form` body is a flat object.
    """

    format: Literal["json", "form"] = "json"
    template: Json = None


class Expect(ConfigModel):
    """Responses that are a success: status codes, and media types such as `application/json` or `text/*`."""

    status: tuple[Status, ...] = ()
    content_types: tuple[Annotated[str, Field(pattern=r"^[\w.+*-]+/[\w.+*-]+$")], ...] = ()


class LinkPagination(ConfigModel):
    """Next page at the `Link` header with `rel="next"` (RFC 8288)."""

    type: Literal["link"]
    max_pages: Annotated[int, Field(ge=2, le=20, strict=True)] = 5


class CursorPagination(ConfigModel):
    """Next page with the value at `cursor_path` of the response as the query parameter `parameter`."""

    type: Literal["cursor"]
    parameter: Annotated[str, Field(min_length=1)]
    cursor_path: Annotated[str, AfterValidator(check_path)]
    max_pages: Annotated[int, Field(ge=2, le=20, strict=True)] = 5


class PagePagination(ConfigModel):
    """Pages counted from `first` in the query parameter `parameter`, up to one without items."""

    type: Literal["page"]
    parameter: Annotated[str, Field(min_length=1)] = "page"
    first: Annotated[int, Field(ge=0, strict=True)] = 1
    max_pages: Annotated[int, Field(ge=2, le=20, strict=True)] = 5


Pagination = Annotated[LinkPagination | CursorPagination | PagePagination, Field(discriminator="type")]


class CircuitBreaker(ConfigModel):
    """Refuse calls for `open_ms` after `failures` failed requests in a row to one host, then let one through."""

    failures: Annotated[int, Field(ge=1, le=100, strict=True)] = 5
    open_ms: Annotated[int, Field(ge=1_000, le=900_000, strict=True)] = 30_000


class RateLimit(ConfigModel):
    """Maximum number of calls of the tool in each period, over all chats."""

    calls: Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
    period_ms: Annotated[int, Field(ge=1_000, le=86_400_000, strict=True)] = 60_000


DEFAULT_TIMEOUT_MS = 10_000
DEFAULT_RESPONSE_BYTES = 1_048_576
MAX_RESPONSE_BYTES = 5_242_880
IDEMPOTENT_METHODS = frozenset({"GET", "HEAD", "PUT", "DELETE"})
BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})

PATH_PARAMETER = re.compile(r"(?<!\$)\{([^{}]*)\}")
"""`{name}` in the path of a URL; `${NAME}` is a secret."""

_ADDRESS_PART = re.compile(r"[!$-;=?-\[\]_a-z~]+", re.IGNORECASE)
"""Characters of a URL without that of a fragment; braces are not among them."""

_PARAMETER_NAME = re.compile(r"[A-Za-z0-9_.$\[\]-]{1,128}")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
_OWN_HEADERS = frozenset(
    {"connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection"}
    | {"te", "trailer", "transfer-encoding", "upgrade"}
)
"""Headers of the connection, which the HTTP client sets."""

type Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
type Path = tuple[str | int, ...]

Hosts = tuple[Annotated[str, Field(min_length=1, max_length=253)], ...]


class Implementation(ToolImplementation):
    """Part of an http tool's configuration that belongs to its type.

    `url` may have path parameters, `https://api.example.com/users/{id}`, but none in the host. `query` has fixed
    parameters. `params_mapping` renames arguments and places them; others keep their name unless `strict_mapping` drops
    them (decision C27). `allowed_hosts` are exact names beside the origin of `url`, for redirects, with a port unless
    it is that of the scheme; secrets are sent only to hosts they are bound to. `response_path` is a JSONPath (RFC 9535)
    without filters. `follow_redirects` is the maximum number of redirects.
    """

    secret_fields: ClassVar[tuple[str, ...]] = (
        "url",
        "headers.*",
        "query.*",
        "auth.token",
        "auth.username",
        "auth.password",
        "auth.value",
        "auth.token_url",
        "auth.client_id",
        "auth.client_secret",
    )

    type: Literal["http"]
    url: Annotated[str, Field(min_length=1, max_length=8_192, repr=False)]
    method: Method = "GET"
    headers: Annotated[Headers, Field(default_factory=dict[str, str])]
    query: Annotated[dict[str, str], Field(default_factory=dict[str, str], repr=False)]
    params_mapping: Annotated[dict[str, ParameterName | MappedParameter], Field(default_factory=dict)]
    strict_mapping: Flag = False
    body: BodyTemplate = BodyTemplate()
    auth: Auth | None = None
    allowed_hosts: Hosts = ()
    follow_redirects: Annotated[int, Field(ge=0, le=5, strict=True)] = 0
    timeout_ms: Milliseconds | None = DEFAULT_TIMEOUT_MS
    retry: RetrySettings = RetrySettings()
    expect: Expect = Expect()
    max_response_bytes: Annotated[int, Field(ge=1_024, le=MAX_RESPONSE_BYTES, strict=True)] = DEFAULT_RESPONSE_BYTES
    response_format: Literal["auto", "json", "text", "html"] = "auto"
    response_path: Annotated[str, AfterValidator(check_path)] | None = None
    pagination: Pagination | None = None
    circuit_breaker: CircuitBreaker = CircuitBreaker()
    rate_limit: RateLimit | None = None
    cache_seconds: Annotated[int, Field(ge=0, le=86_400, strict=True)] = 0

    @classmethod
    def secret_host(cls, path: str, implementation: Mapping[str, Json]) -> str:
        """Return the host that a secret in the field at `path` is sent to; empty without a valid address."""
        auth = implementation.get("auth")
        of_client = path in ("auth.token_url", "auth.client_id", "auth.client_secret") and isinstance(auth, dict)
        url = auth.get("token_url") if of_client and isinstance(auth, dict) else implementation.get("url")
        try:
            return template_address(str(url)).host
        except EgressError:
            return ""

    @classmethod
    def secret_text(cls, path: str, secret: str) -> str:
        """Return `secret` as it is inserted into the field at `path`.

        In an address, one with characters that a URL cannot carry is percent-encoded: its braces are no parameter.
        """
        is_address = path in ("url", "auth.token_url")
        return quote(secret) if is_address and not _ADDRESS_PART.fullmatch(secret) else secret

    @property
    def has_body(self) -> bool:
        """True for a method whose arguments go into the body unless they are mapped elsewhere."""
        return self.method in BODY_METHODS

    @property
    def is_idempotent(self) -> bool:
        """True for a method that may be repeated without being declared idempotent."""
        return self.method in IDEMPOTENT_METHODS

    @property
    def path_template(self) -> str:
        """Path of the URL with its parameters in braces."""
        return "/" + self.url.partition("?")[0].partition("://")[2].partition("/")[2]

    @property
    def path_parameters(self) -> tuple[str, ...]:
        return tuple(PATH_PARAMETER.findall(self.url.partition("?")[0]))

    @property
    def address(self) -> Address:
        """Address of the first request."""
        return template_address(self.url)

    def place_of(self, argument: str) -> Place | None:
        """Return the place of an argument in the request; None for one that is not sent."""
        mapped = self.params_mapping.get(argument)
        if mapped is None and self.strict_mapping and argument not in self.path_parameters:
            return None
        name = argument if mapped is None else mapped if isinstance(mapped, str) else mapped.name
        location = mapped.in_ if isinstance(mapped, MappedParameter) else None
        if location is None:
            location = "path" if name in self.path_parameters else "body" if self.has_body else "query"
        if not isinstance(mapped, MappedParameter) or (mapped.style is None and mapped.explode is None):
            return Place(location, name)
        style = mapped.style or ("form" if location in ("query", "cookie", "body") else "simple")
        explode = style in ("form", "deepObject") if mapped.explode is None else mapped.explode
        return Place(location, name, style, explode)

    @model_validator(mode="after")
    def _check_request(self) -> Self:
        problems = tuple(self._problems())
        if problems:
            raise ValidationError.from_exception_data(
                type(self).__name__,
                [
                    InitErrorDetails(
                        type=PydanticCustomError("http_request", "{problem}", {"problem": message}),
                        loc=path,
                        input=None,
                    )
                    for path, message in problems
                ],
                hide_input=True,
            )
        return self

    def _problems(self) -> Iterator[tuple[Path, str]]:
        yield from self._address_problems()
        yield from self._header_problems()
        yield from self._mapping_problems()
        if self.body.template is not None and self.method in ("GET", "HEAD"):
            yield ("body", "template"), f"a {self.method} request has no body"
        if self.body.format == "form" and self.body.template is not None and not isinstance(self.body.template, dict):
            yield ("body", "template"), "must be an object: its keys are the fields of the form"
        if self.pagination is not None and self.method != "GET":
            yield ("pagination",), "only GET requests have pages"
        if self.method == "HEAD" and self.response_path is not None:
            yield ("response_path",), "a HEAD request has no response to select from"
        if self.cache_seconds and self.method in ("PUT", "PATCH", "DELETE"):
            yield ("cache_seconds",), f"a {self.method} request changes data and must be sent every time"

    def _address_problems(self) -> Iterator[tuple[Path, str]]:
        path, _, query = self.url.partition("?")
        if "#" in self.url:
            yield ("url",), "must not have a fragment"
        elif "{" in path.partition("://")[2].partition("/")[0]:
            yield ("url",), "the host must be written out, without a parameter or a secret"
        else:
            yield from _url_problems(("url",), path)
        for name in PATH_PARAMETER.findall(path):
            if not _PARAMETER_NAME.fullmatch(name):
                yield ("url",), f"{{{name}}} is not the name of a parameter"
        if PATH_PARAMETER.search(query):
            yield ("url",), "parameters in braces belong to the path; use params_mapping for the query"
        if isinstance(self.auth, OAuth2Auth):
            yield from _url_problems(("auth", "token_url"), self.auth.token_url)
            if PATH_PARAMETER.search(self.auth.token_url):
                yield ("auth", "token_url"), "must not have a parameter in braces"
        for position, host in enumerate(self.allowed_hosts):
            if not _is_exact(host):
                yield ("allowed_hosts", position), f"{host!r} is not an exact host name, such as 'api.example.com:8443'"

    def _header_problems(self) -> Iterator[tuple[Path, str]]:
        named: list[tuple[Path, str]] = [(("headers", name), name) for name in self.headers]
        if isinstance(self.auth, ApiKeyAuth) and self.auth.in_ == "header":
            named.append((("auth", "name"), self.auth.name))
        for argument, mapped in self.params_mapping.items():
            if isinstance(mapped, MappedParameter) and mapped.in_ in ("header", "cookie"):
                named.append((("params_mapping", argument), mapped.name))
        for path, name in named:
            if not _HEADER_NAME.fullmatch(name) or name.lower() in _OWN_HEADERS:
                yield path, f"the header {name!r} cannot be set"
        for name, value in self.headers.items():
            if any(ord(character) < 32 or ord(character) > 126 for character in value):
                yield ("headers", name), "must contain only printable ASCII characters"

    def _mapping_problems(self) -> Iterator[tuple[Path, str]]:
        for argument, mapped in self.params_mapping.items():
            if not isinstance(mapped, MappedParameter):
                continue
            if mapped.in_ == "path" and mapped.name not in self.path_parameters:
                yield ("params_mapping", argument), f"the url has no parameter {{{mapped.name}}}"
            if mapped.in_ == "body" and not self.has_body and self.method != "DELETE":
                yield ("params_mapping", argument), f"a {self.method} request has no body"
            yield from self._style_problems(argument, mapped)

    def _style_problems(self, argument: str, mapped: MappedParameter) -> Iterator[tuple[Path, str]]:
        place = self.place_of(argument)
        if place is None or place.style is None:
            return
        path = ("params_mapping", argument, "explode" if mapped.style is None else "style")
        allowed = sorted(STYLES[place.location])
        if place.location == "body" and self.body.format == "json":
            yield path, 'a JSON body has no styles; they are those of "body": {"format": "form"}'
        elif place.style not in allowed:
            yield path, f"{place.style!r} is no style of the {place.location}, one of {', '.join(map(repr, allowed))}"
        elif place.style in ("deepObject", "json") and mapped.explode is not None:
            yield ("params_mapping", argument, "explode"), f"the style {place.style!r} has no 'explode'"


def _is_exact(netloc: str) -> bool:
    """Return true for a host with its port, if that is not the one of https."""
    try:
        return parse_address(f"https://{netloc}/").netloc == netloc
    except EgressError:
        return False


def _url_problems(path: Path, url: str) -> Iterator[tuple[Path, str]]:
    try:
        template_address(url)
    except EgressError as exc:
        yield path, exc.message


def template_address(url: str) -> Address:
    """Return the address of a URL with parameters and references in its path. Raises EgressError."""
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return parse_address(f"{scheme}{separator}{host}{slash}{SECRET_REFERENCE.sub('x', PATH_PARAMETER.sub('x', path))}")
