"""Models that are built for their first use."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread
from time import sleep
from typing import override

import pytest
from pydantic import GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema

from flexchat.deferred_model import DeferredModel, build_all_models, build_models

ROOT = Path(__file__).parents[3]
SOURCES = (ROOT / "functions", ROOT / "layers/common/src")


def test_a_model_is_built_for_its_first_use() -> None:
    class Part(DeferredModel):
        count: int = 0

    class Whole(DeferredModel):
        part: Part = Part.model_construct()

    assert not Whole.__pydantic_complete__

    assert Whole().model_dump() == {"part": {"count": 0}}
    assert Whole.__pydantic_complete__
    assert not Part.__pydantic_complete__  # built as a part of the whole


def test_the_first_use_rejects_bad_input() -> None:
    class Part(DeferredModel):
        count: int

    class Whole(DeferredModel):
        part: Part

    with pytest.raises(ValidationError, match=r"part\.count"):
        Whole.model_validate({"part": {"count": "many"}})


def test_threads_that_use_a_model_first_at_one_time_build_it_once() -> None:
    built: list[object] = []
    start = Barrier(2)

    class Slow(DeferredModel):
        number: int

        @override
        @classmethod
        def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
            built.append(source)
            sleep(0.05)  # the other thread arrives meanwhile
            return handler(source)

    results: list[Slow] = []

    def use() -> None:
        start.wait()
        results.append(Slow.model_validate({"number": 1}))

    threads = [Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)

    assert [result.number for result in results] == [1, 1]
    assert len(built) == 1


def test_models_are_built_at_once_by_name_or_all() -> None:
    class First(DeferredModel):
        number: int

    class Second(First):
        text: str

    build_models(First)
    assert First.__pydantic_complete__
    assert not Second.__pydantic_complete__

    build_all_models()
    assert Second.__pydantic_complete__


def test_every_model_of_deployed_code_is_built_for_its_first_use() -> None:
    classes = [
        node
        for folder in SOURCES
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]

    assert len(classes) > 700
    assert [node.name for node in classes if "BaseModel" in map(ast.unparse, node.bases)] == ["DeferredModel"]


def test_the_chat_function_builds_at_its_start_what_a_chat_uses_and_nothing_else() -> None:
    script = """
import functions.chat.app as app, json
from flexchat.deferred_model import DeferredModel, _subclasses
print(json.dumps(sorted(model.__name__ for model in _subclasses(DeferredModel) if model.__pydantic_complete__)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603

    assert json.loads(done.stdout) == [
        "ChatRequest",
        "ChatResponse",
        "Configuration",
        "Manifest",
        "StepView",
        "ToolCallView",
        "ToolFault",
        "ToolReply",
        "UsageView",
    ]
