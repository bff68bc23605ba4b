"""Trials of models: single chats with a given model, and what is known of models from many of them."""
