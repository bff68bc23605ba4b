"""Paths of a checkout: the files of the local stack are under `.local/`."""

from dataclasses import dataclass
from pathlib import Path

LOCAL_STAGE = "local"
"""Stage of the local stack."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths of one checkout.

    `run` exists as long as the stack and `down` removes it; `data` stays; `tools` and `sam` are caches for the next
    start.
    """

    root: Path

    @classmethod
    def here(cls) -> "Layout":
        """Return the layout of the checkout that this command was installed from."""
        return cls(Path(__file__).resolve().parents[1])

    @property
    def template(self) -> Path:
        return self.root / "template.yaml"

    @property
    def local(self) -> Path:
        return self.root / ".local"

    @property
    def state(self) -> Path:
        return self.local / "stack.json"

    @property
    def run(self) -> Path:
        return self.local / "run"

    @property
    def processes(self) -> Path:
        return self.run / "processes.json"

    @property
    def tmp(self) -> Path:
        """TMPDIR of all processes of the stack: ended workers do not remove their unpacked layers."""
        return self.run / "tmp"

    @property
    def aws_calls(self) -> Path:
        """AWS calls of the running stack's functions and commands, one JSON document per line."""
        return self.run / "aws-calls.jsonl"

    @property
    def data(self) -> Path:
        """Data of the local stage, which outlives its processes."""
        return self.local / "data"

    @property
    def last(self) -> Path:
        """Copy of `state` that outlives the stack: its address, token and configuration."""
        return self.data / "stack.json"

    @property
    def logs(self) -> Path:
        return self.local / "log"

    @property
    def tools(self) -> Path:
        return self.local / "tools"

    @property
    def sam(self) -> Path:
        return self.local / "sam"

    @property
    def venv_bin(self) -> Path:
        return self.root / ".venv" / "bin"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"
