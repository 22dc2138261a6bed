# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi test -k``: only files in which something matches are run."""

import concurrent.futures

import pytest

from mcpi import tests
from mcpi.tests import Kinds

ONE = "def test_apple(): pass\n"
TWO = "import pytest\n\ndef test_pear(): pass\n\n@pytest.mark.long\ndef test_apple_tree(): pass\n"
BROKEN = "import a_module_that_nobody_has\n"


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Two rooms whose tests have helpers of the same name."""
    monkeypatch.setattr(tests, "ROOT", tmp_path)
    files = {"a/test/test_one.py": ONE, "b/test/test_two.py": TWO}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(f"import helper\n{text}")
        (tmp_path / name).with_name("helper.py").write_text("")
    return tmp_path, list(files)


def matching(files: list[str], kinds: Kinds, expression: str) -> list[str]:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return tests._matching(files, kinds, expression, pool)


@pytest.mark.parametrize(
    ("kinds", "expression", "expected"),
    [
        (Kinds.USUAL, "apple", [0]),
        (Kinds.ALL, "apple", [0, 1]),
        (Kinds.USUAL, "apple or pear", [0, 1]),
        (Kinds.USUAL, "test_two", [1]),  # a file's name
        (Kinds.USUAL, "plum", []),
    ],
)
def test_files_by_expression(house, kinds, expression, expected):
    _, files = house
    assert matching(files, kinds, expression) == [files[n] for n in expected]


def test_a_file_that_cannot_be_collected_is_run_to_say_so(house):
    root, files = house
    (root / files[0]).write_text(BROKEN)
    assert matching(files, Kinds.USUAL, "pear") == files
