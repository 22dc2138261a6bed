# SPDX-License-Identifier: BSD-2-Clause
"""Files that are compressed while a run goes on say what those say that are not."""

from sim_support.pairs import images
from sim_support.simulators import machine_json, simulate

from mcpi.build import models
from mcpi.results import folders

LATE = {"stack": 0, "warmup": 700, "round_trips": 4}  # a file of 1 MiB, before the process forks


def test_a_compressed_file_has_the_same_text(tmp_path):
    """In the folder of the forked process, too."""
    boot = (("--node", f"{n}:boot.{key}={value}") for n in (0, 1) for key, value in LATE.items())
    options = [word for words in boot for word in words]
    machine, program = machine_json(tmp_path), models.build("mcpi-exact")
    for name, more in (("plain", []), ("packed", ["--compress"])):
        out = tmp_path / name
        words = [*options, "--spells", "--fork-cold", out / "cold", *more]
        done = simulate(images("tcp"), out, machine, *words, program=program)
        assert not done.returncode, done.stderr
    packed = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.gz")}
    names = {f"{place}spells.{n}.csv.gz" for place in ("packed/", "packed/cold/") for n in (0, 1)}
    assert packed == names
    assert folders.differences(tmp_path / "plain", tmp_path / "packed") == {}
