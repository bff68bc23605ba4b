"""Configuration that a restart of the local stack publishes: that of the file, or the one that was published since."""

import json
from pathlib import Path
from typing import Any

import pytest

import dev.local_stack.current as module
from cli.local_stack import StackState
from dev.local_stack.current import MAKE_UP, authored_form, published_version, read_current
from flexchat.config.history import RecordedVersion
from flexchat.config.publication import Attribution, publish
from flexchat.errors import ConfigError
from tests.unit.config.sources import MemoryParameters

DEMO: dict[str, Any] = {
    "type": "openai",
    "base_url": "http://127.0.0.1:7/v1",
    "api_key": "demo",
    "headers": {},
    "demo": True,
}


def source(prompt: str, **llm: Any) -> dict[str, Any]:
    entry = llm or {"type": "openai", "api_key": "${OPENAI_API_KEY}"}
    return {"llms": {"main": entry}, "responses": [{"llm": "main", "model": "m", "prompt": prompt}]}


class History:
    """History of versions in memory."""

    def __init__(self) -> None:
        self.versions: dict[int, RecordedVersion] = {}

    def newest(self) -> RecordedVersion | None:
        return self.versions[max(self.versions)] if self.versions else None

    def get(self, number: int) -> RecordedVersion | None:
        return self.versions.get(number)

    def add(self, version: RecordedVersion) -> bool:
        self.versions[version.summary.number] = version
        return True

    def delete_before(self, number: int) -> None:
        self.versions = {each: version for each, version in self.versions.items() if each >= number}


@pytest.fixture
def store() -> MemoryParameters:
    return MemoryParameters()


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> History:
    history = History()

    def of(_stage: str) -> History:
        return history

    monkeypatch.setattr(module, "configuration_objects", of)
    return history


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "flexchat.json"
    path.write_text(json.dumps(source("Be brief.")))
    return path


def published(content: dict[str, Any], store: MemoryParameters, history: History, *, comment: str = MAKE_UP) -> str:
    publish(
        content, stage="local", store=store, history=history, attribution=Attribution(by="token x", comment=comment)
    )
    return published_version(store)


def state(file: Path, version: str) -> StackState:
    return StackState(
        url="http://127.0.0.1:1",
        token="t",
        region="us-east-1",
        endpoint="http://127.0.0.1:1",
        access_key_id="AKIATHEKEYOFTHESTACK",
        pids=(),
        stage="local",
        stack="flexchat-local",
        config=str(file),
        published=version,
    )


def test_the_file_is_used_while_nothing_else_was_published(
    store: MemoryParameters, history: History, file: Path
) -> None:
    version = published(source("Be brief.", **DEMO), store, history)
    file.write_text(json.dumps(source("Be kind.")))

    current = read_current(state(file, version), {}, store=store)

    assert current.kept == ""
    assert current.authored.source["responses"][0]["prompt"] == "Be kind."  # type: ignore[index]


def test_a_configuration_that_was_published_since_is_kept_with_the_keys_of_the_file(
    store: MemoryParameters, history: History, file: Path
) -> None:
    version = published(source("Be brief.", **DEMO), store, history)
    published(source("Published in the page.", **DEMO), store, history, comment="friendlier")

    current = read_current(state(file, version), {}, store=store)

    assert current.kept.startswith("version 2 of the configuration, published by token x on ")
    assert current.kept.endswith("(friendlier),")
    assert f"CONFIG={file}" in current.note
    assert current.authored.source == source("Published in the page.")


def test_a_configuration_whose_file_is_gone_is_kept(store: MemoryParameters, history: History, file: Path) -> None:
    version = published(source("Be brief."), store, history)
    file.unlink()

    current = read_current(state(file, version), {}, store=store)

    assert current.authored.source == source("Be brief.")
    assert "config/flexchat.json` publishes the file" in current.note


def test_a_missing_file_without_a_published_configuration_is_an_error(
    store: MemoryParameters, history: History, file: Path
) -> None:
    file.unlink()

    with pytest.raises(ConfigError):
        read_current(state(file, ""), {}, store=store)


@pytest.mark.parametrize(("comment", "is_kept"), [(MAKE_UP, False), ("by hand", True)])
def test_a_record_of_an_earlier_release_is_judged_by_the_comment_of_the_version(
    store: MemoryParameters, history: History, file: Path, comment: str, is_kept: bool
) -> None:
    published(source("Be brief.", **DEMO), store, history, comment=comment)

    assert bool(read_current(state(file, ""), {}, store=store).kept) is is_kept


def test_an_llm_of_the_demo_model_without_an_entry_in_the_file_gets_the_implied_key() -> None:
    found = authored_form(source("x", **DEMO, models=["m"]), {"main": {"type": "ollama"}})

    assert found["llms"] == {"main": {"type": "openai", "models": ["m"], "api_key": "${OPENAI_API_KEY}"}}


def test_an_llm_with_an_address_of_its_own_stays() -> None:
    real = {"type": "openai", "base_url": "https://api.example.com/v1", "api_key": "${OTHER}"}

    assert authored_form(source("x", **real), {"main": {"type": "openai"}})["llms"] == {"main": real}
