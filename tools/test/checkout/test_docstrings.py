# SPDX-License-Identifier: BSD-2-Clause
"""Docstrings and comments of Python, comments of Scala and C++ begin with a verb or with a noun.

``firmware/test/test_c_style.py`` reads the firmware's C.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT

# A reader has to look for the noun in the code below such a word.
RIDDLE = re.compile(r"(?:As|None|Of|One|So much|That which|Those|What|Whether|Who|Whoever|Whose)\b")
PYTHON = ("bench", "boards", "cores", "firmware", "lance-ip", "rtl", "setup", "sim", "tools")
PYTHON += ("verify",)
OTHERS = ("boards", "cores", "lance-ip", "rtl", "sim")
SUFFIXES = (".cpp", ".h", ".scala")
# A string, a block comment, or a run of lines with a comment each.
TOKEN = re.compile(
    r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"'
    r"|/\*+\s*(?:\*\s+)?(?P<block>(?s:.*?))\*/"
    r"|//[/<]*[ \t]*(?P<lines>[^\n]*(?:\n[ \t]*//[^\n]*)*)"
)


def docstrings(text: str) -> Iterator[str]:
    """Docstrings of a Python file."""
    kinds = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
    return (found for node in nodes if (found := ast.get_docstring(node)))


def hashes(text: str) -> Iterator[str]:
    """Comments of a Python file. Lines of their own that follow each other are one."""
    before = -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, alone = token.start[0], token.line.lstrip().startswith("#")
            if not (alone and row == before + 1):
                yield token.string.lstrip("# ")
            before = row if alone else -1


def comments(text: str) -> Iterator[str]:
    """Comments of a Scala or C++ file. Lines that follow each other are one."""
    text = text.partition("\n")[2] if text.startswith("// SPDX") else text
    found = (match["block"] or match["lines"] for match in TOKEN.finditer(text))
    return (comment for comment in found if comment)


def riddles(file: Path) -> list[str]:
    """First lines that begin with such a word, with the file's name."""
    text = file.read_text()
    read = [*docstrings(text), *hashes(text)] if file.suffix == ".py" else comments(text)
    first = (found.splitlines()[0] for found in read if RIDDLE.match(found))
    return [f"{file.relative_to(ROOT)}: {line}" for line in first]


@pytest.mark.parametrize("room", PYTHON)
def test_a_docstring_begins_with_its_verb_or_noun(room: str) -> None:
    wrong = [line for file in sorted((ROOT / room).rglob("*.py")) for line in riddles(file)]
    assert not wrong, "begin with a verb, or with the noun:\n" + "\n".join(wrong)


@pytest.mark.parametrize("room", OTHERS)
def test_a_comment_begins_with_its_verb_or_noun(room: str) -> None:
    files = sorted(file for file in (ROOT / room).rglob("*") if file.suffix in SUFFIXES)
    wrong = [line for file in files for line in riddles(file)]
    assert not wrong, "begin with a verb, or with the noun:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('"""What it is."""\n', 1),
        ('class A:\n    """Of a file."""\n\n    def f(self):\n        """Whether."""\n', 2),
        ('async def f():\n    """\n    Those of ``names``.\n    """\n', 1),
        ('"""Often, or Asserted."""\nx = "Of"\n', 0),
        ('def f():\n    """Return what is left."""\n    """What."""\n', 0),
    ],
)
def test_a_planted_docstring_is_found(text: str, count: int) -> None:
    assert len([one for one in docstrings(text) if RIDDLE.match(one)]) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("/** What it is. */\n", 1),
        ("/**\n  * Whether it is there.\n  */\n", 1),
        ("  // Who waits.\n  x();\n  /// Of a tick.\n", 2),
        ("int a; ///< As ever\n", 1),
        ("// SPDX-License-Identifier: BSD-2-Clause\n// What the chip sent.\n", 1),
        ("// Bits of\n// What the chip sent.\n", 0),
        ("/* Bits of\n * What the chip sent. */\n", 0),
        ('f("// What"); g("/* Of */");\n', 0),
        ("int a; // of a frame\n// Often.\n// synopsys translate_off\n", 0),
    ],
)
def test_a_planted_comment_is_found(text: str, count: int) -> None:
    assert len([one for one in comments(text) if RIDDLE.match(one)]) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# What it is.\nx = 1\n", 1),
        ("x = 1  # What it is.\ny = 2  # Of a file.\n", 2),
        ("# Bits of\n# What the chip sent.\n", 0),
        ("x = 1  # bits of\n# What the chip sent.\n", 1),
        ('x = "# What"\ny = """\n# Of\n"""\n', 0),
        ("# Often, or Asserted.\n", 0),
    ],
)
def test_a_planted_comment_of_python_is_found(text: str, count: int) -> None:
    assert len([one for one in hashes(text) if RIDDLE.match(one)]) == count
