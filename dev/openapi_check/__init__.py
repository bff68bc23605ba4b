"""Check of imported OpenAPI documents: the definitions, and the requests that their tools send."""
