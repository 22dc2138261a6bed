# SPDX-License-Identifier: BSD-2-Clause
"""The path of all tests: the packages mcpi and verify, and each folder of ``testpaths``.

Helpers of a room's tests are a package there: ``from tools_support.command import mcpi``.
"""

import sys

import pytest


def pytest_configure(config: pytest.Config) -> None:
    folders = ["tools", ".", *config.getini("testpaths")]
    path = [str(config.rootpath / folder) for folder in folders]
    sys.path[:0] = [folder for folder in path if folder not in sys.path]
