"""Page titles of all error codes and outcomes of the API."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from flexchat.errors import ModelErrorType, RetrievalErrorCode
from flexchat.messages import AnswerOutcome
from functions.traces.failures import CHAT_ERRORS, MODEL_ERRORS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "functions" / "page" / "src"
CODE = re.compile(r"""\bcode\s*(?::\s*str\s*)?=\s*"([a-z_]+)\"""")
OTHER_CODES = {"invalid_reply", "not_configured"}
"""Error codes between functions, never in API responses."""
OPENAI_CODES = {"invalid_api_key", "invalid_tools", "missing_tool_result"}
"""Error codes of the OpenAI-compatible routes alone, with those of the package `openai_api`."""


def keys(path: Path, start: str) -> set[str]:
    """Keys of an object literal with one key per line, after the line `start`."""
    _, _, rest = path.read_text().partition(start)
    return set(re.findall(r"^  (\w+):", rest.partition("\n};")[0], re.MULTILINE))


def codes() -> Iterator[str]:
    """All error codes of the responses to the page."""
    yield from (f"model_{name}" for name in get_args(ModelErrorType))
    yield from (f"collection_{name}" for name in get_args(RetrievalErrorCode))
    for folder in (ROOT / "functions", ROOT / "layers"):
        for path in folder.rglob("*.py"):
            text = path.read_text()
            if "RequestError" in text and path.parent.name != "openai_api":
                yield from CODE.findall(text)
    yield from re.findall(r'\\?"error\\?": *\\?"([a-z_]+)', (ROOT / "template.yaml").read_text())


def test_every_error_code_has_a_title() -> None:
    titled = keys(PAGE / "components" / "problem-titles.js", "const CODES = {")
    untitled = set(get_args(RetrievalErrorCode)) | OTHER_CODES | OPENAI_CODES

    assert {"rate_limited", "session_busy", "unauthorized", "internal_error"} <= titled
    assert set(codes()) - titled - untitled == set()


def test_every_outcome_has_a_headline() -> None:
    assert keys(PAGE / "outcome.js", "export const OUTCOMES = {") == set(get_args(AnswerOutcome))


def test_titles_of_failures_in_traces_are_those_of_the_page() -> None:
    text = (PAGE / "components" / "problem-titles.js").read_text().partition("const CODES = {")[2].partition("\n};")[0]
    titles = dict(re.findall(r'^  (\w+): "([^"]+)",$', text, re.MULTILINE))
    explained = {**{f"model_{kind}": each for kind, each in MODEL_ERRORS.items()}, **CHAT_ERRORS}

    assert {code: each.title for code, each in explained.items()} == {code: titles[code] for code in explained}
