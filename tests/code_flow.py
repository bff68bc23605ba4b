"""Authorization code flow of the test issuer: authorization, tokens, revocation and logout for one public client.

Sources: RFC 6749, RFC 7009, RFC 7636, RFC 9207, OpenID Connect Core 1.0 and RP-Initiated Logout 1.0.
"""

import base64
import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

CLIENT_ID = "flexchat-page"

type Query = Mapping[str, str]


@dataclass(frozen=True)
class Response:
    """Response of the issuer; `body` is JSON unless it is bytes."""

    status: int = 200
    body: Any = None
    location: str = ""


class RefusedError(Exception):
    """Error of the token endpoint, such as `invalid_grant`."""


@dataclass
class CodeFlow:
    """State of the flow of the issuer at `url`; `make_token` returns a signed token with the given claims.

    Codes are used once, and refresh tokens are replaced by each refresh: the use of a replaced one ends its sign-in.
    `denied` is an error that the next authorizations end with; `foreign_state` and `iss` replace these parameters of
    the next responses. `lifetime` of access tokens is in seconds. `sign_ins` counts the authorizations.
    """

    url: str
    make_token: Callable[..., str]
    lifetime: int = 300
    subject: str = "ada"
    denied: str = ""
    foreign_state: str = ""
    iss: str = ""
    redirect_uris: set[str] = field(default_factory=set[str])
    codes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    refresh_tokens: dict[str, str] = field(default_factory=dict[str, str])
    ended: set[str] = field(default_factory=set[str])
    used: set[str] = field(default_factory=set[str])
    reused: list[str] = field(default_factory=list[str])
    refreshes: int = 0
    sign_ins: list[Query] = field(default_factory=list[Query])
    revoked: list[str] = field(default_factory=list[str])
    logouts: list[Query] = field(default_factory=list[Query])

    def metadata(self) -> dict[str, Any]:
        return {
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "revocation_endpoint": f"{self.url}/revoke",
            "end_session_endpoint": f"{self.url}/logout",
            "authorization_response_iss_parameter_supported": True,
            "code_challenge_methods_supported": ["S256"],
        }

    def get(self, target: str) -> Response | None:
        """Return the response to a GET; None for another path."""
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query))
        if parts.path == "/authorize":
            return self._authorize(query)
        return self._log_out(query) if parts.path == "/logout" else None

    def post(self, path: str, body: bytes) -> Response | None:
        """Return the response to a form; None for another path."""
        form = dict(parse_qsl(body.decode()))
        if path == "/revoke":
            self.revoked.append(form["token"])
            self.ended.add(self.refresh_tokens.get(form["token"], ""))
            return Response(body={})
        if path != "/token":
            return None
        try:
            return Response(body=self._tokens(form))
        except RefusedError as error:
            return Response(400, {"error": str(error), "error_description": f"test issuer: {error}"})

    def end_sign_ins(self) -> None:
        """End all sign-ins: no refresh token is accepted any more."""
        self.ended.update(self.refresh_tokens.values())

    def _authorize(self, query: Query) -> Response:
        self.sign_ins.append(query)
        if query.get("redirect_uri") not in self.redirect_uris or query.get("client_id") != CLIENT_ID:
            return Response(400, b"unknown client or redirect URI")
        answer = {"state": self.foreign_state or query["state"], "iss": self.iss or self.url}
        if self.denied:
            answer |= {"error": self.denied, "error_description": "the person cancelled"}
        elif query.get("response_type") != "code" or query.get("code_challenge_method") != "S256":
            answer |= {"error": "invalid_request"}
        else:
            code = secrets.token_urlsafe(16)
            self.codes[code] = dict(query)
            answer["code"] = code
        return Response(302, b"", f"{query['redirect_uri']}?{urlencode(answer)}")

    def _log_out(self, query: Query) -> Response:
        self.logouts.append(query)
        target = query.get("post_logout_redirect_uri", "")
        known = target in self.redirect_uris and query.get("client_id") == CLIENT_ID
        return Response(302, b"", target) if known else Response(400, b"unknown address")

    def _tokens(self, form: Query) -> dict[str, Any]:
        if form.get("client_id") != CLIENT_ID:
            raise RefusedError("invalid_client")
        if form.get("grant_type") == "refresh_token":
            return self._refreshed(form.get("refresh_token", ""))
        query = self.codes.pop(form.get("code", ""), None)
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if query is None or query["redirect_uri"] != form.get("redirect_uri") or query["code_challenge"] != challenge:
            raise RefusedError("invalid_grant")
        sign_in = secrets.token_urlsafe(8)
        id_token = self.make_token(sub=self.subject, aud=CLIENT_ID, nonce=query["nonce"])
        return {**self._issued(sign_in), "id_token": id_token}

    def _refreshed(self, token: str) -> dict[str, Any]:
        sign_in = self.refresh_tokens.get(token)
        if sign_in is not None and token in self.used:
            self.reused.append(token)
            self.ended.add(sign_in)
        if sign_in is None or sign_in in self.ended:
            raise RefusedError("invalid_grant")
        self.used.add(token)
        self.refreshes += 1
        return self._issued(sign_in)

    def _issued(self, sign_in: str) -> dict[str, Any]:
        refresh = secrets.token_urlsafe(16)
        self.refresh_tokens[refresh] = sign_in
        return {
            "access_token": self.make_token(sub=self.subject, jti=secrets.token_urlsafe(8)),
            "token_type": "Bearer",
            "expires_in": self.lifetime,
            "refresh_token": refresh,
        }


def encoded(response: Response) -> bytes:
    return response.body if isinstance(response.body, bytes) else json.dumps(response.body).encode()
