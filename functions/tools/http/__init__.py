"""Tools that call an HTTP API, declared in the configuration."""
