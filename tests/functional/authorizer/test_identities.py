"""Tokens of an OpenID Connect issuer, over HTTP: who is admitted, and which attacks are refused."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt import api_jws
from jwt.algorithms import HMACAlgorithm
from jwt.utils import base64url_encode
from msgspec.structs import replace

from flexchat.egress.policy import EgressPolicy
from flexchat.errors import UnavailableError
from flexchat.http_client import BoundedHttpClient
from flexchat.tokens import TokenRecord
from functions.authorizer import app
from functions.authorizer.authorize import Admitted, AuthorizerRequest, OidcIssuer, authorize
from functions.authorizer.identities import MAX_TOKEN_CHARACTERS, Identities
from functions.authorizer.signing_keys import FRESH_SECONDS, PAUSE_SECONDS, USABLE_SECONDS, SigningKeys
from tests.functional.authorizer.events import ALL_ROUTES, authorizer_event
from tests.issuer import AUDIENCE, OTHER_KEY, RSA_KEY, Issuer, public_key, running_issuer, unsigned


class NoTokens:
    """Table without API tokens."""

    def get(self, id: str) -> TokenRecord | None:
        return None


class Service:
    """The authorizer with an issuer's rules, and a clock that the test moves."""

    def __init__(self, issuer: Issuer) -> None:
        self.now = time.time()
        self.rules = OidcIssuer(
            issuer=issuer.url,
            audiences=frozenset({AUDIENCE}),
            roles_claim="roles",
            principal_claim="sub",
            users=frozenset({"user"}),
            operators=frozenset({"operator", "admin"}),
        )
        client = BoundedHttpClient(egress=EgressPolicy(local=True))
        self.keys = SigningKeys(issuer.url, client, clock=lambda: self.now)

    def policy(self, token: str, **rules: Any) -> Any:
        """Return the policy for a request with `token`; `rules` replace those of the issuer."""
        request = AuthorizerRequest.model_validate(authorizer_event(f"Bearer {token}"))
        identities = Identities(replace(self.rules, **rules), self.keys)
        return authorize(request, tokens=NoTokens(), identities=identities, now=datetime.now(UTC))

    def context(self, token: str, **rules: Any) -> Any:
        """Return the context of an admitted request."""
        policy = self.policy(token, **rules)
        assert _effect(policy) == "Allow"
        return policy["context"]


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with running_issuer() as running:
        yield running


@pytest.fixture
def service(issuer: Issuer) -> Service:
    return Service(issuer)


SHORT_KEY = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 # refused by the service


def _effect(policy: Any) -> str:
    return policy["policyDocument"]["Statement"][0]["Effect"]


def test_person_is_admitted_with_principal_name_roles_and_expiry(issuer: Issuer, service: Service) -> None:
    expires = int(time.time()) + 120
    policy = service.policy(issuer.token(exp=expires, roles=["user", "admin", "other"]))

    assert policy["policyDocument"]["Statement"][0]["Resource"] == ALL_ROUTES
    assert policy["principalId"] == policy["context"]["principal"]
    assert policy["context"] == {
        "principal": policy["principalId"],
        "name": "Ada Lovelace",
        "roles": "user,operator",
        "expires_at": expires,
    }


def test_principal_is_stable_opaque_and_differs_by_subject_and_issuer(issuer: Issuer, service: Service) -> None:
    first = service.context(issuer.token())["principal"]

    assert service.context(issuer.token(name="A. Lovelace", roles=[]))["principal"] == first
    assert service.context(issuer.token(sub="grace"))["principal"] != first
    assert first.startswith("oidc_")
    assert first.removeprefix("oidc_").isalnum()
    with running_issuer() as other:
        assert Service(other).context(other.token())["principal"] != first


def test_person_without_a_role_is_admitted_without_roles(issuer: Issuer, service: Service) -> None:
    assert service.context(issuer.token(roles=["guest"]))["roles"] == ""


