"""The demo model: a small server that answers by rules where no real model can be reached.

It speaks a provider's own wire over HTTP, so the whole path from the chat to the tools and back runs without a key. It
is deterministic, and says in every answer what it is. `python -m dev.demo_model --help` lists its fault dials.
"""
