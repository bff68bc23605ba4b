"""The `llm` command's library, with a model of `extra-openai-models.yaml` in LLM_USER_PATH."""

import os
from pathlib import Path

import llm
from cases import KEY, MODEL, QUESTION, STOCK_QUESTION, URL, get_stock, run

folder = Path(os.environ["LLM_USER_PATH"])
folder.mkdir(parents=True, exist_ok=True)
models = "".join(
    f"- model_id: {name}\n  model_name: {name}\n  api_base: {URL}\n  api_key_name: flexchat\n  supports_tools: true\n"
    for name in (MODEL, "absent")
)
(folder / "extra-openai-models.yaml").write_text(models)
calls = []


def ask(prompt, name=MODEL, **options):
    return llm.get_model(name).prompt(prompt, key=KEY, **options)


def chat():
    answer = ask(QUESTION, stream=False)
    return {"text": answer.text(), "tokens": answer.usage().input + answer.usage().output}


def stream():
    pieces = list(ask(QUESTION, stream=True))
    return {"text": "".join(pieces), "pieces": len([piece for piece in pieces if piece])}


def client_tool():
    def stock(item: str) -> str:
        """Get the stock."""
        calls.append("get_stock")
        return get_stock(item)

    tool = llm.Tool.function(stock, name="get_stock")
    text = llm.get_model(MODEL).chain(STOCK_QUESTION, tools=[tool], key=KEY, stream=False).text()
    return {"text": text, "calls": calls}


def wrong_model():
    return ask(QUESTION, "absent", stream=False).text()


run(chat=chat, stream=stream, client_tool=client_tool, wrong_model=wrong_model, wrong_key=chat)
