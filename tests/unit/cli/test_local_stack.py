"""State file of the local stack."""

import stat
from pathlib import Path

import pytest

from cli.local_stack import StackState, read_state, write_state

STATE = StackState(
    url="http://127.0.0.1:1/api",
    token="fc_secret",
    region="us-east-1",
    endpoint="http://127.0.0.1:1",
    access_key_id="AKIATHEKEYOFTHESTACK",
    pids=(11, 12),
    stage="local",
    stack="flexchat-local",
    config="config/flexchat.json",
)


def test_a_written_state_is_read_and_accessible_only_to_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "new" / "stack.json"

    write_state(path, STATE)
    write_state(path, STATE)

    assert read_state(path) == STATE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["stack.json"]


@pytest.mark.parametrize("content", ["", "{", "{}", '{"url": 1}'])
def test_an_unreadable_state_counts_as_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "stack.json"
    path.write_text(content)

    assert read_state(path) is None


def test_a_missing_state_is_none(tmp_path: Path) -> None:
    assert read_state(tmp_path / "stack.json") is None
