"""From files to passages: loaders by format, and the chunker."""
