"""Import times by package."""

from dev.bench.import_times import by_package

LINES = """\
import time: self [us] | cumulative | imported package
import time:       100 |        100 |       zlib
import time:      1500 |       1600 |     botocore.utils
a line of the program
import time:       500 |       2100 |   botocore
import time:      3000 |       5100 | functions.chat.app
"""


def test_the_modules_of_a_package_are_added_without_their_imports() -> None:
    assert by_package(LINES.splitlines()) == {"functions": 3.0, "botocore": 2.0, "zlib": 0.1}


def test_the_slowest_package_is_the_first() -> None:
    assert next(iter(by_package(LINES.splitlines()))) == "functions"
