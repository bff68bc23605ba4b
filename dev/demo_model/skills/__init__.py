"""Skills of the demo model, one module each: from a message to tool requests."""
