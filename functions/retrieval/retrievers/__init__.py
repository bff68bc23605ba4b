"""Where passages are found."""
