"""Validation of models by tool calls: cases, grading, statistics. No I/O."""
