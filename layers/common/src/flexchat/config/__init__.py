"""The whole configuration as frozen models: authored by an operator, checked once, read by everyone."""
