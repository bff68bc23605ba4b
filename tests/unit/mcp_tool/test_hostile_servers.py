"""Servers that look for the environment, the memory and the files of the function and of other servers."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flexchat.config.models.mcp_connections import StdioConnection
from functions.tools.mcp.transports import confinement
from functions.tools.mcp.transports.folders import CACHE_VARIABLES, ServerFolders
from functions.tools.mcp.transports.launcher import REQUIRED_VERSION, landlock_version
from tests.unit.mcp_tool.test_stdio import SERVER, Home, connection, run

ROOT = Path(__file__).parents[3]
UNPRIVILEGED = str(ROOT / "tests" / "mcp_servers" / "unprivileged.py")

GET_DUMPABLE = 3

confined_only = pytest.mark.skipif(
    landlock_version() < REQUIRED_VERSION, reason="the kernel of this machine has no Landlock"
)

INSPECTION = """
import os, subprocess, sys
from functions.tools.mcp.transports.confinement import deny_inspection
if "--denied" in sys.argv:
    deny_inspection()
os.environ["SECRET"] = "canary"
reader = '''
import os
for name in ("environ", "mem", "maps"):
    try:
        with open(f"/proc/{os.getppid()}/{name}", "rb") as file:
            name == "mem" or file.read()
        print(name, "opened")
    except PermissionError:
        print(name, "refused")
'''
sys.exit(subprocess.run([sys.executable, "-c", reader]).returncode)
"""
"""A function process that starts a process of the same user, which looks at it."""


def unprivileged(**fields: Any) -> StdioConnection:
    """A server as on Lambda, where no user has the capabilities of root."""
    arguments = ("-S", "-E", UNPRIVILEGED, sys.executable, "-S", "-E", SERVER)
    return StdioConnection(command=sys.executable, args=arguments, connect_timeout_ms=20_000, **fields)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc and prctl are Linux's")
@pytest.mark.parametrize(("switches", "result"), [([], "opened"), (["--denied"], "refused")])
def test_a_process_of_the_same_user_reads_neither_environment_nor_memory_of_the_function(
    switches: list[str], result: str
) -> None:
    found = subprocess.run(  # noqa: S603
        [sys.executable, UNPRIVILEGED, sys.executable, "-c", INSPECTION, *switches],
        env={"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "layers" / "common" / "src")))},
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout.splitlines() == [f"{name} {result}" for name in ("environ", "mem", "maps")]


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
def test_the_function_denies_its_inspection_before_the_first_server_is_started() -> None:
    process = ctypes.CDLL(None)
    process.prctl(confinement.SET_DUMPABLE, 1, 0, 0, 0)
    confinement.deny_inspection.cache_clear()
    home, used = Home(), connection()

    run(home, home.text("echo", {"text": "hello"}, used=used))

    assert process.prctl(GET_DUMPABLE, 0, 0, 0, 0) == 0


@confined_only
def test_a_server_reads_neither_environment_nor_files_of_the_function_process() -> None:
    home, used = Home(), unprivileged()
    paths = [f"/proc/{os.getpid()}/{name}" for name in ("environ", "mem", "cwd/pyproject.toml", "root/etc/hostname")]

    found = run(home, *(home.text("read", {"path": path}, used=used) for path in paths))

    assert found == ["PermissionError"] * len(paths)


@confined_only
def test_a_server_neither_reads_nor_changes_files_and_environment_of_another() -> None:
    home = Home()
    victim, attacker = unprivileged(env={"API_KEY": "canary"}), unprivileged()

    async def attack() -> list[str]:
        environment = json.loads(await home.text("environment", used=victim, server="victim"))
        folder, _ = json.loads(await home.text("folder", used=victim, server="victim"))
        files = [str(Path(place) / "key") for place in (environment["HOME"], environment["TMPDIR"], folder)]
        for file in files:
            assert await home.text("write", {"path": file, "text": "canary"}, used=victim, server="victim") == "6"
        process = int(await home.text("pid", used=victim, server="victim"))
        targets = [*files, f"/proc/{process}/environ", f"/proc/{process}/mem", f"/proc/{process}/cwd/key"]
        found = [await home.text("read", {"path": path}, used=attacker, server="attacker") for path in targets]
        new = [*files, str(Path(environment["HOME"]) / ".npmrc")]
        found += [
            await home.text("write", {"path": path, "text": "x"}, used=attacker, server="attacker") for path in new
        ]
        kept = [await home.text("read", {"path": file}, used=victim, server="victim") for file in files]
        assert kept == ["canary"] * 3
        return found

    (found,) = run(home, attack())

    assert found == ["PermissionError"] * 10


def test_each_start_has_an_empty_home_and_temporary_folder_which_are_removed_with_it() -> None:
    home, used = Home(), connection()

    async def start() -> tuple[list[str], list[str]]:
        environment = json.loads(await home.text("environment", used=used))
        folder, _ = json.loads(await home.text("folder", used=used))
        places = [environment["HOME"], environment["TMPDIR"], folder]
        found = [await home.text("find", {"path": place}, used=used) for place in places]
        for place in places:
            await home.text("write", {"path": f"{place}/left", "text": "poison"}, used=used)
        await home.connections.close()
        return places, found

    (first, second) = run(home, start(), start())

    assert first[1] == second[1] == ["[]"] * 3
    assert not set(first[0]) & set(second[0])
    assert [place for place in (*first[0], *second[0]) if Path(place).exists()] == []


@pytest.fixture
def installed(tmp_path: Path) -> StdioConnection:
    """A command of the name of an installer, which starts at once."""
    command = tmp_path / "npx"
    command.symlink_to(sys.executable)
    return StdioConnection(command=str(command), args=("-S", "-E", SERVER), connect_timeout_ms=20_000)


async def _caches(home: Home, used: StdioConnection, server: str) -> dict[str, str]:
    environment = json.loads(await home.text("environment", used=used, server=server))
    return {name: value for name, value in environment.items() if name.upper() in CACHE_VARIABLES}


def test_an_installer_finds_its_cache_again_and_no_other_server_has_it(
    installed: StdioConnection, folders: ServerFolders
) -> None:
    inherited = {"npm_config_cache": "/home/me/.npm", "UV_CACHE_DIR": "/home/me/.cache/uv", "UV_INDEX_URL": "https://a"}
    home = Home(commands=installed.command, environment=inherited, folders=folders)

    async def caches(server: str) -> dict[str, str]:
        found = await _caches(home, installed, server)
        await home.connections.close()
        return found

    first, again, other = run(home, caches("first"), caches("first"), caches("other"))

    assert first.keys() == CACHE_VARIABLES.keys()
    assert first == again
    assert not set(first.values()) & set(other.values())


@confined_only
def test_a_server_does_not_poison_the_cache_of_another(installed: StdioConnection, folders: ServerFolders) -> None:
    home = Home(commands=f"{installed.command},{sys.executable}", folders=folders)

    async def attack() -> list[str]:
        cache = Path((await _caches(home, installed, "victim"))["NPM_CONFIG_CACHE"])
        cache.mkdir(exist_ok=True)
        own = await home.text("write", {"path": str(cache / "own"), "text": "package"}, used=installed, server="victim")
        attacks = [
            await home.text(tool, {"path": str(cache / name), "text": "poison"}, used=used, server="attacker")
            for tool, name in (("write", "own"), ("write", "new"), ("read", "own"))
            for used in (connection(), installed)
        ]
        return [own, *attacks]

    (found,) = run(home, attack())

    assert found == ["7", *["PermissionError"] * 6]


def test_a_server_that_needs_no_installer_has_no_caches() -> None:
    home = Home()

    (found,) = run(home, _caches(home, connection(), "plain"))

    assert found == {}


@pytest.mark.parametrize("kind", ["link", "open"])
def test_a_folder_that_others_may_use_is_refused(tmp_path: Path, kind: str) -> None:
    root = tmp_path / f"flexchat-mcp-{os.getuid()}"
    if kind == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        root.symlink_to(tmp_path / "elsewhere")
    else:
        root.mkdir()
        root.chmod(0o777)

    with pytest.raises(PermissionError, match="must be a folder that only the user of the function may use"):
        _ = ServerFolders(tmp_path).root


@confined_only
def test_a_link_that_a_server_leaves_behind_gives_access_to_no_other_folder(tmp_path: Path) -> None:
    folders = ServerFolders(tmp_path)
    secret = folders.root / "run-other" / "key"
    secret.parent.mkdir()
    secret.write_text("canary")
    (tmp_path / "link").symlink_to(secret.parent)
    reader = "import sys\ntry: print(open(sys.argv[1]).read())\nexcept OSError as error: print(repr(error))"

    with folders.start("plain", connection(), installs=False) as own:
        program = [sys.executable, "-S", "-E", "-c", reader, str(tmp_path / "link" / "key")]
        command = confinement.confined(program, own, folders.root)
        found = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603

    assert found.stdout.startswith("PermissionError")


@pytest.mark.parametrize("command", ["/usr/bin/docker", "/opt/bin/podman"])
def test_containers_are_not_confined(command: str, folders: ServerFolders) -> None:

    with folders.start("plain", connection(), installs=True) as own:
        assert confinement.confined((command, "run"), own, folders.root) == (command, "run")


@confined_only
def test_a_confined_server_still_uses_files_of_the_system_and_its_own(tmp_path: Path) -> None:
    home, used = Home(), connection()
    (tmp_path / "data").write_text("shared")

    async def use() -> list[str]:
        environment = json.loads(await home.text("environment", used=used))
        own = f"{environment['TMPDIR']}/own"
        return [
            await home.text("read", {"path": str(tmp_path / "data")}, used=used),
            await home.text("write", {"path": str(tmp_path / "new"), "text": "made"}, used=used),
            await home.text("write", {"path": own, "text": "mine"}, used=used),
            await home.text("read", {"path": own}, used=used),
        ]

    assert run(home, use()) == [["shared", "4", "4", "mine"]]
