"""OpenAI clients of other projects, unchanged but for address and key, in chats with the local stack."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from cli.deployment.toolchain import ensure_tool
from cli.layout import Layout
from cli.local_stack import StackState
from cli.processes import Processes
from tests.e2e import npm

HERE: Final = Path(__file__).parent
PROGRAMS: Final = HERE / "programs"
PACKAGES: Final = HERE / "packages"

PYTHON_CLIENTS: Final = (
    "openai_python",
    "langchain_client",
    "litellm_client",
    "pydantic_ai_client",
    "openai_agents_client",
    "llm_client",
)
NODE_CLIENTS: Final = ("openai_node", "ai_sdk")
CLIENTS: Final = (*PYTHON_CLIENTS, *NODE_CLIENTS)

PYTHON_FORMS: Final = ("instructor_client", "llama_index_client")
"""Clients whose purpose are structured answers."""

STRUCTURED: Final = (
    ("langchain_client", "structured"),
    ("pydantic_ai_client", "structured"),
    ("pydantic_ai_client", "structured_native"),
    ("openai_agents_client", "structured"),
    ("openai_agents_client", "structured_responses"),
    ("ai_sdk", "structured"),
    ("ai_sdk_responses", "structured"),
    ("instructor_client", "structured_json"),
    ("instructor_client", "structured_native"),
    ("llama_index_client", "structured"),
    ("llama_index_client", "structured_native"),
)
"""Clients with the cases of structured answers: in their default mode, and by a schema of the answer."""

PYTHON_TEAMS: Final = ("autogen_client", "langgraph_client")
NODE_TEAMS: Final = ("ai_sdk_responses",)
CONVERSATIONS: Final = (*PYTHON_TEAMS, *NODE_TEAMS)
"""Clients whose conversations have forms of their own: selectors, hand-offs, references to stored items."""

ANSWER: Final = "(demo model) 15% of 45 is 6.75."
STOCK_ANSWER: Final = "(demo model) get_stock says: 12 of lamp."

CASES: Final = ("chat", "stream", "client_tool", "wrong_model")
"""Cases of the usual clients."""

PICTURES: Final = (
    ("openai_python", "picture"),
    ("openai_python", "response_picture"),
    ("openai_node", "picture"),
    ("langchain_client", "picture"),
    ("ai_sdk", "picture"),
)
"""Clients and cases with a picture."""

RESPONSES_CLIENTS: Final = ("openai_python", "openai_node", "openai_agents_client")
"""Clients with the Responses API."""

OWN_CASES: Final = {
    "openai_python": (
        "stream_client_tool",
        "models",
        "embeddings",
        "responses",
        "stream_responses",
        "picture",
        "response_picture",
    ),
    "langchain_client": ("picture",),
    "openai_node": ("responses", "stream_responses", "picture"),
    "ai_sdk": ("picture",),
    "openai_agents_client": ("responses", "stream_responses", "responses_client_tool"),
    "instructor_client": ("structured",),
    "autogen_client": ("selector",),
    "langgraph_client": ("handoff",),
    "ai_sdk_responses": ("three_turns",),
}

type RunCases = Callable[..., dict[str, dict[str, Any]]]
"""Runs cases of a client's program; keyword arguments are environment variables."""
type ResultOf = Callable[[str, str], dict[str, Any]]
"""Returns the result of a case of a client."""