@pytest.mark.parametrize(
    ("claim", "claims"),
    [
        ("groups", {"groups": ["admin"]}),  # Okta, Keycloak with a mapper
        ("cognito:groups", {"cognito:groups": ["admin"]}),
        ("realm_access.roles", {"realm_access": {"roles": ["admin"]}}),  # Keycloak
        ("https://example.com/roles", {"https://example.com/roles": ["admin"]}),  # Auth0
        ("scope", {"scope": "openid admin"}),
        ("scp", {"scp": "admin"}),  # Microsoft Entra ID
        ("role", {"role": "admin"}),
    ],
)
def test_roles_are_read_from_the_claims_of_providers(
    issuer: Issuer, service: Service, claim: str, claims: dict[str, Any]
) -> None:
    assert service.context(issuer.token(**claims), roles_claim=claim)["roles"] == "operator"


@pytest.mark.parametrize(
    "claims",
    [
        {"roles": "not admin"},  # one value, not a list of two
        {"roles": {"admin": True}},
        {"roles": [["admin"]]},
        {"roles": None},
        {"roles": "ADMIN"},
        {"roles": ["administrator"]},
    ],
)
def test_other_values_give_no_role(issuer: Issuer, service: Service, claims: dict[str, Any]) -> None:
    assert service.context(issuer.token(**claims))["roles"] == ""


def test_named_values_are_roles_of_the_same_name(issuer: Issuer, service: Service) -> None:
    token = issuer.token(roles=["support", "admin", "sales", "service"])

    assert service.context(token, named=frozenset({"support", "vip"}))["roles"] == "operator,support"


def test_all_subjects_have_a_role_where_the_settings_say_all(issuer: Issuer, service: Service) -> None:
    context = service.context(issuer.token(without=("roles",)), users=frozenset({"all"}))

    assert context["roles"] == "user"


def test_principal_is_that_of_the_configured_claim(issuer: Issuer, service: Service) -> None:
    token = issuer.token(oid="8a0f", sub="pairwise")  # Entra ID: `sub` differs by application

    assert (
        service.context(token, principal_claim="oid")["principal"]
        == service.context(issuer.token(oid="8a0f", sub="other"), principal_claim="oid")["principal"]
    )
    assert _effect(service.policy(issuer.token(), principal_claim="oid")) == "Deny"


def test_access_token_of_cognito_has_its_application_as_audience(issuer: Issuer, service: Service) -> None:
    own = issuer.token(without=("aud",), token_use="access", client_id=AUDIENCE)

    assert _effect(service.policy(own)) == "Allow"
    assert _effect(service.policy(issuer.token(without=("aud",), token_use="access", client_id="other"))) == "Deny"
    assert _effect(service.policy(issuer.token(without=("aud",), token_use="id", client_id=AUDIENCE))) == "Deny"


def test_keys_of_other_types_verify_their_tokens(issuer: Issuer, service: Service) -> None:
    elliptic, edwards = ec.generate_private_key(ec.SECP256R1()), ed25519.Ed25519PrivateKey.generate()
    issuer.keys |= {"ec": elliptic, "ed": edwards}

    assert _effect(service.policy(issuer.token(key=elliptic, algorithm="ES256", kid="ec"))) == "Allow"
    assert _effect(service.policy(issuer.token(key=edwards, algorithm="EdDSA", kid="ed"))) == "Allow"


def _public_pem() -> bytes:
    return RSA_KEY.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _hmac_with_the_public_key(issuer: Issuer) -> str:
    """Return a token whose HMAC has the public key as its secret."""
    body = unsigned({"alg": "HS256", "kid": "first", "typ": "JWT"}, _claims(issuer)).rpartition(".")[0]
    signature = HMACAlgorithm(HMACAlgorithm.SHA256).sign(body.encode(), _public_pem())
    return f"{body}.{base64url_encode(signature).decode()}"


def _claims(issuer: Issuer) -> dict[str, Any]:
    return jwt.decode(issuer.token(), options={"verify_signature": False})


