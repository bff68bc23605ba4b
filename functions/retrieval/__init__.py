"""Retrieval function: collections of documents, their search and their HTTP API."""
