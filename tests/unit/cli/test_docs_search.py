"""Search in the documentation of the checkout."""

import json
from functools import cache
from pathlib import Path

import pytest

from cli.docs_search import LANGUAGE, Found, Section, anchor, search, sections_of
from cli.layout import Layout
from cli.main import main
from functions.retrieval.index.analysis import Analyzer

ROOT = Layout.here().root
SECTIONS = sections_of(ROOT)
ANALYZER = Analyzer()


@cache
def terms(text: str) -> list[str]:
    return ANALYZER.terms(text, LANGUAGE)


def found(question: str, sections: tuple[Section, ...] = SECTIONS, *, count: int = 3) -> tuple[Found, ...]:
    return search(sections, question, terms, count=count)


@pytest.mark.parametrize(
    ("question", "address"),
    [
        ("What does a chat cost?", "docs/traces.md#costs"),
        ("Where are the logs?", "docs/operations.md#logs"),
        ("How do I use a local MCP server?", "docs/mcp-servers.md#add-a-server-as-a-process"),
        ("How do I change the prompt?", "docs/configuration.md#change-the-prompt"),
        ("back to the demo model", "docs/quickstart.md#back-to-the-demo-model"),
        ("Does it support SSO?", "docs/sign-in.md"),
        ("usage of a token", "docs/traces.md#usage"),
        ("Which model should I use?", "docs/validation.md#read-the-results"),
        ("Why did a chat fail?", "docs/troubleshooting.md#start-from-a-request-id"),
        ("How do I add a tool?", "docs/adding-a-tool.md"),
        ("How can I search my own documents?", "docs/retrieval.md#create-a-collection"),
        ("use ollama on my laptop", "docs/quickstart.md#with-ollama"),
        ("connect Open WebUI", "docs/openai-clients.md"),
        ("revoke a token", "docs/security.md#who-may-call"),
        ("deploy to AWS", "README.md#deploy-to-aws"),
        ("delete the data of the local stack", "docs/demo-model.md#data-of-the-local-stack"),
    ],
)
def test_the_right_page_is_first(question: str, address: str) -> None:
    assert found(question)[0].section.address.partition("#")[0] == address.partition("#")[0]
    assert address in [each.section.address for each in found(question)]


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("how much does one chat cost", "docs/traces.md"),
        ("what does it cost per month on AWS", "docs/costs.md"),
        ("where are the logs", "docs/operations.md"),
        ("how do I run a local MCP server", "docs/mcp-servers.md"),
        ("how do I change the system prompt", "docs/configuration.md"),
        ("switch back to the demo model", "docs/quickstart.md"),
        ("log in with our company SSO", "docs/sign-in.md"),
        ("how many tokens did a user use", "docs/traces.md"),
        ("use my own OpenAI key", "docs/quickstart.md"),
        ("connect Ollama", "docs/quickstart.md"),
        ("add my own tool", "docs/adding-a-tool.md"),
        ("call a REST API as a tool", "docs/http-tools.md"),
        ("upload a PDF to search", "docs/collections.md"),
        ("why does search find nothing", "docs/troubleshooting.md"),
        ("revoke a token", "docs/security.md"),
        ("limit requests per user", "docs/limits.md"),
        ("where do I store an API key secret", "docs/publishing.md"),
        ("connect Open WebUI", "docs/openai-clients.md"),
        ("use the tools in Claude", "docs/mcp-server.md"),
        ("roll back a bad deploy", "docs/releases.md"),
        ("deploy to production", "docs/deployment.md"),
        ("share a conversation with a link", "docs/sessions.md"),
        ("stream the answer", "docs/streaming.md"),
        ("how do I get JSON answers", "docs/structured-answers.md"),
        ("which model is best at calling tools", "docs/validation.md"),
        ("why did my chat fail", "docs/troubleshooting.md"),
        ("delete local data", "docs/demo-model.md"),
        ("keep the conversation history", "docs/sessions.md"),
        ("send a picture to the model", "docs/pictures-and-files.md"),
        ("choose the model for one message", "docs/pipeline.md"),
    ],
)
def test_the_right_page_is_among_the_first_three_for_a_newcomer(question: str, page: str) -> None:
    assert page in [each.section.page for each in found(question)]


def test_every_task_of_the_index_belongs_to_a_section() -> None:
    tasks = [task for section in SECTIONS for task in section.tasks]

    index = (ROOT / "docs" / "README.md").read_text().partition("## Find by task")[2].partition("\n## ")[0]
    rows = [line for line in index.splitlines() if line.startswith("| ") and "](" in line]
    assert {row.split("|")[1].strip() for row in rows} == set(tasks)


def test_a_heading_counts_more_than_text_and_a_page_without_the_words_is_left_out() -> None:
    sections = (
        Section("docs/a.md", ("A",), "logs " * 3 + "of other things"),
        Section("docs/b.md", ("B", "Logs"), "where they are"),
        Section("docs/c.md", ("C",), "nothing"),
    )

    assert [each.section.page for each in found("logs", sections)] == ["docs/b.md", "docs/a.md"]
    assert found("unrelated", sections) == ()


def test_a_comment_in_a_block_of_code_is_no_heading(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Title\n\n```sh\n# a comment\nmake up\n```\n\n## Next\n\ntext\n")

    assert [(section.address, section.text) for section in sections_of(tmp_path)] == [
        ("README.md", "```sh\n# a comment\nmake up\n```"),
        ("README.md#next", "text"),
    ]


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ('The answer begins with "(demo model)"', "the-answer-begins-with-demo-model"),
        ("`flexchat: command not found`", "flexchat-command-not-found"),
        ("`llms.<name>`", "llmsname"),
    ],
)
def test_anchors_are_those_of_github(heading: str, expected: str) -> None:
    assert anchor(heading) == expected


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Return the exit code of `flexchat docs`."""
    monkeypatch.setattr("sys.argv", ["flexchat", "docs", *words])
    with pytest.raises(SystemExit) as raised:
        main()
    return int(raised.value.code or 0)


def test_the_command_prints_pages_with_their_headings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "how", "do", "I", "change", "the", "prompt?") == 0

    first, headings, *text = capsys.readouterr().out.splitlines()
    assert (first, headings) == ("docs/configuration.md#change-the-prompt", "Configuration > Change the prompt")
    assert text[0].startswith("  The prompt of an answer is")


def test_the_command_prints_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(monkeypatch, "--json", "-n", "1", "local MCP server") == 0

    (passage,) = json.loads(capsys.readouterr().out)
    assert passage["page"] == "docs/mcp-servers.md#add-a-server-as-a-process"


def test_a_question_without_a_known_word_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "xyzzyq") == 1

    assert "no page has a word of 'xyzzyq'; docs/README.md lists all pages by task" in capsys.readouterr().err