def _swapped_claims(issuer: Issuer) -> str:
    header, _, signature = issuer.token().split(".")
    claims = unsigned({}, {**_claims(issuer), "roles": ["admin"]}).split(".")[1]
    return f"{header}.{claims}.{signature}"


NOW = time.time()

ATTACKS: dict[str, Callable[[Issuer], str]] = {
    "algorithm none": lambda issuer: unsigned({"alg": "none", "typ": "JWT"}, _claims(issuer)),
    "algorithm none with the key's id": lambda issuer: unsigned({"alg": "none", "kid": "first"}, _claims(issuer)),
    "algorithm NONE": lambda issuer: unsigned({"alg": "NONE", "kid": "first"}, _claims(issuer)),
    "algorithm as a list": lambda issuer: unsigned({"alg": ["RS256"], "kid": "first"}, _claims(issuer), b"x"),
    "algorithm as an object": lambda issuer: unsigned({"alg": {"RS256": 1}, "kid": "first"}, _claims(issuer), b"x"),
    "header as a list": lambda issuer: unsigned(["RS256"], _claims(issuer), b"x"),
    "claims as a list": lambda issuer: api_jws.encode(
        b'["x"]', issuer.keys["first"], algorithm="RS256", headers={"kid": "first"}
    ),
    "subject as a number": lambda issuer: issuer.token(sub=7),
    "expiry as infinity": lambda issuer: api_jws.encode(
        json.dumps({**_claims(issuer), "exp": float("inf")}).encode(),
        issuer.keys["first"],
        algorithm="RS256",
        headers={"kid": "first"},
    ),
    "no algorithm": lambda issuer: unsigned({"kid": "first"}, _claims(issuer)),
    "HMAC with the public key": _hmac_with_the_public_key,
    "HMAC with a guessed secret": lambda issuer: jwt.encode(
        _claims(issuer), "secret" * 6, algorithm="HS256", headers={"kid": "first"}
    ),
    "another algorithm than the key's": lambda issuer: issuer.token(algorithm="RS512"),
    "another key with the id of the right one": lambda issuer: issuer.token(key=OTHER_KEY),
    "unknown key id": lambda issuer: issuer.token(key=OTHER_KEY, kid="other"),
    "key id as a path": lambda issuer: issuer.token(key=OTHER_KEY, kid="../../dev/null"),
    "key id of another type": lambda issuer: unsigned({"alg": "RS256", "kid": ["first"]}, _claims(issuer), b"x"),
    "embedded key": lambda issuer: issuer.token(key=OTHER_KEY, headers={"jwk": public_key(OTHER_KEY)}),
    "embedded key without an id": lambda issuer: issuer.token(
        key=OTHER_KEY, kid=None, headers={"jwk": public_key(OTHER_KEY)}
    ),
    "address of a key set": lambda issuer: issuer.token(
        key=OTHER_KEY, headers={"jku": f"{issuer.url}/attacker", "x5u": f"{issuer.url}/attacker"}
    ),
    "critical header": lambda issuer: issuer.token(headers={"crit": ["exp"]}),
    "changed claims": _swapped_claims,
    "no signature": lambda issuer: issuer.token().rpartition(".")[0] + ".",
    "truncated signature": lambda issuer: issuer.token()[:-4],
    "expired": lambda issuer: issuer.token(exp=int(NOW) - 120),
    "expiry as text": lambda issuer: issuer.token(exp="tomorrow"),
    "expiry out of range": lambda issuer: issuer.token(exp=10**18),
    "no expiry": lambda issuer: issuer.token(without=("exp",)),
    "not valid yet": lambda issuer: issuer.token(nbf=int(NOW) + 600),
    "issued in the future": lambda issuer: issuer.token(iat=int(NOW) + 600),
    "another issuer": lambda issuer: issuer.token(iss="https://issuer.example.com"),
    "issuer with a slash": lambda issuer: issuer.token(iss=f"{issuer.url}/"),
    "no issuer": lambda issuer: issuer.token(without=("iss",)),
    "another audience": lambda issuer: issuer.token(aud="other"),
    "audience as a prefix": lambda issuer: issuer.token(aud=f"{AUDIENCE}-admin"),
    "empty list of audiences": lambda issuer: issuer.token(aud=[]),
    "no audience": lambda issuer: issuer.token(without=("aud",)),
    "no subject": lambda issuer: issuer.token(without=("sub",)),
    "empty subject": lambda issuer: issuer.token(sub=""),
    "long subject": lambda issuer: issuer.token(sub="a" * 256),
    "huge": lambda issuer: issuer.token(filler="a" * MAX_TOKEN_CHARACTERS),
    "deeply nested header": lambda _issuer: f"{base64url_encode(b'[' * 7_000).decode()}.e30.x",
    "no JSON": lambda _issuer: "e30.bm90IEpTT04.x",
    "only dots": lambda _issuer: "..",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_is_refused(issuer: Issuer, service: Service, attack: str) -> None:
    service.policy(issuer.token())  # the keys are in the memory
    token = ATTACKS[attack](issuer)

    policy = service.policy(token)

    assert _effect(policy) == "Deny"
    assert policy["principalId"] == "unknown"
    assert "context" not in policy
    assert not any("attacker" in path for path in issuer.requests)


def test_clocks_may_differ_by_less_than_a_minute(issuer: Issuer, service: Service) -> None:
    now = int(time.time())

    assert _effect(service.policy(issuer.token(exp=now - 30))) == "Allow"
    assert _effect(service.policy(issuer.token(iat=now + 30, nbf=now + 30))) == "Allow"


@pytest.mark.parametrize(
    "key",
    [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "first", "alg": "HS256"},
        {**public_key(SHORT_KEY), "kid": "first"},
        {**public_key(RSA_KEY), "kid": "first", "use": "enc"},
        {"kid": "first"},
        "first",
    ],
    ids=["secret", "1024 bits", "for encryption", "no type", "no object"],
)
def test_unusable_keys_of_the_issuer_are_left_out(issuer: Issuer, service: Service, key: object) -> None:
    issuer.answers["/keys"] = 200, json.dumps({"keys": [key, {**public_key(OTHER_KEY), "kid": "second"}]}).encode()

    assert _effect(service.policy(issuer.token())) == "Deny"
    assert _effect(service.policy(issuer.token(key=OTHER_KEY, kid="second"))) == "Allow"


