# SPDX-License-Identifier: BSD-2-Clause
"""The wheel: installed in an environment without a checkout, a compiler or git, it gives the
checkout's figures."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tools_support import contents

import mcpi
from mcpi.base import environment
from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.releasing import wheel
from mcpi.releasing.commit import Commit

OF = Commit("1.2.3", "c" * 40, 1_700_000_000, "2023-11-14")
PROGRAM = ROOT / "examples" / "conflict.c"
ASK = """import json, sys, mcpi
run = mcpi.exec(sys.argv[1], **json.loads(sys.argv[2]))
print(json.dumps([mcpi.__file__, {n: s.path.totals.owners for n, s in run.regions.items()}]))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("wheel") / wheel.name(OF)
    wheel.write(place, OF)
    return place


@pytest.fixture(scope="module")
def python(made: Path, tmp_path_factory) -> Path:
    """Python of a new environment with the wheel; what the wheel requires is ours."""
    place = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    found = place / "bin" / "python"
    pip = next((environment.tree() / "usr/share/python-wheels").glob("pip-*.whl")) / "pip"
    words = [found, pip, "install", "--quiet", "--no-deps", "--no-index", made]
    subprocess.run(words, check=True)
    [site] = place.glob("lib/python3.*/site-packages")
    ours = next(path for path in map(Path, sys.path) if (path / "msgspec").is_dir())
    (site / "ours.pth").write_text(f"{ours}\n")
    return found


def asked(python: Path, program: Path, **settings: object) -> subprocess.CompletedProcess:
    place = python.parents[1]
    words = [python, "-c", ASK, program, json.dumps(settings)]
    bare = {"PATH": "/nonexistent", "HOME": str(place)}
    return subprocess.run(words, env=bare, cwd=place, capture_output=True, text=True)


def test_the_figures_are_the_checkout_s(python: Path, tmp_path: Path) -> None:
    ours = mcpi.exec(PROGRAM, out=tmp_path / "ours")
    for settings in ({}, {"dcache_size": "16KB"}, {"machine": "alpha-300"}):
        wanted = mcpi.exec(ours.folder / "image.elf", out=tmp_path / str(len(settings)), **settings)
        done = asked(python, ours.folder / "image.elf", **settings)
        assert done.returncode == 0, done.stderr
        file, found = json.loads(done.stdout)
        assert "site-packages" in file and str(ROOT / "tools") not in file
        assert found == {n: one.path.totals.owners for n, one in wanted.regions.items()}


def test_what_wants_a_compiler_is_refused_in_words(python: Path, tmp_path: Path) -> None:
    done = asked(python, PROGRAM)
    assert done.returncode == 1 and "a wheel has no compiler; give it an ELF file" in done.stderr


def test_the_record_has_every_file(made: Path) -> None:
    with zipfile.ZipFile(made) as found:
        names = found.namelist()
        lines = found.read("mcpi-1.2.3.dist-info/RECORD").decode().splitlines()
        engine = found.getinfo("mcpi_tree/build/models/mcpi-exact")
    assert sorted(line.split(",")[0] for line in lines) == sorted(names)
    assert engine.external_attr >> 16 == 0o100755


def test_the_licences_of_what_is_compiled_come_with_it(made: Path) -> None:
    """A notice for each, and an engine that wants this glibc."""
    with zipfile.ZipFile(made) as found:
        info = "mcpi-1.2.3.dist-info"
        about = found.read(f"{info}/METADATA").decode()
        names = re.findall(r"^License-File: (.*)", about, re.M)
        texts = [found.read(f"{info}/licenses/{name}").decode() for name in names]
        engine = found.read("mcpi_tree/build/models/mcpi-exact")
    assert names == ["LICENSE", "wheel-notices.txt"] and "BSD 2-Clause" in texts[0]
    [said] = re.findall(r"^License-Expression: (.*)", about, re.M)
    for one in wheel.COMPONENTS:
        assert one.name.removesuffix(" for Alpha") in texts[1] and one.licence in said
    assert wheel.wanted(engine) == wheel.GLIBC and b"libc.so.6" in engine


def test_no_file_names_a_folder_of_this_computer(made: Path) -> None:
    assert not contents.named(made.name, made.read_bytes(), contents.ours())


def test_no_image_names_an_object(made: Path) -> None:
    """The name of an object has a digest of its compiler's options, and so of the checkout's
    folder."""
    with zipfile.ZipFile(made) as found:
        images = {n: found.read(n) for n in found.namelist() if n.endswith("/image.elf")}
    assert images
    assert not [name for name, data in images.items() if re.search(rb"\.[0-9a-f]{8}\.o\0", data)]


def test_an_engine_of_a_later_glibc_is_refused(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "engine").write_bytes(b"GLIBC_2.4 GLIBC_2.99 GLIBC_2.36")
    monkeypatch.setattr(models, "build", lambda _: tmp_path / "engine")
    with pytest.raises(RunError, match=r"wants glibc 2\.99"):
        wheel.compiled()


def test_the_wheel_is_the_same_again(made: Path, tmp_path: Path) -> None:
    wheel.write(tmp_path / "again.whl", OF)
    assert made.read_bytes() == (tmp_path / "again.whl").read_bytes()


def test_a_mistake_in_the_record_is_found(monkeypatch) -> None:
    """pip would refuse it: a digest of another file."""
    files = {"a": b"1", "b": b"2"}
    right = wheel.record(files, "R")
    assert wheel.record(files | {"b": b"3"}, "R") != right and right.endswith("R,,\n")
