"""What libraries would do on the terminal, and with a proxy of the environment."""

import logging
import warnings

import pytest

from cli.system import loopback_exceptions
from tests.unit.cli.command_runner import Flexchat


def test_warnings_and_log_lines_of_libraries_do_not_reach_the_terminal(
    flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(*_: object) -> None:
        warnings.warn("a library is old", UserWarning, stacklevel=1)
        logging.getLogger("some.library").warning("a connection was dropped")
        raise ValueError

    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr("cli.configuration.read_file", check)

    with pytest.raises(ValueError):  # noqa: PT011
        flexchat.type("config", "check", options=())

    printed = flexchat.capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


@pytest.mark.parametrize(
    ("environ", "listed"),
    [
        ({}, "127.0.0.1,localhost,::1"),
        ({"NO_PROXY": ".internal"}, "127.0.0.1,localhost,::1,.internal"),
        ({"no_proxy": "a.example"}, "127.0.0.1,localhost,::1,a.example"),
        ({"NO_PROXY": "127.0.0.1,localhost,::1,b"}, "127.0.0.1,localhost,::1,b"),
    ],
)
def test_this_machine_needs_no_proxy(environ: dict[str, str], listed: str) -> None:
    assert loopback_exceptions(environ) == {"NO_PROXY": listed, "no_proxy": listed}
