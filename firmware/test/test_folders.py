# SPDX-License-Identifier: BSD-2-Clause
"""A folder of the firmware has at most 25 files, and a folder of its tests is named like the folder
that the tests are of."""

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

from firmware_support.host_build import FIRMWARE, TEST

from mcpi.base.process import heard

MOST_FILES = 25
# Helpers in Python and C, programs for images, and tests of the whole that have a folder.
OTHERS = {"firmware_support", "fuzz", "host", "litmus", "models", "programs", "smp"}


def tracked() -> list[PurePath]:
    done = heard(["git", "ls-files"], cwd=FIRMWARE)
    return [PurePath(line) for line in done.stdout.splitlines()]


def crowded(files: Iterable[PurePath]) -> dict[str, int]:
    """Folders with too many files."""
    count = Counter(str(file.parent) for file in files)
    return {folder: n for folder, n in count.items() if n > MOST_FILES}


def test_no_folder_is_crowded() -> None:
    assert not crowded(tracked())
    assert crowded([PurePath(f"apps/{n}.c") for n in range(26)]) == {"apps": 26}


def test_folders_of_tests_are_those_of_the_firmware() -> None:
    folders = {f.parent.relative_to("test") for f in tracked() if f.parts[0] == "test"}
    own = [f for f in folders if f.parts and f.parts[0] not in OTHERS]
    assert all((TEST / folder).is_dir() for folder in own) and len(own) > 20
    assert not [str(folder) for folder in own if not (FIRMWARE / folder).is_dir()]
