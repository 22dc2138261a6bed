# SPDX-License-Identifier: BSD-2-Clause
"""Tables of OSDI'94 (docs/explanation/osdi94.md)."""

from collections import Counter
from pathlib import Path

from verify.second_hand.recount import claims, osdi94_claims, raw
from verify.second_hand.recount.curves import (
    COUNTS,
    LOCKS,
    SIDES,
    TAKER,
    Curve,
    One,
    Point,
    in_order,
    read,
)
from verify.second_hand.recount.raw import Row, Tables
from verify.second_hand.recount.run import deviation

CHALLENGE, POWER = "challenge-100", "power-series-33"
CLAIMS = claims.STUDIES / "osdi94" / "claims.csv"
Curves = dict[str, Curve]


def tables(root: Path) -> Tables:
    curves = read(root)
    found = {"throughput": throughput(curves), "speedup": speedup(curves)}
    found |= {"disorder": disorder(curves), "locks": locks(curves), "anatomy": anatomy(curves)}
    found |= {"histograms": histograms(curves), "kinds": kinds(curves), "dip": dip(curves)}
    found |= {"riddle": riddle(curves), "connections": connections(curves)}
    found |= {"sweeps": sweeps(curves)}
    orders = sorted(
        {run.order for c in curves.values() for p in c.points.values() for run in p.runs}
    )
    each = [osdi94_claims.of(in_order(curves, order), _sums, OF_MEMORY) for order in orders]
    over = claims.Samples("orders of functions", each if len(each) > 1 else [])
    found |= {"claims": claims.claims("osdi94", each[0], over)}
    for line, row in zip(raw.lines(CLAIMS), found["claims"].values(), strict=True):
        row["most changed"] = osdi94_claims.most_changed(curves, line)
    return found | {part: per_packet(curves, part) for part in ("owners", "causes")}


def point(curves: Curves, key: str, cores: int) -> Point | None:
    return curves[key].points.get(cores) if key in curves else None


def throughput(curves: Curves) -> dict:
    rows = {}
    for curve in curves.values():
        row: Row = {}
        for n, of in curve.points.items():
            row |= {f"p{n}": of.rate, f"p{n} sd": deviation(of.rates)}
        if not curve.is_locks:
            rows[curve.labels] = row
    return rows


def speedup(curves: Curves) -> dict:
    rows = {}
    for curve in curves.values():
        if curve.is_locks or 1 not in curve.points:
            continue
        row: Row = {}
        for n, of in curve.points.items():
            scaled = [rate / curve.points[1].rate for rate in of.rates]
            row |= {f"p{n}": sum(scaled) / len(scaled), f"p{n} sd": deviation(scaled)}
        rows[curve.labels] = row
    return rows


def disorder(curves: Curves) -> dict:
    rows = {}
    for name, key in (("mutex", ""), ("back-off", "-backoff"), ("MCS", "-mcs")):
        row: Row = {}
        column = f"{'mcs' if key == '-mcs' else 'mutex'}_locks_pct_out_of_order"
        for n in COUNTS:
            of = point(curves, f"{CHALLENGE}-tcp-receive{key}", n)
            row[f"p{n}"] = of.disorder if of else None
            row[f"p{n} paper"] = raw.paper("osdi94/table1_out_of_order", column, processors=str(n))
        rows[name,] = row
    return rows


STATE = ("", "mcs", "assumed", "two", "six", "each")


def locks(curves: Curves) -> dict:
    rows = {}
    for curve in curves.values():
        if curve.machine != CHALLENGE or not curve.side.startswith("tcp") or curve.way not in STATE:
            continue
        for n, of in curve.points.items():
            rows[*curve.labels[1:], str(n)] = {
                "waits": of.waiting("ticks"),
                "instructions": of.waiting("instructions"),
                "held": of.held,
                "hold": sum(run.window("hold", "ticks") for run in of.runs) / of.packets,
            }
    return rows


OF_FUNCTION = {
    "tcp_enter": "TCP's state",
    "lock_half": "TCP's state",
    "is_decided": "TCP's state",
    "tcp_demux": "TCP's headers",
    "tcp_send_piece": "TCP's headers",
    "send": "TCP's headers",
    "tcp_push": "TCP's queues",
    "new_ack": "TCP's queues",
    "tcp_take_piece": "TCP's queues",
    "tcp_data_input": "TCP's queues",
    "map_find": "maps",
    "map_bind": "maps",
    "map_unbind": "maps",
    "map_for_each": "maps",
    "demux": "application",
    "xk_allocate": "heap",
    "xk_free": "heap",
    "xk_allocate_several": "heap",
    "xk_free_several": "heap",
    "ref_up": "counts",
    "ref_down": "counts",
    "ref_add": "counts",
    "ref_locked_add": "counts",
}
TIMES = ("wait", "hold", "hand_over", "release")


