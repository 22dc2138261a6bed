# SPDX-License-Identifier: BSD-2-Clause
"""First programs: they are compiled as a host's would be, and the compiler's words are shown."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused

from mcpi.api import single_run as api
from mcpi.base.repo import PYTHONPATH, ROOT
from mcpi.firmware.clone.program import Program
from mcpi.spec.program_spec import ProgramSpec

INT = '#include <stdio.h>\nint main() {\n    printf("Hello, world!\\n");\n}\n'
VOID = INT.replace("int main", "void main")


def _written(place: Path, text: str, name: str = "world.c") -> str:
    (place / name).write_text(text)
    return str(place / name)


def test_hello_world_needs_no_return(tmp_path):
    """Since C99 the end of main returns 0."""
    done = mcpi("exec", _written(tmp_path, INT), "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Hello, world!\n") and "sum of owners" in done.stdout
    assert "warning" not in done.stderr


@pytest.mark.parametrize("more", ["", "int helper(void) { return 14; }\n"])
def test_hello_world_of_a_void_main_ends_well(more, tmp_path):
    """C leaves its status open; it is 0 here. The compiler warns."""
    done = mcpi("exec", _written(tmp_path, more + VOID), "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Hello, world!\n")
    assert re.search("return type of .main. is not .int.", done.stderr)


def test_hello_world_of_a_void_main_may_exit(tmp_path):
    text = VOID.replace("#include", "#include <stdlib.h>\n#include")
    text = text.replace("}\n", "    exit(3);\n}\n")
    done = mcpi("exec", _written(tmp_path, text), "--out", str(tmp_path / "run"))
    assert done.returncode == 1 and "ended with exit code 3" in done.stderr


def test_the_guides_program_measures_its_place(tmp_path):
    """The program of docs/how-to/exec.md as pasted: the compiler keeps its loop."""
    page = (ROOT / "docs" / "how-to" / "exec.md").read_text()
    source = _written(tmp_path, re.search(r"^```c\n(.*?)^```", page, re.M | re.S)[1])
    _, result = api.perform(ProgramSpec((source,)), tmp_path / "run")
    found = result.regions.client["sum"]
    assert found.invocations == 3 and found.instructions > 1000


def test_hello_world_is_hosted(tmp_path):
    """Headers of the compiler's find a second one after them there."""
    text = "#include <limits.h>\n#include <stdint.h>\n#include <stdbool.h>\n#include <stddef.h>\n"
    text += "#if !__STDC_HOSTED__\n#error freestanding\n#endif\n"
    text += "int main(void) { return UINT64_MAX == ULONG_MAX ? 0 : 1; }\n"
    api.perform(ProgramSpec((_written(tmp_path, text),)), tmp_path / "run")


def test_a_result_of_main_is_still_its_own(tmp_path):
    source = _written(tmp_path, "int main(void) { return 14; }\n")
    done = mcpi("exec", source, "--out", str(tmp_path / "run"))
    assert done.returncode == 1 and "ended with exit code 14" in done.stderr


WARNS = """\
#include <stdio.h>
int f(int n)
{
	int x;
	if (n = 3)
		return x;
}
int main(void)
{
	printf("%s\\n");
	return f(1) & 0;
}
"""


def test_warnings_of_a_program_are_shown(tmp_path):
    """Warnings of the program's own files come each time, also when nothing is compiled anew."""
    source = _written(tmp_path, WARNS, "warns.c")
    for again in ("a", "b"):
        done = mcpi("exec", source, "--out", str(tmp_path / again))
        for word in ("-Wparentheses", "-Wuninitialized", "-Wformat="):
            assert re.search(rf"warns\.c:\d+:\d+: warning: .*\[{word}", done.stderr), done.stderr
    assert "-Wformat=" in (tmp_path / "b" / "compiler.txt").read_text()


