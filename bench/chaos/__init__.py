"""Many chats through the real chat function while models, tools and tables fail by chance.

Every worker is a process, as every environment of a Lambda is one: it has the chat function with its real adapters, the
tools' real handlers in process, and tables of its own. All ask one demo model over HTTP. A seed makes the same chats
with the same faults again, as far as the machine's own timing allows.
"""
