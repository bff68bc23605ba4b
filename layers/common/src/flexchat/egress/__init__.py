"""Outgoing HTTP requests to addresses that the configuration names, guarded against server-side request forgery.

`urls` parses an address strictly, `policy` decides hosts and IP addresses, `backend` connects to an address that was
decided, and `httpx_transport` puts it under an httpx client.
"""
