# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi exec``: programs of one's own, what is measured of them, and how they fail."""

import dataclasses
import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap
from tools_support.command import mcpi, refused

from mcpi.api import single_run as api
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.export import region_bars
from mcpi.results import folders, passages, record
from mcpi.results.program_summary import GROUPS
from mcpi.results.summary import OWNERS
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL

PROGRAMS = FIRMWARE / "test" / "programs"
MARKS = str(PROGRAMS / "marks.c")
FAULTS = PROGRAMS / "faults.c"


@pytest.fixture(scope="module")
def marks(tmp_path_factory) -> Path:
    place, _ = api.perform(ProgramSpec((MARKS,), cold=True), tmp_path_factory.mktemp("run") / "a")
    return place


def test_what_is_marked_is_measured(marks):
    result = record.read(marks / "result.json")
    regions = result.regions.client
    assert list(regions) == ["fill", "marks.c:27"]
    fill, sums = regions.values()
    assert fill.invocations == 1 and sums.invocations == 3
    assert sums.least_ticks < sums.most_ticks  # 100, 200, 300 numbers
    assert 3 * 1000 <= fill.instructions <= 6 * 1000 and fill.icpi < fill.cpi
    assert fill.cold.ticks > fill.ticks and fill.cold.invocations == 1
    assert result.provenance.program == "marks.c" and result.provenance.stack is None
    assert result.steady.server is None and result.regions.server is None
    both = [region.totals for region in regions.values()]
    for owner, ticks in result.steady.client.totals.owners.items():
        assert sum(one.owners.get(owner, 0) for one in both) == ticks
    assert (marks / "console.0.txt").read_text() == "sum 69700 on node 0\n"


def test_the_command_prints_output_tables_and_record(marks):
    done = mcpi("exec", MARKS, "--json", "--out", str(marks.with_name("b")))
    content, again = json.loads(done.stdout), json.loads((marks / "result.json").read_text())
    del again["regions"]["client"]["fill"]["cold"]
    assert content["regions"]["client"]["fill"] == again["regions"]["client"]["fill"]
    for word in (
        "sum 69700 on node 0\n",
        "marks.c:27",
        "taken branch or jump",
        "= ticks",
        "again: ",
    ):
        assert word in done.stderr, done.stderr
    assert done.returncode == 0


def test_the_marks_add_no_instruction(tmp_path):
    """The code is the same, byte for byte, without them."""

    def text(define: tuple[str, ...]) -> bytes:
        spec = ProgramSpec((str(source),), measure=("main",), defines=define)
        place, _ = api.perform(spec, tmp_path / "-".join(["a", *define]))
        words = ["alpha-linux-gnu-objcopy", "-O", "binary", "-j", ".text"]
        subprocess.run([*words, place / "image.elf", tmp_path / "text"], check=True)
        return (tmp_path / "text").read_bytes()

    source = tmp_path / "marks.c"
    plain = "#ifdef PLAIN\n#undef MCPI_MEASURE\n#undef MCPI_MEASURE_AS\n"
    plain += '#define KEEP __asm__ volatile("" : : : "memory")\n'
    plain += "#define MCPI_MEASURE for (int o = ({ KEEP; 1; }); o; o = ({ KEEP; 0; }))\n"
    plain += "#define MCPI_MEASURE_AS(name) MCPI_MEASURE\n#endif\n"
    source.write_text(
        (PROGRAMS / "marks.c").read_text().replace("static int n", plain + "static int n", 1)
    )
    assert text(()) == text(("PLAIN",))


def test_functions_are_measured_without_touching_the_source(tmp_path):
    spec = ProgramSpec((MARKS,), measure=("sum",))
    _, result = api.perform(spec, tmp_path / "a")
    (found,) = result.regions.client.values()
    assert found.invocations == 3
    _, whole = api.perform(ProgramSpec((MARKS,), measure=("main",)), tmp_path / "b")
    assert whole.regions.client["main"].instructions > 3 * found.instructions


def test_a_ready_image_and_assembly(marks, tmp_path):
    """An ELF file has its marks, too; assembly is linked with C."""
    _, result = api.perform(ProgramSpec((str(marks / "image.elf"),)), tmp_path / "a")
    before = record.read(marks / "result.json").regions.client["marks.c:27"]
    assert result.regions.client["marks.c:27"].totals == before.totals
    (tmp_path / "three.S").write_text(
        "\t.globl three\n\t.ent three\nthree:\n\t.frame $30, 0, $26\n\t.prologue 0\n"
        "\tlda $0, 3($31)\n\tret $31, ($26), 1\n\t.end three\n"
    )
    (tmp_path / "main.c").write_text(
        "int three(void);\nint main(void)\n{\n\treturn three() - 3;\n}\n"
    )
    sources = tuple(str(tmp_path / name) for name in ("main.c", "three.S"))
    _, result = api.perform(ProgramSpec(sources, measure=("three",)), tmp_path / "b")
    assert result.regions.client["three"].instructions == 1


