# SPDX-License-Identifier: BSD-2-Clause
"""Figures of OSDI'94's claims, by their names in claims.csv; versions are curves and processors."""

from collections.abc import Callable

from verify.second_hand.recount import raw
from verify.second_hand.recount.claims import Figures, Missing

LOCKS = "locks"
OF_CACHES = ("remote", "upgrade")


def of(curves: dict, sums: Callable, memory: tuple[str, ...]) -> Figures:
    """``curves`` and the others: of ``recount.osdi94``."""

    def point(key: str, cores: int | str):
        if key not in curves or int(cores) not in curves[key].points:
            raise Missing
        return curves[key].points[int(cores)]

    def rates(key: str) -> dict[int, float]:
        if key not in curves:
            raise Missing
        return {n: of.rate for n, of in sorted(curves[key].points.items())}

    def ratio(_: str, key: str, more: str, fewer: str) -> float:
        return point(key, more).rate / point(key, fewer).rate

    def against(_: str, key: str, other: str, cores: str) -> float:
        return point(key, cores).rate / point(other, cores).rate

    def common(key: str, other: str) -> list[tuple[int, float]]:
        """By processors a curve over another."""
        one, two = rates(key), rates(other)
        found = [(n, one[n] / two[n]) for n in one if n in two]
        if not found:
            raise Missing
        return found

    def least(_: str, key: str, other: str) -> float:
        found = [over for n, over in common(key, other) if n > 1]
        if not found:
            raise Missing
        return min(found)

    def gain(_: str, key: str, other: str) -> float:
        found = common(key, other)
        return 100 * sum(over for _, over in found) / len(found) - 100

    def step(_: str, key: str) -> float:
        found = list(rates(key).values())
        if len(found) < 2:
            raise Missing
        return min(found[n + 1] / found[n] for n in range(len(found) - 1))

    def peak(_: str, key: str) -> float:
        found = rates(key)
        return next(n for n in found if found[n] == max(found.values()))

    def fall(_: str, key: str) -> float:
        found = rates(key)
        return found[max(found)] / max(found.values())

    def repaired(_: str, *words: str) -> float:
        low, middle, high = (point(key, words[3]).rate for key in words[:3])
        return (middle - low) / (high - low)

    def misordered(_: str, key: str, cores: str) -> float:
        found = point(key, cores)
        return 100 * sum(run.said["misordered"] for run in found.runs) / found.packets

    def disorder_ratio(_: str, key: str, other: str, cores: str) -> float:
        return point(key, cores).disorder / max(point(other, cores).disorder, 0.1)

    def disorder_error(_: str, key: str, most: str) -> float:
        column = f"{'mcs' if key.endswith('mcs') else 'mutex'}_locks_pct_out_of_order"
        errors = [
            abs(of.disorder - raw.paper("osdi94/table1_out_of_order", column, processors=str(n)))
            for n, of in curves[key].points.items()
            if n <= int(most)
        ]
        if not errors:
            raise Missing
        return max(errors)

    def dearer(_: str, machine: str, kind: str, other: str) -> float:
        curve = next((c for c in curves.values() if (c.machine, c.side) == (machine, LOCKS)), None)
        if not curve or 1 not in curve.points:
            raise Missing
        found = sums(curve.points[1], by_kind=True)
        costs = [
            found[name].n["free_ticks"] / found[name].n["free"] + found[name].mean("release")
            for name in (kind, other)
        ]
        return costs[0] / costs[1]

    def extra(_: str, key: str) -> float:
        one, two = (point(key, n) for n in (1, 2))
        whole = sum(two.per_packet("owners").values()) - sum(one.per_packet("owners").values())
        causes = [of.per_packet("causes") for of in (one, two)]
        return 100 * sum(causes[1][name] - causes[0][name] for name in OF_CACHES) / whole

    def shares(key: str) -> tuple[float, float]:
        """Ticks of an instruction that memory has, and all others; one processor."""
        found = point(key, 1)
        owners = found.per_packet("owners")
        instructions = sum(run.instructions for run in found.runs) / found.packets
        of_memory = sum(ticks for name, ticks in owners.items() if name in memory)
        return of_memory / instructions, (sum(owners.values()) - of_memory) / instructions

    def mcpi_share(_: str, key: str) -> float:
        of_memory, others = shares(key)
        return 100 * of_memory / (of_memory + others)

    def megabytes(_: str, key: str, cores: str) -> float:
        """MB/s of one processor."""
        return point(key, cores).rate / int(cores) / 8

    def fed(_: str, key: str, cores: str) -> float:
        """Processors that a bus has blocks for."""
        machine = raw.machine("challenge-100")
        ticks_of_a_byte = machine["bus"]["data_ticks"] / int(
            machine["bcache"]["block"].removesuffix("B")
        )
        return machine["clock"]["ticks_per_us"] / ticks_of_a_byte / megabytes(_, key, cores)

    return {
        "ratio": ratio,
        "against": against,
        "scaling": lambda _, a, b, n: ratio(_, a, n, "1") / ratio(_, b, n, "1"),
        "peak": peak,
        "fall": fall,
        "least": least,
        "step": step,
        "gain": gain,
        "repaired": repaired,
        "waiting": lambda what, key, cores: point(key, cores).waiting(what),
        "disorder": lambda _, key, cores: point(key, cores).disorder,
        "misordered": misordered,
        "disorder_ratio": disorder_ratio,
        "disorder_error": disorder_error,
        "dearer": dearer,
        "extra": extra,
        "megabytes": megabytes,
        "each": lambda _, key, n: megabytes(_, key, n) / megabytes(_, key, "1"),
        "fed": fed,
        "mcpi_share": mcpi_share,
    }


def most_changed(curves: dict, line: dict[str, str]) -> str | None:
    """Owner and change of a packet's ticks at work, between the points that a claim compares."""
    if line["figure"] == "unwired":
        return None
    words = line["versions"].split()
    keys = [word for word in words if not word.isdigit()]
    counts = [int(word) for word in words if word.isdigit()]
    if any(key not in curves for key in keys[:2]):
        return None
    points = [curves[key].points for key in keys[:2]]
    if line["figure"] == "ratio":
        ends = [(0, counts[1]), (0, counts[0])]
    elif line["figure"] == "repaired":
        ends = [(0, counts[0]), (1, counts[0])]
    elif len(keys) == 2:
        last = counts[0] if counts else max(points[0].keys() & points[1].keys())
        ends = [(1, last), (0, last)]
    else:
        first = min(points[0])
        if line["figure"] in ("peak", "fall"):
            first = max(sorted(points[0]), key=lambda n: points[0][n].rate)
        ends = [(0, first), (0, counts[0] if counts else max(points[0]))]
    if any(n not in points[at] for at, n in ends):
        return None
    before, after = (points[at][n].per_packet("at_work") for at, n in ends)
    change = {owner: after.get(owner, 0) - ticks for owner, ticks in before.items()}
    most = max(change, key=lambda owner: abs(change[owner]))
    return f"{most} {change[most]:+.0f}"
