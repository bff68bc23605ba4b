"""The index of a collection: one SQLite file with its passages, their terms and their vectors."""
