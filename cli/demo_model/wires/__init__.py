"""The providers' wires the demo model speaks, one module a wire."""
