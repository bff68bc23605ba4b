"""Publications by the API: history, conflicts, rollback, and what they may not change."""

import json
from typing import Any

import pytest

from flexchat.aws.objects import ObjectStore
from flexchat.aws.packed_configuration import PackedObject
from flexchat.config.parameters import configuration_path
from flexchat.config.source import ConfigurationSource
from tests.functional.configuration.harness import BUCKET, SOURCE, STAGE, Service, edited, source


def published(service: Service, *, base: str | None = None, comment: str = "", **changes: Any) -> Any:
    draft = {"base": base or service.version, **changes}
    return service.post("/api/configuration/versions", {"draft": draft, "comment": comment})


def test_a_draft_is_published_as_a_push_publishes_it(service: Service) -> None:
    weather, fallback = service.rules()
    answer = published(service, responses=[edited(weather, prompt="Be warm."), fallback], comment="a warmer prompt")

    assert answer.status == 201
    assert answer.body["published"] == {
        "number": 2,
        "published_at": "2026-11-27T03:00:00Z",
        "by": "grace (token k7m2p9qx4d)",
        "comment": "a warmer prompt",
        "changes": ["~ responses[0] (weather): prompt"],
        "active": True,
    }
    by_api = service.store.read_path(configuration_path(STAGE))
    other: Any = source()
    other["responses"][0]["prompt"] = "Be warm."
    service.push(other, "the same")
    assert dict(service.store.read_path(configuration_path(STAGE))) == dict(by_api)
    packed = PackedObject(lambda: ObjectStore(service.s3, BUCKET), stage=STAGE)
    configuration = ConfigurationSource(service.store, stage=STAGE, ttl_seconds=0, packed=packed).current()
    assert configuration.responses[0].prompt == "Be warm."


def test_of_two_drafts_of_one_version_the_second_is_a_conflict_that_names_the_first(service: Service) -> None:
    weather, fallback = service.rules()
    base = service.version
    published(service, base=base, responses=[edited(weather, prompt="Mine."), fallback], comment="mine")
    before = service.rules()

    answer = published(service, base=base, responses=[edited(weather, prompt="Theirs."), fallback])

    assert (answer.status, answer.body["error"]) == (409, "configuration_changed")
    assert answer.body["message"] == (
        "grace (token k7m2p9qx4d) published version 2 ('mine') since the draft began; "
        "merge the draft with it, or discard the draft"
    )
    assert service.rules() == before
    check = service.post("/api/configuration/check", {"base": base, "responses": [weather, fallback]})
    assert check.body["outdated"] is True


def test_a_draft_with_errors_is_not_published(service: Service) -> None:
    weather, fallback = service.rules()
    before = service.rules()

    answer = published(service, responses=[edited(weather, llm="other"), fallback])

    assert (answer.status, answer.body["error"]) == (400, "invalid_configuration")
    assert answer.body["details"] == [{"path": "responses[0].llm", "message": "no llm named 'other'"}]
    assert service.rules() == before


def test_a_draft_without_changes_is_not_published(service: Service) -> None:
    answer = published(service, responses=service.rules())

    assert (answer.status, answer.body["error"]) == (400, "nothing_to_publish")


@pytest.mark.parametrize("section", ["llms", "limits", "rag_services", "not_secrets"])
def test_a_draft_has_no_sections_that_only_a_push_publishes(service: Service, section: str) -> None:
    sections: dict[str, Any] = {section: {}}
    answer = published(service, **sections)

    assert answer.status == 400
    assert section in json.dumps(answer.body["details"])


def test_an_mcp_server_is_turned_off_and_not_changed(service: Service) -> None:
    assert published(service, mcp_servers={"files": False}).status == 201

    entries = service.get("/api/configuration").body["entries"]
    server = next(entry for entry in entries if entry["section"] == "mcp_servers")
    assert json.loads(server["text"]) == {"url": "https://mcp.example.com/mcp", "enabled": False}
    unknown = published(service, mcp_servers={"comment": True})
    assert unknown.body["details"][0]["message"] == "no such MCP server; a draft turns configured servers on or off"


def test_prompts_of_phases_are_added_and_removed(service: Service) -> None:
    assert published(service, topic='{"enabled": false}').status == 201
    assert [entry["path"] for entry in service.get("/api/configuration").body["entries"] if entry["section"] == "topic"]
    assert published(service, topic="").status == 201
    assert not [entry for entry in service.get("/api/configuration").body["entries"] if entry["section"] == "topic"]


@pytest.mark.parametrize(("editing", "protected"), [("off", False), ("auto", True)])
def test_a_stage_without_editing_publishes_nothing(service: Service, editing: str, *, protected: bool) -> None:
    service.function = service.of(editing=editing, protected=protected)
    shown = service.get("/api/configuration").body

    answer = published(service, responses=[])
    restored = service.post("/api/configuration/versions/1/restore", {"base": shown["version"]})

    assert shown["editing"] is False
    assert "ConfigurationEditing=on" in shown["editing_problem"]
    for each in (answer, restored):
        assert (each.status, each.body["error"]) == (403, "editing_disabled")


def test_a_protected_stage_publishes_if_it_was_chosen(service: Service) -> None:
    service.function = service.of(editing="on", protected=True)

    assert published(service, responses=service.rules()[1:]).status == 201


def test_a_version_is_restored_as_a_new_one_and_both_are_listed(service: Service) -> None:
    weather, fallback = service.rules()
    published(service, responses=[fallback], comment="no weather")

    answer = service.post(
        "/api/configuration/versions/1/restore", {"base": service.version, "comment": "the weather is back"}
    )

    assert (answer.status, answer.body["published"]["restores"]) == (201, 1)
    assert service.rules() == [weather, fallback]
    body = service.get("/api/configuration/versions").body
    assert body["recorded"] is True
    assert [(each["number"], each["active"]) for each in body["versions"]] == [(3, True), (2, False), (1, False)]
    second = service.get("/api/configuration/versions/2").body
    assert [entry["name"] for entry in second["entries"] if entry["section"] == "responses"] == ["fallback"]
    assert second["published"]["comment"] == "no weather"


def test_an_unknown_version_is_not_found(service: Service) -> None:
    for answer in (
        service.get("/api/configuration/versions/9"),
        service.post("/api/configuration/versions/9/restore", {"base": service.version}),
    ):
        assert (answer.status, answer.body["error"]) == (404, "version_not_found")


def test_a_stage_without_a_configuration_names_the_command(service: Service) -> None:
    service.store.delete(service.store.read_path(configuration_path(STAGE)))

    answer = service.get("/api/configuration")

    assert (answer.status, answer.body["error"]) == (404, "configuration_not_found")
    assert "flexchat config push --stage test" in answer.body["message"]


def test_a_push_after_a_publication_is_recorded_after_it(service: Service) -> None:
    published(service, responses=service.rules()[1:], comment="by the page")
    service.push(json.loads(json.dumps(SOURCE)), "by the command")

    versions = service.get("/api/configuration/versions").body["versions"]
    assert [each["comment"] for each in versions] == ["by the command", "by the page", "the first"]
