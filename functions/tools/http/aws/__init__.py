"""AWS adapters of the http tools."""
