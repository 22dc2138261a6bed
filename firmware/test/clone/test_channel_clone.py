# SPDX-License-Identifier: BSD-2-Clause
"""Copies of an RPC channel's own (cloning.md): frames are those of shared code, a channel's end
gives its copies back, and mistakes in firmware and list of constants are found."""

import itertools
from functools import cache

import pytest
from firmware_support.changed_plan import changed
from firmware_support.faults import Fault, each
from firmware_support.own_code import entries, where
from firmware_support.pair_machines import Done, build, run

from mcpi.base.errors import RunError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import images
from mcpi.firmware.clone.program import Program
from mcpi.firmware.elf import PHYSICAL
from mcpi.firmware.images import Plan

PROTOCOLS = FIRMWARE / "protocols"
TABLE = PROTOCOLS / "chan" / "chan_fast_table.c"
LIST = PROTOCOLS / "mselect" / "mselect_fast_table.c"
CALL = PROTOCOLS / "mselect" / "mselect_fast_call.c"
CHECKED = ("XK_CONNECTIONS=8", "XK_CHECKS=1")
CLIENT, SERVER = 0, 1
LOSS = ("--lose", "7")
OWN = ("mselect_fast_input", "mselect_fast_down")
MADE, CLOSED = 0, 8  # offsets in struct own_code_counts
AGAIN = 8  # in struct chan_fast_counts


def exchange(plan: Plan, *options: object, trips: int = 24, warmup: int = 8) -> Done:
    given = f"round_trips={trips}", f"warmup={warmup}"
    return run("rpc", plan, plan, 10**11, *options, *given)


def specialised(*defines: str) -> Plan:
    return build("specialised", "rpc", defines=(*CHECKED, *defines))


@cache
def usual(connections: str, *options: str) -> Done:
    return exchange(build("std", "rpc", defines=(connections,)), "--frames", *options)


@pytest.mark.parametrize("variant", ["shared", "specialised"])
@pytest.mark.parametrize("connections", ["XK_CONNECTIONS=8", "XK_CONNECTIONS=64"])
def test_frames_are_those_of_std(variant: str, connections: str) -> None:
    here = exchange(build(variant, "rpc", defines=(connections,)), "--frames")
    pairs = itertools.zip_longest(usual(connections).frames, here.frames)
    for number, (a, b) in enumerate(pairs):
        assert a == b, f"frame {number}: STD {a}\n{variant}: {b}"


def test_frames_are_lost() -> None:
    """Every seventh: own code leaves for the general path and comes back, and no constant changes
    until the channels end."""
    frames = exchange(specialised(), "--frames", *LOSS).frames
    assert len(frames) > 2 * 33 and frames == usual(CHECKED[0], *LOSS).frames


def watched(plan: Plan, *options: object, **trips: int) -> dict[tuple[int, str, int], int]:
    """How often each machine executes the first instruction of each function, by machine, name and
    slot; -1: that of the shared functions."""
    first, size = entries(plan)
    linked = Program(plan.image)
    places = {
        (machine, name, slot): linked.symbols[name] if slot < 0 else at + size * slot
        for machine in (CLIENT, SERVER)
        for name, at in zip(OWN, first, strict=True)
        for slot in range(-1, 8)
    }
    words = [w for key, at in places.items() for w in ("--watch", f"{key[0]}:{at:#x}")]
    times = exchange(plan, *words, *options, **trips).watched
    return {key: times[key[0], at & PHYSICAL] for key, at in places.items()}


def test_own_code_is_what_runs() -> None:
    """Each channel's copies are called at both ends, and the shared functions are not."""
    times = watched(specialised())
    for (machine, name, slot), found in times.items():
        if slot < 0 or (machine, name) == (SERVER, "mselect_fast_down"):
            assert not found, (machine, name, slot)
        else:
            assert found >= 3, (machine, name, slot)


def counted(plan: Plan, name: str, offset: int, machine: int, *options: object) -> int:
    """A counter at the end of the run."""
    at = Program(plan.image).symbols[name] + offset
    return exchange(plan, "--read", f"{machine}:{at:#x}", *options).read[machine, at & PHYSICAL]


def test_closed_channels_give_their_code_back() -> None:
    for offset in (MADE, CLOSED):
        assert counted(specialised(), "own_code_counts", offset, CLIENT) == 8


STAYS = Fault(
    "the server stays for 70 s",
    FIRMWARE / "apps" / "xrpctest" / "server.c",
    "NULL, XRPCTEST_LINGER_US",
    "NULL, 70000000",
)
FIFTH = 5 * 16  # of the table: the first client uses the last of five channels


