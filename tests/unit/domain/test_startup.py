"""Garbage collection and deferred modules during the start of a function."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flexchat.startup import DEFERRED
from tests.template.transform import authored

ROOT = Path(__file__).parents[3]


def run(script: str, *arguments: str) -> Any:
    """Return the JSON that a script prints in a process of its own."""
    command = [sys.executable, "-c", script, *arguments]
    environment = os.environ | {"PYDANTIC_DISABLE_PLUGINS": "__all__"}  # as in template.yaml
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
    return json.loads(done.stdout)


def test_nothing_is_collected_until_the_modules_are_imported() -> None:
    script = """
import gc, json
from flexchat.startup import modules_imported
paused = gc.isenabled()
modules_imported()
print(json.dumps([paused, gc.isenabled(), gc.get_freeze_count() > 1000]))
"""
    assert run(script) == [False, True, True]


def test_every_handler_turns_collection_off_first_and_on_last() -> None:
    resources = authored()["Resources"].values()
    handlers = {
        resource["Properties"]["Handler"].rpartition(".")[0]
        for resource in resources
        if resource["Type"] == "AWS::Serverless::Function"
    }
    bodies = {name: ast.parse((ROOT / (name.replace(".", "/") + ".py")).read_text("utf-8")).body for name in handlers}

    assert len(bodies) > 8
    for name, body in bodies.items():
        assert ast.unparse(body[1]) == "from flexchat.startup import modules_imported", name
        assert ast.unparse(body[-1]) == "modules_imported()", name


def test_the_chat_function_imports_without_the_deferred_modules() -> None:
    script = """
import functions.chat.app, json, sys
from flexchat.startup import DEFERRED, DeferredModule
print(json.dumps([name for name in DEFERRED if not isinstance(sys.modules[name], DeferredModule)]))
"""
    assert run(script) == []


@pytest.mark.parametrize("name", DEFERRED)
def test_a_deferred_module_is_imported_when_it_is_used(name: str) -> None:
    script = """
import importlib, json, sys
import flexchat.startup
name = sys.argv[1]
deferred = importlib.import_module(name)
before = type(deferred).__name__
file = deferred.__file__
print(json.dumps([before, type(sys.modules[name]).__name__, file == sys.modules[name].__file__]))
"""
    assert run(script, name) == ["DeferredModule", "module", True]


def test_threads_that_use_a_deferred_module_at_once_get_the_same_one() -> None:
    script = """
import json, sys
sys.setswitchinterval(1e-6)
import flexchat.startup, asyncio
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    found = set(pool.map(lambda _: id(asyncio.Future), range(64)))
print(json.dumps([len(found), sys.modules["asyncio"] is not asyncio]))
"""
    assert run(script) == [1, True]


def test_a_submodule_of_a_deferred_package_is_imported_with_it() -> None:
    assert run("import flexchat.startup, asyncio.events, json; print(json.dumps(asyncio.events.__name__))") == (
        "asyncio.events"
    )


def test_modules_that_are_imported_already_are_not_deferred() -> None:
    assert run("import gzip, json, sys, flexchat.startup; print(json.dumps(sys.modules['gzip'] is gzip))") is True


def test_a_snapshot_has_the_deferred_modules() -> None:
    script = """
import json, sys
from flexchat.startup import DEFERRED, DeferredModule, import_deferred
import_deferred()
print(json.dumps([name for name in DEFERRED if isinstance(sys.modules[name], DeferredModule)]))
"""
    assert run(script) == []
