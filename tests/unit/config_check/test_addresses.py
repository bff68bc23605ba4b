"""Addresses of this machine: the local stage reaches them, and stages at AWS do not."""

from typing import Any

import pytest

from cli.layout import LOCAL_STAGE as STAGE_OF_THE_STACK
from flexchat.config_check.addresses import LOCAL_STAGE
from flexchat.config_check.check import check_publication

HERE = "is an address of this machine, which functions reach at the local stage only"
AT_AWS = (
    "is an address of this machine, which functions at AWS cannot reach: it fails at the stage 'prod';"
    " use a public https address there"
)


def http_tool(**implementation: Any) -> dict[str, Any]:
    tool = {
        "name": "lamp",
        "description": "Switch the lamp.",
        "parameters": {"type": "object"},
        "implementation": {"type": "http", "url": "http://localhost:8123/lamps/${HOME_ID}", **implementation},
    }
    return {"tools": {"enabled": True, "registry": [tool]}}


TOKENS = {
    "type": "oauth2_client_credentials",
    "token_url": "http://127.0.0.1/token",
    "client_id": "${ID}",
    "client_secret": "${SECRET}",
}

SOURCES: dict[str, dict[str, Any]] = {
    "llms.own.base_url": {"llms": {"own": {"type": "openai", "base_url": "http://127.0.0.1:8000/v1"}}},
    "mcp_servers.home.url": {"mcp_servers": {"home": {"url": "http://localhost:8123/mcp"}}},
    "mcp_servers.home.auth.token_url": {
        "mcp_servers": {"home": {"url": "https://api.example.com/mcp", "auth": TOKENS}}
    },
    "rag_services.docs.url": {
        "rag_services": {"docs": {"type": "http", "url": "http://[::1]:9000/search", "collections": ["docs"]}}
    },
    "tools.registry[0].implementation.url": http_tool(),
    "tools.registry[0].implementation.auth.token_url": http_tool(url="https://api.example.com/", auth=TOKENS),
}


def problems(source: dict[str, Any], path: str, stage: str | None) -> list[tuple[str, str]]:
    found = check_publication(source, stage=stage)[1]
    return [(problem.severity, problem.message) for problem in found if problem.path == path]


@pytest.mark.parametrize("path", SOURCES)
def test_an_address_of_this_machine_is_reported_by_the_stage(path: str) -> None:
    source = SOURCES[path]

    assert problems(source, path, None) == [("warning", HERE)]
    assert problems(source, path, "prod") == [("warning", AT_AWS)]
    assert problems(source, path, "local") == []


def test_an_address_of_a_private_network_is_usable_at_the_local_stage_alone() -> None:
    source = {"llms": {"own": {"type": "ollama", "base_url": "http://192.168.1.5:11434"}}}

    assert problems(source, "llms.own.base_url", "prod") == [("error", "must begin with 'https://'")]
    assert problems(source, "llms.own.base_url", "local") == []


def test_the_metadata_service_is_refused_at_each_stage() -> None:
    source = {"llms": {"own": {"type": "ollama", "base_url": "http://169.254.169.254"}}}

    assert [problems(source, "llms.own.base_url", stage) for stage in ("prod", "local")] == [
        [("error", "must begin with 'https://'")]
    ] * 2


def test_the_local_stage_has_one_name() -> None:
    assert LOCAL_STAGE == STAGE_OF_THE_STACK
