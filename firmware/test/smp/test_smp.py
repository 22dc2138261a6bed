# SPDX-License-Identifier: BSD-2-Clause
"""The parallel x-kernel on threads of the host: nothing is lost, no race, each mistake is found.

ThreadSanitizer watches every case (smp_build.py). What waits for another processor sleeps, so more
processors than this machine has are no hardship.
"""

import re
from pathlib import Path

import pytest
from firmware_support import faults, smp_build
from firmware_support.host_build import FIRMWARE, OUT, case_names, run, run_apart, run_case, write
from firmware_support.smp_build import KERNEL, KINDS, smp_tests

from mcpi.base.process import heard
from mcpi.machine import c_header, profile
from verify.long_tests import sampled

SMP = FIRMWARE / "test" / "smp"
PLANTED = "planted_"
NAMES = [name for name in case_names(SMP) if not name.startswith(PLANTED)]
NAMES += [name for name in case_names() if name.startswith("checksum_")]
OFF = ("XK_MP_ATOMIC", "XK_MP_PAD", "XK_MP_MSGCACHE", "XK_MP_UNROLL")
FAULTS = faults.read(SMP / "faults.toml")
KIND_NAMES = [kind.lower() for kind in KINDS]


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    run_case(smp_tests(), name)


@pytest.mark.parametrize("case", ["udp_without_memory", "tcp_without_memory"])
def test_each_allocation_of_a_start_may_fail(case: str) -> None:
    """And of the opening of a session, and of the first packets."""
    asked = int(re.search(r"asked (\d+) times", run([smp_tests(), case]).stdout)[1])
    assert asked > 20
    run_apart(smp_tests(), (f"{case}={n}" for n in range(asked)))


@pytest.mark.parametrize("switch", sampled(OFF, ("XK_MP_ATOMIC", "XK_MP_MSGCACHE").__contains__))
def test_cases_with_a_switch_off(switch: str) -> None:
    run_apart(smp_tests((f"-D{switch}=0",)), NAMES)


TCP_SWITCHES = [
    ("XK_MP_TCP_LOCKS=2",),
    ("XK_MP_TCP_LOCKS=6",),
    ("XK_MP_TICKETS=1",),
    ("XK_MP_ASSUME_ORDER=1", "XK_MP_CHECKSUM=0"),
]


@pytest.mark.parametrize("switches", TCP_SWITCHES, ids="+".join)
def test_tcp_with_other_switches(switches: tuple[str, ...]) -> None:
    program = smp_tests(tuple(f"-D{switch}" for switch in switches))
    run_apart(program, (name for name in NAMES if name.startswith("tcp_")))


def test_maps_without_locks_are_read() -> None:
    program = smp_tests(("-DXK_MP_MAPLOCK=0",))
    names = [n for n in NAMES if n.startswith("udp_") or n == "map_read_by_eight"]
    run_apart(program, names)


@pytest.mark.parametrize("kind", sampled(KINDS, ("TTAS", "CLH").__contains__))
def test_protocols_with_each_kind_of_lock(kind: str) -> None:
    """The applications' locks, and those of TCP's connections."""
    program = smp_tests((f"-DXK_MP_LOCK=LOCK_{kind}",))
    chosen = ("udp_receive", "tcp_receive", "tcp_send")
    run_apart(program, (name for name in NAMES if name.startswith(chosen)))


def test_maps_with_a_fair_lock() -> None:
    program = smp_tests(("-DXK_MP_MAP_LOCK=LOCK_MCS",))
    run_apart(program, (name for name in NAMES if name.startswith(("map_", "tcp_receive"))))


def test_a_mutex_on_the_sync_bus() -> None:
    program = smp_tests(("-DXK_MP_SYNC=1",))
    chosen = ("lock_mutex", "udp_receive", "tcp_receive", "map_", "events_")
    run_apart(program, (name for name in NAMES if name.startswith(chosen)))


@pytest.mark.long
@pytest.mark.parametrize("kind", KIND_NAMES)
def test_a_million_increments_by_eight(kind: str) -> None:
    """Without the sanitizer, so that they meet more often."""
    run_case(smp_tests((), ("-O2",)), f"lock_{kind}_exact", TIMES="1000000", EVERY="2048")


FOUND = {
    "race": "WARNING: ThreadSanitizer: data race",
    "lost_update": "failed: word == 800000",
    "taken_twice": "a processor wants a lock that it holds",
    "released_by_another": "a lock is released by a processor that does not hold it",
    "freed_twice": "a block is freed twice",
    "message_freed_twice": "a piece of a message is freed twice",
    "circle": r"(lock at 0x\w+: processor [01] holds it, taken at 0x\w+\n"
    r"  processor [01] waits at 0x\w+\n){2}.*waited for too long",
    "too_many_locks": "a processor holds too many locks",
}


def test_each_planted_mistake_has_words() -> None:
    planted = {name for name in case_names(SMP) if name.startswith(PLANTED)}
    assert planted == {PLANTED + mistake for mistake in FOUND}


@pytest.mark.parametrize("mistake", FOUND)
def test_a_planted_mistake_is_found(mistake: str) -> None:
    """Waiting ends after fewer turns than in other runs."""
    program = smp_tests(("-DWAITING_LIMIT=500",) if mistake == "circle" else ())
    done = heard([program, PLANTED + mistake], timeout=120)
    assert done.returncode != 0
    assert re.search(FOUND[mistake], done.stdout + done.stderr, re.S), done.stderr


