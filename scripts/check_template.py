"""Check `template.yaml` with `sam validate --lint` and checkov, which take some ten seconds side by side.

checkov's findings are corrected, or suppressed by `Metadata: checkov: skip` of the resource, with the reason.
"""

import os
import subprocess
import sys
from pathlib import Path

from cli.console import Console
from cli.deployment.toolchain import SAM, ensure_tool
from cli.layout import Layout
from cli.lock import exclusive
from cli.processes import Processes

CHECKOV = Path(__file__).parent / "requirements" / "checkov.txt"
REGION = "us-east-1"


def main() -> int:
    layout = Layout.here()
    with exclusive(layout, Console()):
        processes = Processes(layout.tools / "processes.json")
        sam, checkov = (ensure_tool(each, layout=layout, processes=processes) for each in (SAM, CHECKOV))
    template = str(layout.template)
    commands = (
        [str(sam / "sam"), "validate", "--lint", "--region", REGION, "--template-file", template],
        [
            str(checkov / "checkov"),
            *("--framework", "cloudformation"),
            *("--file", template),
            "--compact",
            "--quiet",
            "--skip-download",
        ],
    )
    # Neither asks a server for anything.
    environment = {**os.environ, "SAM_CLI_TELEMETRY": "0", "PYTHONDONTWRITEBYTECODE": ""}
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for command in commands
    ]
    failed = False
    for process in running:
        output, _ = process.communicate()
        if process.returncode:
            failed = True
            sys.stdout.write(output)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
