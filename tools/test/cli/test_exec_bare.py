# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi exec --pal``: a guest with PALcode and start-up of its own, without the runtime."""

import subprocess
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused

from mcpi.api import single_run as api
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL

PAL = ROOT / "sim" / "test" / "guest" / "pal.S"
START = """\
	.set noat
	.section .text.start, "ax", @progbits
	.globl _start
	.ent _start
_start:	br $27, 1f
1:	ldgp $29, 0($27)
	lda $30, stack_top
	jsr $26, main
	lda $12, -511($31)
	sll $12, 33, $12
	lda $12, 0x1000($12)
	stq $0, 0x10($12)	// exit
2:	br $31, 2b
	.end _start
"""
# An unaligned load gives the interrupts so far in $0 by this PALcode, and stops by ours.
KERNEL = """\
static volatile unsigned long *const console = (unsigned long *)0xfffffc0200001000;
static long interrupts(void)
{
	register long count __asm__("$0") = 99;
	__asm__ volatile("ldq $3, 1($30)" : "+r"(count) : : "$1", "$3");
	return count;
}
int main(void)
{
	for (const char *c = "bare\\n"; *c; c++)
		*console = *c;
	return interrupts() == 0 ? 0 : 3;
}
"""


def guest(place: Path) -> tuple[str, ...]:
    """The sources."""
    (place / "start.S").write_text(START)
    (place / "kernel.c").write_text(KERNEL)
    return str(place / "start.S"), str(place / "kernel.c")


@pytest.mark.parametrize("engine", [EXACT, pytest.param(RTL, marks=pytest.mark.long)])
def test_a_bare_guest_runs(engine, tmp_path):
    spec = ProgramSpec(guest(tmp_path), pal=str(PAL), engine=engine)
    place, result = api.perform(spec, tmp_path / "run")
    assert (place / "console.0.txt").read_text() == "bare\n"
    assert result.regions.client["main"].invocations == 1
    assert f"--pal {PAL}" in spec.command()


def test_the_palcode_is_its_own(tmp_path):
    """The machine that is absent has ours."""
    spec = ProgramSpec(guest(tmp_path), pal=str(PAL))
    place, _ = api.perform(spec, tmp_path / "run")
    own, ours = ((place / name).read_bytes() for name in ("pal.elf", "peer-pal.elf"))
    assert own != ours
    symbols = subprocess.run(
        ["alpha-linux-gnu-nm", place / "image.elf"], capture_output=True, text=True, check=True
    )
    assert "printf" not in symbols.stdout and "plat_" not in symbols.stdout


def test_an_elf_file_has_palcode_too(tmp_path):
    place, _ = api.perform(ProgramSpec(guest(tmp_path), pal=str(PAL)), tmp_path / "run")
    words = [str(place / "image.elf"), "--pal", str(place / "pal.elf")]
    done = mcpi("exec", *words, "--out", str(tmp_path / "again"))
    assert done.returncode == 0, done.stderr
    first, again = (tmp_path / n / "counters.json" for n in ("run", "again"))
    assert first.read_bytes() == again.read_bytes()


def test_what_only_the_runtime_has_is_refused(tmp_path):
    sources, pal = guest(tmp_path), ("--pal", str(PAL))
    assert "--pal none.S: is no file" in refused("exec", *sources, "--pal", "none.S")
    for more in ({"checks": "memory"}, {"peer": sources[1:]}, {"stdin": sources[1]}):
        with pytest.raises(UserError, match="a bare guest has no peer, no arguments"):
            ProgramSpec(sources, pal=str(PAL), **more).check()
    (tmp_path / "a.cc").write_text("int main() { return 0; }\n")
    (tmp_path / "f.c").write_text("int main(void) { float f = 1; return f > 2; }\n")
    for name, kind in (("a.cc", "C++"), ("f.c", "floating point")):
        with pytest.raises(UserError, match="wants the runtime, which --pal leaves out"):
            ProgramSpec((str(tmp_path / name),), pal=str(PAL)).check()
        assert kind in refused("exec", str(tmp_path / name), *pal)


def test_mistakes_in_palcode_are_the_assemblers_words(tmp_path):
    (tmp_path / "pal.S").write_text("\tno_such_instruction\n")
    with pytest.raises(UserError, match="no_such_instruction"):
        api.perform(ProgramSpec(guest(tmp_path), pal=str(tmp_path / "pal.S")), tmp_path / "run")
