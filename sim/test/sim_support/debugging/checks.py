# SPDX-License-Identifier: BSD-2-Clause
"""Facts about a debugged program that GDB must find, each a function of the prepared run. The tests
of the debugger ask them of the program, and those of its mutants of one with a mistake."""

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from mcpi.base.repo import ROOT
from mcpi.engines.debugging import Prepared
from mcpi.spec.node_spec import NodeImage, NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from sim_support.debugging import gdb, number

PROGRAM = ROOT / "examples/debug/spoilt.c"
BUSY = Path(__file__).with_name("busy.c")  # for both machines
FAILS = Path(__file__).with_name("fails.c")
ADDS = Path(__file__).with_name("adds.c")
ADDITIONS = 2 * 12  # of each of its four cores
WIRE = ROOT / "examples/debug/wire.gdb"
INTERRUPTED = ROOT / "examples/interrupt-latency.c"
SUM = 2016 + 2 * sum(range(2048)) + 2 * 2016
for _ in range(20000):
    SUM = SUM * 5 + 1 & 0xFFFFFFFF
SAYS = f"{SUM & 0xFF} {5 + (1 << 24)}"
TWO = ProgramSpec((str(BUSY),), peer=(str(BUSY),))
FAILING = ProgramSpec((str(FAILS),), peer=(str(FAILS),))
CORES = NodeImage(str(ROOT / "firmware/test/programs/processors.c"))
FOUR = NodeSpec("dec3000-mp", (CORES,), {"core.count": "4"})
LOCK = ROOT / "examples/cores/lock.c"
FOUR_LOCK = ProgramSpec((str(LOCK),), machine="challenge-100", cores=4)
FOUR_FAIL = ProgramSpec(
    (str(Path(__file__).with_name("fails_on_core.c")),), machine="challenge-100", cores=4
)
FOUR_ADD = dataclasses.replace(FOUR, images=(NodeImage(str(ADDS)),))
MS = {"warmup": 1, "round_trips": 1}
FOUR_SEND = NodeSpec("challenge-100", (NodeImage("mpbench-udp"),), {"core.count": "4"}, fields=MS)
STACK = RunSpec(stack="tcp", variant="std", round_trips=2, warmup=1)
# The client's second interrupt: the first frame has come to it.
TO_CLIENT = "break lance_interrupt thread 1.1\ncontinue\ncontinue\n"
IDENTIFIER = 32  # as in WIRE
ENDED = "the run has ended"


def places(run: Prepared) -> None:
    """Breakpoints, registers, memory, lines; the console once; the end."""
    said = gdb(
        run,
        "break spoil\ncontinue\nprint at\nprint table[7]\nprint/x $ra\nbacktrace\n"
        "finish\nnext\nreverse-next\ncontinue\nreverse-continue\ncontinue\ncontinue",
    )
    assert "spoil (at=5)" in said[1] and said[2:4] == ["$1 = 5", "$2 = 7"]
    assert f"#1  {said[4].split()[-1]} in main ()" in said[5] and "main ()" in said[6]
    assert ENDED in said[9] and SAYS in said[9]
    assert "spoil (at=5)" in said[10]
    assert ENDED not in said[11] and "16777221" not in said[11]


def writers(run: Prepared) -> None:
    """Back to who wrote a byte: the last byte of the element, then its first value."""
    said = gdb(
        run,
        "break 34\ncontinue\nwatch -location *((char *)&table[5] + 3)\nreverse-continue\n"
        "print $pc\ncontinue\nreverse-continue\nreverse-continue\n",
    )
    assert "Old value = 1 '\\001'" in said[3] and "New value = 0 '\\000'" in said[3]
    assert "<spoil+" in said[4] and "New value = 1" in said[5] and "New value = 0" in said[6]
    assert "No more reverse-execution history" in said[7]
    said = gdb(
        run,
        "break 34\ncontinue\nwatch -location table[5]\nreverse-continue\nreverse-continue\n"
        "print $pc\nprint i",
    )
    assert "New value = 5" in said[3] and "Old value = 5" in said[4] and "<fill+" in said[5]
    assert said[6] == "$2 = 5"


