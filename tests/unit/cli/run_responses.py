"""Responses of the service to `flexchat validate run`."""

from tests.unit.cli.validations import BAD, GOOD, of_model, rate, run, verdict

MORE = "/api/validation/runs/r1?limit=500"
LISTED = {"models": [{"id": GOOD}, {"id": BAD}, {"id": "ollama:qwen3:latest"}], "errors": []}
STARTED = (202, run("queued", done=0, passed=0))
PASSED = [verdict(case) for case in ("a", "b", "c")]
ENDED = run(models=[of_model(rate=rate(3, 3))], verdicts=PASSED)
LOST = verdict("e", "error", reasons=["the provider could not go on: timeout"])