@pytest.fixture(scope="module")
def commands(layout: Layout, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Command of each client's program; the packages of the locks are installed."""
    environment = ensure_tool(
        PACKAGES / "clients.txt", layout=layout, processes=Processes(layout.tools / "processes.json")
    )
    modules = npm.install(PACKAGES, "openai-clients")
    scripts = tmp_path_factory.mktemp("programs")
    (scripts / "node_modules").symlink_to(modules)
    for source in PROGRAMS.glob("*.mjs"):
        (scripts / source.name).write_bytes(source.read_bytes())
    python = {
        name: [str(environment / "python"), str(PROGRAMS / f"{name}.py")]
        for name in (*PYTHON_CLIENTS, *PYTHON_FORMS, *PYTHON_TEAMS)
    }
    return python | {name: [npm.NODE, str(scripts / f"{name}.mjs")] for name in (*NODE_CLIENTS, *NODE_TEAMS)}


@pytest.fixture(scope="module")
def run(commands: dict[str, list[str]], stack: StackState, tmp_path_factory: pytest.TempPathFactory) -> RunCases:
    home = tmp_path_factory.mktemp("home")

    def cases(client: str, *names: str, **environment: str) -> dict[str, dict[str, Any]]:
        done = subprocess.run(  # noqa: S603
            [*commands[client], *names],
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(home),
                "LLM_USER_PATH": str(home / "llm"),
                "LITELLM_LOCAL_MODEL_COST_MAP": "True",
                "OPENAI_BASE_URL": f"{stack.url}/v1",
                "OPENAI_API_KEY": stack.token,
                **environment,
            },
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return cases


@pytest.fixture(scope="module")
def result_of(run: RunCases) -> ResultOf:
    """Run all cases of a client in one process when the first is needed."""
    results: dict[str, dict[str, dict[str, Any]]] = {}

    def result(client: str, case: str) -> dict[str, Any]:
        if client not in results:
            common = CASES if client in CLIENTS else ("chat", "wrong_model")
            forms = [name for each, name in STRUCTURED if each == client]
            results[client] = run(client, *common, *OWN_CASES.get(client, ()), *forms)
        return results[client][case]

    return result


@pytest.mark.parametrize("client", [*CLIENTS, *CONVERSATIONS])
def test_a_chat_is_answered_with_a_tool_of_the_service(result_of: ResultOf, client: str) -> None:
    answer = result_of(client, "chat")

    assert answer["text"] == ANSWER
    assert answer.get("finish", "stop") == "stop"
    assert answer["tokens"] > 0


@pytest.mark.parametrize("client", CLIENTS)
def test_a_streamed_chat_has_the_same_text_in_pieces(result_of: ResultOf, client: str) -> None:
    answer = result_of(client, "stream")

    assert answer["text"].strip() == ANSWER
    assert answer["pieces"] > 1


@pytest.mark.parametrize("client", CLIENTS)
def test_a_tool_of_the_client_is_called_by_the_client_and_its_result_used(result_of: ResultOf, client: str) -> None:
    answer = result_of(client, "client_tool")

    assert answer["calls"] == ["get_stock"]
    assert answer["text"] == STOCK_ANSWER


def test_a_call_of_a_tool_of_the_client_can_be_streamed(result_of: ResultOf) -> None:
    assert result_of("openai_python", "stream_client_tool") == {"calls": ["get_stock"], "finish": "tool_calls"}


@pytest.mark.parametrize("client", [*CLIENTS, *PYTHON_FORMS, *CONVERSATIONS])
def test_an_unknown_model_is_an_error_that_lists_the_models(result_of: ResultOf, client: str) -> None:
    answer = result_of(client, "wrong_model")

    assert "error" in answer
    assert "flexchat" in answer["message"]


@pytest.mark.parametrize("client", [*CLIENTS, *PYTHON_FORMS, *CONVERSATIONS])
def test_a_wrong_key_is_an_error_of_authentication(run: RunCases, client: str) -> None:
    answer = run(client, "wrong_key", OPENAI_API_KEY="fc_wrong")["wrong_key"]

    assert "error" in answer
    assert answer["status"] in (401, None)
    assert "token" in answer["message"]


@pytest.mark.parametrize(("client", "case"), STRUCTURED)
def test_an_answer_is_parsed_by_the_schema_of_the_client(result_of: ResultOf, client: str, case: str) -> None:
    answer = result_of(client, case)

    assert "error" not in answer, answer
    assert (answer["total"], "6.75" in answer["text"]) == (6.75, True)


def test_a_named_tool_is_called_by_the_schema_of_the_client(result_of: ResultOf) -> None:
    """The only tool that the model may call is that of the client, so that nothing is calculated."""
    answer = result_of("instructor_client", "structured")

    assert (answer["total"], bool(answer["text"])) == (1.0, True)


@pytest.mark.parametrize(("client", "case"), PICTURES)
def test_a_picture_of_a_client_reaches_the_model(result_of: ResultOf, client: str, case: str) -> None:
    assert "I see a PNG picture of 2 by 1 pixels." in result_of(client, case)["text"]


def test_models_are_listed(result_of: ResultOf) -> None:
    assert "flexchat" in result_of("openai_python", "models")["models"]


def test_texts_have_embeddings(result_of: ResultOf) -> None:
    answer = result_of("openai_python", "embeddings")

    assert answer["lengths"][0] == answer["lengths"][1] > 0
    assert answer["tokens"] > 0


@pytest.mark.parametrize("client", RESPONSES_CLIENTS)
def test_a_response_has_the_answer(result_of: ResultOf, client: str) -> None:
    answer = result_of(client, "responses")

    assert (answer["text"], answer.get("next", ANSWER)) == (ANSWER, ANSWER)
    assert answer["tokens"] > 0


@pytest.mark.parametrize("client", RESPONSES_CLIENTS)
def test_a_streamed_response_has_the_same_text_in_pieces(result_of: ResultOf, client: str) -> None:
    answer = result_of(client, "stream_responses")

    assert (answer["text"], answer["joined"].strip()) == (ANSWER, ANSWER)
    assert answer["pieces"] > 1


def test_a_tool_of_the_client_is_called_with_responses(result_of: ResultOf) -> None:
    answer = result_of("openai_agents_client", "responses_client_tool")

    assert answer == {"text": STOCK_ANSWER, "calls": ["get_stock"]}


def test_a_selector_of_system_messages_alone_names_the_next_speaker(result_of: ResultOf) -> None:
    assert result_of("autogen_client", "selector")["sources"][:2] == ["user", "keeper"]


def test_a_conversation_is_handed_off_to_another_agent(result_of: ResultOf) -> None:
    answer = result_of("langgraph_client", "handoff")

    assert answer["calls"] == ["transfer_to_keeper"]
    assert answer["authors"] == ["desk", "keeper"]
    assert "Transferred to the keeper" in answer["text"]


def test_three_turns_with_references_to_stored_items(result_of: ResultOf) -> None:
    texts = result_of("ai_sdk_responses", "three_turns")["texts"]

    assert [text.strip() for text in texts] == [ANSWER, STOCK_ANSWER, "(demo model) 10% of 90 is 9."]