def steps(run: Prepared) -> None:
    """Steps back lead over the instructions that steps forward led over."""
    forth = gdb(run, "monitor tick\nprint/x $pc\nstepi\n" * 25)
    back = gdb(run, "stepi 24\n" + "monitor tick\nprint/x $pc\nreverse-stepi\n" * 25)[1:]
    there = [(number(t), pc.split()[-1]) for t, pc in zip(forth[::3], forth[1::3])]
    again = [(number(t), pc.split()[-1]) for t, pc in zip(back[::3], back[1::3])]
    assert [pc for _, pc in there] == [pc for _, pc in reversed(again)]
    # Forward it stands behind an instruction, backward before the next: there may be waits between.
    later = [tick for tick, _ in reversed(again)]
    assert all(a <= b for (a, _), b in zip(there, later))
    assert all(b < a for (a, _), b in zip(there[1:], later))


def interrupts(run: Prepared) -> None:
    """A step passes over an interrupt, back and forth; a breakpoint in its handler stops."""
    said = gdb(
        run,
        "tbreak trap_interrupt\ncontinue\nprint/x $pc\nmonitor tick\nreverse-stepi\nprint/x $pc\n"
        "monitor tick\nstepi\nprint/x $pc\nmonitor tick\nreverse-stepi\nprint/x $pc\nstepi\n"
        "maint packet vCont;s:p1.1\nmonitor tick",
    )
    assert "trap_interrupt" in said[1]
    before, after = int(said[5].split()[-1], 16), int(said[8].split()[-1], 16)
    assert number(said[6]) < number(said[3]) and int(said[11].split()[-1], 16) == before
    assert after != int(said[2].split()[-1], 16)
    # GDB steps an Alpha by breakpoints; the target's own step leads over the handler too.
    assert number(said[14]) > number(said[9]) + 1000


def backwards(run: Prepared) -> None:
    """Back from a breakpoint leads to before the breakpoint, also if GDB does not step first."""
    said = gdb(
        run,
        "set breakpoint always-inserted on\nbreak spoil\ncontinue\nmonitor tick\n"
        "maint packet bc\nmonitor tick",
    )
    assert "spoil (at=5)" in said[2] and number(said[5]) < number(said[3])


def console(run: Prepared) -> None:
    """Back to where only a part had been printed: nothing is said again."""
    said = gdb(run, "continue\n" + "goto -150\nstepi\nmonitor tick\nbacktrace\n" * 15)
    assert SAYS in said[0] and "plat_putc" in "".join(said[4::4])
    ticks_ = [number(text) for text in said[3::4]]
    assert len(ticks_) == 15 and ticks_ == sorted(ticks_, reverse=True)
    assert not [text for text in said[1:] if SAYS in text]


def reads(run: Prepared) -> None:
    """A read watchpoint stops at the load, not at the store."""
    said = gdb(
        run,
        "rwatch low[9]\ncontinue\nprint $pc\nx/i $pc - 4\nmonitor tick\ndelete\n"
        "awatch low[9]\nreverse-continue\nreverse-continue\nx/i $pc",
    )
    assert "Value = 9" in said[1] and "ldl\t" in said[3]
    assert "stl\t" in said[9]


def evictors(run: Prepared) -> None:
    """The evictor of the block of a load that misses is named."""
    said = gdb(
        run,
        "break 34 if i == 20\ncontinue\nwhy\n"
        + "stepi\nwhy\n" * 10
        + "print &low[20]\nprint &high[20]",
    )
    low, high = (int(re.search(r"0x(\w+)", one)[1], 16) & ~31 for one in said[-2:])
    misses = re.findall(
        r"D-cache: block (\w+) misses; lost in tick (\d+), (\d+) ticks ago: "
        r"block (\w+) came into its place, for \w+: ldl",
        "\n".join(said),
    )
    assert misses and (high - low) % 8192 == 0
    for block, _, ago, by in misses:
        assert {int(block, 16), int(by, 16)} == {low, high} and int(ago) < 200


