"""LlamaIndex, with its client for OpenAI-compatible servers."""

from cases import KEY, MODEL, QUESTION, URL, run
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel


class Sum(BaseModel):
    """The result of a calculation."""

    total: float
    text: str


def client(**options):
    settings = {"model": MODEL, "is_chat_model": True, "is_function_calling_model": True, **options}
    return OpenAILike(api_base=URL, api_key=KEY, max_retries=0, **settings)


def chat():
    answer = client().chat([ChatMessage(role="user", content=QUESTION)])
    return {"text": answer.message.content, "tokens": answer.raw.usage.total_tokens}


def structured():
    return parsed(client())


def structured_native():
    return parsed(client(should_use_structured_outputs=True))


def parsed(llm):
    answer = llm.as_structured_llm(Sum).chat([ChatMessage(role="user", content=QUESTION)])
    return {"total": answer.raw.total, "text": answer.raw.text}


def wrong_model():
    return client(model="absent").complete(QUESTION).text


run(chat=chat, structured=structured, structured_native=structured_native, wrong_model=wrong_model, wrong_key=chat)
