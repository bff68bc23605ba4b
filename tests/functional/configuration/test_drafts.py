"""Drafts of a configuration: shown entries, checks, matched rules."""

import json
from typing import Any

from tests.functional.configuration.harness import RULES, SOURCE, Service, edited, source


def test_an_operator_reads_prompts_schemas_and_addresses_with_references_in_place_of_secrets(service: Service) -> None:
    body = service.get("/api/configuration").body

    assert (body["stage"], body["editing"], body["published"]["number"]) == ("test", True, 1)
    assert body["published"]["by"] == "arn:aws:iam::123456789012:user/ada"
    entries = {entry["path"]: entry for entry in body["entries"]}
    assert list(entries) == [
        "responses[0]",
        "responses[1]",
        "tools.registry[0]",
        "mcp_servers.files",
        "llms.main",
        "settings",
    ]
    assert json.loads(entries["responses[0]"]["text"]) == RULES[0]
    assert '"temperature": 1.0' in entries["responses[0]"]["text"]
    assert "weather.example.com" in entries["tools.registry[0]"]["text"]
    assert "${MAIN_KEY}" in entries["llms.main"]["text"]
    assert [path for path, entry in entries.items() if entry["editable"]] == [
        "responses[0]",
        "responses[1]",
        "tools.registry[0]",
    ]
    assert entries["llms.main"]["reason"] == "is published with `flexchat config push --stage STAGE`"
    assert json.loads(entries["settings"]["text"]) == {"comment": "a shop", "tools": {"enabled": True}}


def test_a_value_that_looks_like_a_secret_is_not_shown_and_its_entry_not_editable(service: Service) -> None:
    key = "sk-" + "a1b2c3d4" * 4
    tools = json.loads(json.dumps(SOURCE["tools"]))
    tools["registry"][0]["implementation"]["headers"] = {"X-Shop-Token": "4711-x"}
    service.push(source(tools=tools, comment=f"never {key}"), "with keys")

    answer = service.get("/api/configuration")

    assert key not in json.dumps(answer.body)
    assert "4711-x" not in json.dumps(answer.body)
    tool = next(entry for entry in answer.body["entries"] if entry["section"] == "tools")
    assert "[hidden: looks like a secret]" in tool["text"]
    assert not tool["editable"]
    unchanged = service.post("/api/configuration/check", service.draft(tools=[tool["text"]])).body
    assert unchanged["changes"] == []
    draft = service.draft(tools=[edited(tool["text"], description="Changed")])
    (problem, *_) = service.post("/api/configuration/check", draft).body["problems"]
    assert "contains '[hidden: looks like a secret]'" in problem["message"]


def test_a_user_reads_and_publishes_nothing(service: Service) -> None:
    for method, path in (
        ("GET", "/api/configuration"),
        ("GET", "/api/configuration/versions"),
        ("POST", "/api/configuration/versions"),
    ):
        assert service.request(method, path, {} if method == "POST" else None, roles="user").status == 403


def test_a_draft_has_the_problems_of_config_check_and_its_changes(service: Service) -> None:
    weather, fallback = service.rules()
    changed = edited(weather, llm="mian", temperature=1.0)

    body = service.post("/api/configuration/check", service.draft(responses=[changed, fallback])).body

    assert body["problems"] == [
        {
            "severity": "error",
            "path": "responses[0].llm",
            "message": "no llm named 'mian'; did you mean 'main'?",
        }
    ]
    assert body["changes"] == [{"kind": "changed", "path": "responses[0] (weather)", "keys": ["llm"]}]
    assert body["outdated"] is False


def test_a_draft_without_changes_has_none_whatever_its_numbers(service: Service) -> None:
    draft = service.draft(responses=service.rules())

    assert service.post("/api/configuration/check", draft).body == {"problems": [], "changes": [], "outdated": False}


def test_a_text_that_is_no_json_has_its_line(service: Service) -> None:
    draft = service.draft(responses=['{\n  "name": "a",\n  "llm": }', "[]"])

    first, second = service.post("/api/configuration/check", draft).body["problems"]

    assert (first["path"], first["line"]) == ("responses[0]", 3)
    assert first["message"].startswith("must be JSON: ")
    assert second == {"severity": "error", "path": "responses[1]", "message": "must be a JSON object"}


