# SPDX-License-Identifier: BSD-2-Clause
"""The pages of docs/: at most 100 columns, all in the index, paths that are there, packages as
they are. verify/test/docgen/site/test_links.py checks their links."""

import configparser
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools_support.pages import DOCS, MADE, PAGES, name

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from verify import test_runner
from verify.docgen.site import links

WIDTH = 100
# Mentions of a page in sources: `docs/…` with its folder.
MENTION = re.compile(r"(?<![\w./-])docs/[\w/-]+\.(?:md|svg|csv)")
# Folders of the checkout with which a path in a page begins.
TOPS = "bench|boards|cores|course|docs|examples|firmware|lance-ip|machines|papers|rtl|setup|sim"
TOPS += "|site|tools|verify"
PATH = re.compile(rf"`((?:{TOPS})/[^`\s]*)`")
TO_COME = {  # examples of a page
    "boards/versa/board.toml",
    "boards/versa/Top.scala",
    "boards/versa/pins.lpf",
    "cores/alpha-lite/loadstore/BlockBuffer.scala",
    "sim/test/memory/test_block_buffer.py",
}
SOURCES = (".py", ".scala", ".c", ".h", ".cpp", ".S", ".toml", ".sv", ".svh", ".usc", ".md", ".csv")


def too_long(page: str) -> Iterator[tuple[int, str]]:
    """Line numbers and lines beyond the width, without tables and what cannot be broken."""
    hidden = MADE.sub(lambda m: "\n" * m[0].count("\n"), page)
    for number, line in enumerate(hidden.splitlines(), 1):
        one_word = " " not in line.strip(" -*")
        if len(line) > WIDTH and not line.startswith("|") and not one_word:
            yield number, line


def absent(page: str) -> list[str]:
    """Paths in backticks that are not there. ``{a,b}`` stands for several, ``*`` for any name; a
    placeholder in capitals, ``<name>`` or ``…`` for no file of ours."""
    found = (path for path in PATH.findall(page) if not re.search(r"[<…]|\b[A-Z]+\b(?!\.md)", path))
    paths = (one.rstrip("/") for path in found for one in several(path))
    return [one for one in paths if not any(any(ROOT.glob(one + end)) for end in ("", ".*"))]


def several(path: str) -> list[str]:
    """``a{b,c}d`` is ``abd`` and ``acd``."""
    if not (braces := re.search(r"\{([^{}]*)\}", path)):
        return [path]
    before, after = path[: braces.start()], path[braces.end() :]
    return [one for word in braces[1].split(",") for one in several(before + word + after)]


def test_a_long_line_an_absent_path_and_a_wrong_order_are_found() -> None:
    page = "short\n" + "word " * 21 + "\n| " + "x " * 60 + "\n" + "<!-- t -->\n" + "w " * 60
    page += "\n<!-- end -->\n- [" + "x" * 120 + "](y)\n"
    assert [number for number, _ in too_long(page)] == [2]
    assert absent("`sim/no.cpp` `rtl/{node,no}/` `docs/*.md` `sim/<n>.h`") == [
        "sim/no.cpp",
        "rtl/no",
    ]
    assert drawn("```\ncli\n papers | machine\n```\n") == [{"cli"}, {"papers", "machine"}]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_columns(page: Path) -> None:
    long = [f"{name(page)}:{n}: {len(line)}" for n, line in too_long(page.read_text())]
    assert not long, "\n".join(long)


def test_every_page_that_is_mentioned_exists() -> None:
    missing = {}
    ours = heard(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True)
    for path in map(ROOT.joinpath, ours.stdout.splitlines()):
        if path.suffix not in SOURCES or not path.is_file():
            continue
        for page in MENTION.findall(path.read_text(errors="replace")):
            if not (ROOT / page).exists():
                missing.setdefault(page, name(path))
    assert not missing, f"pages that are not there, and who names each: {missing}"


def test_paths_that_a_page_names_exist() -> None:
    missing = {(name(page), path) for page in PAGES for path in absent(page.read_text())}
    missing = {(page, path) for page, path in missing if page != "CHANGELOG.md"}
    assert {path for _, path in missing} <= TO_COME, missing


def test_every_page_is_in_the_index() -> None:
    """README.md, or a page that it names, has a link to each page."""
    found, _ = links.closure(ROOT / "README.md")
    assert not {name(p) for p in PAGES if p not in found}


def test_tests_that_a_page_names_exist() -> None:
    """The words of each ``./mcpi test -k``."""
    command = re.compile(r"\./mcpi test (?:--\w+ )*-k (?:\"([^\"]+)\"|([a-z]\w*))")
    for page in PAGES:
        for quoted, word in command.findall(page.read_text()):
            test_runner.check(quoted or word)


def drawn(page: str) -> list[set[str]]:
    """The packages in the first drawing of a page, a set a line, from the top."""
    drawing = re.search(r"^```\n(.*?)^```", page, re.M | re.S)[1]
    lines = (re.match(r" *([a-z]+(?: *\| *[a-z]+)*)(?:  |$)", line) for line in drawing.split("\n"))
    return [set(re.split(r" *\| *", m[1])) for m in lines if m]


def test_the_drawing_of_the_packages_is_the_contract() -> None:
    """docs/architecture.md against .importlinter, layer by layer."""
    config = configparser.ConfigParser()
    config.read(ROOT / ".importlinter")
    layers = config["importlinter:contract:layers"]["layers"].split("\n")
    wanted = [set(re.split(r" *\| *", layer.strip())) for layer in layers if layer.strip()]
    section = (DOCS / "architecture.md").read_text().partition("## The packages of tools")[2]
    assert drawn(section) == wanted


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "how-to").glob("*.md")), ids=name)
def test_every_how_to_has_a_picture(page: Path) -> None:
    """A file that is there, or a drawing of lines."""
    text = page.read_text()
    files = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert files or "──" in text
    assert all((page.parent / file).is_file() for file in files)
