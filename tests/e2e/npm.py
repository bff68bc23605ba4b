"""Installation of npm packages of a lock, outside of the checkout's own `node_modules`."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
CACHE: Final = ROOT / ".local" / "cache"
NODE: Final = str(Path(sys.executable).parent / "node")


def install(packages: Path, name: str) -> Path:
    """Return the folder `node_modules` of the lock in `packages`, installed as `name` unless it is there."""
    home = CACHE / name
    lock, installed = packages / "package-lock.json", home / "installed-lock.json"
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        home.mkdir(parents=True, exist_ok=True)
        for source in (lock, packages / "package.json", ROOT / ".npmrc"):
            shutil.copy(source, home)
        command = [str(Path(NODE).with_name("npm")), "ci", "--silent", "--ignore-scripts"]
        subprocess.run(command, cwd=home, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        shutil.copy(lock, installed)
    return home / "node_modules"
