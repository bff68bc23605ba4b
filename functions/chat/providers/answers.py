"""Reading a provider's answer: what it must have, and what is said when it has not."""

from pydantic import BaseModel, ConfigDict, ValidationError


class Wire(BaseModel):
    """What is read of an answer; everything else in it is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def read_answer[T: Wire](type: type[T], body: bytes) -> T:
    """`body` as `type`. Raises ValueError with the first thing that is wrong, without quoting the body."""
    try:
        return type.model_validate_json(body)
    except ValidationError as exc:
        problem = exc.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(step) for step in problem["loc"])
        raise ValueError(f"{where}: {problem['msg']}" if where else problem["msg"]) from exc
