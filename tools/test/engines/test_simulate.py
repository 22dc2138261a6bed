# SPDX-License-Identifier: BSD-2-Clause
"""A run that is kept leaves each file that it left when it ran."""

from pathlib import Path

from mcpi.base import run_store
from mcpi.base.progress import Silent
from mcpi.batch import perform
from mcpi.batch.plan import Experiment
from mcpi.engines import simulate
from mcpi.results import measure, round_trip_owners
from mcpi.spec.run_spec import EXACT, RunSpec

OWN = {"stderr.txt", "run.json", "command.txt"}  # have times of the host, or name its folder


def files(root: Path) -> dict[Path, bytes]:
    """Content of each file by its path, without those that name times."""
    found = (path for path in root.rglob("*") if path.is_file())
    return {p.relative_to(root): b"" if p.name in OWN else p.read_bytes() for p in found}


def test_a_kept_run_leaves_every_file(tmp_path, monkeypatch):
    monkeypatch.setattr(run_store, "KEPT", tmp_path / "kept")
    spec = RunSpec(engine=EXACT, warmup=1, round_trips=2)
    wanted = Experiment.of("only", spec, ("results", "tcp", "std"))
    left = []
    for name in ("a", "b"):
        tasks = perform.build([wanted], tmp_path / name, Silent())
        assert bool(perform.perform(tasks, 1, Silent())) == (name == "a")
        left.append(files(tmp_path / name))
    assert left[0] == left[1] and any(path.name == "spells.0.csv" for path in left[0])


def test_a_long_run_is_compressed_and_read(tmp_path, monkeypatch):
    """Its record is that of the same run without."""
    spec, records = RunSpec(engine=EXACT, warmup=1, round_trips=640), []
    for name, long in (("plain", simulate.LONG), ("packed", 500)):
        monkeypatch.setattr(run_store, "KEPT", tmp_path / f"kept of {name}")
        monkeypatch.setattr(simulate, "LONG", long)
        for folder in (name, f"{name} again"):
            wanted = Experiment.of("only", spec, ("results", "tcp", "std"))
            perform.perform(perform.build([wanted], tmp_path / folder, Silent()), 1, Silent())
            [place] = (p.parent for p in (tmp_path / folder).rglob("spells.0.csv*"))
            window = measure.measured(place / "events.csv")
            records.append(round_trip_owners.of(place, window))
            assert (place / "spells.0.csv.gz").exists() == (name == "packed")
    assert records[0] and records == records[:1] * 4
