"""HTTP API of a function: routing, authorization, checks of request bodies, errors and the OpenAPI document."""