def test_token_without_a_key_id_is_verified_with_the_only_key(issuer: Issuer, service: Service) -> None:
    assert _effect(service.policy(issuer.token(kid=None))) == "Allow"

    issuer.keys["second"] = OTHER_KEY
    service.now += FRESH_SECONDS
    assert _effect(service.policy(issuer.token(kid=None))) == "Deny"


def test_keys_are_fetched_once_an_hour(issuer: Issuer, service: Service) -> None:
    for _ in range(3):
        service.policy(issuer.token())
    assert issuer.requests == ["/.well-known/openid-configuration", "/keys"]

    service.now += FRESH_SECONDS
    service.policy(issuer.token())
    assert issuer.requests == ["/.well-known/openid-configuration", "/keys"] * 2


def test_new_key_of_the_issuer_is_found_at_once(issuer: Issuer, service: Service) -> None:
    service.policy(issuer.token())
    issuer.keys["second"] = OTHER_KEY
    service.now += PAUSE_SECONDS

    assert _effect(service.policy(issuer.token(key=OTHER_KEY, kid="second"))) == "Allow"


def test_removed_key_is_refused_after_the_next_fetch(issuer: Issuer, service: Service) -> None:
    old = issuer.token()
    service.policy(old)
    issuer.keys = {"second": OTHER_KEY}
    service.now += FRESH_SECONDS

    assert _effect(service.policy(old)) == "Deny"


