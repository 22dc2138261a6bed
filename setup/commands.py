# SPDX-License-Identifier: BSD-2-Clause
"""The commands in ``bin/`` of an environment: links to programs of the tree, or scripts that start
one with the options it needs where it lies."""

import os
from pathlib import Path

from debian import machine, wanted

FOLDERS = ("usr/bin", "usr/sbin")
# Debian names a program by its version where several may be installed.
SUFFIXES = ("", "-12", "-14")
CLANG = "-Wno-unused-command-line-argument"  # of the linker's options where nothing is linked


def script(path: Path, *lines: str) -> None:
    """A shell script, complete or not there."""
    path.parent.mkdir(exist_ok=True)
    stage = path.with_name(f"{path.name}.new")
    stage.write_text("\n".join(("#!/bin/sh", *lines, "")))
    stage.chmod(0o755)
    stage.rename(path)


def link(path: Path, real: Path) -> None:
    """A link to a program of the same environment."""
    path.parent.mkdir(exist_ok=True)
    stage = path.with_name(f"{path.name}.new")
    stage.unlink(missing_ok=True)
    stage.symlink_to(os.path.relpath(real, path.parent))
    stage.rename(path)


def make(root: Path, tree: Path, purposes: tuple[str, ...]) -> None:
    """All commands of these purposes that setup/packages.txt names."""
    for package, purpose, commands in wanted(root):
        if purpose in purposes:
            for name in commands:
                command, _, program = name.partition("=")
                add(tree, command, package, program)


def add(tree: Path, command: str, package: str, program: str = "") -> None:
    """A command of a package, whose program may have another name."""
    program, path = program or command, tree.parent / "bin" / command
    real = _find(tree, program, package)
    if lines := _options(tree, program, real):
        script(path, f"# {package}", *lines)
        return
    link(path, real)


def _find(tree: Path, program: str, package: str) -> Path:
    jvm = sorted((tree / "usr/lib/jvm").glob("java-17-openjdk-*/bin"))
    maven = tree / "usr/share/maven/bin"
    for folder in (*(tree / name for name in FOLDERS), *jvm, maven):
        for suffix in SUFFIXES:
            if (found := folder / (program + suffix)).is_file():
                return found
    raise ValueError(f"{package} has no program {program} in {tree}")


def _options(tree: Path, program: str, real: Path) -> list[str]:
    """The script's lines for a program that needs more than its place."""
    _, folder, loader = machine()
    if real.name in ("g++-12", "gcc-12", "cpp-12") or program.startswith("clang"):
        # Headers and libraries are the tree's; what is linked starts as the tree's programs do.
        words = [f'"{real}"', f'--sysroot="{tree}"']
        if program != "cpp":
            words += [f'-B"{tree}/usr/bin/"', f'-Wl,--dynamic-linker="{tree / loader}"']
            words += [f'-Wl,--disable-new-dtags,-rpath,"{tree}/usr/lib/{folder}"']
        if program.startswith("clang"):
            words.append(CLANG)
        return [" \\\n  ".join(["exec", *words, '"$@"'])]
    if program in ("alpha-linux-gnu-gcc", "alpha-linux-gnu-cpp", "alpha-linux-gnu-g++"):
        # The compiler's own headers are in the lines of an image: it is the same wherever they lie.
        return [f'exec "{real}" -fdebug-prefix-map="{tree}/usr/"=/usr/ "$@"']
    if program == "tshark":
        return _wireshark(tree, folder, real)
    if program == "mvn":
        home = next((tree / "usr/lib/jvm").glob("java-17-openjdk-*"))
        return [f'JAVA_HOME="{home}" exec "{real}" "$@"']
    if program == "chromium":
        return [f'FONTCONFIG_SYSROOT="{tree}" exec "{tree}/usr/lib/chromium/chromium" "$@"']
    if program == "gdb-multiarch":
        data = f'--data-directory="{tree}/usr/share/gdb"'
        return [f'PYTHONHOME="{tree}/usr" exec "{real}" {data} "$@"']
    if program == "slurmd-wlm":
        return [f'exec "{real}" -d "{tree}/usr/sbin/slurmstepd-wlm" "$@"']
    if program == "em++":
        return _emscripten(tree)
    return []


def _emscripten(tree: Path) -> list[str]:
    """The script's lines for its compiler: Python, with modules next to the program. Its settings
    name what it calls, but for programs of binaryen, which Debian's looks for on PATH."""
    share, settings = tree / "usr/share/emscripten", tree.parent / "emscripten.conf"
    values = {
        "EMSCRIPTEN_ROOT": str(share),
        "LLVM_ROOT": str(tree / "usr/bin"),
        "BINARYEN_ROOT": str(tree / "usr"),
        "NODE_JS": str(tree.parent / "bin/node"),
        "CACHE": str(share / "cache"),
        "FROZEN_CACHE": True,
        "LLVM_ADD_VERSION": "14",
        "CLANG_ADD_VERSION": "14",
    }
    settings.write_text("".join(f"{name} = {value!r}\n" for name, value in values.items()))
    python = tree.parent / "venv/bin/python"
    return [
        f'export EM_CONFIG="{settings}" PATH="$PATH:{tree}/usr/bin"',
        f'PYTHONSAFEPATH= exec "{python}" "{share}/em++.py" "$@"',
    ]


WIRESHARK, HANDED = b"/usr/share/wireshark", b"/proc/self/fd/9/wire"  # of the same length


def _wireshark(tree: Path, folder: str, real: Path) -> list[str]:
    """The script's lines for tshark, whose library has the folder of its data in it. No variable
    says another, so the script hands the folder over as an open file, which the library names."""
    for library in (tree / "usr/lib" / folder).glob("libwsutil.so.*"):
        data = library.read_bytes()
        if not library.is_symlink() and WIRESHARK + b"\0" in data:
            stage = library.with_name(f"{library.name}.new")
            stage.write_bytes(data.replace(WIRESHARK + b"\0", HANDED + b"\0"))
            stage.rename(library)
    link(tree / "usr/share/wire", tree / "usr/share/wireshark")
    return [f'exec 9<"{tree}/usr/share"', f'exec "{real}" "$@"']
