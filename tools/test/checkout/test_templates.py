# SPDX-License-Identifier: BSD-2-Clause
"""Templates of examples/templates: the lines that they type do what they say."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from mcpi.base.repo import ROOT

FOLDER = ROOT / "examples" / "templates"
LIMIT = 14000
PROGRAM = re.search(r"^```c\n(.*?)^```", (ROOT / "docs/how-to/exec.md").read_text(), re.M | re.S)[1]


def job() -> dict:
    return yaml.safe_load((FOLDER / "ticks.yml").read_text())["jobs"]["ticks"]


def steps() -> list[str]:
    """The lines of the workflow, in shells, without those of apt, which want root."""
    found = [step["run"] for step in job()["steps"] if "run" in step]
    return [lines for lines in found if "apt-get" not in lines]


def typed(place: Path, line: str) -> subprocess.CompletedProcess:
    """A line typed in the repository ``place``, with this checkout as mCPI's repository."""
    given = {name: value for name, value in os.environ.items() if name != "MCPI_ENV"}
    head = ["git", "-C", ROOT, "rev-parse", "HEAD"]
    commit = subprocess.run(head, check=True, capture_output=True, text=True).stdout.strip()
    given |= {"MCPI": str(ROOT), "COMMIT": commit}
    words = ["bash", "-e", "-c", line]
    return subprocess.run(words, cwd=place, env=given, capture_output=True, text=True)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A repository with the page's program, and mCPI beside it."""
    (tmp_path / "sum.c").write_text(PROGRAM)
    (tmp_path / "mcpi").symlink_to(ROOT)
    return tmp_path


def test_a_program_within_its_limit_passes(place: Path) -> None:
    done = typed(place, steps()[-1])
    assert done.returncode == 0, done.stderr
    assert f"sum={LIMIT}" in steps()[-1]


def test_a_program_above_its_limit_fails_and_is_named(place: Path) -> None:
    done = typed(place, steps()[-1].replace(str(LIMIT), "13000"))
    assert done.returncode == 1 and re.search(
        r"sum: 13,\d+\.\d ticks, more than 13,000", done.stderr
    )


def test_the_page_types_the_same_line() -> None:
    assert f"\n{steps()[-1].strip()}\n" in (FOLDER / "README.md").read_text()


def test_the_container_has_the_workflow_s_image_and_address() -> None:
    container = json.loads((FOLDER / "devcontainer.json").read_text())
    assert container["image"] == job()["container"]
    assert {name: job()["env"][name] for name in ("MCPI", "COMMIT")}.items() <= (
        container["containerEnv"].items()
    )
    assert container["remoteEnv"]["PATH"].endswith(":/opt/mcpi")


@pytest.mark.long
def test_the_workflow_from_the_clone_on(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(PROGRAM)
    for line in steps():
        done = typed(tmp_path, line)
        assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_container_s_command_brings_mcpi(tmp_path: Path) -> None:
    container = json.loads((FOLDER / "devcontainer.json").read_text())
    _, _, line = container["onCreateCommand"].partition("python3 && ")
    done = typed(tmp_path, line.replace("/opt/mcpi", str(tmp_path / "mcpi")))
    assert done.returncode == 0, done.stderr
    (tmp_path / "sum.c").write_text(PROGRAM)
    done = typed(tmp_path, f"PATH=$PATH:{tmp_path / 'mcpi'}; mcpi exec sum.c")
    assert done.returncode == 0 and "sum of owners" in done.stdout, done.stderr
