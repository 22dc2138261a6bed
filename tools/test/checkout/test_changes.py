# SPDX-License-Identifier: BSD-2-Clause
"""``changes/``: what a user notices of the next release, a file each, for the changelog."""

import re
import subprocess
import sys
import tomllib

import pytest

from mcpi.base.repo import ROOT
from verify.docgen.site.links import TARGET

WIDTH = 98  # a release indents the text by two columns
FOLDER = ROOT / "changes"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
KINDS = [kind["directory"] for kind in SETTINGS["tool"]["towncrier"]["type"]]
NAME = re.compile(rf"\+[a-z0-9-]+\.({'|'.join(KINDS)})\.md")
FRAGMENTS = sorted(path for path in FOLDER.iterdir() if path.name != "README.md")


def faults(name: str, text: str) -> list[str]:
    """Faults of a fragment."""
    found = [] if NAME.fullmatch(name) else [f"{name}: +NAME.KIND.md, of {', '.join(KINDS)}"]
    found += [f"{name}: {len(line)} columns" for line in text.splitlines() if len(line) > WIDTH]
    targets = (t.partition("#")[0] for t in TARGET.findall(text) if "://" not in t)
    return found + [f"{name}: no {t}" for t in targets if not (ROOT / t).exists()]


def test_a_wrong_fragment_is_found():
    assert faults("+a-b.fixes.md", "A word ([x](docs/architecture.md#top)).") == []
    assert len(faults("+a.fix.md", "x" * 99 + "\n[x](nowhere.md)")) == 3


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_a_fragment_is_one(path):
    assert not faults(path.name, path.read_text())


def test_the_page_lists_the_kinds():
    rows = re.findall(r"^\| `(\w+)` \|", (FOLDER / "README.md").read_text(), re.M)
    assert rows == KINDS


def test_a_release_has_every_fragment():
    words = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    joined = " ".join(done.stdout.split())
    assert [p.name for p in FRAGMENTS if " ".join(p.read_text().split()) not in joined] == []


def test_the_changelog_has_a_place_for_it():
    mark = SETTINGS["tool"]["towncrier"]["start_string"]
    assert (ROOT / "CHANGELOG.md").read_text().count(mark) == 1
