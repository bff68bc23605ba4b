"""The openai package for Python."""

import openai
from cases import MODEL, PICTURE, PICTURE_QUESTION, QUESTION, STOCK_PARAMETERS, STOCK_QUESTION, get_stock, run

client = openai.OpenAI(max_retries=0)
TOOL = {
    "type": "function",
    "function": {"name": "get_stock", "description": "Get the stock", "parameters": STOCK_PARAMETERS},
}


def chat():
    answer = client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": QUESTION}])
    [choice] = answer.choices
    return {"text": choice.message.content, "finish": choice.finish_reason, "tokens": answer.usage.total_tokens}


def stream():
    chunks = client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": QUESTION}],
        stream=True,
        stream_options={"include_usage": True},
    )
    pieces, tokens = [], None
    for chunk in chunks:
        pieces += [choice.delta.content for choice in chunk.choices if choice.delta.content]
        tokens = chunk.usage.total_tokens if chunk.usage else tokens
    return {"text": "".join(pieces), "pieces": len(pieces), "tokens": tokens}


def client_tool():
    messages = [{"role": "user", "content": STOCK_QUESTION}]
    first = client.chat.completions.create(model=MODEL, messages=messages, tools=[TOOL]).choices[0]
    [call] = first.message.tool_calls
    result = get_stock(**__import__("json").loads(call.function.arguments))
    messages += [first.message.to_dict(), {"role": "tool", "tool_call_id": call.id, "content": result}]
    second = client.chat.completions.create(model=MODEL, messages=messages, tools=[TOOL]).choices[0]
    return {"calls": [call.function.name], "finish": first.finish_reason, "text": second.message.content}


def stream_client_tool():
    with client.chat.completions.stream(
        model=MODEL, messages=[{"role": "user", "content": STOCK_QUESTION}], tools=[TOOL]
    ) as events:
        for _ in events:
            pass
        choice = events.get_final_completion().choices[0]
    return {"calls": [call.function.name for call in choice.message.tool_calls], "finish": choice.finish_reason}


def picture():
    parts = [{"type": "text", "text": PICTURE_QUESTION}, {"type": "image_url", "image_url": {"url": PICTURE}}]
    answer = client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": parts}])
    return {"text": answer.choices[0].message.content}


def response_picture():
    parts = [
        {"type": "input_text", "text": PICTURE_QUESTION},
        {"type": "input_image", "image_url": PICTURE, "detail": "auto"},
    ]
    first = client.responses.create(model=MODEL, input=[{"role": "user", "content": parts}])
    return {"text": first.output_text}


def models():
    return {"models": [model.id for model in client.models.list()]}


def responses():
    first = client.responses.create(model=MODEL, input=QUESTION)
    second = client.responses.create(model=MODEL, input=QUESTION, previous_response_id=first.id)
    return {"text": first.output_text, "next": second.output_text, "tokens": first.usage.total_tokens}


def stream_responses():
    with client.responses.stream(model=MODEL, input=QUESTION) as events:
        pieces = [event.delta for event in events if event.type == "response.output_text.delta"]
        return {"text": events.get_final_response().output_text, "pieces": len(pieces), "joined": "".join(pieces)}


def embeddings():
    answer = client.embeddings.create(model="openai:text-embedding-3-small", input=["a red lamp", "bread"])
    return {"lengths": [len(one.embedding) for one in answer.data], "tokens": answer.usage.total_tokens}


def wrong_model():
    return client.chat.completions.create(model="absent", messages=[{"role": "user", "content": QUESTION}]).to_dict()


run(
    chat=chat,
    stream=stream,
    client_tool=client_tool,
    stream_client_tool=stream_client_tool,
    picture=picture,
    response_picture=response_picture,
    models=models,
    embeddings=embeddings,
    responses=responses,
    stream_responses=stream_responses,
    wrong_model=wrong_model,
    wrong_key=chat,
)
