"""Trials: single chats with a given model, and the validation statuses of models."""
