# SPDX-License-Identifier: BSD-2-Clause
"""docs/contributing.md: each file and test that it names is there, each kind has its test."""

import re

import pytest

from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "contributing.md"
KINDS = ("machine parameter", "counter", "stall owner", "instruction", "part of the core")
KINDS += ("protocol", "variant", "study", "board")
# Folders of the checkout, or files at its top, with which a path begins.
TOPS = "boards|cores|docs|firmware|lance-ip|machines|papers|rtl|setup|sim|tools"
# Steps of a kind, a file each; more mean that the architecture is wrong.
MOST_FILES = dict.fromkeys(KINDS, 5) | {"part of the core": 20}
TO_COME = {"cores/alpha-lite/loadstore/BlockBuffer.scala", "sim/test/memory/test_block_buffer.py"}


def paths(text: str) -> list[str]:
    """Paths in backticks that are to exist: all without a placeholder."""
    return re.findall(rf"`((?:{TOPS})/[^`<> ]*)`", text)


def missing(text: str) -> list[str]:
    """A path with ``…`` names a file in any folder below what stands before it."""

    def there(path: str) -> bool:
        before, skipped, after = path.partition("…/")
        return any((ROOT / before).rglob(after)) if skipped else (ROOT / path).exists()

    return [path for path in paths(text) if not there(path)]


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## An? (.*)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_what_is_not_there_is_found() -> None:
    text = (
        "`rtl/no.scala` `sim/…/oracle.cpp` `sim/…/no.cpp` `boards/<name>/x` `rtl/node/Node.scala`"
    )
    assert missing(text) == ["rtl/no.scala", "sim/…/no.cpp"]


def test_every_file_and_test_exists() -> None:
    text = PAGE.read_text()
    assert len(paths(text)) > 40
    assert set(missing(text)) == TO_COME  # of an example


def test_every_kind_is_there() -> None:
    assert tuple(sections(PAGE.read_text())) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_needs_few_files_and_has_a_test(kind: str) -> None:
    text = sections(PAGE.read_text())[kind]
    assert 0 < len(re.findall(r"^\d+\. ", text, re.M)) <= MOST_FILES[kind]
    tests = re.findall(r"^\| `([\w/…-]+/test_\w+\.py)` \| .+ \|$", text, re.M)
    assert tests, "a row `test` | fails until"
