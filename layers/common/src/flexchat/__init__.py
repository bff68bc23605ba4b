"""The words of the domain. Nothing here talks to the world, except `flexchat.aws`."""
