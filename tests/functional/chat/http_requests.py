"""Rejected requests to the HTTP API."""

from collections.abc import Mapping
from typing import Any

from flexchat.config.catalog import Catalog
from tests.functional.chat.harness import Chat, configuration, deploy, serve


def refused(chat: Chat, body: Any, headers: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    answer = chat.post(body, headers=headers)
    assert answer.headers["content-type"] == "application/json"
    assert answer.body["request_id"]
    return answer.status, answer.body["error"], answer.body["message"]


def broken(error: Exception) -> Chat:
    def fail() -> Catalog:
        raise error

    working = deploy([], configuration())
    function = serve(working.lambdas, catalog=fail, provider=lambda _name, _config: working.model)
    return Chat(function, working.model, working.lambdas)
