# SPDX-License-Identifier: BSD-2-Clause
"""Additions that act, by the kinds of docs/contributing.md: the changes of files, and what shows
in the runs of a copy of the checkout that has them."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base import reuse
from mcpi.base.process import heard
from mcpi.base.repo import ROOT

Change = Callable[[Path], None]
SHAPE = ("--set", "dcache.size=4KB")  # not the usual one: the simulator is compiled faster


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{path}: {old}"
    path.write_text(text.replace(old, new))


def before(mark: str, text: str) -> Change:
    """Puts ``text`` before the only ``mark`` of a file."""
    return lambda path: edit(path, mark, text + mark)


def instead(*pairs: str) -> Change:
    """Puts each second text in the place of the only one before it."""

    def change(path: Path) -> None:
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            edit(path, old, new)

    return change


def new(text: str) -> Change:
    """A file that is not there yet, or more at the end of one."""

    def change(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + text)

    return change


def by_docgen(module: str) -> Change:
    """Lets the copy's program write the page."""

    def write(path: Path) -> None:
        root = next(folder for folder in path.parents if (folder / "pytest.ini").is_file())
        right, output = said(root, f"verify.docgen.{module}")
        assert right, output

    return write


def said(root: Path, *words: object) -> tuple[bool, str]:
    """Run a module of the copy; returns True if it ends well, and its words. It has a session of
    its own, as the Java of another has other classes."""
    with tempfile.TemporaryDirectory() as session:
        own = {"PYTHONPATH": f"{root / 'tools'}:{root}", reuse.SESSION: session}
        done = heard([sys.executable, "-m", *words], cwd=root, env=os.environ | own)
    return done.returncode == 0, done.stdout + done.stderr


def judged(root: Path, test: str) -> tuple[bool, str]:
    name, _, words = test.partition(" ")
    chosen = ("-k", words) if words else ()
    return said(root, "pytest", "-q", "-c", root / "pytest.ini", root / name, *chosen)


@dataclass(frozen=True)
class Acting:
    """``edits`` by file, in the order of the steps of the page's section ``kind``: the change, and
    words of the failure without it. ``tests`` of the page are quick. ``settings`` of the run, by
    key: the value, and the usual one, with which the run counts otherwise. ``acts`` judges the
    copy after its runs, with the words of the machine: empty if it acts."""

    kind: str
    edits: Mapping[str, tuple[Change, str]]
    tests: tuple[str, ...] = ()
    settings: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    acts: Callable[[Path, list[str]], str] = lambda root, machine: ""


def node_counters(folder: Path) -> list[dict]:
    return json.loads((folder / "counters.json").read_text())["nodes"]


def folders(root: Path) -> tuple[Path, Path]:
    """The run of a copy on the exact engine, and on the RTL."""
    return root / "run", root / "run" / "rtl"


def counts(name: str) -> Callable[[Path, list[str]], str]:
    """Both engines count something in ``name``."""

    def acts(root: Path, machine: list[str]) -> str:
        for folder in folders(root):
            found = [node["path"].get(name, 0) for node in node_counters(folder)]
            if min(found) < 5:
                return f"{folder.name}: {name} is {found}"
        return ""

    return acts


# ---------------------------------------------------------------- a counter
CALLS = """\
["calls"]
of = "core"
event = "call"
glides = false
log = 85
doc = "each BSR, JSR or JSR_COROUTINE that issues"

"""
DRIVEN = """\
  private val links = e1.instruction(31 downto 26) === 0x34 ||
    (e1.instruction(31 downto 26) === 0x1a && e1.instruction(14))
  events.call := delayed(e1Valid && links)
"""
SET = """\
    if (i.word >> 26 == 0x34 || (i.word >> 26 == 0x1A && i.word >> 14 & 1))
        later_ |= bit(Event::calls);
"""
NO_PAGE = "counters.csv is not as machines/counters.toml says"
COUNTER = Acting(
    "counter",
    {
        "machines/counters.toml": (before('["mispredicts"]\n', CALLS), NO_PAGE),
        "rtl/counters/RetirePort.scala": (
            before("  val mispredict = Bool()", "  val call = Bool() // BSR and the like\n"),
            "'call' is no event",
        ),
        "cores/alpha-lite/execute/Pipeline.scala": (
            before("  events.mispredict :=", DRIVEN),
            "events_call",
        ),
        "sim/exact/core/core_issue.cpp": (
            before("    step_.penalty.reset();\n", SET),
            "files differ",
        ),
        "docs/data/counters.csv": (by_docgen("counters"), NO_PAGE),
    },
    ("tools/test/machine/test_counters.py",),
    acts=counts("calls"),
)

