"""Tools as the chat function knows them: which there are, whether a call may run, and how it is run."""
