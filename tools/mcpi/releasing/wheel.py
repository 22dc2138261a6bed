# SPDX-License-Identifier: BSD-2-Clause
"""A wheel in which the exact engine is compiled: ``mcpi.exec("a.elf")`` without a checkout.

The wheel has the checkout's Python, machines and firmware in a folder ``mcpi_tree``, to which a
file ``mcpi.pth`` leads, and in its ``build/`` what a checkout compiles: the engine, which wants
glibc alone, and for each machine PALcode and the image of an absent peer.
"""

import base64
import hashlib
import io
import re
import time
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.repo import BUILD, ROOT, WHEEL
from mcpi.build import models
from mcpi.firmware import images, program
from mcpi.machine import profile
from mcpi.releasing import commit as commits
from mcpi.releasing.commit import Commit

GLIBC = 36  # Debian 12's, 2.36: the engine wants it at least
TREE, TAG = "mcpi_tree", f"py3-none-manylinux_2_{GLIBC}_x86_64"
FILES = ("LICENSE", "pyproject.toml", "tools/mcpi", "machines", "papers", "rtl/*.scala")
FILES += ("sim/*.toml", "firmware", ":!firmware/test")
PTH = f"{TREE}/tools\n"
GENERATOR = "mcpi release"
NOTICES = ROOT / "docs" / "data" / "licences" / "wheel-notices.txt"
LICENCES = (ROOT / "LICENSE", NOTICES)
WANTED = re.compile(rb"GLIBC_2\.(\d+)")


@dataclass(frozen=True)
class Component:
    """Software of others that is compiled into the wheel; ``licence`` as in SPDX."""

    name: str
    package: str  # Debian's, which brings it
    licence: str


GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
COMPONENTS = (
    Component("libstdc++", "g++-12", GCC),
    Component("libgcc", "g++-12", GCC),
    Component("libgcc for Alpha", "gcc-12-alpha-linux-gnu", GCC),
    Component("CLI11", "libcli11-dev", "BSD-3-Clause"),
    Component("JSON for Modern C++", "nlohmann-json3-dev", "MIT"),
    Component("zlib", "zlib1g-dev", "Zlib"),
)


def name(commit: Commit) -> str:
    """The file's name, which a wheel's form prescribes."""
    return f"{commit.stem}-{TAG}.whl"


def write(out: Path, commit: Commit) -> None:
    """Build what the wheel has compiled, and write the wheel."""
    files = {f"{TREE}/{one}": (ROOT / one).read_bytes() for one in commits.files(*FILES)}
    machines, programs = compiled()
    files |= {f"{TREE}/{WHEEL.name}": f"{', '.join(machines)}\n".encode(), "mcpi.pth": PTH.encode()}
    files |= {f"{TREE}/build/{one}": path.read_bytes() for one, path in programs.items()}
    info = f"{commit.stem}.dist-info"
    files |= {
        f"{info}/METADATA": metadata(commit).encode(),
        **{f"{info}/licenses/{path.name}": path.read_bytes() for path in LICENCES},
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: {GENERATOR}\n"
        f"Root-Is-Purelib: false\nTag: {TAG}\n".encode(),
    }
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD").encode()
    out.write_bytes(zipped(files, commit.seconds))


def compiled() -> tuple[list[str], dict[str, Path]]:
    """Machines that the wheel runs, and what is compiled for them, by its name in ``build/``."""
    engine = models.build(models.STATIC)
    if (glibc := wanted(engine.read_bytes())) > GLIBC:
        raise RunError(f"{engine}: wants glibc 2.{glibc}, and the wheel's name says 2.{GLIBC}.")
    machines, found = [], {"models/mcpi-exact": engine}
    for one in profile.names():
        machine = profile.load(one)
        if machine.coherent:  # no program of a user's own runs there
            continue
        plan = images.build(program.absent(machine))
        for path in (plan.pal, plan.image):
            found[str(path.relative_to(BUILD))] = path
        machines.append(one)
    return machines, found


def wanted(program: bytes) -> int:
    """N of the glibc 2.N that a program wants at least."""
    return max((int(found) for found in WANTED.findall(program)), default=0)


def metadata(commit: Commit) -> str:
    """METADATA, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.4", "Name: mcpi", f"Version: {commit.version}"]
    lines += [f"Summary: {project['description']}", f"License-Expression: {licence(project)}"]
    lines += [f"License-File: {path.name}" for path in LICENCES]
    lines += [f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {one}" for one in project["dependencies"]]
    return "\n".join([*lines, "", f"Made of commit {commit.name}.", ""])


def licence(project: dict) -> str:
    """The licences of the wheel: mCPI's, and those of what is compiled into it."""
    return " AND ".join(dict.fromkeys([project["license"], *(c.licence for c in COMPONENTS)]))


def record(files: Mapping[str, bytes], own: str) -> str:
    """RECORD: each file with its digest and length; its own line has neither."""
    lines = []
    for one, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{one},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{own},,\n"])


def zipped(files: Mapping[str, bytes], seconds: int) -> bytes:
    """The files as a zip: in the order of their names, of one time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for one, data in sorted(files.items()):
            info = zipfile.ZipInfo(one, time.gmtime(seconds)[:6])
            mode = 0o755 if data[:4] == b"\x7fELF" and not one.endswith(".elf") else 0o644
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(info, data)
    return out.getvalue()
