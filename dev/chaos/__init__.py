"""Chats through the real chat function with random faults of models, tools and AWS services, each checked.

Every worker is a process, like an environment of a Lambda function: it has the chat function with its real adapters,
the handlers of the tools in process, and tables of its own. Chats that need several environments at once, or whose
environment is killed, fork them. All use one demo model over HTTP. A seed determines the plans and the faults, except
for the timing of the machine.
"""
