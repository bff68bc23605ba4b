"""Models of the configuration, one module for each section."""
