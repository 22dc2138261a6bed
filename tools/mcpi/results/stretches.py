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


def between(real: Counters, ideal: Counters | None = None) -> dict:
    """The sum of all stretches, with the fields of each; iCPI and mCPI if ``ideal`` is given. {} if
    the run counted none."""
    windows = real.get("windows", {})
    parts = [windows[name] for name in COUNTED_BY.values() if windows.get(name)]
    if not parts or not all(part["invocations"] for part in parts):
        return {}
    times = parts[0]["invocations"]
    found = {key: sum(part[key] for part in parts) / times for key in ("instructions", "ticks")}
    found["cpi"] = found["ticks"] / found["instructions"]
    if ideal and (twin := between(ideal)):
        found |= {"icpi": twin["cpi"], "mcpi": found["cpi"] - twin["cpi"]}
    names = [name for name in parts[0] if name.startswith("owner.")]
    owners = {name: sum(part[name] for part in parts) / times for name in names}
    found["owners"] = {k.removeprefix("owner."): _rounded(v) for k, v in owners.items() if v}
    return {k: v if k == "owners" else _rounded(v) for k, v in found.items()}


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
