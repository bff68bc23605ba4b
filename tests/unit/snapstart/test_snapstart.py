"""SnapStart hooks, run in a fresh process from the registry of the Lambda runtime."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, override

import pytest

from flexchat.tool_types import TOOL_TYPES
from tests.contract.tool_lambdas import sample_of

RUNTIME = """
import json, os, random, snapshot_restore_py as registry

def prepare():
    for hook, args, kwargs in reversed(registry.get_before_snapshot()):
        hook(*args, **kwargs)

def restored(observe):
    "What `observe` returns in an environment that was started from this process's state."
    end, start = os.pipe()
    if os.fork() == 0:
        random.seed(0)  # the state of the snapshot; a fork itself makes another
        for hook, args, kwargs in registry.get_after_restore():
            hook(*args, **kwargs)
        os.write(start, json.dumps(observe()).encode())
        os._exit(0)
    os.close(start)
    with os.fdopen(end) as found:
        return json.loads(found.read())
"""


def run(script: str) -> list[Any]:
    """The lines that a process writes, each of them JSON."""
    done = subprocess.run([sys.executable, "-c", RUNTIME + script], capture_output=True, text=True, check=True)  # noqa: S603
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_two_environments_of_one_snapshot_have_different_random_numbers() -> None:
    (drawn,) = run("""
import flexchat.snapstart
prepare()
print(json.dumps([restored(random.random), restored(random.random)]))
""")

    assert drawn[0] != drawn[1]


def test_an_error_of_a_preparation_hook_is_logged_and_the_deployment_continues() -> None:
    line, after = run("""
from flexchat.snapstart import before_snapshot

def broken():
    raise ValueError("quotes what it should not")

before_snapshot(broken)
prepare()
print(json.dumps("initialised"))
""")

    assert (line["level"], line["message"], line["error"]) == ("ERROR", "snapshot not prepared", "ValueError")
    assert "quotes" not in json.dumps(line)
    assert after == "initialised"


@pytest.mark.slow
def test_the_objects_of_a_snapshot_are_not_collected_again() -> None:
    _line, (before, objects, after) = run("""
import gc
from flexchat.snapstart import before_snapshot
before_snapshot(lambda: None)
before = gc.get_freeze_count()
prepare()
print(json.dumps([before, len(gc.get_objects()), gc.get_freeze_count()]))
""")

    assert before == 0
    assert after > 100 * objects


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "prepares", "renews"),
    [
        ("functions.authorizer.app", 1, 0),
        ("functions.chat.app", 1, 1),
        ("functions.configuration.app", 1, 0),
        ("functions.page.app", 1, 0),
        ("functions.traces.app", 1, 0),
        ("functions.validation.app", 1, 0),
        *((f"{row.package}.app", *sample_of(kind).hooks) for kind, row in TOOL_TYPES.items()),
    ],
)
def test_a_function_registers_its_hooks_and_runs_none_at_import(module: str, prepares: int, renews: int) -> None:
    (registered,) = run(f"""
import sys, {module}
seeds = "flexchat.snapstart" in sys.modules
print(json.dumps([len(registry.get_before_snapshot()), len(registry.get_after_restore()) - seeds]))
""")

    assert registered == [prepares, renews]  # without the seed of random numbers


@pytest.fixture
def credentials_server() -> Iterator[str]:
    """Address of the container credentials that Lambda gives to functions with SnapStart in place of keys."""
    answer = {"AccessKeyId": "k", "SecretAccessKey": "s", "Token": "t", "Expiration": "2099-01-01T00:00:00Z"}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        @override
        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/credentials"
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_the_snapshot_of_the_function_of_http_tools_has_its_clients_and_no_connection(
    credentials_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", credentials_server)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("FLEXCHAT_STAGE", "test")
    monkeypatch.setenv("FLEXCHAT_TOOL_STATE_TABLE", "tool-state")

    line, (made, connected, left) = run("""
import gc, socket, sys
import functions.tools.http.app as app
connected = []
sys.addaudithook(lambda event, values: connected.append(values[1][0]) if event == "socket.connect" else None)
prepare()
gc.unfreeze()
left = [str(each) for each in gc.get_objects() if isinstance(each, socket.socket) and each.fileno() >= 0]
print(json.dumps([sorted(vars(app.http_tool_function())), connected, left]))
""")

    assert line["message"] == "snapshot prepared"
    assert "tool" in made
    assert (connected, left) == (["127.0.0.1"], [])


@pytest.mark.slow
def test_the_snapshot_of_the_authorizer_has_its_client_and_no_connection(
    credentials_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", credentials_server)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("FLEXCHAT_AUDIT_TABLE", "audit")
    monkeypatch.setenv("FLEXCHAT_TOKENS_TABLE", "tokens")

    line, (made, connected, left) = run("""
