"""Garbage collection during the start of a function."""

import ast
import json
import subprocess
import sys
from pathlib import Path

from tests.template.transform import authored

ROOT = Path(__file__).parents[3]


def test_nothing_is_collected_until_the_modules_are_imported() -> None:
    script = """
import gc, json
from flexchat.startup import modules_imported
paused = gc.isenabled()
modules_imported()
print(json.dumps([paused, gc.isenabled(), gc.get_freeze_count() > 1000]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603

    assert json.loads(done.stdout) == [False, True, True]


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
