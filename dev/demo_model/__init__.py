"""Demo model: a small rule-based server for use without a real model.

It implements the HTTP APIs of the providers, so the whole path from the chat to the tools and back runs without a key.
It is deterministic, and every answer identifies it. `python -m dev.demo_model --help` lists its fault directives.
"""

STREAM_MS_VARIABLE = "FLEXCHAT_DEMO_STREAM_MS"
"""Environment variable with the pause between the events of a stream, in milliseconds."""
