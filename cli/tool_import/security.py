"""Authentication of tools from the security schemes of a document, with placeholders for secrets."""

from collections.abc import Iterator
from copy import replace
from dataclasses import dataclass, field
from urllib.parse import urljoin

from cli.tool_import.document import Document, JsonObject, NotImportableError, list_of, object_of, text_of
from cli.tool_import.texts import secret_name, secret_prefix
from flexchat.egress.errors import EgressError
from flexchat.messages import Json
from functions.tools.http.implementation import template_address


@dataclass(frozen=True, slots=True)
class Authentication:
    """`auth` of a tool, keys in further headers, query parameters and cookies, the secrets, and their hosts."""

    auth: JsonObject | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    query: dict[str, str] = field(default_factory=dict[str, str])
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    secrets: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def places(self) -> frozenset[tuple[str, str]]:
        """Parameters that it sets, as (`in`, name in lower case)."""
        places = (("header", self.headers), ("query", self.query), ("cookie", self.cookies))
        own = {(place, name.lower()) for place, names in places for name in names}
        if self.auth is not None and self.auth["type"] == "api_key":
            own.add((text_of(self.auth["in"]), text_of(self.auth["name"]).lower()))
        return frozenset(own)

    @property
    def all_headers(self) -> dict[str, str]:
        """Headers with the one of the cookies."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {**self.headers, "Cookie": cookies} if cookies else self.headers


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
        first, *others = _with_one_authorization(found, tuple(requirement)) or [Authentication()]
        headers: dict[str, str] = {}
        query: dict[str, str] = {}
        auth = first.auth
        for each in others:
            if each.auth is None:
                continue
            if auth is None:
                auth = each.auth
                continue
            place = headers if each.auth["in"] == "header" else query
            place[text_of(each.auth["name"])] = text_of(each.auth["value"])
        used = (first, *others)
        return Authentication(
            auth,
            headers,
            query,
            {name: text for each in used for name, text in each.cookies.items()},
            tuple(dict.fromkeys(name for each in used for name in each.secrets)),
            tuple(dict.fromkeys(name for each in used for name in each.hosts)),
            tuple(dict.fromkeys(note for each in used for note in each.notes)),
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
        if place not in ("header", "query", "cookie") or not parameter:
            raise NotImportableError(f"requires the security scheme {name!r}, a key in a {place or 'missing place'}")
        own = [each for each in self._schemes.values() if object_of(each).get("type") == "apiKey"]
        words = (prefix, "api_key") if len(own) == 1 else (prefix, parameter)
        secret = secret_name(*words)
        value = f"${{{secret}}}"
        if place == "cookie":
            return Authentication(cookies={parameter: value}, secrets=(secret,))
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


def _with_one_authorization(found: list[Authentication], names: tuple[str, ...]) -> list[Authentication]:
    """Return the authentications with a single one that sets `Authorization`, first. Raises NotImportableError.

    One token satisfies all schemes whose header is a token; client credentials request it.
    """
    setters = [each for each in found if _sets_authorization(each.auth)]
    others = [each for each in found if not _sets_authorization(each.auth)]
    different: list[Authentication] = []
    for each in setters:
        if all(_without_scope(each.auth) != _without_scope(other.auth) for other in different):
            different.append(each)
    if not different:
        return others
    requesting = [each for each in different if object_of(each.auth)["type"] == "oauth2_client_credentials"]
    has_basic = any(object_of(each.auth)["type"] == "basic" for each in different)
    if len(different) > 1 and (has_basic or len(requesting) > 1):
        raise NotImportableError("requires two schemes that both set the Authorization header")
    bearers = [each for each in different if object_of(each.auth)["type"] == "bearer"]
    chosen = next(iter((*requesting, *bearers, *different)))
    if chosen in requesting:
        scopes = dict.fromkeys(
            scope for each in setters for scope in text_of(object_of(each.auth).get("scope")).split()
        )
        chosen = replace(chosen, auth={**object_of(chosen.auth), **({"scope": " ".join(scopes)} if scopes else {})})
    if len(setters) > 1:
        shown = " and ".join(map(repr, names))
        chosen = replace(chosen, notes=(*chosen.notes, f"one token is sent for the schemes {shown}"))
    return [chosen, *others]


def _sets_authorization(auth: JsonObject | None) -> bool:
    if auth is None:
        return False
    return auth["type"] != "api_key" or (auth["in"] == "header" and text_of(auth["name"]).lower() == "authorization")


def _without_scope(auth: JsonObject | None) -> JsonObject:
    return {key: value for key, value in object_of(auth).items() if key != "scope"}


def _bearer(prefix: str, *notes: str) -> Authentication:
    name = secret_name(prefix, "token")
    return Authentication({"type": "bearer", "token": f"${{{name}}}"}, secrets=(name,), notes=notes)


def _flows(scheme: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Return the flows of a scheme by their name in OpenAPI 3."""
    if flow := text_of(scheme.get("flow")):
        yield {"application": "clientCredentials", "accessCode": "authorizationCode"}.get(flow, flow), scheme
    for name, value in object_of(scheme.get("flows")).items():
        yield name, object_of(value)
