# SPDX-License-Identifier: BSD-2-Clause
"""The figures that claims are judged by. A curve is named by its key (plan.py)."""

from statistics import mean

from mcpi.machine.profile import load
from mcpi.studies.osdi94.plan import CHALLENGE, COUNTS
from mcpi.studykit.claims import Missing, Unjudged
from mcpi.studykit.measured import Measured

PAPER_DISORDER = {  # Table 1, percent, by processors
    "challenge-100-tcp-receive": dict(zip(COUNTS, (0, 2, 4, 5, 11, 25, 42, 54), strict=True)),
    "challenge-100-tcp-receive-backoff": dict(
        zip(COUNTS, (0, 2, 4, 5, 11, 25, 42, 54), strict=True)
    ),
    "challenge-100-tcp-receive-mcs": dict(zip(COUNTS, (0, 2, 4, 6, 9, 11, 14, 18), strict=True)),
}


def runs(study: Measured, curve: str, cores: int | str) -> list[dict]:
    found = study.of("results", f"{curve}-{cores}")
    if not found:
        raise Missing(f"{curve} with {cores} processors: not measured")
    return found["runs"]


def rates(study: Measured, curve: str, cores: int | str) -> list[float]:
    """Mb/s of each run."""
    return [run["mbps"] for run in runs(study, curve, cores)]


def rate(study: Measured, curve: str, cores: int | str) -> float:
    return mean(rates(study, curve, cores))


def measured(study: Measured, curve: str) -> dict[int, float]:
    """Mb/s by processors, of those that were measured."""
    found = {n: rate(study, curve, n) for n in COUNTS if study.of("results", f"{curve}-{n}")}
    if not found:
        raise Missing(f"{curve}: not measured")
    return found


def ratio(study: Measured, _: str, curve: str, more: str, fewer: str) -> float:
    """Throughput of ``more`` processors over that of ``fewer``."""
    return rate(study, curve, more) / rate(study, curve, fewer)


def against(study: Measured, _: str, curve: str, other: str, cores: str) -> float:
    """A curve over another with so many processors."""
    return rate(study, curve, cores) / rate(study, other, cores)


def scaling(study: Measured, _: str, curve: str, other: str, cores: str) -> float:
    """Speed-up of a curve over that of another."""
    return ratio(study, _, curve, cores, "1") / ratio(study, _, other, cores, "1")


def peak(study: Measured, _: str, curve: str) -> float:
    """Processors at the highest throughput."""
    found = measured(study, curve)
    return max(found, key=found.__getitem__)


def fall(study: Measured, _: str, curve: str) -> float:
    """Throughput of the most processors over the highest."""
    found = measured(study, curve)
    return found[max(found)] / max(found.values())


def least(study: Measured, _: str, curve: str, other: str) -> float:
    """The smallest ratio of a curve over another, from two processors on."""
    both = measured(study, curve), measured(study, other)
    counts = [n for n in both[0] if n >= 2 and n in both[1]]
    if not counts:
        raise Missing(f"{other}: not measured")
    return min(both[0][n] / both[1][n] for n in counts)


def step(study: Measured, _: str, curve: str) -> float:
    """The smallest gain from one number of processors to the next that was measured."""
    found = list(measured(study, curve).values())
    if len(found) < 2:
        raise Missing(f"{curve} with more processors: not measured")
    return min(after / before for before, after in zip(found, found[1:], strict=False))


def gain(study: Measured, _: str, curve: str, other: str) -> float:
    """How much faster a curve is than another, percent, on average over processors."""
    both = measured(study, curve), measured(study, other)
    return 100 * (mean(both[0][n] / both[1][n] for n in both[0] if n in both[1]) - 1)


def repaired(study: Measured, _: str, curve: str, better: str, best: str, cores: str) -> float:
    """Which part of the way from a curve to the best one a better one goes."""
    low, middle, high = (rate(study, c, cores) for c in (curve, better, best))
    return (middle - low) / (high - low)


def waiting(study: Measured, kind: str, curve: str, cores: str) -> float:
    """Percent of all ticks, or of all instructions (``kind``), in which a processor waits for TCP's
    state."""
    shares = []
    for run in runs(study, curve, cores):
        whole = run["ticks"] * len(run["packets"]) if kind == "ticks" else run["instructions"]
        shares.append(100 * run["windows"]["spin"][kind] / whole)
    return mean(shares)


def held(study: Measured, curve: str, cores: int | str) -> float:
    """Percent of the time in which a processor holds TCP's state."""
    all_ = runs(study, curve, cores)
    return mean(100 * run["windows"]["hold"]["ticks"] / run["ticks"] for run in all_)


def disorder(study: Measured, _: str, curve: str, cores: str) -> float:
    """Percent of data segments that are not the one expected once TCP has its lock."""
    said = [run["said"] for run in runs(study, curve, cores)]
    return 100 * sum(s["disordered"] for s in said) / sum(s["data"] for s in said)


def disorders(study: Measured, curve: str, cores: int | str) -> list[float]:
    """Percent of data segments that are not the one expected, of each run."""
    said = (run["said"] for run in runs(study, curve, cores))
    return [100 * s["disordered"] / s["data"] for s in said]


def misordered(study: Measured, _: str, curve: str, cores: str) -> float:
    """Percent of sent segments that pass another below TCP."""
    all_ = runs(study, curve, cores)
    sent = sum(sum(run["packets"]) for run in all_)
    return 100 * sum(run["said"]["misordered"] for run in all_) / sent


def disorder_ratio(study: Measured, _: str, curve: str, other: str, cores: str) -> float:
    return disorder(study, _, curve, cores) / max(disorder(study, _, other, cores), 0.1)


def disorder_error(study: Measured, _: str, curve: str, most: str) -> float:
    """The largest distance from Table 1, in points, up to ``most`` processors."""
    paper = PAPER_DISORDER[curve]
    counts = [n for n in measured(study, curve) if n <= int(most)]
    if not counts:
        raise Missing(f"{curve} with 1 to {most} processors: not measured")
    return max(abs(disorder(study, _, curve, str(n)) - paper[n]) for n in counts)


def megabytes(study: Measured, _: str, curve: str, cores: str) -> float:
    """MB/s that one of so many processors goes through."""
    return rate(study, curve, cores) / 8 / int(cores)


def each(study: Measured, _: str, curve: str, cores: str) -> float:
    """MB/s of one of so many processors over those of one alone."""
    return megabytes(study, _, curve, cores) / megabytes(study, _, curve, "1")


def fed(study: Measured, _: str, curve: str, cores: str) -> float:
    """Processors that the bus has blocks for, at the MB/s of one of ``cores``."""
    p = load(CHALLENGE).parameters
    bus = p["bcache.block"] * p["clock.ticks_per_us"] / p["bus.data_ticks"]
    return bus / megabytes(study, _, curve, cores)


def unwired(study: Measured, _: str, curve: str) -> float:
    raise Unjudged("there is no scheduler, so a thread never leaves its processor")


FIGURES = {
    "megabytes": megabytes,
    "each": each,
    "fed": fed,
    "unwired": unwired,
    "ratio": ratio,
    "against": against,
    "scaling": scaling,
    "peak": peak,
    "fall": fall,
    "least": least,
    "step": step,
    "gain": gain,
    "repaired": repaired,
    "waiting": waiting,
    "disorder": disorder,
    "misordered": misordered,
    "disorder_ratio": disorder_ratio,
    "disorder_error": disorder_error,
}