import gc, socket, sys
import functions.authorizer.app as app
connected = []
sys.addaudithook(lambda event, values: connected.append(values[1][0]) if event == "socket.connect" else None)
prepare()
gc.unfreeze()
left = [str(each) for each in gc.get_objects() if isinstance(each, socket.socket) and each.fileno() >= 0]
print(json.dumps([app.token_store.cache_info().currsize, connected, left]))
""")

    assert line["message"] == "snapshot prepared"
    assert (made, connected, left) == (1, ["127.0.0.1"], [])


@pytest.mark.slow
def test_the_snapshot_of_the_function_of_mcp_tools_has_the_sdk_and_no_thread_process_or_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("FLEXCHAT_STAGE", "test")
    monkeypatch.setenv("FLEXCHAT_TOOL_STATE_TABLE", "tool-state")

    line, (before, after, started, threads) = run("""
import sys, threading
import functions.tools.mcp.app
before = "mcp" in sys.modules
started = []
watched = ("socket.connect", "subprocess.Popen", "os.posix_spawn", "os.fork")
sys.addaudithook(lambda event, _: started.append(event) if event in watched else None)
prepare()
print(json.dumps([before, "mcp" in sys.modules, started, len(threading.enumerate())]))
""")

    assert line["message"] == "snapshot prepared"
    assert (before, after, started, threads) == (False, True, [], 1)


def test_an_environment_without_snapshots_runs_no_hook() -> None:
    (found,) = run("""
import sys
sys.modules["snapshot_restore_py"] = None
from flexchat.snapstart import after_restore, before_snapshot
before_snapshot(exit)
after_restore(exit)
print(json.dumps([registry.get_before_snapshot(), registry.get_after_restore()]))
""")

    assert found == [[], []]


NO_PART_OF_A_CHAT = (
    "aws_lambda_powertools.event_handler.openapi.models",
    "aws_xray_sdk",
    "httpx2",
    "jsonschema",
    "openai",
    "flexchat.api.listings",
    "flexchat.api.sessions",
    "flexchat.api.trials",
    "flexchat.validation.cases",
    "flexchat.validation.grading",
    "flexchat.validation.views",
    "functions.chat.api.operations",
    "functions.chat.inspection.views",
    "functions.chat.mcp_server",
    "functions.chat.streaming",
    "functions.chat.trials.trial",
)
"""Libraries of providers and of JSON Schema, models of OpenAPI, and the modules of lists, views, tests, sessions and
the MCP server."""


@pytest.mark.slow
def test_the_chat_function_imports_only_what_a_chat_needs() -> None:
    (found,) = run(f"""
import sys
import functions.chat.app
print(json.dumps([name for name in {NO_PART_OF_A_CHAT} if name in sys.modules]))
""")

    assert found == []


@pytest.mark.slow
def test_a_prepared_chat_function_has_imported_the_modules_of_all_routes() -> None:
    warning, late = run("""
import importlib, os, pkgutil, sys
from botocore.exceptions import ClientError
from flexchat.aws.clients import AwsClients
from flexchat.settings import read_environment
from functions.chat.app import ChatFunction
from functions.chat.settings import ChatSettings

class Denied:
    def __getattr__(self, name):
        def call(*_, **__):
            raise ClientError({"Error": {"Code": "AccessDeniedException"}}, name)
        return call

names = ("stage", "chats_table", "idempotency_table", "signing_secret")
settings = read_environment(ChatSettings, {f"FLEXCHAT_{name.upper()}": "test" for name in names})
clients = AwsClients(ssm=Denied(), dynamodb=Denied(), secretsmanager=Denied(), lambdas=Denied())
ChatFunction(settings, clients).prepare()
before = set(sys.modules)
import flexchat.schema.keywords
import functions.chat
for module in pkgutil.walk_packages(functions.chat.__path__, "functions.chat."):
    # The loop of the streaming function, and the test of a new version before its traffic.
    if not module.name.startswith((
        "functions.chat.streaming.runtime", "functions.chat.api.smoke_test", "functions.chat.aws.lifecycle_hooks"
    )):
        importlib.import_module(module.name)
print(json.dumps(sorted(sys.modules.keys() - before)))
""")

    assert warning["message"] == "configuration not read before the snapshot"
    assert late == []


@pytest.mark.slow
def test_the_function_of_http_tools_imports_no_configuration_and_no_parser_that_only_some_tools_use() -> None:
    (found,) = run("""
import sys
import functions.tools.http.app
late = ("flexchat.config.catalog", "flexchat.config.parameters", "flexchat.html_text", "jsonpath", "selectolax")
print(json.dumps([name for name in late if name in sys.modules]))
""")

    assert found == []