def ticks(run: Prepared) -> None:
    """Any tick, by its number; owners sum to the tick."""
    said = gdb(
        run,
        "goto 40000\nmonitor tick\nmonitor owners\nprint/x $pc\ngoto +5000\ngoto -5000\n"
        "print/x $pc\nmonitor tick\ngoto 3\nmonitor tick\nmonitor goto x",
    )
    assert number(said[1]) == number(said[7]) == 40000 and number(said[9]) == 3
    assert said[3].split()[-1] == said[6].split()[-1]
    assert re.search(r"^sum +40000 ", said[2], re.M)
    assert "a tick is wanted" in said[10]


def nothing_is_written(run: Prepared) -> None:
    """GDB cannot change the run."""
    said = gdb(run, "print table[1]\nset var table[1] = 1")
    assert said[0] == "$1 = 0" and "Cannot access memory" in said[1], said


def over_the_wire(run: Prepared) -> None:
    """In one session: from the client's buffer to the client's controller, to the server's buffer
    that it sends from in that tick, to the server's instruction."""
    at_client = gdb(run, TO_CLIENT + "monitor wire\nmonitor events")
    assert "from …02 to …01, type 0800" in at_client[3] and "net_interrupt" in at_client[4]
    said = gdb(run, f"source {WIRE}\nmonitor tick\nbacktrace\ninfo threads\nmonitor rings")
    client, server = said[0].split("It is written")[:2]
    assert "the network controller of node 0 wrote it (DMA)" in client
    assert "DMA" not in server and "transmit" in said[2], said
    assert re.search(r"^\* +2\.1", said[3], re.M)
    sent = int(re.search(r"-location \*\(long \*\)(\w+)", server)[1], 16) - IDENTIFIER
    assert re.search(rf"^transmit .*, buffer {sent:x}, bytes", said[4], re.M)


def fails_first(run: Prepared) -> None:
    """The first of two programs that fail: the server's, before its exit."""
    said = gdb(run, "continue\nmonitor failure\nmonitor tick\ninferior 2\nx/i $pc\ncontinue")
    tick = int(re.fullmatch(r"node 1 ended itself with exit code 3 in tick (\d+)", said[1])[1])
    assert number(said[2]) == tick and "stq" in said[4], said
    assert "ended with exit code" in said[0] + said[5]


def either_machine(run: Prepared) -> None:
    """The other passes it often, and in the ticks in which GDB steps over it."""
    once = "break lance_interrupt thread {}.1\n" + "continue\nmonitor tick\n" * 5
    client, server = (gdb(run, once.format(n))[1:] for n in (1, 2))
    both = gdb(run, "break lance_interrupt\n" + "continue\nmonitor tick\n" * 10)[1:]
    assert all("Thread 1.1 hit" in one for one in client[::2])
    assert all("Thread 2.1 hit" in one for one in server[::2])
    ticks = [sorted(number(one) for one in answers[1::2]) for answers in (client, server, both)]
    assert ticks[2] == sorted([*ticks[0], *ticks[1]])[:10]
    assert ticks[0] == [t for t, one in zip(ticks[2], both[::2]) if "Thread 1.1" in one][:5]


def both_in_a_loop(run: Prepared) -> None:
    """Breakpoints that both machines pass within a few ticks of each other: none is lost while GDB
    steps a machine over its own."""
    often = "break work{}\n" + "continue\nmonitor tick\n" * 24
    alone = [gdb(run, often.format(f" thread {n}.1"))[1:] for n in (1, 2)]
    together = gdb(run, often.format(""))[1:]
    for answers in alone:
        assert [int(re.search(r"n=(\d+)", one)[1]) for one in answers[::2]] == list(range(24))
    wanted = sorted(number(one) for answers in alone for one in answers[1::2])
    assert [number(one) for one in together[1::2]] == wanted[:24]
    assert {re.search(r"Thread (\d).1 hit", one)[1] for one in together[::2]} == {"1", "2"}


def cores_are_threads(run: Prepared) -> None:
    """Each core comes to a breakpoint, none while GDB steps another over it; each can be asked."""
    said = gdb(run, "break processor_main\n" + "continue\nprint number\nmonitor tick\n" * 4)[1:]
    where = [re.search(r"Thread (\d) hit .*number=(\d)", one).groups() for one in said[::3]]
    assert dict(where) == {str(n + 1): str(n) for n in range(4)}
    assert all(re.search(rf"= {n}$", one) for (_, n), one in zip(where, said[1::3]))
    assert all(f"core {n}:" in one for (_, n), one in zip(where, said[2::3]))
    ticks = [number(one) for one in said[2::3]]
    assert ticks == sorted(ticks)


