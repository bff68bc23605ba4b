"""openai-agents, with Chat Completions, and with Responses, its default."""

import openai
from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from cases import MODEL, QUESTION, STOCK_QUESTION, get_stock, run
from pydantic import BaseModel

set_tracing_disabled(disabled=True)


def agent(name=MODEL, tools=(), model=OpenAIChatCompletionsModel):
    client = openai.AsyncOpenAI(max_retries=0)
    return Agent(name="client", model=model(name, client), tools=list(tools))


async def chat():
    result = await Runner.run(agent(), QUESTION)
    return {"text": result.final_output, "tokens": result.context_wrapper.usage.total_tokens}


async def responses():
    result = await Runner.run(agent(model=OpenAIResponsesModel), QUESTION)
    return {"text": result.final_output, "tokens": result.context_wrapper.usage.total_tokens}


async def stream():
    return await streamed(agent())


async def stream_responses():
    return await streamed(agent(model=OpenAIResponsesModel))


async def streamed(client):
    result = Runner.run_streamed(client, QUESTION)
    pieces = [
        event.data.delta
        async for event in result.stream_events()
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
    ]
    return {"text": result.final_output, "pieces": len(pieces), "joined": "".join(pieces)}


async def client_tool():
    return await with_tool(OpenAIChatCompletionsModel)


async def responses_client_tool():
    return await with_tool(OpenAIResponsesModel)


async def with_tool(model):
    calls = []

    @function_tool(name_override="get_stock")
    def stock(item: str) -> str:
        """Get the stock."""
        calls.append("get_stock")
        return get_stock(item)

    result = await Runner.run(agent(tools=[stock], model=model), STOCK_QUESTION)
    return {"text": result.final_output, "calls": calls}


class Sum(BaseModel):
    total: float
    text: str


async def structured():
    return await with_output(OpenAIChatCompletionsModel)


async def structured_responses():
    return await with_output(OpenAIResponsesModel)


async def with_output(model):
    typed = agent(model=model).clone(output_type=Sum)
    output = (await Runner.run(typed, QUESTION)).final_output
    return {"total": output.total, "text": output.text}


async def wrong_model():
    return (await Runner.run(agent("absent"), QUESTION)).final_output


run(
    chat=chat,
    stream=stream,
    client_tool=client_tool,
    responses=responses,
    stream_responses=stream_responses,
    responses_client_tool=responses_client_tool,
    structured=structured,
    structured_responses=structured_responses,
    wrong_model=wrong_model,
    wrong_key=chat,
)
