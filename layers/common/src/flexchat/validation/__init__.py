"""Whether models call tools properly: cases, their grading, and what many verdicts say of a model. Without any I/O."""