def test_warnings_of_both_programs_are_shown_once(tmp_path):
    source = _written(tmp_path, "static int unused;\nint main(void) { return 0; }\n", "one.c")
    done = mcpi("exec", source, "--peer", source, "--repeat", "2", "--out", str(tmp_path / "run"))
    assert done.returncode == 0 and done.stderr.count("[-Wunused-variable]") == 1


def test_warnings_come_with_an_error(tmp_path):
    source = _written(tmp_path, WARNS + "int syntax(\n", "warns.c")
    words = refused("exec", source, "--out", str(tmp_path / "run"))
    assert "-Wparentheses" in words and "error:" in words
    assert "command was" not in words


def test_sprintf_prints_what_a_hosts_does(tmp_path):
    """A function that few programs call is linked into those alone."""
    text = "#include <stdarg.h>\n#include <stdio.h>\nstatic int v(char *t, const char *f, ...)\n{\n"
    text += "\tva_list a;\n\tva_start(a, f);\n\tint n = vsprintf(t, f, a);\n\tva_end(a);\n"
    text += "\treturn n;\n}\nint main(void)\n{\n\tchar b[40];\n\tint n = sprintf(b, "
    text += '"%d-%s", 17, "seventeen");\n\tprintf("%s %d\\n", b, n);\n'
    text += '\tprintf("%d %s\\n", v(b, "%x", 255), b);\n\treturn 0;\n}\n'
    place, _ = api.perform(ProgramSpec((_written(tmp_path, text),)), tmp_path / "run")
    assert (place / "console.0.txt").read_text() == "17-seventeen 12\n2 ff\n"
    other, _ = api.perform(ProgramSpec((_written(tmp_path, INT, "b.c"),)), tmp_path / "other")
    assert "sprintf" in Program(place / "image.elf").functions
    assert "sprintf" not in Program(other / "image.elf").functions


HINTS = {
    "return setvbuf(stdout, 0, 0, 0);": "undefined reference to `setvbuf'",
    "return fork();": "undefined reference to `fork'",
}


@pytest.mark.parametrize("body", HINTS)
def test_missing_parts_of_the_library_are_named(body, tmp_path):
    source = _written(tmp_path, f"#include <stdio.h>\nint main(void) {{ {body} }}\n")
    words = refused("exec", source, "--out", str(tmp_path / "run"))
    assert HINTS[body] in words and "did you forget" not in words, words
    assert "docs/how-to/exec.md" in words


@pytest.mark.parametrize("header", ["fenv.h", "setjmp.h", "signal.h"])
def test_missing_headers_are_named(header, tmp_path):
    source = _written(tmp_path, f"#include <{header}>\nint main(void) {{ return 0; }}\n")
    words = refused("exec", source, "--out", str(tmp_path / "run"))
    assert f"{header}: No such file" in words and "stdlib.h, string.h" in words, words
    assert ("not emulated" in words) == (header == "fenv.h")


def test_arguments_of_the_program_stand_behind_dashes(tmp_path):
    """Without a file before the dashes, those behind them are files, as of other commands."""
    source = _written(tmp_path, INT)
    done = mcpi("exec", "--out", str(tmp_path / "run"), "--", source)
    assert done.returncode == 0
    text = "#include <stdio.h>\nint main(int n, char **words)\n"
    text += '{ printf("%d %s\\n", n, words[n - 1]); }\n'
    done = mcpi("exec", _written(tmp_path, text), "--out", str(tmp_path / "b"), "--", "1", "-x y")
    assert done.stdout.startswith("3 -x y\n") and "-- 1 '-x y'" in done.stdout


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_reader_that_goes_ends_it_quietly(more, tmp_path):
    """The command ends as other programs do: by the signal, without a word."""
    source = _written(tmp_path, INT)
    words = [sys.executable, "-m", "mcpi", "exec", source, "--out", str(tmp_path / "run"), *more]
    env = os.environ | {"PYTHONPATH": PYTHONPATH}
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.close()
        said = child.stderr.read().decode()
    assert child.returncode == -signal.SIGPIPE, said
    assert more or not re.sub("program .* done in .* s\n", "", said)
