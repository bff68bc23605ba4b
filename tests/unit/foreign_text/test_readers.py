"""Run time of every function that reads untrusted text."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import pytest

from flexchat.errors import FlexchatError
from flexchat.json import safe_loads
from flexchat.messages import Message, Text
from flexchat.redaction import is_secret_name, redact, redact_error_message, redact_text
from flexchat.retry import retry_after_seconds
from functions.chat.api.chat import wants_async
from functions.chat.phases.topic import conversation_context, read_topic
from functions.chat.providers.anthropic import messages as anthropic_wire
from functions.chat.providers.bedrock import messages as bedrock_wire
from functions.chat.providers.bedrock.aws.converse import ConverseError
from functions.chat.providers.gemini import messages as gemini_wire
from functions.chat.providers.ollama import messages as ollama_wire
from functions.chat.providers.openai import client as openai_wire
from functions.chat.providers.tool_calls import parse_text_calls
from functions.retrieval.index.analysis import words
from functions.retrieval.ingest.chunker import Chunking, chunks
from functions.retrieval.ingest.documents import SourceFile
from functions.retrieval.ingest.html import load_html
from functions.retrieval.ingest.markdown import load_markdown
from functions.retrieval.ingest.records import FieldSchema, load_jsonl
from functions.tools.builtin.string import string
from tests.unit.foreign_text.attacks import Attack
from tests.unit.foreign_text.growth import grows_linearly

ERRORS: Final = tuple(
    Attack(unit)
    for unit in ("input ", "max context ", "token count ", "temperature.", "sk-", "a@", "token=", "a**", " ")
)
"""Error messages that are hard on the patterns that tell errors apart, and on redaction."""


def json_body(message: str) -> bytes:
    return json.dumps(
        {"error": {"type": "invalid_request_error", "status": "INVALID_ARGUMENT", "message": message}}
    ).encode()


def document(text: str, name: str = "a.md") -> SourceFile:
    return SourceFile(name, text.encode())


def bedrock_error(message: str) -> object:
    error = ConverseError("ValidationException", message, status=400)
    return bedrock_wire.model_error(error, 1.0, provider="main", secrets=("my-secret-key",))


def refused(read: Callable[[str], object]) -> Callable[[str], object]:
    """Return a reader that accepts a rejection by `read` as a result."""

    def run(text: str) -> None:
        with suppress(FlexchatError):
            read(text)

    return run


READERS: Final[Mapping[str, tuple[Callable[[str], object], tuple[Attack, ...]]]] = {
    "a provider's error message": (
        lambda text: redact_error_message(text, secrets=("my-secret-key", "a" * 40)),
        (*ERRORS, Attack("my-secret-ke"), Attack("a"), Attack("a" * 39 + " ")),
    ),
    "a log line's text": (
        lambda text: redact_text(text, max_text=len(text)),
        (*ERRORS, Attack("eyJ"), Attack("://a:")),
    ),
    "a log line's fact": (lambda text: redact([text] * 50), ERRORS),
    "a name in arguments": (is_secret_name, (Attack("Aa"), Attack("A"), Attack("_key"))),
    "OpenAI's error": (lambda text: openai_wire.read_error(400, safe_loads(json_body(text))), ERRORS),
    "Anthropic's error": (lambda text: anthropic_wire.parse_error(400, json_body(text)), ERRORS),
    "Gemini's error": (lambda text: gemini_wire.parse_error(400, json_body(text)), ERRORS),
    "Ollama's error": (lambda text: ollama_wire.parse_error(400, json_body(text)), ERRORS),
    "Bedrock's error": (bedrock_error, ERRORS),
    "a Retry-After header": (
        retry_after_seconds,
        tuple(Attack(unit) for unit in ("1", " ", ",", "(", "a ", "1:", "+")),
    ),
    "a Prefer header": (
        lambda text: wants_async({"headers": {"Prefer": text}}),
        tuple(Attack(unit) for unit in ('"', ",", 'a="\\', "; ", '",')),
    ),
    "JSON": (refused(safe_loads), tuple(Attack(unit) for unit in ("[", "[]", '"', '{"a":', "1", "\\ud800", " "))),
    "calls written as text": (
        lambda text: parse_text_calls(text, {"t"}),
        tuple(Attack(unit) for unit in ("<tool_call>", "<tool_call>{}</tool_call>", "```", "\n", "[", "```json\n")),
    ),
    "a topic answer": (
        read_topic,
        tuple(Attack(unit) for unit in ("\n", "{", ",topic", "topic:\n", '"', "- ", "new topic ", "contin")),
    ),
    "a conversation": (
        lambda text: conversation_context([Message("assistant", (Text(text),))]),
        tuple(Attack(unit) for unit in (".", " ", "a")),
    ),
    "a Markdown file": (
        refused(lambda text: load_markdown(document(text))),
        (
            *(Attack(unit) for unit in ("# ", "#", "a\n---\n", "# a\n", "---\n", "# a\n## b\n", "`", "~~~\n")),
            *(Attack(unit, before="# ") for unit in ("[", "[](", " #", "*", "[a](b)", "![")),
            Attack(" ", before="# a", after="x"),
        ),
    ),
    "an HTML file": (
        refused(lambda text: load_html(document(text, "a.html"))),
        tuple(
            Attack(unit)
            for unit in ("<", "<p>", "<h1><div>", "<h1>a</h1>", "<b style='display'>", "&", "<table>", "a ")
        ),
    ),
    "a JSONL file": (
        lambda text: list(load_jsonl(document(text, "a.jsonl"), FieldSchema())),
        tuple(Attack(unit) for unit in ("\r", "\n", "{}\n", "[")),
    ),
    "a text to cut into passages": (
        lambda text: list(chunks(text, Chunking(size=200, overlap=60))),
        tuple(Attack(unit) for unit in ("\n", ". ", "a", "\u0301", "a\u0301", "。", " ", "\n \n", "🇫")),
    ),
    "a text to search": (words, tuple(Attack(unit) for unit in ("\u0301\u0316", "漢", "a", "_", "ﷺ"))),
    **{
        f"the string tool's {operation}": (
            lambda text, operation=operation: string({"operation": operation, "text": text}),
            tuple(Attack(unit) for unit in ("\u0301\u0316", "\u200d", "🇫", "a'", "\r\n", "ﷺ")),
        )
        for operation in ("length", "reverse", "slug", "title", "upper")
    },
}
"""Readers of foreign text, with texts that are hard on them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_reader_of_untrusted_text_takes_linear_time(name: str):
    read, attacks = READERS[name]

    assert [attack for attack in attacks if not grows_linearly(read, attack.text)] == []
