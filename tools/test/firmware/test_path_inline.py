# SPDX-License-Identifier: BSD-2-Clause
"""A path's C file: what is copied, what stays a call, and what is refused."""

import re
import subprocess

import pytest

from mcpi.base.errors import UserError
from mcpi.firmware import c_functions, path_inline

UP = """#include "up.h"

enum { BYTES = 4 };
static const int table[] = { 1, 2 };

/* Not on the path. */
static int error(int n)
{
	return -n;
}

static int check(int n)
{
	return n > table[0] ? error(n) : helper(n);
}

int up_demux(int n)
{
	return xPop(n) + check(n) + s->check;
}

int up_through(struct thing *s, int n)
{
	return s->own.ops->pop(n) + s->pop + s->push(n);
}
"""
DOWN = """#include "down.h"

static struct thing *first, **count;

int down_push(int n)
{
	return xPush(n) + up_demux(n);
}

int down_counted(int n)
{
	return n + !count;
}

int up_pop(int n)
{
	return n;
}
"""
SPEC = """
[calls.one]
xPop = "up_pop"
xPush = "down_push"
[input]
entry = "up_demux"
inline = ["one/up.c: up_demux check", "two/down.c: up_pop"]
[output]
entry = "down_push"
inline = ["two/down.c: down_push"]
[guard]
opens = [{ at = 12, value = "0800" }]
same = [{ at = 12, bytes = 2 }]
"""


@pytest.fixture
def made(tmp_path):
    """Makes the unit of a specification, after (old, new) replacements in it."""
    sources = []
    for folder, name, text in (("one", "up.c", UP), ("two", "down.c", DOWN)):
        (tmp_path / folder).mkdir()
        sources.append(tmp_path / folder / name)
        sources[-1].write_text(text)

    def make(*replacements: tuple[str, str]) -> path_inline.Unit:
        spec = SPEC
        for old, new in replacements:
            assert old in spec
            spec = spec.replace(old, new)
        (tmp_path / "x.toml").write_text(spec)
        return path_inline.unit(tmp_path / "x.toml", sources)

    return make


def test_what_is_copied(made):
    text = made().text
    assert "static __attribute__((flatten)) int path_input(int n)" in text
    assert "__attribute__((flatten)) int path_output(int n)" in text
    # A listed static function is inlined, another is copied and called, any other only called.
    assert "return one_xPop(n) + path_up_check(n) + s->check;" in text
    assert "return n > path_up_table[0] ? path_up_error(n) : helper(n);" in text
    assert "static NOINLINE int path_up_error(int n)" in text
    assert "PATH_xPop(one_xPop, path_down_up_pop)" in text
    assert "enum { BYTES = 4 };" in text
    assert "Not on the path." not in text, "comments are left out"


def test_input_and_output_are_apart(made):
    """The output function calls the ordinary up_demux, not the input function's copy; and no call
    is known of its folder."""
    assert "return xPush(n) + up_demux(n);" in made().text


def test_lines_are_the_sources(made):
    text = made().text.splitlines()
    at = next(n for n, line in enumerate(text) if line.endswith("path_input(int n)")) - 1
    while not text[at].startswith("#line"):
        at += 1
    assert any(f"#line {UP[: UP.index('int up_demux')].count(chr(10)) + 1} " in x for x in text)


def test_the_linker_puts_it_in_place(made):
    flags = made().flags
    assert flags[:2] == ("--wrap=up_demux", "--defsym=__wrap_up_demux=path_entry")
    assert flags[2:] == ("--wrap=down_push", "--defsym=__wrap_down_push=path_output")


POINTERS = (
    ('xPop = "up_pop"', '"->pop" = "up_pop"'),
    ('entry = "up_demux"', 'entry = "up_through"'),
    ("up_demux check", "up_through"),
    (SPEC[SPEC.index("[guard]") :], ""),
)


def test_a_call_through_a_pointer_is_compared(made):
    """Calls of the listed member become a comparison; other members stay."""
    text = made(*POINTERS).text
    call = "PATH_THROUGH(s->own.ops->pop, up_pop, path_down_up_pop, n)"
    assert f"return {call} + s->pop + s->push(n);" in text


def test_without_a_guard_the_input_takes_its_functions_place(made):
    unit = made(*POINTERS)
    assert unit.flags[:2] == ("--wrap=up_through", "--defsym=__wrap_up_through=path_input")
    assert "\n__attribute__((flatten)) int path_input(struct thing *s, int n)" in unit.text
    assert "path_entry" not in unit.text and "PATH_CHECK" not in unit.text


