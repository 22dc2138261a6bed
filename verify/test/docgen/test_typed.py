# SPDX-License-Identifier: BSD-2-Clause
"""Each command that a reader of the site types is read by the command line, and run by a test."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import typer.main

from mcpi.base.repo import ROOT
from mcpi.cli import options
from mcpi.cli.main import app
from verify.docgen import snippets, typed
from verify.docgen.typed import Typed

COMMANDS = typed.typed()
OWN = [one for one in COMMANDS if typed.tested_by(one.command) == typed.RUN]
# Words of an example that a reader replaces, and what the tests type.
GIVEN = {
    "BAUD": "115200",
    "FOLDER/searched.positions.csv": "shuffle-7",
    "one_of_its_tests": "a_frame_in_and_the_counters_out",
    "results/path-tcp": "path-tcp",
    "--start results/layout-tcp-all/searched.positions.csv": "--variant all",
    "/tmp/after": "after",
    "/tmp/before": "after",
    "--serve 8000": "",
}
FINISHED = ("results/tcp-std-…", "results/tcp-std-...", "results/before", "results/after")
NO_COMMANDS = {"mill", "python", "notebook", "test"}  # whose words are another program's
PAGE_SOURCES = {"hello.c": "docs/how-to/exec.md", "my_test.py": "docs/how-to/cocotb.md"}


def words_of(command: str) -> list[str]:
    """The words of a command, without a second command and without a redirection."""
    for given, typed_ in GIVEN.items():
        command = command.replace(given, typed_)
    found = shlex.split(command, comments=True)[1:]
    ends = [n for n, word in enumerate(found) if word in ("&&", ">", "|")]
    return found[: ends[0]] if ends else found


def read(words: list[str]) -> None:
    """Give the words to the command line, which checks them and starts nothing."""
    command, name = typer.main.get_command(app), "./mcpi"
    context = command.make_context(name, options.filled(words))
    while hasattr(command, "commands") and "--help" not in words:
        name, command, words = command.resolve_command(context, words)
        context = command.make_context(name, words[:], parent=context)


def name(one: object) -> str:
    return one.command.removeprefix("./mcpi ") if isinstance(one, Typed) else str(one)


@pytest.mark.parametrize("one", COMMANDS, ids=name)
def test_the_command_line_takes_the_words(one: Typed) -> None:
    words = words_of(one.command)
    if not words or words[0] in NO_COMMANDS:
        return
    read(words)


@pytest.mark.parametrize(
    "command", ["./mcpi run --stak tcp", "./mcpi fly", "./mcpi run --round-trips x", "./mcpi ip"]
)
def test_words_that_the_command_line_does_not_take(command: str) -> None:
    with pytest.raises(typer.TyperException):
        read(words_of(command))


def test_no_command_is_without_a_test() -> None:
    files = {one: typed.tested_by(one.command) for one in COMMANDS}
    assert not [
        f"{o.page}:{o.line}: {o.command}" for o, f in files.items() if not (ROOT / f).is_file()
    ]
    assert len(OWN) > 80 and typed.TRANSCRIPT in files.values()


def test_each_row_of_the_list_has_a_command() -> None:
    idle = [b for b in typed.elsewhere() if not any(typed.begins(c.command, b) for c in COMMANDS)]
    assert not idle, "no page types such a command; delete the row"


def test_commands_are_found_in_blocks_and_in_help() -> None:
    page = (
        "./mcpi no\n\n```\n./mcpi run \\\n  --cold    says what\n  ./mcpi a  # b\n│ ./mcpi ─\n```\n"
    )
    assert list(typed.commands(typed.blocks(page))) == [(5, "./mcpi run --cold"), (6, "./mcpi a")]
    said = "Do\n./mcpi run is prose\n\n ./mcpi a\n\n   ./mcpi run   says\n       b\n"
    assert [c for _, c in typed.commands(typed.examples(said))] == ["./mcpi a", "./mcpi run"]


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with what the examples name: the command, programs, a finished run, a path."""
    folder = tmp_path_factory.mktemp("typed")
    for there in ("mcpi", "examples", "firmware", "machines", "docs"):
        (folder / there).symlink_to(ROOT / there)
    for file, page in PAGE_SOURCES.items():
        blocks = re.findall(r"^```(?:c|python)\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
        (folder / file).write_text(blocks[-1 if file == "my_test.py" else 0])
    text = (folder / "hello.c").read_text()
    sort = "static __attribute__((noinline)) void sort(void)\n{\n\tnumbers[0]++;\n}\n\nint main"
    (folder / "hello.c").write_text(
        text.replace("int main", sort, 1).replace("\treturn 0;", "\tsort();\n\treturn 0;", 1)
    )
    two = (ROOT / "examples" / "two-sends.c").read_text()
    (folder / "client.c").write_text(two)
    (folder / "server.c").write_text(two)
    snippets.write(ROOT / "docs" / "tutorial" / "xkernel-in-20-minutes.md", folder / "mine")
    (folder / "my_study.py").write_text("import mcpi\n\nprint(mcpi.run(round_trips=2).t_e_us)\n")
    return folder


@pytest.fixture(scope="module")
def finished(place: Path) -> str:
    run(place, "./mcpi run --out finished --round-trips 120 --tick-log client")
    return "finished"


@pytest.fixture(scope="module")
def path_found(place: Path) -> None:
    run(place, "./mcpi path find --stack tcp --out path-tcp")


def run(place: Path, command: str) -> None:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=place,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{command}: status {done.returncode}\n{done.stderr[-2000:]}"


@pytest.mark.long
@pytest.mark.parametrize("one", OWN, ids=name)
def test_the_command_runs(one: Typed, place: Path, request) -> None:
    command = one.command
    for given, ours in GIVEN.items():
        command = command.replace(given, ours)
    for folder in FINISHED:
        if folder in command:
            command = command.replace(folder, request.getfixturevalue("finished"))
    if "--path path-tcp" in command:
        request.getfixturevalue("path_found")
    run(place, command)
