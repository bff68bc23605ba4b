"""Configuration as frozen models: written by an operator, checked once, read by every function."""
