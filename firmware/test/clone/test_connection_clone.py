# SPDX-License-Identifier: BSD-2-Clause
"""Copies of a connection's own (cloning.md): frames are those of shared code, constants do not
change, and mistakes in template, firmware and list of constants are found."""

import dataclasses
import itertools
from functools import cache

import pytest
from firmware_support.changed_plan import changed
from firmware_support.faults import Fault, each
from firmware_support.own_code import entries, where
from firmware_support.pair_machines import Done, build, run

from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import images
from mcpi.firmware.clone import alpha, template
from mcpi.firmware.clone.constants import Kind
from mcpi.firmware.clone.program import Program
from mcpi.firmware.clone.template import Patch, Template
from mcpi.firmware.elf import PHYSICAL
from mcpi.firmware.images import Plan
from mcpi.isa import table

TCP = FIRMWARE / "protocols" / "tcp"
TABLE = TCP / "fast" / "tcp_fast_table.c"
CODE = FIRMWARE / "xkernel" / "own_code" / "own_code.c"
CHECKED = ("XK_CONNECTIONS=8", "XK_CHECKS=1")
TRIPS = ("round_trips=24", "warmup=8")
TICKS = 10**11
LOSS = ("--lose", "7")
OWN = ("tcp_fast_input", "tcp_fast_push")
IMB = table.named("imb").match


def exchange(plan: Plan, *options: object) -> Done:
    return run("tcp", plan, plan, TICKS, *options, *TRIPS)


@cache
def usual(connections: str, *options: str) -> Done:
    return exchange(build("std", "tcp", defines=(connections,)), "--frames", *options)


@pytest.mark.parametrize("variant", ["shared", "specialised"])
@pytest.mark.parametrize("connections", ["XK_CONNECTIONS=8", "XK_CONNECTIONS=64"])
def test_frames_are_those_of_std(variant: str, connections: str) -> None:
    here = exchange(build(variant, "tcp", defines=(connections,)), "--frames")
    pairs = itertools.zip_longest(usual(connections).frames, here.frames)
    for number, (a, b) in enumerate(pairs):
        assert a == b, f"frame {number}: STD {a}\n{variant}: {b}"


def test_frames_are_lost() -> None:
    """Every seventh: own code leaves for the general path and comes back, and no constant changes
    until the connections end."""
    assert exchange(build("specialised", "tcp", defines=CHECKED), *LOSS).count > 2 * 32


def test_own_code_is_what_runs() -> None:
    """Each connection's copies are called, and the shared functions are not."""
    plan = build("specialised", "tcp", defines=CHECKED)
    image = Program(plan.image)
    shared = [image.symbols[name] for name in OWN]
    first, size = entries(plan)
    slots = [at + size * n for n in range(8) for at in first]
    words = [w for at in (*shared, *slots) for w in ("--watch", f"0:{at:#x}")]
    times = exchange(plan, *words).watched
    assert all(times[0, at & PHYSICAL] >= 4 for at in slots)
    assert not any(times[0, at & PHYSICAL] for at in shared)


def imbs(plan: Plan) -> int:
    """How often client and server flush the I-cache in own_code_open."""
    image = Program(plan.image)
    f = image.functions["own_code_open"]
    [at] = [at for at in range(f.start, f.end, 4) if image.word(at) == IMB]
    times = exchange(plan, "--watch", f"0:{at:#x}", "--watch", f"1:{at:#x}").watched
    return times[0, at & PHYSICAL] + times[1, at & PHYSICAL]


def test_each_copy_is_followed_by_a_flush() -> None:
    assert imbs(build("specialised", "tcp", defines=CHECKED)) == 16


def test_a_missing_flush_is_found() -> None:
    """Neither engine nor model keeps stale instructions, so it is found in the image."""
    fault = Fault("no flush", CODE, "\tpal_imb();\n\tused[slot] = 1;", "\tused[slot] = 1;")
    with pytest.raises(ValueError, match="not enough values"):
        imbs(images.build(changed(build("specialised", "tcp", defines=CHECKED), fault)))


def test_without_a_slot_a_connection_runs_on_shared_code() -> None:
    plan = build("specialised", "tcp", defines=(*CHECKED, "OWN_CODE_SLOTS=3"))
    shared = where(plan, OWN[1])
    times = exchange(plan, "--watch", f"0:{shared:#x}", *LOSS).watched
    assert times[0, shared & PHYSICAL] >= 5 * 4


def test_two_connections_with_one_entry() -> None:
    """The second takes the general path, with STD's frames, and is counted."""
    plan = build("specialised", "tcp", defines=(*CHECKED, "TCP_FAST_ENTRIES=4"))
    counts = Program(plan.image).symbols["tcp_fast_counts"]
    options = "--watch", f"0:{where(plan, 'tcp_fast_push'):#x}", "--read", f"0:{counts:#x}"
    said = exchange(plan, "--frames", *options)
    assert said.frames == exchange(build("std", "tcp", defines=CHECKED), "--frames").frames
    assert said.watched[0, where(plan, "tcp_fast_push") & PHYSICAL] >= 4 * 4
    assert said.read[0, counts & PHYSICAL] == 4