# ---------------------------------------------------------------- a stall owner
BASE_MISS = """\
["owner.base_miss"]
of = "owner"
glides = false
short = "load miss → second operand"
group = "D-cache"
column = "load"
doc = "a second operand waits for a load that missed"

"""
OF_B = """\
      who := ((byLoadB && missed) || ownerB === Owner.dMiss) ? Owner.baseMiss | ownerB
"""
NEEDED = """\
    if (r.maker == Maker::load && r.load == loads_ && memory_.loadFills()) {
        const bool second = &source == &instruction_.decoded.b;
        needed_[needs_++] = {never, true, second ? Owner::baseMiss : Owner::dMiss};
    }
    const uint64_t distance"""
BASE_MISS_TEST = '''

@cocotb.test()
async def base_miss(dut):
    """A second operand waits for a load that missed."""
    got = await twice(dut, "ldq $1, 0x100($30)\\naddq $31, $1, $3", before=MISS)
    assert got["base_miss"] > 5 and not got["d_miss"], got
'''
OWNER = Acting(
    "stall owner",
    {
        "machines/counters.toml": (before('["owner.bus_wait"]\n', BASE_MISS), "baseMiss"),
        "cores/alpha-lite/execute/TickReasons.scala": (
            instead("      who := (byLoadB && missed) ? Owner.dMiss | ownerB\n", OF_B),
            "files differ",
        ),
        "sim/exact/core/core_interlocks.cpp": (
            instead(
                "    if (r.maker == Maker::load && r.load == loads_)\n"
                "        needsFill();\n    const uint64_t distance",
                NEEDED,
            ),
            "files differ",
        ),
        "docs/data/core-costs.csv": (
            instead(
                "what,ticks,owner,tests\n",
                "what,ticks,owner,tests\n"
                "load miss → second operand,until it ends,base_miss,test_stalls.base_miss\n",
            ),
            "owner base_miss has no row",
        ),
        "cores/alpha-lite/test/execute/test_stalls.py": (
            new(BASE_MISS_TEST),
            "test_stalls.base_miss",
        ),
    },
    ("cores/alpha-lite/test/execute/test_stall_table.py",),
    acts=counts("owner.base_miss"),
)

# ---------------------------------------------------------------- an instruction
MINQ, SPARE = "minq", 0x11 << 26 | 1 << 21 | 2 << 16 | 0x50 << 5 | 3
MINQ_ROW = f"""\
{MINQ} = {{ code = "11.50", format = "operate", group = "logical", ours = true }}
"""
MINQ_MODEL = """\
    case function::MINQ:
        result = sa < static_cast<int64_t>(b) ? a : b;
        break;
"""
MINQ_PROGRAM = f"""\
static long smaller(long x, long y)
{{
	register long a __asm__("$1") = x, b __asm__("$2") = y, c __asm__("$3");

	__asm__ volatile(".long {SPARE:#x}" : "=r"(c) : "r"(a), "r"(b));
	return c;
}}
int main(void)
{{
	volatile long low = -5, high = 3;

	return smaller(low, high) == -5 && smaller(high, low) == -5 ? 0 : 1;
}}
"""


def minq_acts(root: Path, machine: list[str]) -> str:
    """A program has the smaller of two numbers on each engine."""
    source = root / "minq.c"
    source.write_text(MINQ_PROGRAM)
    for engine in ("exact", "rtl"):
        words = ("--engine", engine, "--out", root / "out" / engine)
        right, output = said(root, "mcpi", "exec", source, *machine, *words)
        if not right:
            return f"{MINQ} on {engine}: {output}"
    return ""


INSTRUCTION = Acting(
    "instruction",
    {
        "machines/instructions.toml": (before("implver = {", MINQ_ROW), "MINQ"),
        "cores/alpha-lite/decode/Isa.scala": (
            before('    "implver" -> only', '    "minq" -> only(_.alu := minq),\n'),
            "no control word of 'minq'",
        ),
        "cores/alpha-lite/execute/Alu.scala": (
            instead(
                "  val zero = newElement()\n",
                "  val zero = newElement()\n  val minq = newElement()\n",
                "      is(AluOp.pass) { plain := b }\n",
                "      is(AluOp.pass) { plain := b }\n"
                "      is(AluOp.minq) { plain := (a.asSInt < b.asSInt) ? a | b }\n",
            ),
            "not found: value minq",
        ),
        "sim/alpha/operate.cpp": (before("    case function::AMASK:\n", MINQ_MODEL), "minq"),
        "cores/alpha-lite/test/core_support/operate_reference.py": (
            before('    "srl": lambda', '    "minq": lambda a, b: min(a, b, key=signed),\n'),
            "minq",
        ),
    },
    (
        "tools/test/isa/test_table.py",
        "cores/alpha-lite/test/decode/test_isa.py model or has_a_case",
    ),
    acts=minq_acts,
)

