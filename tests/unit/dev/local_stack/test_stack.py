"""Start, status and removal of the local stack's processes, and errors on startup."""

import fcntl
import json
import os
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cli.configuration import diff_configuration, push_configuration
from cli.console import Console
from cli.deployment.toolchain import SAM, ensure_tool
from cli.errors import LocalError
from cli.layout import Layout
from cli.local_stack import StackState, write_state
from cli.lock import exclusive, stoppable, undisturbed
from cli.processes import Processes
from cli.secret_hosts import bind_secret
from dev.local_stack.code import fingerprint
from dev.local_stack.emulator import start_emulator
from dev.local_stack.health import Health, emulator_runs, health_of
from dev.local_stack.progress import Progress
from dev.local_stack.running import own_processes, recorded_stack, running_stack, tear_down
from dev.local_stack.seeding import push, read_authored
from flexchat.errors import ConfigError
from flexchat.secret_references import secret_hosts_name, secret_name
from tests.unit.config.sources import MemoryParameters

FOREVER = [sys.executable, "-c", "import signal; signal.pause()"]


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = Layout(tmp_path)
    layout.tmp.mkdir(parents=True)
    return layout


@pytest.fixture
def processes(layout: Layout) -> Iterator[Processes]:
    processes = Processes(layout.processes)
    yield processes
    processes.stop_all()


@pytest.fixture
def started(layout: Layout, processes: Processes) -> StackState:
    """A stack of one idle process."""
    process = processes.start("emulator", FOREVER, env=os.environ, cwd=layout.root, log=layout.log("emulator"))
    state = StackState(
        url="http://127.0.0.1:1",
        token="t",
        region="us-east-1",
        endpoint="http://127.0.0.1:1",
        access_key_id="AKIATHEKEYOFTHESTACK",
        pids=(process.pid,),
        stage="local",
        stack="flexchat-local",
        config="c.json",
    )
    write_state(layout.state, state)
    return state


