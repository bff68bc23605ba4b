"""Outgoing HTTP requests to addresses that the configuration names, guarded against server-side request forgery.

`urls` parses an address strictly, `policy` decides hosts and IP addresses, `backend` connects to an address that was
decided, `pool` and `httpx_transport` put it under an httpx client, and `settings` reads the rules of a deployment.
"""
