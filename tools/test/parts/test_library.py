# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi ip library``: what is installed compiles and runs outside of the checkout."""

import os
import subprocess
from pathlib import Path

import pytest
from tools_support import contents

from mcpi.base.errors import UserError
from mcpi.parts import library


def run(*words, **more) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> tuple[Path, Path]:
    """The folder, and the prefix below which ``make install`` has put it."""
    place = tmp_path_factory.mktemp("library")
    made = library.write(place / "liblance")
    assert all(path.is_file() for path in made)
    run("make", "-s", "install", f"PREFIX={place / 'prefix'}", cwd=place / "liblance")
    return place / "liblance", place / "prefix"


@pytest.mark.parametrize("name", ["lance", "lance-exact"])
def test_both_examples_say_the_same(name, installed, tmp_path) -> None:
    folder, prefix = installed
    env = os.environ | {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    env["LD_LIBRARY_PATH"] = str(prefix / "lib")
    flags = run("pkg-config", "--cflags", "--libs", name, env=env).split()
    how = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-o", tmp_path / "hello"]
    run("cc", folder / "hello.c", *how, *flags)
    said = run(tmp_path / "hello", env=env)
    assert said.startswith("CSR0 0004 at tick "), said
    path = prefix / "lib" / f"lib{name}.so"
    assert run("python3", "-I", folder / "hello.py", path) == said


def test_no_file_names_a_folder_of_this_computer(installed) -> None:
    """Neither in messages nor as a place of libraries."""
    folder, _ = installed
    for path in folder.iterdir():
        assert not contents.named(path.name, path.read_bytes(), contents.ours())
        if path.suffix == ".so":
            assert "Library r" not in run("readelf", "-d", path)  # rpath, runpath


def test_the_headers_are_whole(installed, tmp_path) -> None:
    _, prefix = installed
    (tmp_path / "a.cpp").write_text("#include <lance-exact.h>\n")
    run("c++", "-fsyntax-only", f"-I{prefix / 'include/lance'}", tmp_path / "a.cpp")


def test_a_folder_of_others_is_left_alone(tmp_path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(UserError, match="is there already"):
        library.write(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]
