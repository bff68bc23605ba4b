"""Expressions of DynamoDB that the emulator parses once."""

from types import SimpleNamespace

from dev.local_stack.launcher.launch_ministack import parse_once


def test_each_expression_is_parsed_and_checked_once() -> None:
    calls: list[tuple[str, ...]] = []

    def tokenize(expression: str) -> list[str]:
        calls.append((expression,))
        return expression.split()

    def syntax_error(expression: str, slot: str) -> str | None:
        calls.append((expression, slot))
        return None if slot else "no slot"

    dynamodb = SimpleNamespace(_tokenize=tokenize, _condition_syntax_error=syntax_error)
    parse_once(dynamodb)

    for _ in range(2):
        assert dynamodb._tokenize("pk = :pk") == ["pk", "=", ":pk"]
        assert dynamodb._condition_syntax_error("pk = :pk", "FilterExpression") is None
        assert dynamodb._condition_syntax_error("pk = :pk", "") == "no slot"
    assert calls == [("pk = :pk",), ("pk = :pk", "FilterExpression"), ("pk = :pk", "")]
