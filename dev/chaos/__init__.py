"""Chats through the real chat function while models, tools and AWS services fail by chance, with checks of each.

Every worker is a process, as every environment of a Lambda is: it has the chat function with its real adapters, the
handlers of the tools in process, and tables of its own. Chats that need several environments at once, or whose
environment is killed, fork them. All ask one demo model over HTTP. A seed gives the same plans and the same faults,
as far as the machine's own timing allows.
"""