# ---------------------------------------------------------------- parameters
MORE = """\
[core.more_penalty]
type = "int"
unit = "ticks"
range = [0, 1]
value = 0
source = "recalled: an example of contributing.md"
acts = "run"
doc = "Ticks that a taken branch takes beyond core.taken_penalty."

"""
LATER = """\
[icache.restart]
type = "choice"
choices = ["plain", "later"]
value = "plain"
source = "recalled: an example of contributing.md"
acts = "run"
doc = "later: a refill's restart takes a tick more."

"""
CHECK = """\
[tcptest.check]
type = "choice"
choices = ["once", "twice"]
value = "once"
source = "recalled: an example of contributing.md"
acts = "firmware"
doc = "How often the client compares what it received."

"""


def summed(port: str, key: str, more: str) -> Change:
    """Drives a port with the sum of two parameters."""
    drive = f'    parameters.drive(core.{port}, "{key}")\n'
    return instead(
        drive,
        f"    val {port}, {port}More = UInt(3 bits)\n"
        f'    parameters.drive({port}, "{key}")\n    parameters.drive({port}More, "{more}")\n'
        f"    core.{port} := {port} + {port}More\n",
    )


PARAMETERS, CONSTANTS = "machines/parameters.toml", "docs/explanation/constants.md"
WIRING, GEOMETRY = "rtl/node/NodeWiring.scala", "sim/memory/geometry.cpp"
MADE = ("docs/data/counters.csv", CONSTANTS)  # by a program
AGAIN = "python -m verify.docgen.constants"


def parameter(row: str, readers: Mapping[str, tuple[Change, str]], **more) -> Acting:
    edits = {PARAMETERS: (before("[core.predicted_penalty]\n", row), AGAIN)}
    edits |= dict(readers) | {CONSTANTS: (by_docgen("constants"), AGAIN)}
    return Acting("machine parameter", edits, ("verify/test/docgen/test_constants.py",), **more)


RUN = parameter(
    MORE,
    {
        WIRING: (
            summed("takenPenalty", "core.taken_penalty", "core.more_penalty"),
            "run-time parameters drive nothing: ",
        ),
        GEOMETRY: (
            instead(
                'small("core.taken_penalty");',
                'small("core.taken_penalty") + small("core.more_penalty");',
            ),
            "the counters are not what they should be",
        ),
    },
    settings={"core.more_penalty": ("1", "0")},
)
CHOICE = parameter(
    LATER,
    {
        WIRING: (
            summed("refillRestart", "icache.refill_restart", "icache.restart"),
            "run-time parameters drive nothing: ",
        ),
        GEOMETRY: (
            instead(
                'small("icache.refill_restart");',
                'small("icache.refill_restart") + small("icache.restart");',
            ),
            "the counters are not what they should be",
        ),
    },
    settings={"icache.restart": ("later", "plain")},
)
CLIENT = "firmware/apps/tcptest/client.c"
FIRMWARE = parameter(
    CHECK,
    {
        CLIENT: (
            instead(
                '#include "apps/tcptest/tcptest_private.h"\n',
                '#include "apps/tcptest/tcptest_private.h"\n#include "machine.h"\n',
                "	MARK(MARK_INVOCATION, WINDOW_PATH);\n	tcptest_check(m);\n",
                "	MARK(MARK_INVOCATION, WINDOW_PATH);\n	tcptest_check(m);\n"
                "	if (MACHINE_TCPTEST_CHECK_TWICE)\n		tcptest_check(m);\n",
            ),
            "tcptest.check changes nothing",
        )
    },
    settings={"tcptest.check": ("twice", "once")},
)

# ---------------------------------------------------------------- a board
TOP = (ROOT / "boards/ecpix-5/Top.scala").read_text()
BOARD = Acting(
    "board",
    {
        "boards/<name>/board.toml": (
            new((ROOT / "boards/ecpix-5/board.toml").read_text().replace("Ecpix5", "Demo")),
            "deselected",
        ),
        "boards/<name>/Top.scala": (
            new(TOP.replace("Ecpix5", "Demo").replace("ecpix-5", "demo")),
            "Demo",
        ),
        "boards/common/Boards.scala": (
            before(
                '    Block("ColorlightI9"', '    Block("Demo", m => new Demo(m), node = true),\n'
            ),
            "Demo",
        ),
        "boards/<name>/pins.lpf": (
            new((ROOT / "boards/ecpix-5/pins.lpf").read_text()),
            "pins.lpf",
        ),
        "docs/how-to/boards.md": (new("\n## demo\n\nA board `demo` of a test.\n"), "names no"),
    },
    (
        "boards/test/test_board_build.py described or guide",
        "boards/test/test_pins.py test_pins_and_ports_agree and demo",
    ),
)

