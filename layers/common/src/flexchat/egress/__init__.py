"""Outgoing HTTP requests to addresses that the configuration names, guarded against server-side request forgery.

`urls` parses an address strictly, `policy` decides hosts and IP addresses, `addresses` resolves a name to addresses
that were decided, `sockets` connects to them, `transport` is the interface of a client to the network, `connections`
its implementation, and `settings` reads the rules of a deployment.
"""
