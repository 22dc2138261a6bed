# SPDX-License-Identifier: BSD-2-Clause
"""The model engine beside the RTL: the same images, predicted, and how far off."""

import json
import statistics
from dataclasses import replace
from pathlib import Path

from mcpi.base.progress import Bar
from mcpi.engines.model import engine, predictions
from mcpi.engines.model.recording import Recording
from mcpi.machine.profile import Machine
from mcpi.spec.run_spec import MODEL
from mcpi.study import collect
from mcpi.study.plan import Experiment

FIGURES = ("mean_us", "time_us", "cpi", "instructions")


def run(experiments: list[Experiment], root: Path, cores: int, bar: Bar) -> None:
    """For engine ``model``: every experiment's result.json."""
    engine.check(experiments[0].record.check())
    predictions.predict({root / e.name: e.record for e in experiments}, cores, bar)


def record(experiments: list[Experiment], cores: int, bar: Bar) -> None:
    """Recordings of all versions, ahead of the runs: one that is also a run of the study (those of
    ``--quick`` are) is kept as that, and so is the short cold run beside it."""
    chosen = [e.record for e in experiments if not e.record.defines]
    cold = any(job.short for e in experiments for job in e.jobs)
    predictions.recordings(chosen, cores, bar, cold)


def beside(
    experiments: list[Experiment], root: Path, machine: Machine, cores: int, bar: Bar
) -> tuple[dict[str, dict], list[Recording]]:
    """By stack and variant: ``own``, the recorded image measured and predicted in the same round
    trips; ``others``: each other layout, by name, predicted. Also the recordings they were made of.
    ``root``: a folder for predictions."""
    chosen = [e for e in experiments if not e.record.defines]
    places = {root / e.name: replace(e.record, engine=MODEL) for e in chosen}
    recordings = predictions.predict(places, cores, bar) if places else []
    found: dict[str, dict] = {}
    for e in chosen:
        own = found.setdefault(e.record.stack, {}).setdefault(e.record.variant, {"others": {}})
        predicted = few(json.loads((root / e.name / "result.json").read_text()))
        if e.record.layout == "default":
            own["own"] = {"model": predicted}
        else:
            own["others"][e.record.layout] = predicted
    for made in recordings:
        own = found[made.record.stack][made.record.variant]["own"]
        trip, path = collect.of_run(made.folder, made.record.round_trips, machine)
        own["rtl"] = {"mean_us": trip["mean_us"]} | {k: path[k] for k in FIGURES[1:]}
    return found, recordings


def few(result: dict) -> dict:
    """The figures that are compared."""
    path = result["steady"]["client"]
    return {"mean_us": result["round_trip"]["mean_us"]} | {k: path[k] for k in FIGURES[1:]} | {
        "icpi": path["icpi"]
    }  # fmt: skip


def error(ours: float, truth: float) -> float:
    """Per cent."""
    return 100 * (ours / truth - 1)


def rank(a: list[float], b: list[float]) -> float | None:
    """Spearman's: 1 if both put their layouts into the same order."""
    if len(a) < 3 or len(set(a)) < 2 or len(set(b)) < 2:
        return None

    def places(values: list[float]) -> list[float]:
        ordered = sorted(values)
        count = {v: ordered.count(v) for v in values}
        return [ordered.index(v) + (count[v] - 1) / 2 for v in values]

    return statistics.correlation(places(a), places(b))
