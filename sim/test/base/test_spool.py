# SPDX-License-Identifier: BSD-2-Clause
"""Files that are written while a run goes on, and their copies in memory; planted mistakes."""

import subprocess
from pathlib import Path

import pytest
from sim_support.simulators import SIM

UNIT = Path(__file__).with_name("unit_spool.cpp")
HEADER = "base/spool.h"
MISTAKES = {
    "a copy forgets what lies before its text": ("recent_(other.recent_)", "recent_()"),
    "a copy forgets the file": ("if (other.written_)", "if (false)"),
    "parts of a copy are of another size": (
        "recentBytes_ += text.size()",
        "recentBytes_ += 2 * text.size()",
    ),
    "parts of a copy are not packed": (
        "before_.push_back(std::make_shared<const std::string>(part(all)))",
        "before_.push_back(std::make_shared<const std::string>(all))",
    ),
    "what has settled is not the latest": ('(last_ ? *last_ : "")', "std::string()"),
}


def run(folder: Path, text: str) -> subprocess.CompletedProcess:
    """The unit, compiled with a header of this text."""
    (folder / "base").mkdir()
    (folder / HEADER).write_text(text)
    (folder / "base/error.h").symlink_to(SIM / "base/error.h")
    program = folder / "unit"
    words = ["g++", "-O1", "-std=c++17", f"-I{folder}", UNIT, "-o", program]
    subprocess.run(words, check=True)
    return subprocess.run([program, folder], capture_output=True, text=True)


def test_copies_end_as_the_same_bytes(tmp_path):
    done = run(tmp_path, (SIM / HEADER).read_text())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("title", MISTAKES)
def test_a_mistake_is_found(title, tmp_path):
    right, wrong = MISTAKES[title]
    text = (SIM / HEADER).read_text()
    assert text.count(right) == 1
    assert run(tmp_path, text.replace(right, wrong)).returncode
