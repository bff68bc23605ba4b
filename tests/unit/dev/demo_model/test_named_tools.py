"""Unknown tools, called by their names, descriptions and schemas."""

import pytest

from tests.unit.dev.demo_model.openai_client import EVERY_TOOL, Demo, success, tool


def described(name: str, description: str, *required: str, **properties: object) -> dict[str, object]:
    """An offered tool with a description; `required` are names of texts, or of `properties`."""
    schemas = {item: {"type": "string"} for item in required} | properties
    parameters = {"type": "object", "properties": schemas, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


HOURS = described(
    "opening_hours",
    "Get the opening hours of a shop",
    "city",
    day={"type": "string", "enum": ["weekday", "saturday"]},
)
DICE = described("roll_dice", "Roll dice and return what they show", count={"type": "integer"})
TICKET = described("createTicket", "Open a ticket at the support desk", "subject", "customer")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("What are the opening hours in Paris?", ("opening_hours", {"city": "Paris"})),
        (
            "opening hours of the shop in New York on saturday",
            ("opening_hours", {"city": "New York", "day": "saturday"}),
        ),
        (
            'Open a ticket "No steam" for Ben at the support desk',
            ("createTicket", {"subject": "No steam", "customer": "Ben"}),
        ),
        ("What are the opening hours in lisbon?", ("opening_hours", {"city": "lisbon"})),
        ("Roll 3 dice", ("roll_dice", {"count": 3})),
        ("Roll the dice!", ("roll_dice", dict[str, object]())),
        (
            'Create a ticket "Kettle broken" for Anna',
            ("createTicket", {"subject": "Kettle broken", "customer": "Anna"}),
        ),
    ],
)
def test_a_tool_is_called_if_the_message_contains_the_parts_of_its_name(
    message: str, expected: tuple[str, dict[str, object]]
) -> None:
    assert Demo().calls(message, [*EVERY_TOOL, HOURS, DICE, TICKET]) == [expected]


@pytest.mark.parametrize(
    "message",
    [
        "What are the opening hours?",
        "When does the shop in Paris close?",
        "It took hours to get to Paris",
        'Create a ticket "Kettle broken"',
        "How are you?",
    ],
)
def test_a_tool_without_its_name_or_arguments_in_the_message_is_not_called(message: str) -> None:
    assert Demo().calls(message, [HOURS, DICE, TICKET]) == []


def test_a_supported_tool_takes_precedence_over_one_named_in_the_message() -> None:
    assert Demo().calls("What is the weather for the opening hours in Rome?", [*EVERY_TOOL, HOURS]) == [
        ("get_weather", {"location": "Rome"})
    ]


def test_a_parameter_without_a_simple_type_is_omitted() -> None:
    report = described("send_report", "Send a report", to={"type": "array"}, at={"type": "object"})

    assert Demo().calls("Send the report to Anna", [report]) == [("send_report", {})]


def test_the_result_of_a_named_tool_is_the_answer() -> None:
    hours = success({"monday to friday": "9-18", "saturday": "10-14"})

    answer = Demo().after("What are the opening hours in Paris?", hours, tools=[HOURS])

    assert answer == "(demo model) opening_hours says: monday to friday 9-18, saturday 10-14."


def test_a_tool_with_a_name_without_letters_is_never_called() -> None:
    assert Demo().calls("What can I get?", [tool("get")]) == []