def test_invented_key_ids_do_not_cause_a_request_each(issuer: Issuer, service: Service) -> None:
    service.policy(issuer.token())
    for number in range(20):
        assert _effect(service.policy(issuer.token(key=OTHER_KEY, kid=f"invented-{number}"))) == "Deny"

    assert len(issuer.requests) == 2


def _outages(issuer: Issuer) -> dict[str, tuple[str, tuple[int, bytes]]]:
    discovery, keys = "/.well-known/openid-configuration", "/keys"
    return {
        "error": (keys, (503, b"")),
        "no JSON": (keys, (200, b"<html>")),
        "no key": (keys, (200, b'{"keys": []}')),
        "no list": (keys, (200, b"[]")),
        "endless": (keys, (200, b" " * 300_000)),
        "discovery error": (discovery, (500, b"")),
        "other issuer": (discovery, (200, b'{"issuer": "https://other.example.com", "jwks_uri": "x"}')),
        "no address": (discovery, (200, json.dumps({"issuer": issuer.url}).encode())),
        "address of a file": (discovery, (200, json.dumps({"issuer": issuer.url, "jwks_uri": "file:///x"}).encode())),
    }


OUTAGES = tuple(_outages(Issuer("")))


@pytest.mark.parametrize("outage", OUTAGES)
def test_known_keys_are_used_for_a_day_while_the_issuer_fails(issuer: Issuer, service: Service, outage: str) -> None:
    service.policy(issuer.token())
    path, answer = _outages(issuer)[outage]
    issuer.answers[path] = answer
    service.now += FRESH_SECONDS

    assert _effect(service.policy(issuer.token())) == "Allow"
    with pytest.raises(UnavailableError, match="signing keys"):  # it may be a new key of the issuer
        service.policy(issuer.token(key=OTHER_KEY, kid="second"))
    service.now += USABLE_SECONDS
    with pytest.raises(UnavailableError, match="signing keys"):
        service.policy(issuer.token())


@pytest.mark.parametrize("outage", OUTAGES)
def test_failing_issuer_is_asked_twice_a_minute(issuer: Issuer, service: Service, outage: str) -> None:
    path, answer = _outages(issuer)[outage]
    issuer.answers[path] = answer
    for _ in range(5):
        with pytest.raises(UnavailableError):
            service.policy(issuer.token())
    asked = len(issuer.requests)
    assert asked <= 2

    issuer.answers.clear()
    service.now += PAUSE_SECONDS
    assert _effect(service.policy(issuer.token())) == "Allow"


class NoSignIns:
    def add(self, caller: Admitted, *, request_id: str, now: datetime) -> None:
        assert caller.principal
        assert request_id
        assert now


def test_handler_reads_the_rules_from_the_stage_variables(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "token_store", NoTokens)
    monkeypatch.setattr(app, "sign_ins", NoSignIns)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    event = authorizer_event(f"Bearer {issuer.token(groups=['staff'])}")
    variables = {
        "oidcIssuer": issuer.url,
        "oidcAudiences": f"other,{AUDIENCE}",
        "oidcRolesClaim": "groups",
        "oidcUserRoles": "staff,guests",
        "oidcRoles": "staff,operator,service,No role",
    }

    admitted: Any = app.lambda_handler({**event, "stageVariables": variables}, None)
    assert admitted["context"]["roles"] == "user,staff"
    assert _effect(app.lambda_handler({**event, "stageVariables": None}, None)) == "Deny"
    assert _effect(app.lambda_handler({**event, "stageVariables": {**variables, "oidcIssuer": ""}}, None)) == "Deny"


def test_issuer_on_this_machine_is_not_asked_on_aws(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "token_store", NoTokens)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    variables = {"oidcIssuer": issuer.url, "oidcAudiences": AUDIENCE}
    event = {**authorizer_event(f"Bearer {issuer.token()}"), "stageVariables": variables}
    app.identities.cache_clear()

    with pytest.raises(UnavailableError):
        app.lambda_handler(event, None)
    assert issuer.requests == []
