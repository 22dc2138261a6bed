# SPDX-License-Identifier: BSD-2-Clause
"""firmware/link.order: what the list refuses, and the order that it makes."""

from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.firmware import link_order
from mcpi.firmware.link_order import Part

LIST = """# an order
boot/crt0.S
protocols/a/one.c: first
  protocols/a/two.c: third
  protocols/a/one.c: second
main.c
"""
ONE = "int first(void)\n{\n\treturn 1;\n}\n\nint second(void)\n{\n\treturn 2;\n}\n"
TWO = "static int helper(void)\n{\n\treturn 3;\n}\n\nint third(void)\n{\n\treturn helper();\n}\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {
        "boot/crt0.S": "",
        "protocols/a/one.c": ONE,
        "protocols/a/two.c": TWO,
        "main.c": "",
        "link.order": LIST,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "link.order"


def test_units_are_read_and_written_for_the_linker(tree: Path) -> None:
    found = link_order.read(tree)
    assert found[1] == (
        Part("protocols/a/one.c", ("first",)),
        Part("protocols/a/two.c", ("third",)),
        Part("protocols/a/one.c", ("second",)),
    )
    assert link_order.sources(found) == [
        "boot/crt0.S",
        "protocols/a/one.c",
        "protocols/a/two.c",
        "main.c",
    ]
    objects = {s: Path(s.replace("/", "-") + ".o") for s in link_order.sources(found)}
    assert link_order.script(found, objects).splitlines()[:2] == [
        "*/boot-crt0.S.o(.text .text.*)",
        "*/protocols-a-one.c.o(.text.first .text.first.*)",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("main.c\n", "", None),  # main.c is no file of a room: a list for tests can go without
        ("  protocols/a/two.c: third\n", "", "no line for protocols/a/two.c"),
        ("two.c", "three.c", "there is no protocols/a/three.c"),
        ("  protocols/a/one.c: second\n", "", "one.c: its function second has no place"),
        ("second", "secnd", "one.c has no function secnd"),
        ("one.c: second", "one.c: first", "one.c or one of its functions is there twice"),
        ("one.c: second", "one.c", "one.c or one of its functions is there twice"),
    ],
)
def test_a_list_that_does_not_fit_the_sources(tree: Path, old, new, message) -> None:
    assert old in LIST
    tree.write_text(LIST.replace(old, new))
    if message is None:
        link_order.read(tree)
        return
    with pytest.raises(UserError, match=message):
        link_order.read(tree)


def test_a_recipe_and_a_seed_reorder_units() -> None:
    sources = ["boot/crt0.S", "main.c", "graph_table.c", *(f"xkernel/{n}.c" for n in NAMES)]
    plain = link_order.sources(link_order.units(sources))
    assert plain[0] == "boot/crt0.S" and set(plain) == set(sources)
    first = link_order.sources(link_order.units(sources, ("main.c",)))
    assert first == ["main.c", *(s for s in plain if s != "main.c")]
    drawn = [link_order.sources(link_order.units(sources, (), seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2] and drawn[0] != plain
    assert all(order[0] == "boot/crt0.S" for order in drawn)


NAMES = ("event", "map", "msg", "thread", "upi")
