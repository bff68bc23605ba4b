"""llama.cpp's server with a scripted model, on a free port of this machine.

The only argument is a JSON object: the `script`, the path of the `model` file to write, the size of the `context`, and
optionally `embeddings` and a `key`. Prints the address, then serves until it is terminated or its standard input ends.
"""

import json
import sys
from pathlib import Path

import xllamacpp
from scripted_model import write_model


def main() -> None:
    settings = json.loads(sys.argv[1])
    write_model(settings["script"], Path(settings["model"]))
    server = xllamacpp.Server(_parameters(settings))
    print(server.listening_address, flush=True)
    sys.stdin.read()


def _parameters(settings: dict) -> xllamacpp.CommonParams:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = settings["model"]
    parameters.model_alias = {"scripted"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = settings["context"]
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.embedding = settings.get("embeddings", False)
    if settings.get("embeddings"):
        parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    parameters.api_keys = [settings["key"]] if "key" in settings else []
    return parameters


if __name__ == "__main__":
    main()
