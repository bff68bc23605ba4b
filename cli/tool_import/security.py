"""Authentication of tools from the security schemes of a document, with placeholders for secrets."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

from cli.tool_import.document import Document, JsonObject, NotImportableError, list_of, object_of, text_of
from cli.tool_import.texts import secret_name, secret_prefix
from flexchat.egress.errors import EgressError
from flexchat.messages import Json
from functions.tools.http.implementation import template_address


@dataclass(frozen=True, slots=True)
class Authentication:
    """`auth` of a tool, keys in further headers and query parameters, the secrets, and their hosts."""

    auth: JsonObject | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    query: dict[str, str] = field(default_factory=dict[str, str])
    secrets: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def places(self) -> frozenset[tuple[str, str]]:
        """Parameters that it sets, as (`in`, name in lower case)."""
        own = {("header", name.lower()) for name in self.headers} | {("query", name.lower()) for name in self.query}
        if self.auth is not None and self.auth["type"] == "api_key":
            own.add((text_of(self.auth["in"]), text_of(self.auth["name"]).lower()))
        return frozenset(own)


class SecurityReader:
    """Reader of the security requirements of operations."""

    def __init__(self, document: Document) -> None:
        self._document = document
        components = object_of(document.source.get("components"))
        two = document.version == "2.0"
        self._schemes = object_of(
            document.source.get("securityDefinitions") if two else components.get("securitySchemes")
        )

    def read(self, operation: JsonObject, host: str) -> Authentication:
        """Return the authentication of an operation: that of its first requirement that a tool can meet.

        Raises NotImportableError with the reason when there is none.
        """
        requirements = operation.get("security", self._document.source.get("security"))
        alternatives = [requirement for requirement in list_of(requirements) if isinstance(requirement, dict)]
        if not alternatives:
            return Authentication()
        if {} in alternatives:
            return Authentication(notes=("credentials are optional and left out",))
        reasons: list[str] = []
        for requirement in alternatives:
            try:
                return self._all_of(requirement, host)
            except NotImportableError as error:
                reasons.append(str(error))
        raise NotImportableError(reasons[0])

    def _all_of(self, requirement: JsonObject, host: str) -> Authentication:
        found = [self._scheme(name, scopes, host) for name, scopes in requirement.items()]
        auth: JsonObject | None = None
        headers: dict[str, str] = {}
        query: dict[str, str] = {}
        for each in found:
            if each.auth is None or auth is None:
                auth = auth or each.auth
            elif each.auth["type"] == "api_key":
                place = headers if each.auth["in"] == "header" else query
                place[text_of(each.auth["name"])] = text_of(each.auth["value"])
            elif auth["type"] == "api_key":
                place = headers if auth["in"] == "header" else query
                place[text_of(auth["name"])] = text_of(auth["value"])
                auth = each.auth
            else:
                raise NotImportableError("requires two schemes that both set the Authorization header")
        return Authentication(
            auth,
            headers,
            query,
            tuple(dict.fromkeys(name for each in found for name in each.secrets)),
            tuple(dict.fromkeys(name for each in found for name in each.hosts)),
            tuple(dict.fromkeys(note for each in found for note in each.notes)),
        )

    def _scheme(self, name: str, scopes: Json, host: str) -> Authentication:
        scheme = self._document.resolved(self._schemes.get(name))
        prefix = secret_prefix(host)
        kind, http = text_of(scheme.get("type")), text_of(scheme.get("scheme")).lower()
        match kind, http:
            case ("basic", _) | ("http", "basic"):
                user, password = secret_name(prefix, "username"), secret_name(prefix, "password")
                auth: JsonObject = {"type": "basic", "username": f"${{{user}}}", "password": f"${{{password}}}"}
                return Authentication(auth, secrets=(user, password))
            case ("http", "bearer"):
                return _bearer(prefix)
            case ("apiKey", _):
                return self._api_key(name, scheme, prefix)
            case ("oauth2", _):
                return self._oauth2(scheme, scopes, host)
            case ("openIdConnect", _):
                return _bearer(prefix, "the token of OpenID Connect is stored as a secret, and not renewed")
            case _:
                shown = f"{kind} {http}".strip() or "unknown"
                raise NotImportableError(f"requires the security scheme {name!r} of type {shown!r}")

    def _api_key(self, name: str, scheme: JsonObject, prefix: str) -> Authentication:
        place, parameter = text_of(scheme.get("in")), text_of(scheme.get("name"))
        if place not in ("header", "query") or not parameter:
            raise NotImportableError(f"requires the security scheme {name!r}, a key in a {place or 'missing place'}")
        own = [each for each in self._schemes.values() if object_of(each).get("type") == "apiKey"]
        words = (prefix, "api_key") if len(own) == 1 else (prefix, parameter)
        secret = secret_name(*words)
        value = f"${{{secret}}}"
        return Authentication({"type": "api_key", "in": place, "name": parameter, "value": value}, secrets=(secret,))

    def _oauth2(self, scheme: JsonObject, scopes: Json, api: str) -> Authentication:
        """Return the authentication of a scheme of OAuth 2.0 for the host `api`."""
        flows, prefix = dict(_flows(scheme)), secret_prefix(api)
        if (flow := flows.get("clientCredentials")) is None:
            shown = ", ".join(flows) or "none"
            return _bearer(prefix, f"the access token (OAuth 2.0: {shown}) is stored as a secret, and not renewed")
        token_url = urljoin(f"https://{api}", text_of(flow.get("tokenUrl")))
        try:
            host = template_address(token_url).host
        except EgressError as exc:
            raise NotImportableError(f"its OAuth 2.0 token URL cannot be used: {exc.message}") from exc
        client, secret = secret_name(prefix, "client_id"), secret_name(prefix, "client_secret")
        auth: JsonObject = {
            "type": "oauth2_client_credentials",
            "token_url": token_url,
            "client_id": f"${{{client}}}",
            "client_secret": f"${{{secret}}}",
        }
        if scope := " ".join(text for text in list_of(scopes) if isinstance(text, str)):
            auth["scope"] = scope
        return Authentication(auth, secrets=(client, secret), hosts=(host,))


def _bearer(prefix: str, *notes: str) -> Authentication:
    name = secret_name(prefix, "token")
    return Authentication({"type": "bearer", "token": f"${{{name}}}"}, secrets=(name,), notes=notes)


def _flows(scheme: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Return the flows of a scheme by their name in OpenAPI 3."""
    if flow := text_of(scheme.get("flow")):
        yield {"application": "clientCredentials", "accessCode": "authorizationCode"}.get(flow, flow), scheme
    for name, value in object_of(scheme.get("flows")).items():
        yield name, object_of(value)
