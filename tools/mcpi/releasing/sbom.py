# SPDX-License-Identifier: BSD-2-Clause
"""The software of others that mCPI uses, as an SBOM in CycloneDX's JSON form (specification 1.6).

It has the packages of docs/data/licences/, and what of them is compiled into the wheel. The form
wants a random serial number and a time only where there are any: without both, equal commits have
equal files.
"""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from mcpi.base.repo import ROOT
from mcpi.releasing import wheel
from mcpi.releasing.commit import Commit

LISTS = ROOT / "docs" / "data" / "licences"
OURS = "BSD-2-Clause"
DEBIAN = "debian-packages.csv"
# The kind of a package's address (purl), by the list that has it.
KINDS = {"python-packages.csv": "pypi", DEBIAN: "deb/debian", "jars.csv": "maven"}


def text(commit: Commit) -> str:
    """The SBOM as JSON."""
    own = {
        "type": "application",
        "bom-ref": "mcpi",
        "name": "mcpi",
        "version": commit.version,
        "licenses": [{"license": {"id": OURS}}],
        "properties": [{"name": "mcpi:commit", "value": commit.name}],
    }
    parts = [part for name in KINDS for part in components(name)] + [*in_wheel()]
    found = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
        "dependencies": [{"ref": "mcpi", "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def components(name: str) -> Iterator[dict]:
    """A component for each package, and each version of it, in a list."""
    pinned = _pinned()
    for row in csv.DictReader((LISTS / name).read_text().splitlines()):
        package = row.get("package") or row["jar"]
        versions = row.get("version") or pinned.get(package, "")
        for version in versions.split(", ") if versions else [""]:
            # The list has no group of a jar, which an address of Maven wants.
            at = "" if name == "jars.csv" else f"pkg:{KINDS[name]}/{package}"
            at += f"@{version}" if at and version else ""
            yield {
                "type": "library",
                "bom-ref": f"{KINDS[name]}/{package}" + (f"@{version}" if version else ""),
                "name": package,
                **({"version": version} if version else {}),
                "description": row["for"],
                "licenses": [{"license": {"name": row["licence"]}}],
                **({"purl": at} if at else {}),
            }


def in_wheel() -> Iterator[dict]:
    """A component for each part of others that is compiled into the wheel."""
    for one in wheel.COMPONENTS:
        yield {
            "type": "library",
            "bom-ref": f"wheel/{one.name}",
            "name": one.name,
            "description": f"compiled into the wheel; Debian's package {one.package} has it",
            "licenses": [{"expression": one.licence}],
        }


def _pinned() -> dict[str, str]:
    """Versions of the Debian packages that have one in setup/packages.txt."""
    lines = Path(ROOT / "setup" / "packages.txt").read_text().splitlines()
    words = (line.split()[0].partition("=") for line in lines if line[:1] not in ("", "#"))
    return {name: version for name, equals, version in words if equals}
