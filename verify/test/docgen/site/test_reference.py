# SPDX-License-Identifier: BSD-2-Clause
"""Generated pages of the site have each command, parameter, counter, owner, instruction, register
and Python name."""

import csv
import inspect
import re

import mcpi
from mcpi import api
from mcpi.base.repo import ROOT
from mcpi.cli import help_pages
from mcpi.isa import table as isa
from mcpi.machine import counters, profile
from verify.docgen.site import reference


def rows(page: str) -> list[list[str]]:
    """Cells of the rows of all tables of a page."""
    lines = (line for line in page.splitlines() if line.startswith("| `"))
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_each_command_and_each_option_has_its_words() -> None:
    page = reference.commands()
    headings = {line.lstrip("# ") for line in page.splitlines() if line.startswith("##")}
    wanted = {name.removesuffix(".txt").replace("/", " ") for name in help_pages.pages()}
    assert headings == {f"./mcpi {words}" for words in wanted - {"mcpi"}}
    _, _, run = page.partition("\n## ./mcpi run\n")
    run = run.partition("\n## ")[0]
    assert "\n```\n./mcpi run --stack tcp" in run
    assert any(
        row[0].startswith("`--round-trips") and "default: 100" in row[1] for row in rows(run)
    )


def test_help_becomes_paragraphs_and_examples() -> None:
    said = reference._help(
        "Do *it*.\n\n[bold]Examples[/bold]\n\n  ./a\n\n  ./b\n      says b\n\nEnd."
    )
    assert said == ("Do \\*it\\*.\n\n**Examples**\n\n```\n./a\n\n./b\n    says b\n```\n\nEnd.")


def test_each_parameter_has_values_and_meaning() -> None:
    found = {row[0].strip("`"): row for row in rows(reference.parameters())}
    machine = profile.load(reference.MACHINE)
    assert set(machine.parameters) <= set(found)
    assert found["icache.size"][2] == f"`{machine.parameters['icache.size']}`"
    assert (
        found["core.prediction"][1] == "`paper`, `ev4`" and "only 1" in found["core.issue_width"][1]
    )
    assert all(len(row) == 5 and row[4] for row in found.values())


def test_owners_and_counters_are_the_table_s() -> None:
    made = [
        [row[0].strip("`") for row in rows(p)]
        for p in (reference.owners(), reference.counters_page())
    ]
    table = counters.table()
    assert made[0] == [row.plain for row in table if row.of == "owner"]
    assert made[1] == [row.name for row in table if row.of != "owner"]


def test_each_instruction_has_its_code() -> None:
    found = {row[0].strip("`"): row for row in rows(reference.instructions())}
    assert list(found) == [row.name for row in isa.rows()]
    assert found["ldq"][1:6] == ["`29`", "memory", "load", "rb", "ra"]


def test_registers_are_those_of_the_files() -> None:
    page = reference.registers()
    for path, *_ in reference.REGISTERS:
        lines = (line for line in (ROOT / path).open() if not line.startswith("#"))
        assert page.count("\n| ") >= sum(1 for _ in csv.reader(lines))
    assert "lance\\_dma\\_pointer" in page


def test_each_name_of_python_is_there_and_has_types() -> None:
    page = reference.python()
    for name in {*mcpi.__all__, *api.__all__}:
        assert re.search(rf"^\.\. auto(class|function):: mcpi(\.api)?\.{name}$", page, re.M), name
    for name in ("run", "sweep", "compare", "load"):
        signature = inspect.signature(getattr(mcpi, name))
        every = [*signature.parameters.values()]
        assert all(one.annotation is not inspect.Parameter.empty for one in every), name
        assert signature.return_annotation is not inspect.Signature.empty
