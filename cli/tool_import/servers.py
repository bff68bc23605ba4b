"""Addresses of the servers of a document."""

import re
from urllib.parse import urljoin

from cli.tool_import.document import Document, JsonObject, NotImportableError, list_of, object_of, text_of
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.messages import Json

_VARIABLE = re.compile(r"\{([^{}]{1,100})\}")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ServerReader:
    """Reader of the address that the paths of operations are appended to; `given` replaces that of the document."""

    def __init__(self, document: Document, *, given: str | None = None) -> None:
        self._document = document
        self._given = given

    def read(self, path_item: JsonObject, operation: JsonObject) -> tuple[str, str]:
        """Return the address without a slash at its end, and its host. Raises NotImportableError."""
        url = self._given or self._declared(path_item, operation)
        try:
            host = parse_address(url).host
        except EgressError as exc:
            raise NotImportableError(f"the server {url[:100]!r} cannot be used ({exc.message}); give --server") from exc
        if url.startswith("http://") and host not in _LOOPBACK and not self._given:
            url = f"https://{url.removeprefix('http://')}"
        return url.partition("?")[0].rstrip("/"), host

    def _declared(self, path_item: JsonObject, operation: JsonObject) -> str:
        source = self._document.source
        if self._document.version == "2.0":
            schemes = list_of(operation.get("schemes")) or list_of(source.get("schemes"))
            host = text_of(source.get("host"))
            if not host:
                return self._absolute(text_of(source.get("basePath")) or "/")
            return f"{'http' if schemes == ['http'] else 'https'}://{host}{text_of(source.get('basePath'))}"
        for owner in (operation, path_item, source):
            if servers := [_filled(server) for server in list_of(owner.get("servers"))]:
                absolute = [self._absolute(server) for server in servers]
                return next((url for url in absolute if url.startswith("https://")), absolute[0])
        return self._absolute("/")

    def _absolute(self, url: str) -> str:
        if url.startswith("//"):
            return f"https:{url}"
        if "://" in url or self._document.base_url is None:
            return url
        return urljoin(self._document.base_url, url)


def _filled(server: Json) -> str:
    """Return the address of a server with the defaults of its variables."""
    variables = object_of(object_of(server).get("variables"))

    def value(found: re.Match[str]) -> str:
        variable = object_of(variables.get(found[1]))
        first = next(iter(list_of(variable.get("enum"))), None)
        default = variable.get("default", first)
        return found[0] if default is None else str(default)

    return _VARIABLE.sub(value, text_of(object_of(server).get("url")))
