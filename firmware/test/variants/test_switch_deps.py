# SPDX-License-Identifier: BSD-2-Clause
"""A source that a switch does not matter to is compiled once for all its values."""

import subprocess

import pytest

from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.firmware import images, switch_deps, switches
from mcpi.machine import profile
from verify.long_tests import sampled

OWN = '#include "config.h"\nint f(void) { return %s; }\n'
DEFAULT = "#ifndef XK_A\n#define XK_A 1 /* what it is for */\n#endif\n"


@pytest.mark.parametrize(
    ("body", "config", "generated", "expected"),
    [
        ("XK_A ? 1 : 2", DEFAULT, "", True),
        ("3", DEFAULT, "", False),
        ("XK_AB + YXK_A", DEFAULT, "", False),
        ("3", DEFAULT + "#if XK_A\n#define B 1\n#endif\n", "", True),
        ("3", DEFAULT + "#define B XK_A\n", "", True),
        ("3", '#include "further.h"\n', "", True),
        ("3", '#include "made.h"\n', "#define B (XK_A)\n", True),
        ("3", "", "#define B (XK_A)\n", False),  # made, but not included
    ],
)
def test_what_names_it(tmp_path, body, config, generated, expected):
    (tmp_path / "room").mkdir()
    source = tmp_path / "room" / "f.c"
    source.write_text(OWN % body)
    (tmp_path / "config.h").write_text(config)
    (tmp_path / "further.h").write_text('#include "config.h"\n#if XK_A\n#endif\n')
    made = [("made.h", generated)]
    assert switch_deps.matters("XK_A=0", source, tmp_path, made) == expected


@pytest.mark.slow
@pytest.mark.parametrize("variant", sampled(["std", "all"], "all".__eq__))
def test_the_compiler_sees_the_same_without_it(variant):
    """Check every source with all switches that do not matter to it, after the preprocessor."""
    resolved = profile.load("dec3000-600")
    base = _sources(images.build(images.plan(resolved, variant, "tcp")))
    idle: dict[str, list[str]] = {source: [] for source in base}
    for switch in sorted(switches.there()):
        other = _sources(images.plan(resolved, variant, "tcp", (f"{switch}=0",)))
        for source, command in base.items():
            if other[source] == command:
                idle[source].append(f"-D{switch}=0")
    assert sum(map(len, idle.values())) > 10 * len(base)
    for source, off in idle.items():
        command = tuple(map(str, base[source]))
        assert _text(command, *off) == _text(command), (source, off)


def _sources(made: images.Plan) -> dict[str, tuple[str, ...]]:
    """Compilations of C below firmware/, by source."""
    steps = [s for s in made.steps if s.inputs[0].suffix == ".c"]
    return {str(s.inputs[0]): s.command for s in steps if s.inputs[0].is_relative_to(FIRMWARE)}


def _text(command: tuple[str, ...], *more: str) -> bytes:
    words = list(command)
    words = words[: words.index("-MMD")]
    words = [w for w in words if w not in ("-c", "-S")]
    done = subprocess.run(
        [*words, *more, "-E", "-P", command[-3]], capture_output=True, check=True, cwd=ROOT
    )
    return done.stdout
