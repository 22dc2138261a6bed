# SPDX-License-Identifier: BSD-2-Clause
"""docs/reference/stability.md names all commands and the whole API, and versions agree."""

import re
import tomllib

import typer.main

import mcpi
from mcpi.base.repo import ROOT
from mcpi.cli import main
from mcpi.results import types

PAGE = (ROOT / "docs/reference/stability.md").read_text()
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def named(row: str) -> set[str]:
    """Names in backquotes in the first cell of the rows that begin so, in both tables."""
    cells = re.findall(rf"^\| {row}([^|]*)\|", PAGE, re.M)
    return {name for cell in cells for name in re.findall(r"`([\w-]+)`", cell)}


def test_each_command_is_stable_or_is_not() -> None:
    there = typer.main.get_command(main.app).commands
    assert named("commands") == {name for name, one in there.items() if not one.hidden}


def test_the_api_is_what_the_package_names() -> None:
    assert named("Python:") - {"mcpi"} == set(mcpi.__all__)


def test_schemas_and_versions_agree() -> None:
    assert f"by its number, now {types.SCHEMA}:" in PAGE
    assert f"The version is **{VERSION}**." in PAGE
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^version: (\S+)$", citation, re.M)[1] == VERSION
