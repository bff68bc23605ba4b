"""Messages of `docs/troubleshooting.md`, compared with the code that writes them."""

import re

import pytest

from tests.documents import ROOT, code_spans

PAGE = ROOT / "docs" / "troubleshooting.md"
SOURCES = (
    "template.yaml",
    "scripts/bootstrap.py",
    "cli/**/*.py",
    "dev/**/*.py",
    "functions/chat/**/*.py",
    "functions/tools/http/**/*.py",
    "layers/**/src/**/*.py",
)

FOREIGN = (
    "flexchat: command not found",
    "Unable to locate credentials",
    "Binary validation failed for python",
    "CloudWatch Logs role ARN must be set in account settings",
    "A version for this Lambda function exists (…)",
    "You must wait 60 seconds after deleting a queue",
)
"""Messages of the shell, AWS and SAM."""

_CONTINUED = re.compile(r"\"\n\s*f?\"")
_VARYING = re.compile(
    r"…|\(…\)|3\.13|\b(?:sam|ministack|FILE|OPENAI_API_KEY|failed|cannot be used|bootstrap|this token is)\b:?|`"
)
"""Variable parts of a message, and parts that are separate strings in the code."""


def written() -> str:
    texts = [path.read_text(encoding="utf-8") for pattern in SOURCES for path in sorted(ROOT.glob(pattern))]
    return _CONTINUED.sub("", "\n".join(texts))


def messages() -> list[str]:
    """Return inline code that is a sentence rather than a command, a key or a path."""
    spans = {re.sub(r"^\d{3} ", "", span) for span in code_spans(PAGE)}
    return sorted(
        span
        for span in spans
        if span.count(" ") >= 3 and not span.startswith(("aws ", "flexchat ", "make ", "sam ", "{"))
    )


@pytest.fixture(scope="module")
def sources() -> str:
    return written()


@pytest.mark.parametrize("message", [message for message in messages() if message not in FOREIGN])
def test_every_message_is_in_the_code(sources: str, message: str) -> None:
    fragments = [part.strip(" .;()") for part in _VARYING.split(message)]

    assert [part for part in fragments if len(part) > 3 and part not in sources] == []


def test_the_page_has_messages() -> None:
    assert len(messages()) >= 15
