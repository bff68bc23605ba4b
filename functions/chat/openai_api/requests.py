"""Errors of parameters of OpenAI-compatible requests."""

from flexchat.errors import Problem, RequestError


def invalid_parameter(param: str, message: str, *, status: int = 400, code: str = "invalid_request") -> RequestError:
    """Return the error of one parameter, whose path is the first of its details; `message` follows its name."""
    return RequestError(f"{param} {message}", status=status, code=code, details=(Problem(path=param, message=message),))
