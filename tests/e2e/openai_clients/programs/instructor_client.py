"""instructor, with its default mode, a call of a tool, and with both modes of JSON."""

import instructor
import openai
from cases import MODEL, QUESTION, run
from pydantic import BaseModel


class Sum(BaseModel):
    total: float
    text: str


def parsed(mode, model=MODEL):
    client = instructor.from_openai(openai.OpenAI(max_retries=0), mode=mode)
    result, answer = client.chat.completions.create_with_completion(
        model=model, messages=[{"role": "user", "content": QUESTION}], response_model=Sum, max_retries=1
    )
    return {"total": result.total, "text": result.text, "tokens": answer.usage.total_tokens}


def structured():
    return parsed(instructor.Mode.TOOLS)


def structured_json():
    return parsed(instructor.Mode.JSON)


def structured_native():
    return parsed(instructor.Mode.JSON_SCHEMA)


def wrong_model():
    return parsed(instructor.Mode.TOOLS, "absent")


run(
    chat=structured,
    structured=structured,
    structured_json=structured_json,
    structured_native=structured_native,
    wrong_model=wrong_model,
    wrong_key=structured,
)
