# SPDX-License-Identifier: BSD-2-Clause
"""Builds the x-kernel for the host, under address and undefined-behaviour sanitizers.

Into ``build/host`` by plain compiler calls; a file again when it or a header changed.
"""

import os
import subprocess
from functools import cache
from pathlib import Path

from mcpi import compose
from mcpi.paths import BUILD, ROOT

FIRMWARE = ROOT / "firmware"
TEST = FIRMWARE / "test"
OUT = BUILD / "host"
CC = os.environ.get("MCPI_HOST_CC", "gcc")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
FLAGS = ["-std=c11", "-g", "-O1", "-fPIC", "-fno-omit-frame-pointer", "-D_GNU_SOURCE", *WARNINGS]
KERNEL = [
    *sorted(p for p in (FIRMWARE / "xkernel").glob("*.c") if p.stem not in ("memory", "allocate")),
    *sorted((FIRMWARE / "protocols").glob("*/*.c")),
    *sorted((FIRMWARE / "platform" / "host").glob("*.c")),
]
# The driver of the chip is exercised on the simulated machine; here wire.c stands in its place.
KERNEL = [p for p in KERNEL if p.parent.name != "lance"]
PROGRAMS = ("pingpong", "test_heap", "storm", "storm_user", "solo", "echo_user")
CASES = [p for p in sorted(TEST.glob("*.c")) if p.stem not in PROGRAMS]
SWITCHES = ["XK_WORDS", "XK_REFRESH", "XK_MAPINL", "XK_NODIV"]


def run(command: list, **more) -> subprocess.CompletedProcess:
    """Run a command that must succeed; its whole output is in the failure."""
    words = [str(c) for c in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done


@cache
def newest_header() -> float:
    return max(p.stat().st_mtime for p in FIRMWARE.rglob("*.h"))


def compile_object(source: Path, folder: Path, options: tuple[str, ...] = ()) -> Path:
    """One object file, up to date."""
    name = str(source.relative_to(ROOT)).replace("/", "_")
    output = (folder / name).with_suffix(".o")
    if output.exists() and output.stat().st_mtime > max(source.stat().st_mtime, newest_header()):
        return output
    folder.mkdir(parents=True, exist_ok=True)
    run([CC, *FLAGS, *SANITIZE, *options, f"-I{FIRMWARE}", "-c", source, "-o", output])
    return output


def graph_table(folder: Path, *graphs: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "graph_table.c"
    compose.compose_files(list(graphs), table)
    return table


@cache
def host_tests(options: tuple[str, ...] = ()) -> Path:
    """The program with all cases; ``options`` are switches of another build."""
    folder = OUT / ("cases" + "".join(options).replace("=", "_"))
    table = graph_table(folder, TEST / "tcp.graph", TEST / "rpc.graph")
    objects = [compile_object(s, folder, options) for s in [*KERNEL, *CASES, table]]
    objects.append(compile_main(folder, options))
    program = folder / "host_tests"
    run([CC, *SANITIZE, *objects, "-o", program])
    return program


def compile_main(folder: Path, options: tuple[str, ...] = ()) -> Path:
    return compile_object(FIRMWARE / "main.c", folder, (*options, "-Dmain=kernel_main"))


@cache
def machines(stack: str, options: tuple[str, ...] = ()) -> list[Path]:
    """The machine as a library, in two copies: two sets of globals in one process."""
    folder = OUT / (f"machine-{stack}" + "".join(options).replace("=", "_"))
    top = {"tcp": "tcptest", "rpc": "xrpctest"}[stack]
    sources = sorted((FIRMWARE / "tests" / top).glob("*.c"))
    table = graph_table(folder, FIRMWARE / "graphs" / f"{stack}.graph")
    return libraries(folder, [*KERNEL, *sources, table], options)


def libraries(folder: Path, sources: list[Path], options: tuple[str, ...] = ()) -> list[Path]:
    objects = [compile_object(s, folder, options) for s in sources]
    objects.append(compile_main(folder, options))
    copies = [folder / f"machine{n}.so" for n in (0, 1)]
    for library in copies:
        run([CC, *SANITIZE, "-shared", "-Wl,-Bsymbolic", *objects, "-o", library])
    return copies


@cache
def program(name: str) -> Path:
    """``firmware/test/<name>.c``, which loads machines."""
    folder = OUT / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    run([CC, *FLAGS, *SANITIZE, f"-I{FIRMWARE}", TEST / f"{name}.c", "-ldl", "-o", folder / name])
    return folder / name


def case_names() -> list[str]:
    """From the tables in the sources, so that collecting tests builds nothing."""
    names = []
    for source in CASES:
        for line in source.read_text().splitlines():
            if line.startswith('\t{ "'):
                names.append(line.split('"')[1])
    return names


def run_case(program: Path, name: str, **environment: str) -> None:
    done = subprocess.run(
        [program, name],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    setting = " ".join(f"{k}={v}" for k, v in environment.items())
    assert done.returncode == 0, (
        f"{done.stdout}{done.stderr}\nagain: {setting} {program.relative_to(ROOT)} {name}"
    )
