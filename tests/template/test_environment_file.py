"""Resources in `events/env/<stage>.json`, compared with the variables that the functions are deployed with."""

from typing import Any

from cli.deployment.environment_file import VARIABLES
from tests.template.transform import authored


def is_of_a_parameter(value: Any, parameters: set[str]) -> bool:
    """Return true when `sam local invoke` resolves a value by itself."""
    return isinstance(value, str | int) or value.get("Ref") in parameters


def with_inner_references(value: Any) -> Any:
    """An output's `Fn::Sub` without a table of names, as a function's variable has it: outputs may not use `.Alias`."""
    if "Fn::Sub" not in value or isinstance(value["Fn::Sub"], str):
        return value
    text, names = value["Fn::Sub"]
    for name, reference in names.items():
        text = text.replace(f"${{{name}}}", f"${{{reference['Ref']}}}")
    return {"Fn::Sub": text}


def test_the_environment_file_has_every_variable_with_a_resource_name() -> None:
    template = authored()
    outputs = {name: with_inner_references(output["Value"]) for name, output in template["Outputs"].items()}
    resources = {
        name: {
            variable: value
            for variable, value in resource["Properties"]["Environment"]["Variables"].items()
            if not is_of_a_parameter(value, set(template["Parameters"]))
        }
        for name, resource in template["Resources"].items()
        if resource["Type"] == "AWS::Serverless::Function" and "Environment" in resource["Properties"]
    }

    written = {
        function: {variable: outputs[output] for variable, output in variables.items()}
        for function, variables in VARIABLES.items()
    }
    del resources["PageFunction"]  # an emulator's address replaces that of its files
    assert written == {name: variables for name, variables in resources.items() if variables}
