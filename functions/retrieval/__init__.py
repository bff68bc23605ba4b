"""The tools that look inside this deployment: its collections of documents."""
