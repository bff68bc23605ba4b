"""LangGraph: an agent that hands a conversation off to another one by a tool, and both answers."""

from typing import Annotated

from cases import MODEL, QUESTION, get_stock, run
from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState
from langgraph.types import Command


@tool
def transfer_to_keeper(
    state: Annotated[MessagesState, InjectedState], tool_call_id: Annotated[str, InjectedToolCallId]
) -> Command:
    """Hand the conversation to the keeper of the stock."""
    done = ToolMessage("Transferred to the keeper.", tool_call_id=tool_call_id, name="transfer_to_keeper")
    return Command(goto="keeper", update={"messages": [*state["messages"], done]}, graph=Command.PARENT)


def team(model=MODEL):
    chosen = ChatOpenAI(model=model, max_retries=0)
    graph = StateGraph(MessagesState)
    graph.add_node("desk", create_agent(chosen, [transfer_to_keeper], name="desk"), destinations=("keeper",))
    graph.add_node("keeper", create_agent(chosen, [tool(get_stock)], name="keeper"))
    graph.add_edge(START, "desk")
    return graph.compile()


def chat():
    answer = team().invoke({"messages": [("user", QUESTION)]})["messages"][-1]
    return {"text": answer.text, "tokens": answer.usage_metadata["total_tokens"]}


def handoff():
    question = "How many lamps are there? [demo:call=transfer_to_keeper {}]"
    messages = team().invoke({"messages": [("user", question)]})["messages"]
    calls = [call["name"] for message in messages for call in getattr(message, "tool_calls", [])]
    return {"calls": calls, "authors": [message.name for message in messages if message.type == "ai"]} | {
        "text": messages[-1].text
    }


def wrong_model():
    return team("absent").invoke({"messages": [("user", QUESTION)]})["messages"][-1].text


run(chat=chat, handoff=handoff, wrong_model=wrong_model, wrong_key=chat)
