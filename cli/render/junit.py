"""A validation run as JUnit XML for continuous integration."""

import re
from xml.etree.ElementTree import Element, SubElement, tostring

from cli.invocation import trace_hint
from flexchat.validation.views import RecordView, RunModelView, ValidationRunView

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(run: ValidationRunView) -> str:
    """Return one test suite per model with one test per graded case; `error` is a failed provider.

    The suite of the demo model has that in its name, and the property `demo`.
    """
    root = Element("testsuites", name=f"flexchat validation {run.suite}")
    for model in run.models:
        _add_model(root, model, [verdict for verdict in run.verdicts if verdict.model == model.model])
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_model(root: Element, model: RunModelView, verdicts: list[RecordView]) -> None:
    counted = [verdict.result for verdict in verdicts]
    name = f"{model.model} (demo model)" if model.demo else model.model
    suite = SubElement(
        root,
        "testsuite",
        name=_text(name),
        tests=str(len(verdicts)),
        failures=str(counted.count("failed")),
        errors=str(counted.count("error")),
        skipped=str(counted.count("skipped")),
        time=_seconds(sum(verdict.latency_ms for verdict in verdicts)),
    )
    if model.demo:
        SubElement(SubElement(suite, "properties"), "property", name="demo", value="true")
    for verdict in verdicts:
        _add_case(suite, verdict)


def _add_case(suite: Element, verdict: RecordView) -> None:
    times = f" #{verdict.repeat}" if verdict.repeat > 1 else ""
    case = SubElement(
        suite,
        "testcase",
        classname=_text(f"{verdict.model}.{verdict.category}"),
        name=_text(f"{verdict.case}{times}"),
        time=_seconds(verdict.latency_ms),
    )
    reasons = [_text(reason) for reason in verdict.reasons]
    trace = [_text(f"request id: {trace_hint(verdict.request_id)}")] if verdict.request_id else []
    match verdict.result:
        case "failed":
            SubElement(case, "failure", message=reasons[0] if reasons else "").text = "\n".join([*reasons, *trace])
        case "error":
            SubElement(case, "error", message=reasons[0] if reasons else "").text = "\n".join([*reasons, *trace])
        case "skipped":
            SubElement(case, "skipped")
        case _:
            pass


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}"


def _text(words: str) -> str:
    """Return `words` without characters that XML cannot represent."""
    return _NOT_IN_XML.sub("\ufffd", words)
