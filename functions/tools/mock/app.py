"""Lambda handler of tools of type mock."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import time

from flexchat.tool_runtime import tool_handler
from functions.tools.mock.implementation import Implementation
from functions.tools.mock.mock import MockTool

lambda_handler = tool_handler(Implementation, MockTool(sleep=time.sleep))
modules_imported()
