# SPDX-License-Identifier: BSD-2-Clause
"""Found paths accept no frame wrongly: a machine with the path does what one without does (twins).

One frame of a real exchange is changed in each bit, and at random.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from firmware_support import twins
from firmware_support.host_build import OUT, write

from mcpi.base.progress import Bar
from mcpi.firmware import path_inline
from mcpi.pathfinding import finding

USUAL, LONG = 50_000, 1_000_000
ENDS = [(name, role) for name in twins.APPS for role in ("client", "server")]
BY_HAND = ("tcp", "rpc")
QUICK = [("tcp", "client"), ("udpecho", "server")]


def _end(end: tuple[str, str]):
    return pytest.param(*end, marks=() if end in QUICK else pytest.mark.long)


@cache
def found(name: str) -> Path:
    folder = OUT / "found" / name
    stack = str(twins.UDPECHO) if name == "udpecho" else name
    for one in finding.find(stack, "dec3000-600", {}, Bar()):
        write(folder / f"{one.name}.toml", one.text)
    return folder


@pytest.mark.parametrize(("name", "role"), [*map(_end, ENDS)])
def test_no_false_accept(name: str, role: str) -> None:
    tried = twins.tried(name, role, found(name), USUAL)
    assert not tried.differences
    assert tried.bits >= 8 * 55 and tried.random == USUAL
    print(f"{tried.bits} bits, {tried.random} random frames, no difference")


@pytest.mark.long
@pytest.mark.parametrize(("name", "role"), ENDS)
def test_no_false_accept_of_a_million(name: str, role: str) -> None:
    tried = twins.tried(name, role, found(name), LONG)
    assert not tried.differences and tried.random == LONG


@pytest.mark.long
@pytest.mark.parametrize(("name", "role"), [end for end in ENDS if end[0] in BY_HAND])
def test_paths_by_hand_accept_none_either(name: str, role: str) -> None:
    assert not twins.tried(name, role, path_inline.PATHS, USUAL).differences


@pytest.mark.parametrize("missing", ["{ at = 6, bytes = 8 }", "{ at = 23, bytes = 1 }"])
def test_a_guard_without_a_field_is_noticed(missing: str, tmp_path: Path) -> None:
    """A frame of ARP, or of ICMP, then takes the path of TCP."""
    folder = tmp_path / f"without-{missing[7:9].strip()}"
    text = (found("tcp") / "tcp.toml").read_text()
    line = next(line for line in text.splitlines() if missing in line)
    write(folder / "tcp.toml", text.replace(f"{line}\n", ""))
    assert twins.tried("tcp", "client", folder, USUAL).differences


@pytest.mark.long
def test_a_mistake_in_the_production_stacks_path_is_noticed(tmp_path: Path, monkeypatch) -> None:
    """It has no guard: each check is the copied functions' own."""
    unit = path_inline.unit

    def without_sum(*given, **more) -> path_inline.Unit:
        made = unit(*given, **more)
        old = "ip_header_cksum(ip) != 0"
        assert made.text.count(old) == 1
        return replace(made, text=made.text.replace(old, f"0 & ({old})"))

    monkeypatch.setattr(path_inline, "unit", without_sum)
    folder = tmp_path / "no-sum"
    write(folder / "bsd.toml", (found("bsd") / "bsd.toml").read_text())
    assert twins.tried("bsd", "client", folder, 0).differences