COMPARED = """#include <stdio.h>
#define PREDICT_TRUE(c) (c)
%s
static int one(int n) { return n; }
static int copy(int n) { return 10 * n; }
static int other(int n) { return 100 * n; }
int main(void)
{
	int (*of[])(int) = { one, other };
	for (int i = 0; i < 2; i++)
		printf("%%d ", PATH_THROUGH(of[i], one, copy, 7));
}
"""


@pytest.mark.parametrize(("old", "said"), [("", "70 700 "), ("(pointer) == (general)", "70 70 ")])
def test_the_comparison_decides(tmp_path, old, said):
    """Another function is called itself; without the comparison the copy would be."""
    text = path_inline.HEADER.read_text().replace(old or "\0", "1")
    [macro] = re.findall(r"#define PATH_THROUGH.*\\\n.*", text)
    (tmp_path / "a.c").write_text(COMPARED % macro)
    subprocess.run(["gcc", "a.c", "-o", "a"], cwd=tmp_path, check=True)
    assert subprocess.check_output(["./a"], cwd=tmp_path, text=True) == said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("up_demux check", "up_demux chick", "no function chick in one/up.c"),
        ("two/down.c: down_push", "two/dawn.c: down_push", "no file two/dawn.c"),
        (
            'xPop = "up_pop"',
            'xPup = "up_pop"',
            "xPup: no such call. There are: xPop, .* and ->MEMBER",
        ),
        ('xPop = "up_pop"', 'xPop = "up_pap"', "up_pap is called but not in any"),
        ('entry = "down_push"', 'entry = "down_pash"', "entry down_pash is not among"),
        ("c: down_push", "c: down_push down_counted", "static variable count"),
        ('value = "0800"', 'value = "080"', "hexadecimal"),
        ('value = "0800"', 'value = "0800", mask = "ff"', "shorter"),
    ],
)
def test_refused(made, old, new, said):
    with pytest.raises(UserError, match=said):
        made((old, new))


def test_items_of_a_source(tmp_path):
    file = tmp_path / "a.c"
    file.write_text(
        "#include <x.h>\n\nstruct a {\n\tint b;\n};\n\nstatic struct a *first, **last;\n"
        "const struct ops ops = {\n\t.f = f,\n};\nint f(void);\n\n"
        "static __attribute__((noinline)) int wait(struct a *s)\n{\n\treturn s->f;\n}\n"
    )
    source = c_functions.read(file)
    assert source.includes == ("#include <x.h>",)
    kinds = [(i.kind, i.name) for i in source.items]
    assert kinds == [
        ("type", ""),
        ("variable", "first"),
        ("constant", "ops"),
        ("declaration", ""),
        ("function", "wait"),
    ]
    assert source.function("wait").line == 13


def test_a_comment_behind_an_item_is_not_part_of_the_next(tmp_path):
    file = tmp_path / "a.c"
    file.write_text("static int many; /* so */\n#if A\nint b; /* as */\n#endif\nint f(void);\n")
    items = c_functions.read(file).items
    assert [(i.text, i.conditions) for i in items] == [
        ("static int many;", ()),
        ("int b;", ("#if A",)),
        ("int f(void);", ()),
    ]


def test_a_counter_may_have_a_functions_name(tmp_path):
    """COUNT's second word is a member, though a static function of the file has its name."""
    file = tmp_path / "a.c"
    file.write_text("static int none(int n)\n{\n\tCOUNT(counts, none);\n\treturn none(n - 1);\n}\n")
    item = c_functions.read(file).function("none")
    renamed = item.renamed({"none": "path_none"})
    assert "COUNT(counts, none);" in renamed and "return path_none(n - 1);" in renamed
    assert {"counts", "none"} <= item.words()
    other = c_functions.Item("function", "f", file, 1, "int f(void)\n{\n\tCOUNT(counts, none);\n}")
    assert "none" not in other.words()


def test_conditions_go_with_what_they_are_around(tmp_path):
    file = tmp_path / "a.c"
    file.write_text("#if X\nint f(void)\n{\n}\n#endif\nint g(void)\n{\n}\n")
    source = c_functions.read(file)
    f, g = source.function("f"), source.function("g")
    assert f.within(f.text) == "#if X\nint f(void)\n{\n}\n#endif"
    assert g.within(g.text) == g.text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("#if X\nint x;\n#else\nint y;\n#endif\n", 3),
        ("int f(void)\n{\n#if X\n\tg();\n#endif\n}\n", 3),
        ("#if X\n#include <y.h>\n#endif\n", 2),
        ("#define A \\\n\t1\n", 1),
    ],
)
def test_other_conditional_text_is_refused(tmp_path, text, line):
    file = tmp_path / "a.c"
    file.write_text(text)
    with pytest.raises(UserError, match=f"a.c:{line}: a file of a path may have"):
        c_functions.read(file)