MISTAKES = [
    # A value that TCP changes, in functions that only read it.
    Fault(
        "a constant that changes",
        TABLE,
        "OWN_SMALL(CONNECTION, struct tcp, segment_max);",
        "OWN_SMALL(CONNECTION, struct tcp, send_una);\n\t"
        "OWN_SMALL(CONNECTION, struct tcp, timer[TCP_PERSIST]);",
        {"says": "the store at .* changes a constant of the session's"},
    ),
    Fault(
        "a round trip time for ever",
        TABLE,
        "OWN_SMALL(CONNECTION, struct tcp, segment_max);",
        "OWN_SMALL(CONNECTION, struct tcp, srtt);",
        {"says": "own code: a constant has changed"},
    ),
    Fault(
        "the table keeps a closed connection",
        TABLE,
        "\t\te->session = NULL;\n",
        "\t\te->session = s;\n",
        {"says": "tcp: code of a connection that is gone can still be called"},
    ),
    Fault(
        "a closed connection keeps its code",
        TABLE,
        "\ts->ops = &tcp_session_ops;\n",
        "",
        {"says": "tcp: code of a connection that is gone can still be called"},
    ),
    Fault(
        "two sessions have one slot",
        CODE,
        "\tused[slot] = 1;\n",
        "",
        {"says": "stopped by bug check"},
    ),
    Fault("the upper half is another's", CODE, "(far - low) >> 16", "(far - low) >> 17"),
    Fault(
        "a call loads gp again",
        CODE,
        "== LDAH_GP ? function + 8",
        "!= LDAH_GP ? function + 8",
        {"says": "stopped by unaligned"},
    ),
]


@each(MISTAKES)
def test_a_mistake_is_found(fault: Fault) -> None:
    """At the build or by the end of a machine, which ``says`` what is wrong; or by its frames."""
    plan = changed(build("specialised", "tcp", defines=CHECKED), fault)
    if said := fault.how.get("says"):
        with pytest.raises((AssertionError, RunError), match=said):
            exchange(images.build(plan), *LOSS)
        return
    std = exchange(build("std", "tcp", defines=CHECKED), *LOSS, "--frames")
    assert exchange(images.build(plan), *LOSS, "--frames").frames != std.frames


def wrong(made: Template) -> list[Patch]:
    """Patches whose instructions are not those that the firmware fills in, with empty fields."""
    branches = {alpha.BR, alpha.BSR} | {row.opcode for row in table.of_group("conditional_branch")}
    found = []
    for patch in made.patches:
        at, low = made.words[patch.at], made.words[patch.low]
        fits = {
            Kind.ADDRESS: alpha.opcode(at) == alpha.LDAH
            and alpha.rb(at) == alpha.GP
            and alpha.opcode(low) == alpha.LDA
            and alpha.ra(at) == alpha.ra(low) == alpha.rb(low)
            and not (at | low) & 0xFFFF,
            Kind.SMALL: alpha.opcode(at) == alpha.LDA and not at & 0xFFFF,
            Kind.CALL: alpha.opcode(at) == alpha.BSR and not at & 0x1FFFFF,
            Kind.BRANCH: alpha.opcode(at) in branches and not at & 0x1FFFFF,
        }
        found += [] if fits.get(patch.kind, True) else [patch]
    return found


def own() -> Template:
    return template.made(Program(build("specialised", "tcp").folder / "linked.elf"), list(OWN))


def test_patches_are_those_of_their_instructions() -> None:
    assert not wrong(own())


@pytest.mark.parametrize("kind", [Kind.ADDRESS, Kind.SMALL, Kind.CALL, Kind.BRANCH])
def test_a_patch_one_instruction_off_is_found(kind: Kind) -> None:
    made = own()
    number = next(n for n, patch in enumerate(made.patches) if patch.kind == kind)
    old = made.patches[number]
    made.patches[number] = dataclasses.replace(old, at=old.at + 1, low=old.low + 1)
    assert wrong(made)


REFUSED = {
    "changes a constant": Fault(
        "a number that the path counts up", TABLE, "segment_max);", "send_max);"
    ),
    "is listed twice": Fault(
        "two kinds of one field",
        TABLE,
        "segment_max);",
        "segment_max);\n\tOWN_NOT_ZERO(CONNECTION, struct tcp, segment_max);",
    ),
}


@pytest.mark.parametrize("said", REFUSED)
def test_a_list_that_cannot_be_is_refused(said: str) -> None:
    plan = changed(build("specialised", "tcp", defines=CHECKED), REFUSED[said])
    with pytest.raises(RunError, match=said):
        images.build(plan)


def test_a_constant_too_far_away_is_refused() -> None:
    for steps in ((70000,), (0,) * 5):
        with pytest.raises(UserError, match="4 loads at most"):
            template.packed(Patch(Kind.ADDRESS, 0, 1, steps, 0), 0, [])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["tcp_fast_input"], "2 functions"),
        (["tcp_fast_input", "tcp_fast_pull"], "no function tcp_fast_pull"),
        (["tcp_fast_input", "clientStreamDemux"], "it has a marker"),
    ],
)
def test_functions_that_cannot_be_own_are_refused(names: list[str], said: str) -> None:
    linked = build("specialised", "tcp").folder / "linked.elf"
    with pytest.raises(UserError, match=said):
        template.made(Program(linked), names)


def test_an_image_without_constants_is_refused() -> None:
    linked = build("shared", "tcp").folder / "linked.elf"
    with pytest.raises(UserError, match="no template"):
        template.made(Program(linked), list(OWN))


def test_loads_of_constants_are_gone() -> None:
    """The way down: no load of the session's state, of IP's, or of what is never 0."""
    made = own()
    shared, here = made.about["tcp_fast_push"]
    assert shared - here >= 10
    down = made.words[made.entry[1] :]
    assert not any(alpha.opcode(w) == alpha.LDQ and alpha.rb(w) == 16 for w in down[:8])
    assert [p.kind for p in made.patches].count(Kind.NOT_ZERO) == 1