def test_an_entry_beyond_the_limit_of_a_parameter_says_so(service: Service) -> None:
    letters = "".join(chr(0x4E00 + number * 37 % 20_000) for number in range(6_000))
    weather, fallback = service.rules()

    draft = service.draft(responses=[edited(weather, prompt=letters), fallback])

    (problem,) = service.post("/api/configuration/check", draft).body["problems"]
    assert problem["path"] == "responses[0]"
    assert "at most 4096 are accepted: shorten its texts" in problem["message"]


def test_the_rules_of_a_draft_are_matched_against_recorded_profiles_changed_ones_first(service: Service) -> None:
    weather, fallback = service.rules()
    draft = service.draft(responses=[edited(weather, match={"topic_regexp": "/weather|rain/i"}), fallback])
    profiles = [
        {"id": "one", "fields": {"topic": "Weather in Bern", "user_message": "Weather in Bern"}},
        {"id": "two", "fields": {"topic": "Rain today?", "user_message": "Rain today?"}},
        {"id": "three", "fields": {"topic": "Hello"}},
    ]

    body = service.post("/api/configuration/match", {"draft": draft, "profiles": profiles}).body

    assert body["matches"] == [
        {"id": "two", "published": "fallback", "draft": "weather", "changed": True},
        {"id": "one", "published": "weather", "draft": "weather", "changed": False},
        {"id": "three", "published": "fallback", "draft": "fallback", "changed": False},
    ]


def test_rules_with_errors_are_not_matched(service: Service) -> None:
    weather, fallback = service.rules()
    draft = service.draft(responses=[edited(weather, match={"topic_regexp": "/(/"}), fallback])

    body = service.post("/api/configuration/match", {"draft": draft, "profiles": []}).body

    assert body["matches"] == []
    assert [problem["path"] for problem in body["problems"]] == ["responses[0].match.topic_regexp"]


def test_the_limits_of_tokens_are_entries_that_a_draft_changes_adds_and_removes(service: Service) -> None:
    own = {"comment": "a batch", "tokens_per_day": 5_000}
    limits: Any = {"caller": {"requests_per_minute": 20}, "principals": {"k7m2p9qx4d": own, "comment": "by id"}}
    service.push(source(limits=limits), "limits")
    entries = {entry["path"]: entry for entry in service.get("/api/configuration").body["entries"]}
    entry = entries["limits.principals.k7m2p9qx4d"]
    assert (entry["section"], entry["name"], entry["editable"]) == ("token_limits", "k7m2p9qx4d", True)
    assert json.loads(entries["settings"]["text"])["limits"] == {"caller": {"requests_per_minute": 20}}

    changed = {"k7m2p9qx4d": edited(entry["text"], tokens_per_day=None), "abcdefghjk": '{"requests_per_minute": 3}'}
    check = service.post("/api/configuration/check", service.draft(token_limits=changed)).body
    assert (check["problems"], [change["path"] for change in check["changes"]]) == ([], ["limits"])
    published = service.post("/api/configuration/versions", {"draft": service.draft(token_limits=changed)})
    assert published.status == 201
    texts = {
        each["name"]: json.loads(each["text"])
        for each in service.get("/api/configuration").body["entries"]
        if each["section"] == "token_limits"
    }
    assert texts == {
        "k7m2p9qx4d": {"comment": "a batch", "tokens_per_day": None},
        "abcdefghjk": {"requests_per_minute": 3},
    }

    removed = service.draft(token_limits={"k7m2p9qx4d": "", "abcdefghjk": ""})
    assert service.post("/api/configuration/versions", {"draft": removed}).status == 201
    entries = service.get("/api/configuration").body["entries"]
    assert json.loads(entries[-1]["text"])["limits"] == {"caller": {"requests_per_minute": 20}}


def test_limits_of_tokens_that_are_not_valid_have_their_path(service: Service) -> None:
    draft = service.draft(
        token_limits={"k7m2p9qx4d": '{"requests_per_minute": 0, "requests": 1}', "abcdefghjk": "{", "comment": "{}"}
    )
    broken = service.post("/api/configuration/check", draft).body["problems"]
    assert [problem["path"] for problem in broken] == ["limits.principals.abcdefghjk", "limits.principals.comment"]

    draft["token_limits"] = {"k7m2p9qx4d": '{"requests_per_minute": 0, "requests": 1}'}
    wrong = service.post("/api/configuration/check", draft).body["problems"]
    assert {problem["path"] for problem in wrong} == {
        "limits.principals.k7m2p9qx4d.requests_per_minute",
        "limits.principals.k7m2p9qx4d.requests",
    }
