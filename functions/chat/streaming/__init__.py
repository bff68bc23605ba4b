"""Streamed chats: their events, their storage with the run, and the replay of a run."""
