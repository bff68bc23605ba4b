"""Launcher of ministack: an access check, saved data, shared unpacking, cached expressions, integrations that stream.

Each package is unpacked once, and workers get links to its files. ministack unpacks the layer and the code again for
each worker, thousands of files under one interpreter lock: eight environments that started together took 18 s. Routes
that stream are answered in one piece. It runs with ministack's Python, so it uses the standard library alone, and three
modules of this checkout that do so too.
"""

import hashlib
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).parents[3]
EXPRESSIONS = 1_000
"""Most expressions of DynamoDB that are cached."""

FOLDER = "unpacked"
"""Folder in the emulator's temporary directory, which is removed with the stack."""


def shared(extract: Callable[..., None], *, folder: Path) -> Callable[..., None]:
    """Return a `ZipFile.extractall` that unpacks each archive once by `extract`, and links its files after that."""
    lock = Lock()

    def extractall(archive: ZipFile, path: Any = None, members: Any = None, pwd: Any = None) -> None:
        if path is None or members is not None or pwd is not None:
            extract(archive, path, members, pwd)
            return
        unpacked = folder / fingerprint(archive)
        with lock:
            if not unpacked.is_dir():
                unfinished = unpacked.with_suffix(".part")
                shutil.rmtree(unfinished, ignore_errors=True)
                extract(archive, unfinished)
                unfinished.rename(unpacked)
        try:
            shutil.copytree(unpacked, path, copy_function=os.link, dirs_exist_ok=True)
        except OSError:  # a file system without hard links
            extract(archive, path)

    return extractall


def fingerprint(archive: ZipFile) -> str:
    """Return the hash of an archive's names, checksums and sizes."""
    digest = hashlib.sha256()
    for entry in archive.infolist():
        digest.update(f"{entry.filename}\0{entry.CRC}\0{entry.file_size}\0".encode())
    return digest.hexdigest()


def in_one_piece(function_of: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function of the Lambda function in an integration's URI that also reads the URIs of routes that stream.

    ministack's own finds no function in them, and its API responds with 500.
    """
    return lambda uri: function_of(uri.replace("/response-streaming-invocations", "/invocations"))


def parse_once(dynamodb: Any) -> None:
    """Cache the tokens and the syntax check of the expressions of DynamoDB.

    ministack repeats both for each item of a partition, which is three quarters of the time of a query of thousands.
    """
    for name in ("_tokenize", "_condition_syntax_error"):
        setattr(dynamodb, name, lru_cache(maxsize=EXPRESSIONS)(getattr(dynamodb, name)))


def own_credentials(environ: Mapping[str, str]) -> Callable[[object], dict[str, str]]:
    """Return a function of the credentials for a Lambda function: those of the emulator.

    ministack's own access key id is the account, which every ARN contains.
    """
    names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
    return lambda _function: {**{name: environ[name] for name in names}, "AWS_SESSION_TOKEN": ""}


def with_own_requests(serve: Callable[..., Any], environ: Mapping[str, str]) -> Callable[..., Any]:
    """Return hypercorn's `serve` with a check of every request to the application, and its data on disk."""
    sys.path.append(str(ROOT))
    from dev.local_stack.launcher.emulator_access import EmulatorAccess, UploadForms
    from dev.local_stack.launcher.saved_data import SavedData, SavingApplication, Stores
    from dev.request_check import CheckedApplication

    sys.path.remove(str(ROOT))
    access = EmulatorAccess(int(environ["GATEWAY_PORT"]), environ["AWS_ACCESS_KEY_ID"])

    def data() -> SavedData:
        stores = Stores(*(import_module(f"ministack.services.{name}") for name in ("dynamodb", "ssm", "s3")))
        return SavedData(Path(environ["SAVED_DATA"]), stores)

    async def own(application: Any, *rest: Any, **options: Any) -> None:
        saving = SavingApplication(application, data)
        try:
            await serve(UploadForms(CheckedApplication(saving, access.refusal)), *rest, **options)
        finally:
            await saving.stop()

    return own


def main() -> None:
    """Run ministack in this process."""
    server: Any = import_module("hypercorn.asyncio")
    server.serve = with_own_requests(server.serve, os.environ)
    for module in ("ministack.core.lambda_runtime", "ministack.services.lambda_svc"):
        lambdas: Any = import_module(module)
        lambdas.execution_credentials = own_credentials(os.environ)
    gateway: Any = import_module("ministack.services.apigateway_v1")
    name = "_extract_lambda_ref_from_integration_uri"
    setattr(gateway, name, in_one_piece(getattr(gateway, name)))
    parse_once(import_module("ministack.services.dynamodb"))
    ZipFile.extractall = shared(ZipFile.extractall, folder=Path(tempfile.gettempdir(), FOLDER))
    runpy.run_module("ministack.app", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
