# SPDX-License-Identifier: BSD-2-Clause
"""Rules for the firmware's C that no compiler checks: switches are tested by ``if``, never by #if
inside a function, and a comment begins with its verb or noun."""

import re
from pathlib import Path

import pytest
from firmware_support.host_build import FIRMWARE

COMMENT = re.compile(r"/\*.*?\*/", re.S)
# A function begins with its head in the first column and ends with a brace there; clang-format
# sees to both. An #if, #endif and so on keeps the head from reaching over it.
BODY = re.compile(r"^[a-zA-Z_][^;{}#=]*\)\n\{\n(.*?)^\}", re.M | re.S)
CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b.*", re.M)
# A reader has to look for the noun in the code below such a word.
RIDDLE = re.compile(
    r"/\*\*?[ \t]*\n?[ \t]*(?:\*[ \t]*)?(?:What|Of|Whether|Those|As|Who|Whoever|Whose)\b.*"
)


def sources(root: Path = FIRMWARE) -> list[Path]:
    return sorted(p for p in root.rglob("*") if p.suffix in (".c", ".h", ".S", ".inc", ".cpp"))


def conditions_in_bodies(text: str) -> list[str]:
    """The #if lines, and those that belong to them, inside functions."""
    blank = COMMENT.sub(lambda m: re.sub(r"[^\n]", "", m[0]), text)
    return [line for body in BODY.findall(blank) for line in CONDITION.findall(body)]


def test_no_condition_of_the_preprocessor_in_a_function() -> None:
    found = {p: conditions_in_bodies(p.read_text()) for p in sources() if p.suffix in (".c", ".h")}
    wrong = [f"{p.relative_to(FIRMWARE)}: {line}" for p, lines in found.items() for line in lines]
    assert not wrong, "use `if (XK_…)`, or two functions:\n" + "\n".join(wrong)


def test_no_comment_begins_with_a_riddle() -> None:
    wrong = [
        f"{p.relative_to(FIRMWARE)}: {match[0]}"
        for p in sources()
        for match in RIDDLE.finditer(p.read_text())
    ]
    assert not wrong, "begin with a verb, or with the noun:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("int f(int a)\n{\n#if XK_MP\n\ta++;\n#endif\n\treturn a;\n}\n", ["#if XK_MP", "#endif"]),
        ("static inline int f(int a,\n\t\t    int b)\n{\n#ifdef A\n#endif\n}\n", 2),
        (
            "#if XK_MP\nint f(int a)\n{\n\treturn a; /*\n#if 0\n*/\n}\n#else\n#define f 0\n#endif",
            0,
        ),
        ("struct s {\n#if XK_MP\n\tint a;\n#endif\n};\n\nint f(void)\n{\n\treturn 0;\n}\n", 0),
    ],
)
def test_a_planted_condition_is_found(text: str, found: list[str] | int) -> None:
    lines = conditions_in_bodies(text)
    assert lines == found if isinstance(found, list) else len(lines) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/* What the driver needs. */", True),
        ("\t/* Of a frame that went. */", True),
        ("/*\n * Whoever waits. */", True),
        ("/* Whoa. */ /* Often. */ /* Assigns it. */", False),
        ("int bytes; /* of a frame */", False),
    ],
)
def test_a_planted_riddle_is_found(text: str, found: bool) -> None:
    assert bool(RIDDLE.search(text)) == found