@pytest.mark.slow
def test_both_engines_leave_the_same_folder(marks, tmp_path):
    """Every file: counters, passages, stamps, console, the record; a fault's state, too."""
    place, _ = api.perform(ProgramSpec((MARKS,), cold=True, engine=RTL), tmp_path / "rtl")
    assert not folders.differences(place, marks)
    said = []
    for engine in (EXACT, RTL):
        with pytest.raises(api.Failed) as failed:
            spec = ProgramSpec((str(FAULTS),), defines=("FAULT=2",), engine=engine)
            api.perform(spec, tmp_path / f"fault-{engine}")
        said.append(str(failed.value))
    assert said[0] == said[1]


def test_the_library_prints_what_a_hosts_does(tmp_path):
    source = PROGRAMS / "library.c"
    place, _ = api.perform(ProgramSpec((str(source),)), tmp_path / "a")
    host = tmp_path / "host"
    flags = ["-w", "-fsanitize=address,undefined", "-fno-builtin"]
    subprocess.run(["gcc", *flags, source, "-o", host], check=True)
    wanted = subprocess.run([host], capture_output=True, text=True, check=True).stdout
    assert (place / "console.0.txt").read_text() == wanted


def test_runs_with_other_orders_differ(tmp_path):
    _, result = api.perform(ProgramSpec((MARKS,), measure=("main",), repeat=4), tmp_path / "a")
    ticks = result.regions.client["main"].run_ticks
    assert len(ticks) == 4 and ticks[0] == result.regions.client["main"].ticks
    assert len(set(ticks)) > 1


FAULT = {1: "assert", 2: "unaligned", 3: "division", 4: "loop", 5: "instruction", 7: "abort"}


@pytest.mark.parametrize("number", FAULT)
def test_a_fault_says_where(number, tmp_path):
    """The line of the mistake, then who called, then registers."""
    word = FAULT[number]
    text = FAULTS.read_text().splitlines()
    lines = {n for n, line in enumerate(text, 1) if f"/* {word} */" in line}
    spec = ProgramSpec((str(FAULTS),), defines=(f"FAULT={number}",), max_ticks=2_000_000)
    with pytest.raises(api.Failed) as failed:
        api.perform(spec, tmp_path / "a")
    first, *rest = str(failed.value).splitlines()
    said = re.search(r"faults\.c:(\d+): inner[.\w]*\+0x", first)
    assert said and int(said[1]) in lines | {n + 1 for n in lines}, failed.value
    calls = [re.search(r"called by .*faults\.c:\d+: (\w+)[.\w]*\+", line) for line in rest[:2]]
    assert [call and call[1] for call in calls] == ["middle", "main"], failed.value
    assert "registers:" in rest[2] and failed.value.printed[0].startswith("begin\n")
    assert "PALcode" not in failed.value.printed[0]


def test_an_exit_code_fails_the_run(tmp_path):
    done = mcpi("exec", str(FAULTS), "--define", "FAULT=6", "--out", str(tmp_path / "a"))
    assert done.returncode == 1 and "ended with exit code 3" in done.stderr
    assert done.stdout == "begin\n" and "Traceback" not in done.stderr
    said, again = done.stderr.splitlines()[-2:]
    assert again == f"again: ./mcpi exec {FAULTS} --define FAULT=6"
    words = again.removeprefix("again: ./mcpi ").split()
    repeated = mcpi(*words, "--out", str(tmp_path / "b"))
    assert repeated.returncode == 1 and repeated.stderr.splitlines()[-2:] == [said, again]