def test_a_servers_idle_channels_leave_the_table() -> None:
    """CHAN keeps the session itself, with an answer that nobody has acknowledged."""
    assert counted(specialised(), "chan_fast_table", FIFTH, SERVER)
    plan = images.build(changed(specialised(), STAYS))
    assert not counted(plan, "chan_fast_table", FIFTH, SERVER)


def test_without_a_slot_a_channel_runs_on_shared_code() -> None:
    plan = specialised("OWN_CODE_SLOTS=3")
    for name in OWN:
        shared = where(plan, name)
        times = exchange(plan, "--watch", f"{CLIENT}:{shared:#x}", *LOSS).watched
        assert times[CLIENT, shared & PHYSICAL] >= 5 * 2


def test_two_channels_with_one_entry() -> None:
    """The second's replies take the general path, with STD's frames, and it is counted."""
    plan = specialised("CHAN_FAST_ENTRIES=4")
    assert exchange(plan, "--frames").frames == usual(CHECKED[0]).frames
    assert counted(plan, "chan_fast_counts", 0, CLIENT) == 4


ANEW = Fault(
    "each call begins anew",
    CALL,
    "PREDICT_FALSE(!mselect_fast_ready(&e->fast))",
    "PREDICT_FALSE(e->fast.heard < 2)",
)


def test_a_channel_that_begins_anew_runs_on_shared_code() -> None:
    """With STD's frames; its own code is not called again, and is given back at the end."""
    plan = images.build(changed(specialised(), ANEW))
    assert exchange(plan, "--frames").frames == usual(CHECKED[0]).frames
    first = 1 + 8  # the first of all learns the server's boot id
    assert counted(plan, "chan_fast_counts", AGAIN, CLIENT) == 33 - first
    assert counted(plan, "own_code_counts", CLOSED, CLIENT) == 8
    times = watched(plan)
    assert all(times[CLIENT, name, slot] == 1 for name in OWN for slot in range(8))


FIRST = "OWN_ADDRESS(CHANNEL, struct chan_end, fast.user, SESSION);"
GONE = "chan: code of a channel that is gone can still be called"
MISTAKES = [
    Fault(
        "a constant that changes",
        PROTOCOLS / "vchan" / "vchan.c",
        "\twhile (v->free)\n\t\txClose(",
        "\tsession->state = session;\n\twhile (v->free)\n\t\txClose(",
        {"says": "own code: a constant has changed"},
    ),
    Fault(
        "the table keeps a closed channel",
        TABLE,
        "\t\tentry->session = NULL;\n",
        "\t\tentry->session = s;\n",
        {"says": GONE},
    ),
    Fault("a closed channel keeps its code", TABLE, "\tf->own = 0;\n", "", {"says": GONE}),
    Fault(
        "the code is freed with the entry",
        TABLE,
        "\tf->own = 0;\n",
        "\tif (f->own)\n\t\town_code_close(f->slot);\n\tf->own = 0;\n",
        {"says": "assert 16 == 8"},
    ),
    Fault(
        "the code is never given back",
        PROTOCOLS / "chan" / "chan_session.c",
        "if (XK_FAST_OWN)",
        "if (XK_FAST_OWN > 1)",
        {"says": "assert 0 == 8"},
    ),
    Fault(
        "the ways are exchanged",
        TABLE,
        "(chan_fast_down)code[1]",
        "(chan_fast_down)code[0]",
        {"says": "exited|stopped|no progress"},
    ),
]


@each(MISTAKES)
def test_a_mistake_is_found(fault: Fault) -> None:
    """By the end of a machine, or by the copies that are not given back."""
    plan = images.build(changed(specialised(), fault))
    with pytest.raises((AssertionError, RunError), match=fault.how["says"]):
        assert counted(plan, "own_code_counts", CLOSED, CLIENT) == 8


REFUSED = {
    "changes a constant of the session's": "OWN_ADDRESS(CHANNEL, struct chan_end, reply, OTHER);",
    "is listed twice": "OWN_NOT_ZERO(CHANNEL, struct chan_end, fast.user);",
}


@pytest.mark.parametrize("said", REFUSED)
def test_a_list_that_cannot_be_is_refused(said: str) -> None:
    fault = Fault(said, LIST, FIRST, f"{FIRST}\n\t{REFUSED[said]}")
    plan = changed(specialised(), fault)
    with pytest.raises(RunError, match=said):
        images.build(plan)
