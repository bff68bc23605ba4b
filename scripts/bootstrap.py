"""Prepare `.venv`: uv, Python 3.13 and everything in the lock file; with `--node` the page's tools, too.

Runs on the system's python3 (3.9 or newer) with the standard library alone. Has no effect when nothing changed. Node is
part of the locked Python packages; running the service needs no Node.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCAL = ROOT / ".local"
STAMP = VENV / ".bootstrap"
INPUTS = ("pyproject.toml", "layers/common/pyproject.toml", "uv.lock", "scripts/bootstrap.py")
NODE_STAMP = ROOT / "node_modules" / ".bootstrap"
NODE_INPUTS = (".npmrc", "package.json", "package-lock.json")
UV_VERSION = "0.13.9"
PYTHON_VERSION = "3.13"


class BootstrapError(Exception):
    """Missing requirement of this machine; the message names the remedy."""


def main(arguments) -> int:
    try:
        make_venv()
        if "--node" in arguments:
            install_node_packages()
    except BootstrapError as error:
        print(f"bootstrap: {error}", file=sys.stderr)
        return 1
    return 0


def make_venv() -> None:
    wanted = fingerprint(INPUTS)
    if (VENV / "bin" / "python").exists() and STAMP.exists() and STAMP.read_text() == wanted:
        return
    uv = find_uv() or install_uv()
    if not is_python(VENV / "bin" / "python"):
        say(f"creating .venv with Python {PYTHON_VERSION}")
        python = find_python() or install_python(uv)
        # Seeded with pip, because `sam build` calls the pip of the first python3.13 on PATH.
        run(uv, "venv", "--quiet", "--seed", "--clear", "--python", python, VENV)
    say("installing what uv.lock names")
    run(uv, "sync", "--quiet", "--frozen", "--python", VENV / "bin" / "python")
    STAMP.write_text(wanted)


def install_node_packages() -> None:
    wanted = fingerprint(NODE_INPUTS)
    if NODE_STAMP.exists() and NODE_STAMP.read_text() == wanted:
        return
    say("installing what package-lock.json names")
    # It removes the folder first, including the stamp.
    run(VENV / "bin" / "npm", "ci", "--ignore-scripts", "--loglevel=error")
    NODE_STAMP.write_text(wanted)


def fingerprint(inputs) -> str:
    """Return the fingerprint of an installation from `inputs`; editable installs depend on the path."""
    digest = hashlib.sha256(str(ROOT).encode())
    for name in inputs:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def find_uv():
    """Return the path of a uv that starts, from PATH or from an earlier run, or None."""
    candidates = [shutil.which("uv"), LOCAL / "uv" / "bin" / "uv"]
    return next((str(path) for path in candidates if path and starts(path, "--version")), None)


def install_uv() -> str:
    """Install uv under `.local/uv`: by a virtual environment, or by pip alone where ensurepip is missing (Debian)."""
    say(f"installing uv {UV_VERSION} under .local/uv")
    home = LOCAL / "uv"
    shutil.rmtree(home, ignore_errors=True)
    pinned = f"uv=={UV_VERSION}"
    reasons = []
    if attempt(reasons, sys.executable, "-m", "venv", home):
        attempt(reasons, home / "bin" / "python", "-m", "pip", "install", "--quiet", pinned)
    if not starts(home / "bin" / "uv", "--version"):
        shutil.rmtree(home, ignore_errors=True)
        attempt(reasons, sys.executable, "-m", "pip", "install", "--quiet", "--target", home, pinned)
    if not starts(home / "bin" / "uv", "--version"):
        raise BootstrapError(
            "uv could not be installed. Install it yourself (https://docs.astral.sh/uv/getting-started/installation/),\n"
            "or give this Python pip and venv (Debian and Ubuntu: apt-get install python3-venv), then try again.\n"
            + "\n".join(reasons)
        )
    return str(home / "bin" / "uv")


def find_python():
    """Return the path of a real Python 3.13, or None: pyenv has shims even for versions that do not start."""
    on_path = [Path(folder) / f"python{PYTHON_VERSION}" for folder in os.get_exec_path()]
    candidates = [path for path in on_path if VENV not in path.parents]
    for root in pyenv_roots():
        versions = sorted(root.glob(f"versions/{PYTHON_VERSION}*/bin/python{PYTHON_VERSION}"), reverse=True)
        candidates.extend(versions)
    return next((real for real in map(real_python, candidates) if real), None)


def pyenv_roots():
    roots = []
    if shutil.which("pyenv"):
        answer = subprocess.run(["pyenv", "root"], capture_output=True, text=True, check=False)
        roots.append(Path(answer.stdout.strip()))
    return [root for root in [*roots, Path.home() / ".pyenv"] if root.is_dir()]


def real_python(candidate):
    """Return the interpreter behind `candidate` if it starts and has the required version."""
    if not candidate.is_file():
        return None
    script = "import sys; print('%d.%d' % sys.version_info[:2], sys._base_executable)"
    try:
        answer = subprocess.run([str(candidate), "-c", script], capture_output=True, text=True, check=False)
    except OSError:
        return None
    version, _, path = answer.stdout.strip().partition(" ")
    return path if version == PYTHON_VERSION else None


def is_python(path: Path) -> bool:
    return real_python(path) is not None


def install_python(uv: str) -> str:
    say(f"installing Python {PYTHON_VERSION} with uv")
    try:
        run(uv, "python", "install", "--no-progress", PYTHON_VERSION)
        found = subprocess.run(
            [uv, "python", "find", "--managed-python", PYTHON_VERSION], capture_output=True, text=True, check=True
        )
    except (BootstrapError, subprocess.CalledProcessError) as error:
        raise BootstrapError(
            f"Python {PYTHON_VERSION} is not on PATH, not under pyenv, and uv could not install it.\n"
            f"Install it (for example `pyenv install {PYTHON_VERSION}`), then try again.\n{error}"
        ) from error
    return found.stdout.strip()


def run(*command) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise BootstrapError(f"`{' '.join(words)}` failed:\n{done.stderr.strip() or done.stdout.strip()}")


def attempt(reasons, *command) -> bool:
    try:
        run(*command)
    except BootstrapError as error:
        reasons.append(str(error))
        return False
    return True


def starts(*command) -> bool:
    try:
        return subprocess.run([str(word) for word in command], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def environment():
    """Return the environment of this process without an active virtual environment."""
    return {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONHOME")}


def say(message: str) -> None:
    print(f"bootstrap: {message}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
