# SPDX-License-Identifier: BSD-2-Clause
"""Limits of ``./mcpi exec`` for somebody's CI, its limit of time, and programs in ``compare``."""

import json
import time

import pytest
from tools_support.command import mcpi, refused

import mcpi as package
from mcpi.api import limits
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT

CONFLICT = str(ROOT / "examples" / "conflict.c")
PLACE = "8 KB apart"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return package.exec(CONFLICT, out=tmp_path_factory.mktemp("limits") / "run")


def test_exec_from_python_measures_as_the_command(run, tmp_path):
    done = mcpi("exec", CONFLICT, "--json", "--out", str(tmp_path / "run"))
    assert run.regions[PLACE].ticks == json.loads(done.stdout)["regions"]["client"][PLACE]["ticks"]
    larger = package.exec(CONFLICT, dcache_size="16KB", out=tmp_path / "larger")
    assert larger.regions[PLACE].ticks < run.regions[PLACE].ticks


def test_a_slip_of_a_keyword_is_named():
    with pytest.raises(UserError, match="dcache_sizes: no option"):
        package.exec(CONFLICT, dcache_sizes="16KB")


@pytest.mark.parametrize(("more", "fails"), [(0, False), (-1, True)])
def test_more_ticks_than_allowed_fail(run, more, fails, tmp_path):
    most = run.regions[PLACE].ticks + more
    done = mcpi("exec", CONFLICT, "--fail-above", f"{PLACE}={most}", "--out", str(tmp_path / "a"))
    assert done.returncode == fails
    assert ("more ticks than allowed" in done.stderr and PLACE in done.stderr) == fails
    assert (tmp_path / "a" / "result.json").is_file()


def test_more_ticks_than_before_fail_by_owner(run, tmp_path):
    base = str(run.folder / "result.json")
    words = ["exec", CONFLICT, "--baseline", base, "--out", str(tmp_path / "run")]
    assert mcpi(*words).returncode == 0
    done = mcpi(*words, "--set", "memory.read_ticks=90", "--set", "dcache.size=1KB")
    assert done.returncode == 1 and "d_miss +" in done.stderr and "side by side" in done.stderr


def test_limits_are_read_before_anything_runs(tmp_path):
    assert "PLACE=TICKS is wanted" in refused("exec", CONFLICT, "--fail-above", "sum")
    words = refused("exec", CONFLICT, "--fail-above", "sum=3", "--out", str(tmp_path / "run"))
    assert "no place that is measured" in words and PLACE in words
    assert not (tmp_path / "run").exists()
    with pytest.raises(UserError, match="no record"):
        limits.of([], tmp_path / "none")


def test_a_limit_of_seconds_ends_a_program(tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { for (;;) ; }\n")
    began = time.monotonic()
    words = ["exec", str(tmp_path / "a.c"), "--max-ticks", str(10**12), "--max-seconds", "8"]
    done = mcpi(*words, "--out", str(tmp_path / "run"))
    assert done.returncode == 1 and "--max-seconds" in done.stderr
    assert time.monotonic() - began < 120


def test_two_sources_are_compared(tmp_path):
    before, after = tmp_path / "before.c", tmp_path / "after.c"
    text = "volatile int x;\nint main(void) { for (int i = 0; i < 100; i++) x += i; return 0; }\n"
    before.write_text(text)
    after.write_text(text.replace("100", "200"))
    done = mcpi("compare", str(before), str(after), "--out", str(tmp_path / "run"), "--json")
    assert done.returncode == 0, done.stderr
    assert "main" in done.stdout
    words = refused("compare", str(before), str(after), "--variant", "all")
    assert "a program has no such thing" in words
    assert "nothing in common" in refused("compare", str(before), "std")
