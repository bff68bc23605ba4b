"""Outgoing HTTP requests to addresses that the configuration names, guarded against server-side request forgery.

`urls` parses an address strictly, `policy` decides hosts and IP addresses, `addresses` resolves a name to addresses
that were decided, `network` connects to them, `client` is the client of httpx2 on this network, and `settings` reads
the rules of a deployment.
"""
