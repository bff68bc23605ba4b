"""Stored conversations: history for the model, and the record of each turn."""
