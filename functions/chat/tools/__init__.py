"""Tools of the chat function: registry, provider formats, checks and execution of calls."""
