"""Parts of the configuration of a tool of type http."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from flexchat.config.models.base import ConfigModel
from flexchat.messages import Json
from functions.tools.http.json_paths import check_path

type Location = Literal["path", "query", "header", "body"]

ParameterName = Annotated[str, Field(min_length=1, max_length=128)]
Status = Annotated[int, Field(ge=100, le=599, strict=True)]


class MappedParameter(ConfigModel):
    """Place of an argument in the request: its name there, and where it goes.

    Without `in_` it goes into the path when the URL has `{name}`, else into the body of a request that has one, else
    into the query.
    """

    name: ParameterName
    in_: Annotated[Location | None, Field(alias="in")] = None


class Retry(ConfigModel):
    """Attempts in all, and the pause before the second one; later pauses double, with jitter (decision C26)."""

    max_attempts: Annotated[int, Field(ge=1, le=5, strict=True)] = 1
    backoff_ms: Annotated[int, Field(ge=0, le=60_000, strict=True)] = 1_000


class Body(ConfigModel):
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
