"""Pictures and files of messages: fetched, read, stored and uploaded."""