def core_that_wrote(run: Prepared) -> None:
    """Back from the end to the core whose store changed a word, not to those that saw it later."""
    said = gdb(
        run,
        "continue\nwatch -location called.word\nreverse-continue\nprint/x &called.word\nx/i $pc\n"
        "continue\nbacktrace 1\nthread 1\nmonitor tick",
    )
    assert "Thread 3 hit" in said[2] and "New value = 0" in said[2] and "stq" in said[4]
    assert "Thread 3 hit" in said[5] and "New value = 1" in said[5]
    assert "processor_main" in said[6] and "core 0:" in said[8]
    at = said[3].split()[-1]
    said = gdb(
        run, f"continue\nmonitor caches {at}\nmonitor caches\nmonitor wire\nwhy\nmonitor rings"
    )
    assert re.search(r"^b-cache of this core: (shared|modified)$", said[1], re.M)
    assert "I-cache: " in said[2] and "b-cache" not in said[2] and "it has no wire" in said[3]
    assert said[5] == said[3]


def told_once(run: Prepared) -> None:
    """Back from the end, the target's first stop is at the store, and not where memory got it: GDB
    would hide a stop at which the word is what it was."""
    said = gdb(
        run,
        "continue\nset breakpoint always-inserted on\nwatch -location called.word\n"
        "maint packet bc\nmonitor tick\ngoto +0\nx/i $pc",
    )
    assert "thread:p1.3" in said[3] and "stq" in said[6], said


