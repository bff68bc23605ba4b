"""Conversations that the service remembers: their history for the model, and the record of each turn."""
