"""OpenID Connect issuer on a loopback port: discovery, signing keys, tokens as a test wants them, and the code flow."""

import base64
import json
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tests.code_flow import CodeFlow, Response, encoded

type PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey

AUDIENCE = "flexchat"
LIFETIME = 300


class Issuer:
    """An issuer at `url` with the signing keys `keys`, by id.

    `requests` are the paths that were requested. `answers` replaces the response to a path: a status and a body. `flow`
    is the sign-in of people by a browser.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.keys: dict[str, PrivateKey] = {"first": RSA_KEY}
        self.requests: list[str] = []
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.flow = CodeFlow(url, self.token)

    def token(
        self,
        *,
        key: PrivateKey | None = None,
        algorithm: str = "RS256",
        kid: str | None = "first",
        headers: Mapping[str, Any] | None = None,
        without: tuple[str, ...] = (),
        **claims: Any,
    ) -> str:
        """Return a signed token, by default a valid one of the subject `ada` with the role `user`."""
        now = int(time.time())
        values = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "ada",
            "name": "Ada Lovelace",
            "roles": ["user"],
            "iat": now,
            "nbf": now,
            "exp": now + LIFETIME,
            **claims,
        }
        values = {name: value for name, value in values.items() if name not in without}
        own = dict(headers or {}) if kid is None else {"kid": kid, **(headers or {})}
        return jwt.encode(values, key or self.keys["first"], algorithm=algorithm, headers=own)

    def key_set(self) -> dict[str, Any]:
        return {"keys": [{**public_key(key), "kid": kid, "use": "sig"} for kid, key in self.keys.items()]}

    def respond(self, method: str, target: str, body: bytes = b"") -> Response:
        path = target.partition("?")[0]
        self.requests.append(path)
        if path in self.answers:
            return Response(*self.answers[path])
        if method == "POST":
            return self.flow.post(path, body) or Response(404, {})
        if path == "/.well-known/openid-configuration":
            return Response(body={"issuer": self.url, "jwks_uri": f"{self.url}/keys", **self.flow.metadata()})
        if path == "/keys":
            return Response(body=self.key_set())
        return self.flow.get(target) or Response(404, {})


def public_key(key: PrivateKey) -> dict[str, Any]:
    """Return the JSON Web Key of a private key's public part."""
    if isinstance(key, rsa.RSAPrivateKey):
        return {**RSAAlgorithm.to_jwk(key.public_key(), as_dict=True), "alg": "RS256"}
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return {**ECAlgorithm.to_jwk(key.public_key(), as_dict=True), "alg": "ES256"}
    return {**OKPAlgorithm.to_jwk(key.public_key(), as_dict=True), "alg": "EdDSA"}


def unsigned(header: Any, claims: Mapping[str, Any], signature: bytes = b"") -> str:
    """Return a token with any header and signature."""
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


@contextmanager
def running_issuer() -> Generator[Issuer]:
    """Yield an issuer that answers until the context ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(issuer.respond("GET", self.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            self._send(issuer.respond("POST", self.path, body))

        def do_OPTIONS(self) -> None:
            self._send(Response(204, b""))

        def _send(self, response: Response) -> None:
            body = encoded(response)
            self.send_response(response.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            # CORS, as at a provider with the page's origin in its settings.
            self.send_header("access-control-allow-origin", self.headers.get("origin", "*"))
            self.send_header("access-control-allow-headers", "content-type")
            if response.location:
                self.send_header("location", response.location)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # name of the base class
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = Issuer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
