"""Retrievers of passages."""