# ---------------------------------------------------------------- a study
STUDY_FILE = '''\
# SPDX-License-Identifier: BSD-2-Clause
"""A study of one table: instructions of OUT's path."""

from mcpi.papers.tables import rows
from mcpi.spec import run_jobs
from mcpi.studykit import page
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.definition import Study
from mcpi.batch.plan import Experiment, Extent

EXTENT = Extent({"tcp": 1}, 2, 0)


def plan(wanted, extent):
    spec = wanted.spec(extent, "tcp", "out", cold=True)
    return [Experiment("only", spec, tuple(run_jobs.jobs(spec)), ("results", "tcp", "out"))]


def tables(study):
    theirs = int(rows("demo/table1")[0]["length"])
    cell = Cell(study.result("tcp", "out")["steady"]["client"]["instructions"], theirs)
    columns = (Column("length", "Length", 0),)
    return [Table("table1", "Length", ("Version",), columns, (Row(("OUT",), {"length": cell}),))]


STUDY = Study(
    "A demo study", EXTENT, EXTENT, plan, tables,
    lambda study, made: page.page("A demo study", study, [("Tables", made)]),
    numbers=("1",), shown=("1",),
)
'''


def study_acts(root: Path, machine: list[str]) -> str:
    """The study's command prints the paper's value next to ours."""
    words = ("--jobs", "2", "--out", root / "out" / "study")
    right, output = said(root, "mcpi", "paper", "demo", *words)
    return "" if right and "(4711)" in output else f"paper demo: {output}"


STUDY = Acting(
    "study",
    {
        "papers/<name>/<table>.csv": (new("length\n4711\n"), "table1.csv"),
        "tools/mcpi/studies/<name>/study.py": (new(STUDY_FILE), "no study 'demo'"),
    },
    acts=study_acts,
)

ACTING = (COUNTER, OWNER, INSTRUCTION, RUN, CHOICE, FIRMWARE, BOARD, STUDY)
NAMES = {"<name>": "demo", "<table>": "table1"}


def file_of(step: str) -> str:
    """A path of the page with the names of these additions."""
    for placeholder, name in NAMES.items():
        step = step.replace(placeholder, name)
    return step


def carried_out(root: Path, additions: tuple[Acting, ...], but: str = "") -> None:
    """Change the copy as all of them say, in all files but one; last what a program writes."""
    changes = [(file, c) for one in additions for file, (c, _) in one.edits.items() if file != but]
    for late in (False, True):
        for file, change in changes:
            if (file in MADE) == late:
                change(root / file_of(file))
    if any("machines/counters.toml" in one.edits and CONSTANTS in one.edits for one in additions):
        by_docgen("counters")(root / MADE[0])  # the page of the part has a table


def verdict(root: Path, additions: tuple[Acting, ...]) -> str:
    """Judge the copy by tests, by a run on both engines, and by what each addition says of it.
    Empty: nothing is wrong."""
    for test in dict.fromkeys(test for one in additions for test in one.tests):
        right, output = judged(root, test)
        if not right:
            return output
    place, _ = folders(root)
    shutil.rmtree(place, ignore_errors=True)
    settings = {key: values for one in additions for key, values in one.settings.items()}
    right, output = run(root, place, settings, "--check")
    if not right:
        return output
    found = [one.acts(root, machine(settings)) for one in additions]
    found += [unchanged(root, place, settings, key) for key in settings]
    return next((words for words in found if words), "")


def machine(settings: Mapping[str, tuple[str, str]]) -> list[str]:
    """The words that set the machine."""
    words = (("--set", f"{key}={value}") for key, (value, _) in settings.items())
    return [*SHAPE, *(word for pair in words for word in pair)]


def run(
    root: Path, place: Path, settings: Mapping[str, tuple[str, str]], *more: str
) -> tuple[bool, str]:
    trips = ("--round-trips", "2", "--warmup", "1", "--out", place)
    return said(root, "mcpi", "run", *machine(settings), *trips, *more)


def unchanged(root: Path, place: Path, settings: Mapping[str, tuple[str, str]], key: str) -> str:
    """Words if the run counts the same with the usual value of ``key``."""
    other = place.with_name(f"run-{key}")
    shutil.rmtree(other, ignore_errors=True)
    right, output = run(root, other, {**settings, key: (settings[key][1],) * 2})
    if not right:
        return output
    counted = [[node["path"] for node in node_counters(x)] for x in (place, other)]
    return f"{key} changes nothing" if counted[0] == counted[1] else ""
