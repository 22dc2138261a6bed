# SPDX-License-Identifier: BSD-2-Clause
"""A folder is small enough to be read as a list."""

import subprocess
from collections import Counter
from pathlib import PurePosixPath

from mcpi.base.repo import ROOT

MOST_FILES = 25  # directly in a folder


def test_no_folder_has_more_files_than_a_screen() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    count = Counter(str(PurePosixPath(path).parent) for path in listed.stdout.splitlines())
    large = {folder: number for folder, number in count.items() if number > MOST_FILES}
    assert not large, f"sort their files into folders: {large}"
