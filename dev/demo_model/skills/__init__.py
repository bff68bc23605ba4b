"""What the demo model can do, one module a skill, each from a message to requests."""
