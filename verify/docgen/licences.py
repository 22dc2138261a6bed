# SPDX-License-Identifier: BSD-2-Clause
"""The Python packages and the Debian packages of ``docs/reference/licences.md``, two files of
``docs/data/licences/``: from the pins, and from the metadata of installed packages.

``./mcpi python -m verify.docgen.licences`` writes both. A package that is not installed in the
version of its pin keeps its row.
"""

import csv
import io
import re
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "reference" / "licences.md"
PACKAGES = ROOT / "docs" / "data" / "licences" / "python-packages.csv"
DEBIAN_PACKAGES = ROOT / "docs" / "data" / "licences" / "debian-packages.csv"
SETUP = ROOT / "setup"
HEAD = ("package", "version", "licence", "groups", "for")
_KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
SAID, DIRECT, DEBIAN = (_KNOWN[key] for key in ("licence", "purpose", "debian"))
_PIN = re.compile(r"([\w.-]+)==(\S+?)(?: *; *(.*?))? *\\?$")
ELSEWHERE = re.compile(r"'(?:win32|darwin|nt|pypy)'$")  # markers of systems that are not ours


def debian() -> list[str]:
    """The names in setup/packages.txt, and in the files of the groups ``debug`` and ``c++``."""
    files = [SETUP / name for name in ("packages.txt", "tools/debug.txt", "tools/c++.txt")]
    lines = [line for file in files for line in file.read_text().splitlines()]
    return [line.split()[0].partition("=")[0] for line in lines if line[:1] not in ("", "#")]


def debian_packages() -> str:
    """DEBIAN_PACKAGES made anew. UserError for a package without a licence here."""
    if unknown := [name for name in debian() if name not in DEBIAN]:
        raise UserError(f"{unknown[0]}: add its licence and purpose to licences.toml.")
    return _csv([("package", "licence", "for"), *((name, *DEBIAN[name]) for name in debian())])


def _csv(rows: Iterable[Iterable[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def direct() -> set[str]:
    """The packages that a file ``setup/python/*.in`` names."""
    lines = (line for path in (SETUP / "python").glob("*.in") for line in path.open())
    names = (re.match(r"[A-Za-z][\w.-]*", line) for line in lines)
    return {name[0].lower() for name in names if name}


def pins() -> dict[str, tuple[list[str], list[str]]]:
    """Versions and groups of each pinned package that a Linux of ours can have."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for path in sorted((SETUP / "python").glob("*.txt")):
        group = path.stem
        for pin in filter(None, map(_PIN.match, path.read_text().splitlines())):
            if ELSEWHERE.search((pin[3] or "").strip()) and "==" in pin[3]:
                continue
            versions, groups = found.setdefault(pin[1], ([], []))
            versions += [] if pin[2] in versions else [pin[2]]
            groups += [] if group in groups else [group]
    return dict(sorted(found.items()))


def licence(name: str) -> str:
    """The licence by the metadata of the installed package: its SPDX name if they have one."""
    if name in SAID:
        return SAID[name]
    about = metadata.metadata(name)
    kinds = [c.rpartition(":: ")[2] for c in about.get_all("Classifier") or [] if "License" in c]
    text = (about.get("License") or "").strip()
    if spdx := about.get("License-Expression"):
        return spdx
    if text and "\n" not in text and len(text) < 40 and text != "UNKNOWN":
        return text
    if not kinds:
        raise UserError(f"{name}: its metadata name no licence; add it to licences.toml.")
    return ", ".join(kinds)


def listed() -> dict[str, list[str]]:
    """The rows of PACKAGES, by package."""
    with PACKAGES.open(newline="") as stream:
        return {row[0]: row for row in list(csv.reader(stream))[1:]}


def packages() -> str:
    """PACKAGES made anew. UserError for a package of which nothing is known."""
    before, rows = listed(), []
    for name, (versions, groups) in pins().items():
        version, about = ", ".join(versions), DIRECT.get(name, "needed by others")
        try:
            there = metadata.version(name)
        except metadata.PackageNotFoundError:
            there = None
        if there in versions:
            said = licence(name)
        elif before.get(name, ("", ""))[1] == version:
            said = before[name][2]
        else:
            raise UserError(
                f"{name} {version}: not installed. Type: ./mcpi setup --with {groups[0]}"
            )
        rows.append((name, version, said, " ".join(groups), about))
    return _csv([HEAD, *rows])


if __name__ == "__main__":
    PACKAGES.write_text(packages())
    DEBIAN_PACKAGES.write_text(debian_packages())