def executable(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_stack_is_running_only_while_all_its_processes_are(
    layout: Layout, processes: Processes, started: StackState
) -> None:
    assert running_stack(layout) == started

    processes.stop(processes.running[0])

    assert running_stack(layout) is None


def test_a_state_without_processes_is_no_running_stack(layout: Layout, started: StackState) -> None:
    layout.processes.unlink()

    assert running_stack(layout) is None


@pytest.mark.usefixtures("started")
@pytest.mark.parametrize("keep_logs", [True, False])
def test_teardown_deletes_everything_except_the_caches(layout: Layout, processes: Processes, keep_logs: bool) -> None:
    (layout.tmp / "unpacked layer").mkdir()
    layout.tools.mkdir()

    tear_down(layout, processes, keep_logs=keep_logs)

    assert processes.running == ()
    assert {entry.name for entry in layout.local.iterdir()} == ({"tools", "log"} if keep_logs else {"tools"})


def test_a_second_command_waits_for_the_first_and_prints_it(layout: Layout) -> None:
    output = StringIO()
    console = Console(file=output)
    first = os.open(layout.local, os.O_RDONLY)
    fcntl.flock(first, fcntl.LOCK_EX)

    def release_and_count(text: str) -> int:
        os.close(first)
        return len(text)

    output.write = release_and_count  # type: ignore[method-assign] # the output ends the first one
    with exclusive(layout, console):
        assert not can_lock(layout)

    assert can_lock(layout)
    assert sorted(entry.name for entry in layout.local.iterdir()) == ["run"]


def can_lock(layout: Layout) -> bool:
    descriptor = os.open(layout.local, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


@pytest.mark.parametrize("number", [1, 2, 15])
def test_a_stop_signal_interrupts_except_during_cleanup(number: int) -> None:
    with stoppable():
        with undisturbed():
            os.kill(os.getpid(), number)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)


def test_each_step_prints_a_line_and_a_failed_one_none() -> None:
    output = StringIO()

    def fail() -> None:
        raise LocalError("no")

    with Progress(Console(file=output, width=60)) as progress:
        assert progress.step("functions are built", lambda: 7) == 7
        progress.note("llm [openai]: the demo model")
        with pytest.raises(LocalError):
            progress.step("template is deployed", fail)

    built, note = output.getvalue().splitlines()
    assert built.startswith("✓ functions are built ")
    assert note == "  llm [openai]: the demo model"


def test_a_tool_is_installed_from_its_lock_once(
    layout: Layout, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = layout.root / "calls"
    executable(layout.local / "uv" / "bin" / "uv", f'echo "$@" >> {calls}; mkdir -p {layout.tools}/sam')
    monkeypatch.setenv("PATH", "/usr/bin:/bin")

    first = ensure_tool(SAM, layout=layout, processes=processes)
    second = ensure_tool(SAM, layout=layout, processes=processes)

    home = layout.tools / "sam"
    assert first == second == home / "bin"
    assert calls.read_text().splitlines() == [
        f"venv --clear --python {sys.executable} {home}",
        f"pip install --require-hashes --python {home}/bin/python -r {SAM}",
    ]


def test_a_failed_installation_of_a_tool_is_repeated_next_time(
    layout: Layout, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable(layout.local / "uv" / "bin" / "uv", "echo 'error: no network'; exit 2")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")

    for _ in range(2):
        with pytest.raises(LocalError, match="installing sam failed: error: no network"):
            ensure_tool(SAM, layout=layout, processes=processes)


def test_the_install_command_of_uv_is_printed_without_uv(
    layout: Layout, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(layout.root))

    with pytest.raises(LocalError, match=r"uv is not on PATH; `make .*bootstrap` installs one"):
        ensure_tool(SAM, layout=layout, processes=processes)


def test_an_emulator_that_exits_at_once_is_reported_with_its_reason(layout: Layout, processes: Processes) -> None:
    tool = executable(layout.tools / "ministack" / "bin" / "python", "echo 'ERROR: the port is in use'; exit 1").parent

    with pytest.raises(LocalError) as raised:
        start_emulator(tool, layout=layout, processes=processes)

    log = layout.log("emulator")
    assert str(raised.value) == f"the AWS emulator did not start: ERROR: the port is in use\n  log: {log}"
    assert processes.running == ()


def test_an_invalid_configuration_is_rejected_before_any_process_starts(tmp_path: Path) -> None:
    path = tmp_path / "flexchat.json"
    path.write_text(json.dumps({"responses": [{"llm": "missing", "model": "m", "prompt": "p"}]}))

    with pytest.raises(ConfigError) as raised:
        read_authored(path, {})

    first, *others = str(raised.value).splitlines()
    assert first == f"{path} cannot be used:"
    assert others == ["responses[0].llm: no llm named 'missing'"]


def test_a_valid_configuration_is_returned_with_its_choices_and_warnings(tmp_path: Path) -> None:
    path = tmp_path / "flexchat.json"
    path.write_text(json.dumps({"responses": [{"llm": "openai", "model": "m", "prompt": "p", "match": {"plan": "x"}}]}))

    authored = read_authored(path, {})

    assert [(choice.llm, choice.model) for choice in authored.choices] == [("openai", "demo")]
    assert [warning.path for warning in authored.warnings] == ["responses", "responses[0].match.plan"]


def test_a_stored_secret_selects_the_real_model_like_one_in_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "flexchat.json"
    path.write_text(json.dumps({"responses": [{"llm": "openai", "model": "m", "prompt": "p"}]}))
    store = MemoryParameters({secret_name("local", "OPENAI_API_KEY"): "sk-1"})
    bind_secret("OPENAI_API_KEY", ["api.openai.com"], stage="local", store=store)

    assert [choice.model for choice in read_authored(path, {}, store=store).choices] == ["real"]
    assert [choice.model for choice in read_authored(path, {}, store=MemoryParameters()).choices] == ["demo"]


@pytest.mark.parametrize("proxy", ["https://proxy.example/v1", "http://127.0.0.1:8000/v1"])
@pytest.mark.parametrize("environ_without", [{}, {"OPENAI_API_KEY": "sk-proxy"}])
def test_a_key_that_was_given_for_another_address_is_not_sent_to_the_provider(
    tmp_path: Path, proxy: str, environ_without: dict[str, str]
) -> None:
    path, store = tmp_path / "flexchat.json", MemoryParameters()
    path.write_text(json.dumps({"responses": [{"llm": "openai", "model": "m", "prompt": "p"}]}))
    environ = {"OPENAI_BASE_URL": proxy, "OPENAI_API_KEY": "sk-proxy"}
    host = str(urlsplit(proxy).hostname)

    push(read_authored(path, environ, store=store), demo=None, environ=environ, store=store, comment="a test")
    with_address = read_authored(path, {"OPENAI_BASE_URL": proxy}, store=store)
    without = read_authored(path, environ_without, store=store)

    assert store.parameters[secret_hosts_name("local", "OPENAI_API_KEY")] == host
    assert [choice.model for choice in with_address.choices] == ["real"]
    assert with_address.as_pushed(None)["llms"] == {
        "openai": {"type": "openai", "api_key": "${OPENAI_API_KEY}", "base_url": proxy}
    }
    assert [choice.model for choice in without.choices] == ["demo"]
    (warning,) = (str(warning) for warning in without.warnings if "given for" in warning.message)
    assert warning.startswith(
        f"llms.openai: OPENAI_API_KEY was given for {host} and is not sent to api.openai.com; export another key, or"
    )
    assert warning.endswith("secrets bind OPENAI_API_KEY --host api.openai.com --stage local")
    push(without, demo="http://127.0.0.1:7", environ=environ_without, store=store, comment="a test")
    assert store.parameters[secret_hosts_name("local", "OPENAI_API_KEY")] == host


def test_a_key_is_not_sent_to_the_address_of_another_configuration(tmp_path: Path) -> None:
    store, environ = MemoryParameters(), {"OPENAI_API_KEY": "sk-of-openai"}
    own, foreign = tmp_path / "own.json", tmp_path / "foreign.json"
    rule = {"llm": "openai", "model": "m", "prompt": "p"}
    own.write_text(json.dumps({"responses": [rule]}))
    llm = {"type": "openai", "base_url": "https://models.example/v1", "api_key": "${OPENAI_API_KEY}"}
    foreign.write_text(json.dumps({"llms": {"openai": llm}, "responses": [rule]}))

    push(read_authored(own, environ, store=store), demo=None, environ=environ, store=store, comment="a test")
    authored = read_authored(foreign, environ, store=store)
    summary = push(authored, demo=None, environ=environ, store=store, comment="a test")

    assert store.parameters[secret_hosts_name("local", "OPENAI_API_KEY")] == "api.openai.com"
    assert summary.unbound_secrets == {"OPENAI_API_KEY": ("models.example",)}


def test_a_key_that_the_environment_has_with_an_address_is_bound_to_it(tmp_path: Path) -> None:
    path, store = tmp_path / "flexchat.json", MemoryParameters()
    path.write_text(json.dumps({"responses": [{"llm": "openai", "model": "m", "prompt": "p"}]}))

    for address in ("https://first.example/v1", "https://second.example/v1"):
        environ = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "sk-of-both"}
        push(read_authored(path, environ, store=store), demo=None, environ=environ, store=store, comment="a test")

    assert store.parameters[secret_hosts_name("local", "OPENAI_API_KEY")] == "second.example"


def test_a_key_in_the_environment_is_bound_to_its_present_address_alone(tmp_path: Path) -> None:
    path, store = tmp_path / "flexchat.json", MemoryParameters()
    path.write_text(json.dumps({"responses": [{"llm": "openai", "model": "m", "prompt": "p"}]}))

    for address, key in (("https://proxy.example/v1", "sk-first-key"), ("", "sk-second-key")):
        environ = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": key}
        push(read_authored(path, environ, store=store), demo=None, environ=environ, store=store, comment="a test")

    assert store.parameters[secret_name("local", "OPENAI_API_KEY")] == "sk-second-key"
    assert store.parameters[secret_hosts_name("local", "OPENAI_API_KEY")] == "api.openai.com"


def test_a_pushed_local_configuration_has_no_difference_to_its_file(tmp_path: Path) -> None:
    path, store = tmp_path / "flexchat.json", MemoryParameters()
    path.write_text(json.dumps({"responses": [{"llm": "openai", "model": "m", "prompt": "p"}]}))
    pushed = read_authored(path, {}, store=store).as_pushed("http://127.0.0.1:7")

    push_configuration(pushed, stage="local", store=store)

    again = read_authored(path, {}, store=store).as_pushed("http://127.0.0.1:7")
    assert diff_configuration(again, stage="local", store=store) == ()


def test_a_record_copied_from_another_checkout_is_ignored(
    layout: Layout, processes: Processes, started: StackState, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_state(layout.state, started.model_copy(update={"root": str(other)}))

    assert recorded_stack(layout) is None
    assert own_processes(layout).running == ()
    assert [process.name for process in processes.running] == ["emulator"]


def test_a_record_of_a_moved_checkout_is_used(layout: Layout, started: StackState) -> None:
    moved = started.model_copy(update={"root": str(layout.root / "before")})
    write_state(layout.state, moved)

    assert recorded_stack(layout) == moved
    assert [process.name for process in own_processes(layout).running] == ["emulator"]


def test_a_stopped_process_is_named(layout: Layout, processes: Processes, started: StackState) -> None:
    with_demo = started.model_copy(update={"demo_model": "http://127.0.0.1:7"})
    processes.stop(processes.running[0])

    assert health_of(with_demo, layout) == Health(
        (
            "the AWS emulator has stopped",
            "the local gateway at http://127.0.0.1:1 has stopped",
            "the demo model at http://127.0.0.1:7 has stopped",
        ),
        (),
    )


def test_a_hanging_emulator_is_not_running(layout: Layout, started: StackState) -> None:
    assert not emulator_runs(started, layout)
    assert health_of(started, layout).problems[0] == f"the AWS emulator at {started.endpoint} does not answer"


def test_the_fingerprint_changes_only_with_the_deployed_files(tmp_path: Path) -> None:
    handler = tmp_path / "functions" / "chat" / "app.py"
    for folder in (handler.parent, tmp_path / "layers", tmp_path / "functions" / "page" / "src"):
        folder.mkdir(parents=True, exist_ok=True)
    for file in (handler, tmp_path / "template.yaml", tmp_path / "samconfig.toml"):
        file.write_text("1")
    before = fingerprint(tmp_path)

    cache = handler.parent / "__pycache__"
    cache.mkdir()
    (cache / "app.pyc").write_text("2")
    (tmp_path / "functions" / "page" / "src" / "app.js").write_text("2")
    (tmp_path / "README.md").write_text("2")
    assert fingerprint(tmp_path) == before

    handler.write_text("2")
    assert fingerprint(tmp_path) != before
