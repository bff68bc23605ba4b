"""API tokens over HTTP on the deployed API."""

import httpx2

from cli.local_stack import StackState
from tests.e2e.commands import flexchat


def test_a_created_token_is_accepted_listed_and_refused_after_its_revocation(
    stack: StackState, api: httpx2.Client
) -> None:
    created = api.post("/api/tokens", json={"name": "e2e token", "roles": ["user"], "days": 1})
    assert (created.status_code, created.headers["cache-control"]) == (201, "no-store")
    token, token_id = created.json()["token"], created.json()["record"]["id"]
    assert token_id in flexchat("tokens", "list", "--stage", "local")

    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=stack.url, headers=headers, timeout=60, trust_env=False) as client:
        assert client.get("/api/me").json()["principal"] == token_id
        assert client.get("/v1/models").status_code == 200
        listed = api.get("/api/tokens").json()["tokens"]
        assert created.json()["record"] in listed

        assert api.delete(f"/api/tokens/{token_id}").status_code == 204

        # The other routes accept it for up to a minute, from the cache of the API.
        assert client.get("/v1/models").status_code == 401
    assert api.delete(f"/api/tokens/{token_id}").status_code == 404
