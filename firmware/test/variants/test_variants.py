# SPDX-License-Identifier: BSD-2-Clause
"""Every variant is the same machine to whoever looks at the wire (docs/explanation/variants.md).

Images of every recipe run against each other on the instruction-set model; what they send is
compared byte by byte with what STD sends.
"""

import fnmatch
import itertools
from functools import cache

import pytest
from firmware_support.pair_machines import Done, build, run

from mcpi.firmware import elf, images, link_order, recipes
from mcpi.machine import profile
from mcpi.spec.numbers import STACKS

TRIPS = ("round_trips=40", "warmup=3")
GUARD = ("PIN_GUARD=1",)


def pairs(variant: str, stack: str) -> list[tuple[str, str]]:
    """(client, server) as ./mcpi run has them: TCP/IP changes both ends, RPC the client."""
    return [(variant, variant), (variant, "std")] if stack == "rpc" else [(variant, variant)]


@cache
def exchange(stack: str, client: str, server: str, defines: tuple[str, ...] = ()) -> Done:
    both = [build(v, stack, r, defines) for v, r in ((client, "client"), (server, "server"))]
    return run(stack, *both, 10**10, "--frames", *TRIPS)


BUILT = [(s, v) for s in STACKS for v in recipes.variants() if not images.lacks(v, s)]
CASES = [(s, c, p) for s, v in BUILT for c, p in pairs(v, s)]


@pytest.mark.parametrize(("stack", "client", "server"), CASES)
def test_same_frames(stack: str, client: str, server: str) -> None:
    usual = exchange(stack, "std", "std").frames
    here = exchange(stack, client, server).frames
    assert len(usual) > 2 * 43
    for number, (a, b) in enumerate(itertools.zip_longest(usual, here)):
        assert a == b, f"frame {number}: STD {a}\n{client}, {server}: {b}"
    print(f"{len(here)} frames are the same")


@pytest.mark.parametrize("stack", STACKS)
def test_same_frames_with_the_guard(stack: str) -> None:
    usual = exchange(stack, "std", "std").frames
    assert exchange(stack, "pin", "pin", GUARD).frames == usual


@cache
def markers(stack: str, variant: str) -> dict[tuple[int, int, int], int]:
    """How often markers fire, by machine, action and window (or event), over all their copies."""
    resolved = profile.load("dec3000-600")
    both = [build(variant, stack, role) for role in ("client", "server")]
    found = [elf.read(plan.image, resolved).markers for plan in both]
    words = [w for n in (0, 1) for m in found[n] for w in ("--watch", f"{n}:{m.address:#x}")]
    times = run(stack, *both, 10**10, *words, *TRIPS).watched
    fired: dict[tuple[int, int, int], int] = {}
    for n in (0, 1):
        for m in found[n]:
            key = (n, m.action, m.window)
            fired[key] = fired.get(key, 0) + times[n, m.address & elf.PHYSICAL]
    return fired


NAMES = {name: number for number, name in elf.ACTIONS.items()}
TIMER = {NAMES["pause"], NAMES["resume"]}  # by whatever interrupts come


@pytest.mark.parametrize(("stack", "variant"), BUILT)
def test_markers_fire_equally_often(stack: str, variant: str) -> None:
    usual, here = markers(stack, "std"), markers(stack, variant)
    assert usual[0, NAMES["invocation"], 1] == usual[1, NAMES["invocation"], 1] == 44
    for key in usual | here:
        if key[1] not in TIMER:
            assert here.get(key, 0) == usual.get(key, 0), f"machine, action, window {key}"


@pytest.mark.parametrize("stack", STACKS)
def test_path_inlining_saves_instructions(stack: str) -> None:
    """The path is really taken: without it PIN would need more than OUT, for it looks for it."""
    out, pin, guarded = (
        sum(exchange(stack, v, v, d).instructions.values())
        for v, d in (("out", ()), ("pin", ()), ("pin", GUARD))
    )
    assert out - pin > 43 * 2 * 300
    assert pin < guarded < out


def test_the_fast_path_is_taken() -> None:
    pin, flat = (sum(exchange("tcp", v, v).instructions.values()) for v in ("pin", "flat"))
    assert pin - flat > 43 * 2 * 1000


@pytest.mark.parametrize(("stack", "variant"), BUILT)
def test_lost_frames(stack: str, variant: str) -> None:
    """Every seventh frame is lost, so the path sees what it is not made for."""
    both = [build(variant, stack, role) for role in ("client", "server")]
    lossy = run(stack, *both, 10**11, "--lose", "7", "round_trips=20", "warmup=2")
    assert lossy.count > 2 * 22


def test_code_generation_is_the_same() -> None:
    """But for what a variant says of itself, all are compiled and linked alike."""
    usual = recipes.recipe("std")
    for variant in recipes.variants():
        rules = recipes.recipe(variant)
        assert rules["compile"]["common"] == usual["compile"]["common"], variant
        assert rules["compile"]["optimise"] == usual["compile"]["optimise"], variant
        assert set(usual["link"]["flags"]) <= set(rules["link"]["flags"]), variant
        sources = link_order.sources(link_order.read())
        for pattern in rules["link"].get("order", []):
            assert fnmatch.filter(sources, pattern), f"{variant}: {pattern} matches no source"