class Lock:
    """Sums over all places and runs of one lock."""

    def __init__(self) -> None:
        self.n: Counter = Counter()
        self.bits = {time: Counter() for time in TIMES}
        self.ticks: Counter = Counter()
        self.times: Counter = Counter()
        self.span = 0

    def add(self, site: dict) -> None:
        for name in ("free", "free_ticks", "overtaken"):
            self.n[name] += site[name]
        for time in TIMES:
            self.times[time] += site[time]["count"]
            self.ticks[time] += site[time]["ticks"]
            self.bits[time].update(dict(enumerate(site[time]["bits"])))

    def mean(self, time: str) -> float | None:
        return self.ticks[time] / self.times[time] if self.times[time] else None


def _locks(run: One, by_kind: bool) -> dict[str, list[dict]]:
    """Places of a run's log by lock."""
    found: dict[str, list[dict]] = {}
    for asker, taker, site in run.sites:
        if by_kind and asker != "processor_main":
            continue
        name = TAKER.fullmatch(taker)[1] if by_kind else OF_FUNCTION.get(asker, "other")
        found.setdefault(name, []).append(site)
    return found


def _sums(of: Point, by_kind: bool = False) -> dict[str, Lock]:
    found: dict[str, Lock] = {}
    for run in of.runs:
        for name, sites in _locks(run, by_kind).items():
            lock = found.setdefault(name, Lock())
            for site in sites:
                lock.add(site)
            lock.span += max(s["last"] for s in sites) - min(s["first"] for s in sites)
    return found


LOOKED_INTO = ("", "mcs", "two", "six", "each", "spread")


def _looked_into(curves: Curves):
    """Curve, processors and the locks that a packet wants more than every tenth time."""
    for curve in curves.values():
        if curve.is_locks or curve.machine != CHALLENGE or curve.way not in LOOKED_INTO:
            continue
        for n in (2, 8):
            if of := curve.points.get(n):
                kept = {k: v for k, v in _sums(of).items() if v.times["wait"] >= of.packets / 10}
                yield curve, n, of, kept


def anatomy(curves: Curves) -> dict:
    rows = {}
    for curve, n, of, kept in _looked_into(curves):
        ticks = n * sum(run.ticks for run in of.runs)
        for name, lock in kept.items():
            taken = lock.times["wait"]
            rows[*curve.labels[1:], str(n), name] = {
                "takes": taken / of.packets,
                "taken": 100 - 100 * lock.n["free"] / taken,
                "wait": lock.mean("wait"),
                "hold": lock.mean("hold"),
                "hand_over": lock.mean("hand_over"),
                "overtaken": lock.n["overtaken"] / taken,
                "share": 100 * lock.ticks["wait"] / ticks,
            }
    return rows


WORDS = {"wait": "waits", "hold": "holds", "hand_over": "hands over"}
FIRST, LAST = 6, 16  # bits of the first and the last column


def histograms(curves: Curves) -> dict:
    """Rows of the most processors of each curve."""
    rows = {}
    last = {curve.key: (curve, n, kept) for curve, n, _, kept in _looked_into(curves)}
    for curve, n, kept in last.values():
        for name, lock in kept.items():
            for time, said in WORDS.items():
                if not lock.times[time]:
                    continue
                row: Row = {f"b{bit}": 0.0 for bit in range(FIRST, LAST + 1)}
                for bit, times in lock.bits[time].items():
                    row[f"b{sorted((FIRST, bit, LAST))[1]}"] += 100 * times / lock.times[time]
                rows[*curve.labels[1:], str(n), name, said] = row
    return rows


KINDS = {
    "tas": "test and set",
    "ttas": "test, then test and set",
    "backoff": "the same, with back-off",
    "ticket": "ticket",
    "mcs": "MCS",
    "clh": "CLH",
    "sync": "sync bus",
}


def kinds(curves: Curves) -> dict:
    rows = {}
    for curve in curves.values():
        if curve.side != LOCKS:
            continue
        counts = sorted(curve.points)
        sums = {n: _sums(curve.points[n], by_kind=True) for n in counts}
        for kind, alone in sums[counts[0]].items():
            most = sums[counts[-1]][kind]
            row: Row = {
                "take": alone.n["free_ticks"] / alone.n["free"],
                "release": alone.mean("release"),
                "hand_over": most.mean("hand_over"),
                "overtaken": most.n["overtaken"] / most.times["wait"],
            }
            for n, found in sums.items():
                row[f"p{n}"] = found[kind].span / found[kind].times["hold"]
            rows[curve.machine, KINDS[kind]] = row
    return rows


