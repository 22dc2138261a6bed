# SPDX-License-Identifier: BSD-2-Clause
"""The data set of a sweep: a row for each run, as a DataFrame, Parquet, CSV and plots."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.api import frames
from mcpi.api.sweeping.grid import SPECS, Grid, product
from mcpi.base.errors import UserError, nearest
from mcpi.base.progress import counted
from mcpi.machine.profile import load
from mcpi.results import record, types
from mcpi.results.summary import OWNERS
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec

if TYPE_CHECKING:
    import pandas

    from mcpi.export.sweep_plot import Plot

PARQUET, CSV, ABOUT = "sweep.parquet", "sweep.csv", "sweep.json"
#: Columns of a path; those of the server have ``server_`` before them.
FIGURES = ("t_p_us", "ticks", "instructions", "cpi", "icpi", "mcpi")
CACHES, COUNTS = ("icache", "dcache_write_buffer", "bcache"), ("accesses", "misses")
APART = ("load_misses", "entries_sent")  # what dcache_write_buffer_misses has together
OF_A_PATH = (*FIGURES, *(f"{cache}_{count}" for cache in CACHES for count in COUNTS))
OF_A_PATH += (*APART, *OWNERS)
MEASURED = ("t_e_us", *OF_A_PATH, *(f"server_{name}" for name in OF_A_PATH))
Y = "t_p_us"
PLACE = "place"  # column of a program: what is measured


@dataclass(frozen=True)
class Dataset:
    """``frame`` has a row for each run: what was asked for, then what was measured. ``axes``: the
    columns that vary, with their values. ``ran``: how many runs were not there before."""

    frame: "pandas.DataFrame"
    axes: dict[str, tuple]
    ran: int = 0
    folder: Path | None = None

    def plot(self, x: str = "", y: str = Y, by: str = "") -> "Plot":
        """Median of ``y`` for each ``x``, and its range over all that varies besides, as link
        orders and phases; a line for each value of ``by``. Without words: a machine parameter that
        varies, or else the first axis, and by the next one."""
        from mcpi.export import sweep_plot

        x = x or self._axis()
        for name, given in (("x", x), ("y", y), ("by", by)):
            if given and given not in self.frame.columns:
                raise UserError(_no_column(name, given, list(self.frame.columns)))
        if not by:
            others = [a for a in self.axes if a not in (x, "seed", "layout")]
            by = others[0] if others else ""
        return sweep_plot.of(self.frame, x, y, by, self._spread(x, by))

    def summary(self, y: str = Y) -> "pandas.DataFrame":
        """Runs, median, smallest and largest ``y`` of each combination of what is no spread."""
        keys = [a for a in self.axes if a not in ("seed", "layout")]
        rows = self.frame.groupby(keys or ["machine"], sort=False)[y]
        return rows.agg(runs="size", median="median", min="min", max="max")

    def save(self, folder: Path) -> None:
        """Parquet, CSV and what they are of."""
        frames.needed("pyarrow")
        folder.mkdir(parents=True, exist_ok=True)
        self.frame.to_parquet(folder / PARQUET, index=False)
        self.frame.to_csv(folder / CSV, index=False)
        about = {"runs": len(self.frame), "axes": {n: list(v) for n, v in self.axes.items()}}
        (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n")

    def _axis(self) -> str:
        axes = list(self.axes)
        if not axes:
            raise UserError("nothing varies in this sweep; there is nothing to plot.")
        wide = [a for a in axes if a not in SPECS] or [a for a in axes if a not in ("seed",)]
        return (wide or axes)[0]

    def _spread(self, x: str, by: str) -> list[str]:
        return [axis for axis in self.axes if axis not in (x, by)]

    def __len__(self) -> int:
        return len(self.frame)

    def __repr__(self) -> str:
        varies = product(self.axes) or "nothing varies"
        return f"<{counted(len(self.frame), 'run')}: {varies}>"

    def _repr_html_(self) -> str:
        return self.frame.to_html(max_rows=12)


def read(folder: Path | str) -> Dataset:
    """The data set of an earlier sweep, from its folder."""
    place = Path(folder)
    if not (place / ABOUT).is_file():
        raise UserError(f"{place}: no {ABOUT} in it; it is no sweep's folder.")
    about = json.loads((place / ABOUT).read_text())
    axes = {name: tuple(values) for name, values in about["axes"].items()}
    return Dataset(frames.needed("pandas").read_parquet(place / PARQUET), axes, 0, place)


def of(grid: Grid, files: Iterable[Path], ran: int) -> Dataset:
    """``files``: the kept results of the grid's runs, in order."""
    rows = [
        row
        for spec, file in zip(grid.specs, files)
        for row in _rows(spec, grid.columns, record.read(file))
    ]
    frame = frames.needed("pandas").DataFrame(rows)
    names = [*grid.axes]
    if PLACE in frame and frame[PLACE].nunique() > 1:
        names.append(PLACE)
    axes = {name: tuple(dict.fromkeys(frame[name])) for name in names}
    return Dataset(frame, axes, ran)


def _rows(spec: Spec, columns: Iterable[str], result: types.Result) -> Iterator[dict[str, object]]:
    """A row for the run; of a program, for each place that is measured."""
    if not isinstance(spec, ProgramSpec):
        yield _row(spec, columns, result)
        return
    per_us = load(spec.machine, spec.settings).ticks_per_us
    row = _row(spec, columns, result)
    for name, region in result.regions.client.items():
        yield {PLACE: name} | row | _path(region, per_us)


def _row(spec: Spec, columns: Iterable[str], result: types.Result) -> dict[str, object]:
    """Machine parameters as the machine has them: sizes in bytes."""
    machine = load(spec.machine, spec.settings)
    values = {key.replace(".", "_"): value for key, value in machine.parameters.items()}
    row = {name: _cell(getattr(spec, name) if name in SPECS else values[name]) for name in columns}
    if isinstance(spec, RunSpec):
        row["peer_variant"] = spec.peer
        row["t_e_us"] = result.round_trip.mean_us
    per_us = machine.ticks_per_us
    row |= _path(result.steady.client, per_us)
    if result.steady.server:
        row |= {f"server_{k}": v for k, v in _path(result.steady.server, per_us).items()}
    row["commit"] = result.provenance.commit
    row["dirty"] = result.provenance.dirty
    return row


def _cell(value: object) -> object:
    return " ".join(value) if isinstance(value, tuple) else value


def _path(path: types.Path, per_us: int) -> dict[str, object]:
    cells = {"t_p_us": path.ticks / per_us}
    cells |= {name: getattr(path, name) for name in FIGURES if name != "t_p_us"}
    for cache in CACHES:
        found = getattr(path, cache)
        cells |= {f"{cache}_{count}": found and getattr(found, count) for count in COUNTS}
    cells |= {name: getattr(path, name) for name in APART}
    return cells | {owner: path.owners.get(owner, 0.0) for owner in OWNERS}


def _no_column(name: str, given: str, there: list[str]) -> str:
    hint = nearest(given, there)
    return f"{name} {given}: no column of the data set.{hint} There are: {', '.join(there)}."
