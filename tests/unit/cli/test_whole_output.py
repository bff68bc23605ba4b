"""Output of list commands in a pipe and on a narrow terminal: ids, names and addresses are whole."""

import io
from pathlib import Path

import httpx2
import pytest

from cli.console import Console, Table, Text
from tests.command_tree import PLAIN_LISTS, commands, lists, required_words
from tests.generated_responses import START, TEXTS, generated_response
from tests.unit.cli.command_runner import Flexchat

LONG = "a1b2c3d4-e5f6-7890-abcd-ef0123456789-and-an-address-https://models.example.com/v1/with/a/long/path"
RENDERERS = Path(__file__).parents[3] / "cli" / "render"


def table(rows: int = 1) -> Table:
    made = Table(box=None, pad_edge=False)
    for heading in ("ID", "NAME", "MODEL"):
        made.add_column(heading)
    for _ in range(rows):
        made.add_row(LONG, Text(LONG), LONG)
    return made


def test_a_pipe_gets_each_row_in_one_line_whatever_columns_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    output = io.StringIO()

    console = Console(file=output)
    console.print(table(3))
    console.print(f"see {LONG} " * 3)

    heading, *rows, sentence = output.getvalue().splitlines()
    assert heading.split() == ["ID", "NAME", "MODEL"]
    assert [row.count(LONG) for row in rows] == [3, 3, 3]
    assert sentence.count(LONG) == 3


def test_a_narrow_terminal_continues_a_long_word_and_cuts_none() -> None:
    output = io.StringIO()

    Console(file=output, width=80).print(table())

    lines = output.getvalue().splitlines()
    assert "…" not in output.getvalue()
    assert max(map(len, lines)) <= 80
    columns = (lines[0].index("NAME"), lines[0].index("MODEL"))
    assert "".join(line[: columns[0]].strip() for line in lines[1:]) == LONG
    assert "".join(line[columns[0] : columns[1]].strip() for line in lines[1:]) == LONG


@pytest.mark.parametrize("path", sorted(RENDERERS.glob("*.py")), ids=lambda path: path.name)
def test_every_table_of_a_command_is_one_that_cuts_nothing(path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    assert "rich.table" not in source
    assert 'overflow="ellipsis"' not in source


def test_lists_are_found_in_the_parser() -> None:
    assert lists(of_a_stage=False) >= {"models", "sessions list", "traces", "usage", "validate suites list"}
    assert commands().keys() >= PLAIN_LISTS


@pytest.mark.parametrize("path", sorted(lists(of_a_stage=False)))
def test_a_list_prints_every_text_of_a_service_whole_in_a_pipe(path: str, flexchat: Flexchat) -> None:
    """The commands come from the parser, and the responses from the OpenAPI document."""

    def handle(_transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        status, body = generated_response(request.method, request.url.path)
        return httpx2.Response(status, request=request, json=body)

    flexchat.monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", handle)

    code, printed, errors = flexchat.type(*path.split(), *required_words(path, TEXTS[0]), columns=80)

    assert (code, "…" in printed) == (0, False), errors
    assert TEXTS[0] in printed
    begun = printed.split(START)[1:]
    assert [text for text in begun if not text.startswith(tuple(whole.removeprefix(START) for whole in TEXTS))] == []