DIPS = (f"{CHALLENGE}-udp-receive", f"{CHALLENGE}-udp-receive-nomaplock")
DIPS += (f"{CHALLENGE}-udp-receive-unpadded", f"{CHALLENGE}-udp-receive-with-sync")
DIPS += ("challenge-150-udp-receive", f"{POWER}-udp-receive-sync", f"{POWER}-udp-receive")
DIPS += ("dec3000-mp-udp-receive", f"{CHALLENGE}-udp-send")


def dip(curves: Curves) -> dict:
    rows = {}
    for key in DIPS:
        one, two = (point(curves, key, n) for n in (1, 2))
        if not one or not two:
            continue
        owners, causes = (
            [of.per_packet(part) for of in (one, two)] for part in ("owners", "causes")
        )
        before, after = (sum(found.values()) for found in owners)
        row: Row = {"ratio": two.rate / one.rate, "one": before, "more": after - before}
        for name in ("remote", "upgrade", "memory", "bcache"):
            row[name] = causes[1][name] - causes[0][name]
        for name in ("issue", "bus_wait", "io"):
            row[name] = owners[1].get(name, 0) - owners[0].get(name, 0)
        rows[curves[key].labels] = row
    return rows


OF_MEMORY = ("i_demand", "i_stream", "refill_restart", "d_miss", "memory_port")
OF_MEMORY += ("write_buffer_full", "barrier", "bus_wait", "io")


def riddle(curves: Curves) -> dict:
    """Rows of one processor of each machine."""
    rows = {}
    for curve in curves.values():
        of = curve.points.get(1)
        if curve.side not in SIDES or curve.way or not of:
            continue
        instructions = sum(run.instructions for run in of.runs)
        owners = sum((run.owners for run in of.runs), Counter())
        memory = sum(owners[name] for name in OF_MEMORY)
        slow = point(curves, f"{POWER}-{curve.side}", 1)
        rows[curve.labels[1], curve.machine] = {
            "instructions": instructions / of.packets,
            "cpi": owners.total() / instructions,
            "icpi": (owners.total() - memory) / instructions,
            "mcpi": memory / instructions,
            "mbps": of.rate,
            "faster": of.rate / slow.rate if slow else None,
        }
    return rows


def connections(curves: Curves) -> dict:
    rows = {}
    for side in ("send", "receive"):
        for way in ("mcs", "spread", "each"):
            curve = curves.get(f"{CHALLENGE}-tcp-{side}-{way}")
            if not curve:
                continue
            row: Row = {f"p{n}": of.rate for n, of in curve.points.items()}
            most = curve.points[max(curve.points)]
            row["waits"] = most.waiting("ticks")
            row["remote"] = most.per_packet("causes")["remote"]
            row["disorder"] = most.disorder if side == "receive" else None
            rows[curve.labels[1:]] = row
    return rows


def sweeps(curves: Curves) -> dict:
    rows = {}
    for stack in ("udp", "tcp"):
        usual = f"{CHALLENGE}-{stack}-receive"
        if not point(curves, f"{usual}-miss-70", 1):
            continue
        for way in ("-miss-70", "", "-miss-280", "-line-32", "-line-64"):
            curve = curves.get(usual + way)
            counts = [n for n in (1, 2, 4, 8) if curve and n in curve.points]
            if not counts:
                continue
            row: Row = {f"p{n}": curve.points[n].rate for n in counts}
            row |= {f"s{n}": curve.points[n].rate / curve.points[1].rate for n in counts if n > 1}
            causes = curve.points[counts[-1]].per_packet("causes")
            row["coherence"] = causes["remote"] + causes["upgrade"]
            rows[curve.labels[1:]] = row
    return rows


def per_packet(curves: Curves, part: str) -> dict:
    """Ticks of all processors for a packet; columns that no point has are left out."""
    rows = {
        (*curve.labels, str(n)): of.per_packet(part)
        for curve in curves.values()
        if not curve.is_locks
        for n, of in curve.points.items()
    }
    seen = {name for row in rows.values() for name, ticks in row.items() if ticks}
    return {key: {k: v for k, v in row.items() if k in seen} for key, row in rows.items()}
