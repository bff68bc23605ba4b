"""LangChain with langchain-openai."""

from cases import MODEL, PICTURE, PICTURE_QUESTION, QUESTION, STOCK_QUESTION, get_stock, run
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

model = ChatOpenAI(model=MODEL, max_retries=0)
stock = tool(get_stock)


def chat():
    answer = model.invoke(QUESTION)
    return {"text": answer.text, "finish": answer.response_metadata["finish_reason"]} | {
        "tokens": answer.usage_metadata["total_tokens"]
    }


def stream():
    pieces = [chunk.text for chunk in model.stream(QUESTION) if chunk.text]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def client_tool():
    bound = model.bind_tools([stock])
    messages = [HumanMessage(STOCK_QUESTION)]
    first = bound.invoke(messages)
    [call] = first.tool_calls
    messages += [first, ToolMessage(get_stock(**call["args"]), tool_call_id=call["id"])]
    return {"calls": [call["name"]], "text": bound.invoke(messages).text}


class Sum(BaseModel):
    """The result of a calculation."""

    total: float
    text: str


def structured():
    result = model.with_structured_output(Sum).invoke(QUESTION)
    return {"total": result.total, "text": result.text}


def picture():
    parts = [{"type": "text", "text": PICTURE_QUESTION}, {"type": "image_url", "image_url": {"url": PICTURE}}]
    return {"text": model.invoke([HumanMessage(parts)]).text}


def wrong_model():
    return ChatOpenAI(model="absent", max_retries=0).invoke(QUESTION).text


run(
    chat=chat,
    stream=stream,
    client_tool=client_tool,
    structured=structured,
    picture=picture,
    wrong_model=wrong_model,
    wrong_key=chat,
)
