"""pydantic-ai, with Chat Completions."""

from cases import MODEL, QUESTION, STOCK_QUESTION, get_stock, run
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel

calls = []


def agent(name=MODEL):
    return Agent(OpenAIChatModel(name))


def chat():
    result = agent().run_sync(QUESTION)
    return {"text": result.output, "tokens": result.usage.total_tokens}


async def stream():
    async with agent().run_stream(QUESTION) as result:
        pieces = [piece async for piece in result.stream_text(delta=True, debounce_by=None)]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def client_tool():
    asked = agent()

    @asked.tool_plain(name="get_stock")
    def stock(item: str) -> str:
        """Get the stock."""
        calls.append("get_stock")
        return get_stock(item)

    return {"text": asked.run_sync(STOCK_QUESTION).output, "calls": calls}


class Sum(BaseModel):
    total: float
    text: str


def structured():
    """Return the output in the default mode, a call of a tool."""
    output = Agent(OpenAIChatModel(MODEL), output_type=Sum).run_sync(QUESTION).output
    return {"total": output.total, "text": output.text}


def structured_native():
    output = Agent(OpenAIChatModel(MODEL), output_type=NativeOutput(Sum)).run_sync(QUESTION).output
    return {"total": output.total, "text": output.text}


def wrong_model():
    return agent("absent").run_sync(QUESTION).output


run(
    chat=chat,
    stream=stream,
    client_tool=client_tool,
    structured=structured,
    structured_native=structured_native,
    wrong_model=wrong_model,
    wrong_key=chat,
)
