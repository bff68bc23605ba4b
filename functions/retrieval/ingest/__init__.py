"""Ingestion of files: loaders by format, and the chunker."""