REFUSED = {
    "none.c": "none.c: No such file",
    "text.txt": "neither C",
    "/bin/sh": "not for Alpha",
    "a.c a.c": "named twice",
    "a.c --measure mian": "no function of that name.*Did you mean main",
    "a.c --set icache.size=7KB": "not a power of two",
    "a.c --set icache.sice=8KB": "Did you mean",
    "a.c --engine board": "exact, rtl are known",
    "a.c --optimise 9": "one of 0, 1, 2, 3, s",
    "a.c --define 1x": "NAME or NAME=VALUE",
    "nomain.c": "the program has no function main",
    "syntax.c": "syntax.c:1:.*error",
    "long.c": "long double",
    "missing.c": "undefined reference to `nobody'",
    "never.c --measure forever": "never returns",
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("sources")
    texts = {
        "a.c": "int main(void) { return 0; }\n",
        "nomain.c": "int f(void) { return 0; }\n",
        "syntax.c": "int main(void) { return 0\n",
        "long.c": "volatile long double x; int main(void) { return (int)(x * 3); }\n",
        "missing.c": "int nobody(void); int main(void) { return nobody(); }\n",
        "never.c": 'void forever(void) { for (;;) __asm__ volatile(""); }\n'
        "int main(void) { return 0; }\n",
        "text.txt": "hello\n",
    }
    for name, text in texts.items():
        (place / name).write_text(text)
    return place


@pytest.mark.parametrize("words", REFUSED)
def test_bad_input_is_refused(words, sources, tmp_path):
    given = [str(sources / w) if w.endswith((".c", ".txt")) else w for w in words.split()]
    done = mcpi("exec", *given, "--out", str(tmp_path / "a"))
    assert done.returncode == 2 and re.search(REFUSED[words], done.stderr, re.DOTALL), done.stderr
    assert not (tmp_path / "a").exists() and "Traceback" not in done.stderr


def test_what_is_wrong_is_said_at_once(sources):
    """Nothing is built before the spec is judged."""
    began = time.monotonic()
    with pytest.raises(UserError, match="not a power of two"):
        api.engines.judged(ProgramSpec((str(sources / "a.c"),), settings={"icache.size": "7KB"}))
    assert time.monotonic() - began < 1


def test_the_folder_of_a_program_moves_nothing(tmp_path):
    """The same source in another folder has the same code and data, and says where it lies."""
    images = []
    for name in ("a", "another-one"):
        folder = tmp_path / name
        folder.mkdir()
        shutil.copyfile(FAULTS, folder / "faults.c")
        spec = ProgramSpec((str(folder / "faults.c"),), defines=("FAULT=1",))
        with pytest.raises(api.Failed, match=rf"{folder}/faults\.c:\d+: inner") as failed:
            api.perform(spec, tmp_path / f"run-{name}")
        assert "\nfaults.c:" in failed.value.printed[0]
        stage = tmp_path / f"run-{name}.incomplete" / "image.elf"
        subprocess.run(
            ["alpha-linux-gnu-objcopy", "-O", "binary", stage, tmp_path / "bytes"], check=True
        )
        images.append((tmp_path / "bytes").read_bytes())
    assert images[0] == images[1]


def test_places_in_each_other_are_refused(tmp_path):
    """A function that calls itself, by a pointer: its first return ends what is measured."""
    (tmp_path / "a.c").write_text(
        "int f(int n);\nint (*volatile again)(int) = f;\n"
        "__attribute__((noinline)) int f(int n) { return n ? again(n - 1) + 1 : 0; }\n"
        "int main(void) { return f(3) - 3; }\n"
    )
    with pytest.raises(RunError, match="passed 3 times while nothing was measured"):
        api.perform(ProgramSpec((str(tmp_path / "a.c"),), measure=("f",)), tmp_path / "run")


def test_two_runs_are_compared_by_owner_and_function(tmp_path):
    """``./mcpi compare`` reads the folders."""
    places = []
    for size in ("8KB", "16KB"):
        places.append(str(tmp_path / size))
        words = ["--set", f"dcache.size={size}", "--tick-log", "client", "--out", places[-1]]
        assert mcpi("exec", str(ROOT / "examples" / "conflict.c"), *words).returncode == 0
    done = mcpi("compare", *places)
    assert done.returncode == 0 and "d_miss" in done.stdout and "\n  main " in done.stdout
    assert "client is wanted" in refused("exec", MARKS, "--tick-log", "server")


def test_more_places_than_comparators_are_refused(tmp_path):
    body = "MCPI_MEASURE mcpi_keep(0);\n" * 12
    (tmp_path / "a.c").write_text(f"#include <mcpi.h>\nint main(void) {{ {body} return 0; }}\n")
    with pytest.raises(UserError, match="26 places want a comparator and there are 24"):
        api.perform(ProgramSpec((str(tmp_path / "a.c"),)), tmp_path / "run")


def test_a_place_that_is_passed_often_has_the_right_sum(tmp_path):
    """Rows of a place end at 4,096; nothing is lost."""
    (tmp_path / "a.c").write_text(
        "#include <mcpi.h>\nstatic volatile int a;\nint main(void)\n{\n"
        "\tfor (int n = 0; n < 5000; n++)\n\t\tMCPI_MEASURE a = n;\n\treturn 0;\n}\n"
    )
    place, result = api.perform(ProgramSpec((str(tmp_path / "a.c"),)), tmp_path / "run")
    (region,) = result.regions.client.values()
    assert region.invocations == 5000
    assert len(passages.read(place / "passages.0.csv")) == 4096


def mutants():
    """Mutants, in which one figure of a row of passages.0.csv is another: owner, event, ticks."""
    return ["owner.issue", "icache.misses", "ticks", "dcache.accesses", "bus.core_ticks"]


@pytest.mark.parametrize("column", mutants())
def test_passages_that_are_not_the_counters_are_refused(column, marks):
    rows = passages.read(marks / "passages.0.csv")
    counted = json.loads((marks / "counters.json").read_text())["nodes"][0]["path"]
    passages.check(rows, counted)
    one = rows[0]
    if column == "ticks":
        rows[0] = dataclasses.replace(one, ticks=one.ticks + 1)
    else:
        rows[0] = dataclasses.replace(one, counts=one.counts + passages.Counter({column: 1}))
    with pytest.raises(RunError, match="the passages of the window have"):
        passages.check(rows, counted)


def test_a_record_of_a_stack_needs_its_fields(marks):
    content = json.loads((marks / "result.json").read_text())
    del content["provenance"]["program"]
    with pytest.raises(RunError, match="a run of a stack has stack"):
        record.of(content)


def test_the_drawing_has_every_place_and_tick(marks):
    """A bar is as long as its region's ticks; the parts lie side by side."""
    result = record.read(marks / "result.json")
    svg = region_bars.svg(result)
    for name, one in result.regions.client.items():
        assert name in svg and f"{one.ticks:,.0f}" in svg
        parts = [sum(one.owners.get(owner, 0) for owner in owners) for owners in GROUPS.values()]
        assert sum(parts) == pytest.approx(one.ticks)  # no owner is in no group, or in two
    assert set(OWNERS) - {"translation"} == {owner for g in GROUPS.values() for owner in g}


PINGPONG = str(PROGRAMS / "pingpong.c")


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> Path:
    spec = ProgramSpec((PINGPONG,), peer=(PINGPONG,))
    return api.perform(spec, tmp_path_factory.mktemp("pair") / "a")[0]


def test_two_machines_talk(pair):
    """Five datagrams each way, as scapy reads them; both machines' marks are measured."""
    result = record.read(pair / "result.json")
    assert list(result.regions.client) == ["ask"] and list(result.regions.server) == ["answer"]
    assert result.regions.client["ask"].invocations == 5 == result.steady.server.invocations
    assert (pair / "console.0.txt").read_text().count("round") == 5
    frames = [Ether(bytes(frame)[:-4]) for frame in rdpcap(str(pair / "wire.pcap"))]
    assert len(frames) == 10 == result.wire.frames
    for n, frame in enumerate(frames):
        ip, udp = frame[IP], frame[UDP]
        assert (udp.sport, udp.dport) == ((1234, 7) if n % 2 == 0 else (7, 1234))
        assert bytes(udp.payload) == bytes([n // 2 + 1]) * 101
        sums = ip.chksum, udp.chksum
        del ip.chksum, udp.chksum
        again = IP(bytes(ip))  # scapy fills in sums that are not there
        assert (again.chksum, again[UDP].chksum) == sums


def test_two_machines_on_the_other_wiring(tmp_path):
    spec = ProgramSpec((PINGPONG,), peer=(PINGPONG,), machine="dec3000-pmad")
    place, result = api.perform(spec, tmp_path / "a")
    assert (place / "console.0.txt").read_text().count("round") == 5


@pytest.mark.slow
def test_two_machines_are_the_same_on_both_engines(pair, tmp_path):
    spec = ProgramSpec((PINGPONG,), peer=(PINGPONG,), engine=RTL)
    place, _ = api.perform(spec, tmp_path / "a")
    assert not folders.differences(place, pair)


def test_a_fault_of_the_peer_is_told_as_its(tmp_path):
    """The client ends; the peer does something wrong before."""
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    spec = ProgramSpec((str(tmp_path / "a.c"),), peer=(str(FAULTS),), defines=("FAULT=1",))
    with pytest.raises(api.Failed, match=r"the peer: .*faults\.c:\d+: inner") as failed:
        api.perform(spec, tmp_path / "run")
    assert "called by" in str(failed.value)
