"""Environments of the stack's processes, without settings of the operator's AWS account and without other secrets."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from cli.layout import LOCAL_STAGE, Layout
from cli.local_stack import REGION, aws_environment
from cli.system import loopback_exceptions
from flexchat.config.models.mcp_connections import is_installer_setting

RECORDER = Path(__file__).with_name("recorder")
"""Folder of the AWS call recorder, for PYTHONPATH."""

STACK = "flexchat-local"
DATA_FILE = "stage.sqlite"
"""File of `Layout.data` with the items, parameters and objects of the stage."""
CATALOG_TTL_SECONDS = 2
"""Seconds that a function of the local stage caches a configuration."""

PASSED_ON = ("HTTP_PROXY", "HTTPS_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "LANG", "LC_ALL")
"""Variables of a proxy or its certificates, for functions that call a real model."""


def recorded(layout: Layout, *, principal: str | None = None) -> dict[str, str]:
    """Return an environment in which a Python process records its AWS calls in `layout.aws_calls`.

    `principal` is the name in the records; a function has its own.
    """
    named = {"RECORD_AWS_CALLS_AS": principal} if principal else {}
    return {"PYTHONPATH": str(RECORDER), "RECORD_AWS_CALLS_IN": str(layout.aws_calls), **named}


def sam_environment(endpoint: str, access_key_id: str, *, layout: Layout, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for `sam`: the operator's own (pip may need its settings) without AWS, and our Python
    first on PATH.

    SAM's builder uses the first `python3.13` on PATH and needs its pip.
    """
    own = {name: value for name, value in environ.items() if not name.startswith(("AWS_", "SAM_"))}
    return own | {
        "PATH": f"{layout.venv_bin}{os.pathsep}{environ.get('PATH', os.defpath)}",
        "TMPDIR": str(layout.tmp),
        "SAM_CLI_TELEMETRY": "0",
        "__SAM_CLI_APP_DIR": str(layout.sam / "app"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        **loopback_exceptions(environ),
        **aws_environment(endpoint, access_key_id),
    }


def emulator_environment(
    port: int, access_key_id: str, *, layout: Layout, environ: Mapping[str, str]
) -> dict[str, str]:
    """Return the environment for the emulator and its functions: clean, on loopback, with a separate temporary
    directory.

    MCP servers find their commands on its PATH, that of the user with `node` and `npx` of `.venv` before it, and their
    installers get the user's settings, such as a registry.
    """
    passed = {name: value for name, value in environ.items() if name.upper() in PASSED_ON}
    return (
        passed
        | installer_settings(environ)
        | {
            "PATH": command_path(layout, environ),
            "HOME": str(layout.tmp),
            "TMPDIR": str(layout.tmp),
            **loopback_exceptions(environ),
            "PYTHONUNBUFFERED": "1",
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(port),
            "MINISTACK_HOST": "127.0.0.1",
            "MINISTACK_REGION": REGION,
            # It stores keys and objects outside TMPDIR by default.
            "STATE_DIR": str(layout.tmp / "state"),
            "S3_DATA_DIR": str(layout.tmp / "s3"),
            "SAVED_DATA": str(layout.data / DATA_FILE),
            "SFTP_ENABLED": "0",
            "IOT_MTLS_ENABLED": "0",
            "LAMBDA_EXECUTOR": "local",
            "LAMBDA_ACCOUNT_CONCURRENCY": "24",
            "LAMBDA_WARM_TTL_SECONDS": "300",
            # It removes containers named like its own; without a socket it cannot reach Docker.
            "DOCKER_HOST": f"unix://{layout.tmp}/no-docker.sock",
            **recorded(layout),
            **aws_environment(f"http://127.0.0.1:{port}", access_key_id),
        }
    )


def command_path(layout: Layout, environ: Mapping[str, str]) -> str:
    """Return the PATH of the emulator and of MCP servers: our Python and Node.js, the user's commands, and uv."""
    return os.pathsep.join(
        filter(None, (str(layout.venv_bin), environ.get("PATH"), str(layout.local / "uv" / "bin"), os.defpath))
    )


def installer_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of npm, uv and pip, and their files in the home folder, which functions do not have."""
    own = {name: value for name, value in environ.items() if is_installer_setting(name)}
    files = {
        name: str(path)
        for name, path in (
            ("NPM_CONFIG_USERCONFIG", Path(environ.get("HOME", "/nonexistent")) / ".npmrc"),
            ("UV_CONFIG_FILE", Path(environ.get("HOME", "/nonexistent")) / ".config" / "uv" / "uv.toml"),
            ("PIP_CONFIG_FILE", Path(environ.get("HOME", "/nonexistent")) / ".config" / "pip" / "pip.conf"),
        )
        if path.is_file()
    }
    return files | own


def stage_parameters(root: Path) -> tuple[str, ...]:
    """Return the template's parameters of the local stage in `samconfig.toml`, as `name=value`."""
    settings = tomllib.loads((root / "samconfig.toml").read_text())
    return tuple(settings[LOCAL_STAGE]["global"]["parameters"]["parameter_overrides"])


def sign_in_variables(root: Path) -> dict[str, str]:
    """Return the variables of the local stage for sign-in, from its parameters in `samconfig.toml`."""
    texts = (text.partition("=") for text in stage_parameters(root))
    return {name[0].lower() + name[1:]: value for name, _, value in texts if name.startswith("Oidc") and value}


def allowed_origins(root: Path) -> tuple[str, ...]:
    """Return the origins in the parameter `AllowedOrigins` of the local stage."""
    texts = (text.partition("=") for text in stage_parameters(root))
    return tuple(
        origin for name, _, value in texts if name == "AllowedOrigins" for origin in value.split(",") if origin
    )