@pytest.mark.slow
@faults.each(FAULTS)
def test_a_mistake_in_the_kernel_is_found(fault: faults.Fault) -> None:
    program = smp_build.smp_tests_with(fault)
    env = {"TIMES": "20000", "TSAN_OPTIONS": "halt_on_error=1"}
    assert heard([program, fault.how["case"]], timeout=300, env=env).returncode


MEMORY = re.compile(r"^(ld|st)[a-z_]+$")


Code = list[tuple[int, str, str]]  # address, name, operands


def functions(source: str | Path, options: tuple[str, ...] = ()) -> dict[str, Code]:
    """The sections of a source for Alpha on a machine that has a sync bus; each has a function."""
    header = OUT / "smp-alpha" / "machine.h"
    write(header, c_header.header(profile.load("power-series-33")))
    options = (*options, f"-I{header.parent}")
    text = smp_build.alpha(FIRMWARE / source, header.parent, options)
    found = {}
    for part in text.split("Disassembly of section .text.")[1:]:
        lines = re.findall(r"^ *([0-9a-f]+):\t(\w+)(?:\t([^\n]*))?$", part, re.M)
        found[part[: part.index(":")]] = [(int(a, 16), name, rest) for a, name, rest in lines]
    return found


def instructions(source: str) -> Code:
    return [line for code in functions(source).values() for line in code]


@pytest.mark.parametrize("source", [str(p.relative_to(FIRMWARE)) for p in smp_build.ROOM_SOURCES])
def test_pairs_on_alpha(source: str) -> None:
    """Between LDQ_L and STQ_C no access, no barrier; behind STQ_C a branch forward (handbook 5.5):
    backward branches are predicted taken."""
    code = instructions(source)
    for n, (_, name, _) in enumerate(code):
        if not name.endswith("_l"):
            continue
        end = next(i for i in range(n + 1, len(code)) if code[i][1].endswith("_c"))
        between = [code[i][1] for i in range(n + 1, end)]
        assert not [w for w in between if MEMORY.match(w) and w not in ("lda", "ldah")], between
        assert "mb" not in between and "call_pal" not in between
        address, after, rest = code[end + 1]
        if after == "beq":
            assert int(re.search(r"([0-9a-f]+) <", rest)[1], 16) > address, (source, rest)


# Sources, and those of their functions that wait for another processor.
WAITING = {
    "xkernel/lock/word.c": {"lock_tas_acquire", "lock_ttas_acquire", "lock_backoff_acquire"},
    "xkernel/lock/ticket.c": {"lock_ticket_acquire"},
    "xkernel/lock/mcs.c": {"lock_mcs_acquire", "lock_mcs_release"},
    "xkernel/lock/clh.c": {"lock_clh_acquire"},
    "xkernel/lock/sync/sync.c": {"lock_sync_acquire"},
    "apps/mpstream/mpstream.c": {"demux"},  # for its ticket
}
SWITCHES = ("-DXK_MP_SYNC=1", "-DXK_MP_TICKETS=1")


def looping(code: Code) -> list[str]:
    """The instructions from which one comes back to them."""
    follows: dict[int, set[int]] = {address: set() for address, _, _ in code}
    for (address, name, rest), after in zip(code, [*code[1:], None], strict=True):
        target = re.match(r"(?:\w+,)?([0-9a-f]+) <", rest or "")
        if target and name not in ("bsr", "jsr"):
            follows[address].add(int(target[1], 16))
        if after and name not in ("br", "ret"):
            follows[address].add(after[0])
    return [
        f"{name} {rest}" for address, name, rest in code if address in _behind(address, follows)
    ]


def _behind(address: int, follows: dict[int, set[int]]) -> set[int]:
    found, left = set(), [address]
    while left:
        new = follows.get(left.pop(), set()) - found
        found |= new
        left += new
    return found


def stores(code: Code) -> list[str]:
    """In loops, but for STx_C; calls too, which store where they return to."""
    return [line for line in looping(code) if re.match(r"(st[qlwb](_u)?|bsr|jsr) ", line)]


@pytest.mark.parametrize("source", WAITING)
def test_who_waits_stores_nothing(source: str) -> None:
    """A store takes its block from all others, and the stack's block may lie on the lock's line:
    then no pair succeeds any more."""
    every = functions(source, SWITCHES)
    for name in WAITING[source]:
        assert looping(every[name]), name
        assert not stores(every[name]), name


def test_a_store_in_a_loop_is_seen(tmp_path: Path) -> None:
    """A count on the stack of who waits: once that was a livelock."""
    text = (KERNEL / "lock" / "word.c").read_text()
    for old, new in (
        ("struct waiting w = { 0 };", "volatile uint64_t turns = 0;"),
        ("waiting_turn(&w, &l->word, 1);", "turns++;"),
        ("waiting_ends(&w);", "waiting_count(turns);"),
    ):
        text = text.replace(old, new, 1)
    changed = tmp_path / "word.c"
    changed.write_text(text)
    assert any(line.startswith("stq ") for line in stores(functions(changed)["lock_tas_acquire"]))


@pytest.mark.parametrize("source", list(WAITING)[:4])
def test_locks_have_barriers_on_alpha(source: str) -> None:
    """Acquire: one after the lock is there. Release: one before, one behind that drains."""
    names = [name for _, name, _ in instructions(source)]
    assert names.count("mb") >= 3 and "ldq_l" in names and "stq_c" in names
