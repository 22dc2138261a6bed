# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi ip drivers``: the package is imported, and drives the chip, without the checkout."""

import re
import shutil
import sys
from pathlib import Path

import cocotbext
import pytest
from tools_support.outside import outside

from mcpi.parts import drivers


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("drivers") / "package"
    assert all(path.is_file() for path in drivers.write(place))
    return place


def test_nothing_of_the_checkout_is_imported(package) -> None:
    for path in package.rglob("*.py"):
        assert not re.search(r"^\s*(from|import) mcpi\b", path.read_text(), re.M), path


@pytest.mark.long
def test_the_page_s_example_passes(package, tmp_path) -> None:
    """Do as an installation: the package lies next to cocotbext-eth."""
    extensions = tmp_path / "cocotbext"
    extensions.mkdir()
    shutil.copytree(package / "cocotbext" / "mcpi", extensions / "mcpi")
    for place in cocotbext.__path__:
        for other in Path(place).iterdir():
            if not (extensions / other.name).exists():
                (extensions / other.name).symlink_to(other)
    example = re.search(r"```python\n(.*?)```", (package / "README.md").read_text(), re.S)[1]
    (tmp_path / "a_register.py").write_text(example)
    said = outside(tmp_path, sys.executable, "a_register.py")
    assert "TESTS=1 PASS=1 FAIL=0" in said, said[-4000:]
