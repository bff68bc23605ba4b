"""Requests of the next pages of a list."""

import re
from urllib.parse import urljoin

from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.errors import ToolError
from flexchat.http_client import HttpResponse
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from functions.tools.http.body import plain_text
from functions.tools.http.json_paths import select
from functions.tools.http.models import CursorPagination, LinkPagination, PagePagination, Pagination
from functions.tools.http.requests import HttpRequest

_LINK = re.compile(r'<([^<>]{1,8192}+)>((?:\s*+;\s*+[\w*-]++\s*+=\s*+(?:"[^"]*+"|[^\s;,"]++))*+)')
_RELATION = re.compile(r';\s*+rel\s*+=\s*+(?:"([^"]*+)"|([^\s;,"]++))', re.IGNORECASE)
_MAX_LINK = 16_384


def first_page(request: HttpRequest, pagination: Pagination) -> HttpRequest:
    """Return the request of the first page."""
    match pagination:
        case PagePagination():
            return request.with_parameter(pagination.parameter, str(pagination.first))
        case _:
            return request


def next_page(
    request: HttpRequest, response: HttpResponse, pagination: Pagination, *, number: int, items: int
) -> HttpRequest | None:
    """Return the request after page `number`, counted from 1, which had `items`; None after the last one."""
    match pagination:
        case LinkPagination():
            url = _next_link(response.headers.get("link", ""))
            return _same_origin(request, urljoin(request.url, url)) if url else None
        case CursorPagination():
            cursor = _cursor(response, pagination.cursor_path)
            return request.with_parameter(pagination.parameter, cursor) if cursor else None
        case PagePagination():
            if items == 0:
                return None
            return request.with_parameter(pagination.parameter, str(pagination.first + number))


def _next_link(header: str) -> str | None:
    """Return the target with `rel="next"` of a `Link` header (RFC 8288)."""
    for link in _LINK.finditer(header[:_MAX_LINK]):
        relation = _RELATION.search(link[2])
        if relation and "next" in (relation[1] or relation[2] or "").lower().split():
            return link[1]
    return None


def _cursor(response: HttpResponse, path: str) -> str:
    try:
        found: Json = select(path, safe_loads(response.body, max_bytes=len(response.body)))
    except JsonError:
        return ""
    return plain_text(found) if isinstance(found, str | int | float) and not isinstance(found, bool) else ""


def _same_origin(request: HttpRequest, url: str) -> HttpRequest:
    """Return the request to `url`; another origin would receive the credentials of the tool."""
    try:
        if parse_address(url).origin == parse_address(request.url).origin:
            return request.with_url(url)
    except EgressError:
        pass
    raise ToolError("The API names a next page on another host")
