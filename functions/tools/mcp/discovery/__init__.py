"""Discovery of the tools of configured servers: refresh, storage and approval of their definitions."""
