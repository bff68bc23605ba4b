import pytest

from tests.unit.cli.command_runner import Flexchat


@pytest.fixture
def flexchat(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Flexchat:
    return Flexchat(monkeypatch, capsys)
