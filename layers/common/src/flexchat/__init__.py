"""Domain model and shared services of all functions. Only `flexchat.aws` calls AWS."""
