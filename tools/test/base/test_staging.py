# SPDX-License-Identifier: BSD-2-Clause
"""Files that appear whole, however many write them at once."""

import contextlib
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi.base import doctor, staging
from mcpi.base.errors import RunError, UserError
from mcpi.build import graph


def test_several_write_one_file(tmp_path):
    path, texts = tmp_path / "new" / "kept.txt", [str(n) * 100_000 for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            list(pool.map(lambda text: staging.write(path, text), texts))
            assert path.read_text() in texts
    assert list(path.parent.iterdir()) == [path]
    staging.write(path, b"\0", 0o755)
    assert path.read_bytes() == b"\0" and path.stat().st_mode & 0o777 == 0o755


def test_a_generated_file_stays_whole_until_the_new_one_is(tmp_path, monkeypatch):
    """Another process may read it at any time."""

    def stopped(*_):
        raise KeyboardInterrupt

    path = tmp_path / "machine.json"
    graph.write(path, "old")
    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        graph.write(path, "new")
    assert path.read_text() == "old"


def test_a_second_start_with_the_same_out_is_refused_at_once(tmp_path):
    """The first one's folder stays as it is, and is whole in the end."""
    place = tmp_path / "a"
    with staging.staged(place) as stage:
        (stage / "spec.json").write_text("first")
        with (
            pytest.raises(UserError, match=r"--out .*a: another ./mcpi is writing it now"),
            staging.staged(place),
        ):
            raise AssertionError
        assert not staging.unfinished(tmp_path)
        assert (stage / "spec.json").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    with staging.staged(place) as stage:
        assert not list(stage.iterdir())


def test_a_second_start_as_processes(tmp_path):
    """The second ends with a line; the first has all of its files."""
    words = ("run", "--engine", "exact", "--round-trips", "400", "--out", str(tmp_path / "a"))
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: mcpi(*words), range(2)))
    first, second = sorted(both, key=lambda done: done.returncode)
    assert (first.returncode, second.returncode) == (0, 2), second.stderr
    assert "another ./mcpi is writing it now" in second.stderr
    assert (tmp_path / "a" / "result.json").exists() and len(list(tmp_path.iterdir())) == 1


def test_what_a_run_left_that_did_not_end(tmp_path, monkeypatch):
    """Doctor says how to clear it; the next run with the same name takes the folder."""
    with pytest.raises(RunError), staging.staged(tmp_path / "a") as stage:
        (stage / "spec.json").write_text("")
        raise RunError
    assert staging.unfinished(tmp_path) == [tmp_path / f"a{staging.SUFFIX}"]
    monkeypatch.setattr(doctor, "RESULTS", tmp_path)
    monkeypatch.setattr(doctor, "simulation", lambda: ("starts", "", ""))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        doctor.doctor()
    assert f"1 run in {tmp_path.name}/ did not end" in said.getvalue()
    with staging.staged(tmp_path / "a"):
        pass
    assert not staging.unfinished(tmp_path)
