"""LiteLLM as a client of an OpenAI-compatible server."""

import json

import litellm
from cases import KEY, MODEL, QUESTION, STOCK_PARAMETERS, STOCK_QUESTION, URL, get_stock, run

OPTIONS = {"api_base": URL, "api_key": KEY, "num_retries": 0}
TOOL = {
    "type": "function",
    "function": {"name": "get_stock", "description": "Get the stock", "parameters": STOCK_PARAMETERS},
}


def ask(messages, model=MODEL, **options):
    return litellm.completion(model=f"openai/{model}", messages=messages, **OPTIONS, **options)


def chat():
    answer = ask([{"role": "user", "content": QUESTION}])
    [choice] = answer.choices
    return {"text": choice.message.content, "finish": choice.finish_reason, "tokens": answer.usage.total_tokens}


def stream():
    chunks = ask([{"role": "user", "content": QUESTION}], stream=True)
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices and chunk.choices[0].delta.content]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def client_tool():
    messages = [{"role": "user", "content": STOCK_QUESTION}]
    first = ask(messages, tools=[TOOL]).choices[0].message
    [call] = first.tool_calls
    result = get_stock(**json.loads(call.function.arguments))
    messages += [first.model_dump(), {"role": "tool", "tool_call_id": call.id, "content": result}]
    return {"calls": [call.function.name], "text": ask(messages, tools=[TOOL]).choices[0].message.content}


def wrong_model():
    return ask([{"role": "user", "content": QUESTION}], model="absent").choices[0].message.content


run(chat=chat, stream=stream, client_tool=client_tool, wrong_model=wrong_model, wrong_key=chat)
