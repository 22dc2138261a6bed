# SPDX-License-Identifier: BSD-2-Clause
"""A wheel in which the exact engine is compiled: ``mcpi.exec("a.elf")`` without a checkout.

The wheel has the checkout's Python, machines and firmware in a folder ``mcpi_tree``, to which a
file ``mcpi.pth`` leads, and in its ``build/`` what a checkout compiles: the engine, linked
statically, and for each machine PALcode and the image of an absent peer.
"""

import base64
import hashlib
import io
import time
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from mcpi.base.repo import BUILD, ROOT, WHEEL
from mcpi.build import models
from mcpi.firmware import images, program
from mcpi.machine import profile
from mcpi.releasing import commit as commits
from mcpi.releasing.commit import Commit

TREE, TAG = "mcpi_tree", "py3-none-linux_x86_64"
FILES = ("LICENSE", "pyproject.toml", "tools/mcpi", "machines", "papers", "rtl/*.scala")
FILES += ("sim/*.toml", "firmware", ":!firmware/test")
PTH = f"{TREE}/tools\n"
GENERATOR = "mcpi release"


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
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: {GENERATOR}\n"
        f"Root-Is-Purelib: false\nTag: {TAG}\n".encode(),
    }
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD").encode()
    out.write_bytes(zipped(files, commit.seconds))


def compiled() -> tuple[list[str], dict[str, Path]]:
    """Machines that the wheel runs, and what is compiled for them, by its name in ``build/``."""
    engine = models.build(models.STATIC)
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


def metadata(commit: Commit) -> str:
    """METADATA, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.4", "Name: mcpi", f"Version: {commit.version}"]
    lines += [f"Summary: {project['description']}", f"License-Expression: {project['license']}"]
    lines += [f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {one}" for one in project["dependencies"]]
    return "\n".join([*lines, "", f"Made of commit {commit.name}.", ""])


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
