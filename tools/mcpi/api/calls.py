# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi.run``, ``mcpi.exec`` and ``mcpi.sweep``."""

from pathlib import Path

from mcpi.api.finished_program import ProgramRun
from mcpi.api.finished_run import Run
from mcpi.api.single_run import perform
from mcpi.api.spec_from_kwargs import sources_of, spec_of
from mcpi.api.sweeping import grid as grids
from mcpi.api.sweeping import perform as sweeps
from mcpi.api.sweeping.dataset import Dataset
from mcpi.base.progress import Bar, Silent
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec


def sweep(
    *,
    layouts: int = 0,
    seeds: int = 0,
    cluster: str = "local",
    jobs: int = 0,
    out: Path | str | None = None,
    bar: Bar | None = None,
    of: NodeSpec | ProgramSpec | None = None,
    **values: object,
) -> Dataset:
    """All combinations of ``values``, each run once, ever: equal runs of earlier sweeps are kept.

    ``values``: keywords of ``run`` with one value or several, as ``variant=["std", "all"]``,
    ``icache_size=["4KB", "8KB"]``, ``seed=range(10)``. ``layouts``: the usual link order and so
    many random ones; ``seeds``: 1 to this. ``cluster``: local, slurm, or the address of a Dask
    scheduler; ``jobs``: workers, else one for each core. ``out``: a folder for Parquet and CSV.
    ``of``: a ``NodeSpec`` or ``ProgramSpec``, whose fields and machine parameters ``values`` are
    then. ``sources``: the files of one program, of which ``values`` are as of ``exec``.
    """
    if "sources" in values:
        of = ProgramSpec(sources_of(values.pop("sources")))
    grid = grids.of(values, layouts, seeds, of)
    return sweeps.sweep(grid, cluster, jobs, None if out is None else Path(out), bar or Silent())


def run(
    machine: str = RunSpec.machine,
    stack: str = RunSpec.stack,
    variant: str = RunSpec.variant,
    *,
    engine: str = RunSpec.engine,
    out: Path | str | None = None,
    **settings: object,
) -> Run:
    """Perform a run as ``./mcpi run`` does, by default on the exact engine, which builds nothing
    for a machine.

    ``settings``: fields of ``RunSpec`` (``round_trips=20``, ``seed=2``), ``set`` with machine
    parameters (``set={"icache.size": "16KB"}``), or such a parameter with ``_`` for each dot
    (``icache_size="16KB"``). ``out``: the folder for the run's files; else a new one in results/.
    """
    spec = spec_of(machine, stack=stack, variant=variant, engine=engine, **settings)
    place, result = perform(spec, None if out is None else Path(out))
    return Run(place, result, spec)


def exec(  # noqa: A001
    *sources: Path | str,
    machine: str = ProgramSpec.machine,
    out: Path | str | None = None,
    **settings: object,
) -> ProgramRun:
    """Compile and run a program as ``./mcpi exec`` does: C and assembly files, or one ELF file.

    ``settings``: fields of ``ProgramSpec`` (``measure=["sort"]``, ``optimise="3"``,
    ``arguments=["10"]``, ``stdin="text.txt"``, ``files=["data"]``, ``peer=["server.c"]``), and
    machine parameters as of ``run``. ``out``: the folder for the run's files; else a new one.
    """
    usual = ProgramSpec(sources_of(sources))
    spec = spec_of(machine, of=usual, **settings)
    return ProgramRun(*perform(spec, None if out is None else Path(out)))
