# SPDX-License-Identifier: BSD-2-Clause
"""Table 3's stretches, from the windows that counted them (build/stretches.py)."""

from mcpi.build.stretches import COUNTED_BY

Counters = dict[str, dict[str, int]]  # of a node, by bank


def of(real: Counters, ideal: Counters, cold: Counters) -> dict:
    """``stretches`` of result.json; {} if the run counted none."""
    found = {
        "steady": _stretches(real.get("windows", {}), ideal.get("windows", {})),
        "cold": _stretches(cold.get("windows", {}), ideal.get("windows", {})),
    }
    return {"stretches": found} if found["steady"] and found["cold"] else {}


def _stretches(windows: Counters, ideal: Counters) -> dict[str, dict]:
    """A stretch that was not passed, or not under ideal memory, is left out."""
    return {
        name: _stretch(windows[window], ideal[window])
        for name, window in COUNTED_BY.items()
        if all(one.get(window, {}).get("invocations") for one in (windows, ideal))
    }


def _stretch(count: dict[str, int], ideal: dict[str, int]) -> dict:
    times, icpi = count["invocations"], ideal["ticks"] / ideal["instructions"]
    cpi = count["ticks"] / count["instructions"]
    owners = {k.removeprefix("owner."): v for k, v in count.items() if k.startswith("owner.")}
    return {
        "invocations": times,
        "instructions": _rounded(count["instructions"] / times),
        "ticks": _rounded(count["ticks"] / times),
        "cpi": _rounded(cpi),
        "icpi": _rounded(icpi),
        "mcpi": _rounded(cpi - icpi),
        "owners": {owner: _rounded(ticks / times) for owner, ticks in owners.items()},
    }


def both(stretches: dict[str, dict]) -> dict:
    """The sum of all stretches, with the fields of each."""
    parts = list(stretches.values())
    ticks, instructions = (sum(p[key] for p in parts) for key in ("ticks", "instructions"))
    icpi = sum(p["icpi"] * p["instructions"] for p in parts) / instructions
    owners = {name: sum(p["owners"][name] for p in parts) for name in parts[0]["owners"]}
    return {
        "instructions": instructions,
        "ticks": ticks,
        "cpi": ticks / instructions,
        "icpi": icpi,
        "mcpi": ticks / instructions - icpi,
        "owners": owners,
    }


def _rounded(value: float) -> float:
    return round(value, 6)
