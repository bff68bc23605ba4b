"""What every HTTP door of the service has in common: the check of a body, the error envelope, the routes' frame."""
