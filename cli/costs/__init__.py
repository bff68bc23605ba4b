"""Cost of a stage on AWS: the resources of the template, and the prices of its services."""