def cores_that_add(run: Prepared) -> None:
    """Each change of a word that all cores change is its maker's, also if others store beside it in
    the same tick."""
    said = gdb(run, "watch -location shared.sum\n" + "continue\n" * (4 * ADDITIONS + 1))[1:]
    hits = [re.search(r"Thread (\d) hit", one)[1] for one in said[:-1]]
    assert Counter(hits) == dict.fromkeys("1234", ADDITIONS) and ENDED in said[-1]
    said = gdb(run, "watch -location shared.half[0]\n" + "continue\n" * (ADDITIONS // 2 + 1))[1:]
    assert all("Thread 1 hit" in one for one in said[:-1]) and ENDED in said[-1]


def stack_on_cores(run: Prepared) -> None:
    """Back from a core's first packet to the core that has changed the shared counter before it,
    by a conditional store; and the counters of a run that nobody stopped."""
    said = gdb(run, "break ip_push\n" + "continue\n" * 12 + "info threads")
    packets = [re.search(r"Thread (\d) hit", one)[1] for one in said[1:13]]
    first = max(packets.index(thread) for thread in "1234")
    last, before = packets[first], packets[first - 1]
    assert len(re.findall("Thread 1[.]", said[13])) == 4 and last != before
    counter = "((struct ip *)session->protocol->state)->ident"
    said = gdb(
        run,
        f"tbreak ip_push thread {last}\ncontinue\nprint {counter}\nwatch -location {counter}\n"
        "reverse-continue\nbacktrace\nmonitor tick\ndelete\ncontinue\n"
        + "".join(f"thread {n}\nmonitor tick\n" for n in range(1, 5)),
    )
    ident = int(said[2].split()[-1])
    assert f"Thread {before} hit" in said[4] and f"New value = {ident - 1}\n" in said[4], said[4]
    assert "ip_push" in said[5]
    there = json.loads((run.place / "run.json").read_text())
    issued = [int(re.search(r": (\d+) instructions", one)[1]) for one in said[10::2]]
    assert issued == there["instructions"] and number(said[10]) == there["ticks"]


def program_of_exec(run: Prepared) -> None:
    """Each core comes to the function of all; the core that counted last had taken the lock."""
    said = gdb(
        run,
        "break all\n" + "continue\n" * 4 + "delete\ncontinue\nwatch -location count\n"
        "reverse-continue\nprint count\ndelete\nwatch -location lock.taken\nreverse-continue\n",
    )
    assert {re.search(r"Thread (\d) hit", one)[1] for one in said[1:5]} == set("1234")
    assert "4 cores: 1200\n" in said[6] and ENDED in said[6]
    last = re.search(r"Thread (\d) hit", said[8])[1]
    assert said[9] == "$1 = 1199" and f"Thread {last} hit" in said[12] and "mcpi_lock" in said[12]


def core_that_fails(run: Prepared) -> None:
    """GDB goes to the core that ends the program, as --debug does."""
    said = gdb(run, "failure\nmonitor tick\nbacktrace\ncontinue\nmonitor failure")
    assert "core 2: " in said[1] and "all (none=" in said[2], said
    assert "core 2 ended itself with exit code" in said[4]


def cores_are_those_of_the_run(run: Prepared) -> None:
    """Instructions of each core, when the run has ended here and when nobody stopped it; the
    owners of a core's ticks sum to the ticks."""
    asked = "".join(f"thread {n}\nmonitor tick\nmonitor owners\n" for n in range(1, 5))
    said = gdb(run, "break processor_main\ncontinue\nreverse-stepi\ndelete\ncontinue\n" + asked)[5:]
    there = json.loads((run.place / "run.json").read_text())
    assert {number(one) for one in said[1::3]} == {there["ticks"]}
    issued = [int(re.search(r": (\d+) instructions", one)[1]) for one in said[1::3]]
    assert issued == there["instructions"] and there["exit_code"] == 0
    sums = [int(re.search(r"^sum +(\d+)", one, re.M)[1]) for one in said[2::3]]
    assert sums == [there["ticks"]] * 4


def places_ahead(run: Prepared) -> None:
    """Breakpoints, registers, memory, lines; the end."""
    said = gdb(
        run,
        "break spoil\ncontinue\nprint at\nprint table[7]\nprint/x $ra\nbacktrace\nfinish\nnext\n"
        "delete\ncontinue\nmonitor owners\nmonitor tick",
    )
    assert "spoil (at=5)" in said[1] and said[2:4] == ["$1 = 5", "$2 = 7"]
    assert f"#1  {said[4].split()[-1]} in main ()" in said[5] and "main ()" in said[6]
    assert ENDED in said[9] and SAYS in said[9]
    assert re.search(rf"^sum +{number(said[11])} ", said[10], re.M)


def writers_ahead(run: Prepared) -> None:
    """Each instruction that changes an element, or a byte of it."""
    said = gdb(run, "watch -location table[5]\ncontinue\nprint i\ncontinue\nprint $pc\ncontinue")
    assert "New value = 5" in said[1] and said[2] == "$1 = 5"
    assert "New value = 16777221" in said[3] and "<spoil+" in said[4] and ENDED in said[5]


def readers_ahead(run: Prepared) -> None:
    """A read watchpoint stops at the load, not at the store."""
    said = gdb(
        run, "rwatch low[9]\ncontinue\nx/i $pc - 4\ndelete\nawatch high[9]\ncontinue\nx/i $pc - 4"
    )
    assert "Value = 9" in said[1] and "ldl\t" in said[2] and "ldl\t" in said[6]


ON_RTL = (places_ahead, writers_ahead, readers_ahead)
ALL = (places, writers, steps, interrupts, backwards, console, reads, evictors, ticks)
ALL += (nothing_is_written,)
PROGRAMS = {interrupts: INTERRUPTED}  # of the other checks: PROGRAM
OF_STACK = (over_the_wire, either_machine)
OF_CORES = (cores_are_threads, core_that_wrote, told_once, cores_that_add)
OF_CORES += (program_of_exec, core_that_fails, cores_are_those_of_the_run, stack_on_cores)
OF_TWO = {both_in_a_loop: TWO, fails_first: FAILING}


def spec_of(check: Callable[[Prepared], None]) -> RunSpec | ProgramSpec | NodeSpec:
    """The run that a check is for."""
    if check is stack_on_cores:
        return FOUR_SEND
    if check in OF_CORES:
        own = {cores_that_add: FOUR_ADD, program_of_exec: FOUR_LOCK, core_that_fails: FOUR_FAIL}
        return own.get(check, FOUR)
    if check in OF_STACK:
        return STACK
    return OF_TWO.get(check) or ProgramSpec((str(PROGRAMS.get(check, PROGRAM)),))
