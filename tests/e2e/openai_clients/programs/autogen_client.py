"""AutoGen: a team whose selector asks the model who speaks next, by a conversation of system messages alone."""

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import SelectorGroupChat
from autogen_core.models import ModelFamily
from autogen_ext.models.openai import OpenAIChatCompletionClient
from cases import KEY, MODEL, QUESTION, STOCK_QUESTION, URL, get_stock, run

CAPABILITIES = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "structured_output": False,
    "family": ModelFamily.UNKNOWN,
}


def client(model=MODEL):
    return OpenAIChatCompletionClient(model=model, base_url=URL, api_key=KEY, max_retries=0, model_info=CAPABILITIES)


async def chat():
    result = await AssistantAgent("helper", client()).run(task=QUESTION)
    answer = result.messages[-1]
    usage = answer.models_usage
    return {"text": answer.content, "tokens": usage.prompt_tokens + usage.completion_tokens}


async def selector():
    calculator = AssistantAgent("calculator", client(), description="Calculates.")
    keeper = AssistantAgent("keeper", client(), description="Knows the stock.", tools=[get_stock])
    team = SelectorGroupChat(
        [calculator, keeper],
        client(),
        termination_condition=MaxMessageTermination(3),
        selector_prompt="The keeper speaks next; name it.",
    )
    result = await team.run(task=STOCK_QUESTION)
    return {"sources": list(dict.fromkeys(message.source for message in result.messages))}


async def wrong_model():
    return (await AssistantAgent("helper", client("absent")).run(task=QUESTION)).messages[-1].content


run(chat=chat, selector=selector, wrong_model=wrong_model, wrong_key=chat)
