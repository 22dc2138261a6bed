# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi X -h`` before there are tools says what ``X -h`` says with them."""

from typer.main import get_command

from mcpi.base.repo import ROOT
from mcpi.cli import help_pages
from mcpi.cli.main import app

PLACE = help_pages.PLACE
AGAIN = "./mcpi python -m mcpi.cli.help_pages"


def test_every_page_is_what_the_command_prints(monkeypatch) -> None:
    for name in ("COLUMNS", "TERM", "NO_COLOR"):
        monkeypatch.setenv(name, "")  # as it was afterwards
    made = help_pages.pages()
    kept = {str(p.relative_to(PLACE)): p.read_text() for p in PLACE.rglob("*.txt")}
    files = {name: help_pages.place_of(name, made) for name in made}
    assert sorted(kept) == sorted(files.values()), f"type: {AGAIN}"
    for name, text in made.items():
        assert kept[files[name]] == text, f"{name} is of another day; type: {AGAIN}"


def test_every_command_of_the_purposes_has_a_page() -> None:
    """setup/commands.conf names commands that there are, and ``mcpi`` reads three words a row."""
    rows = (ROOT / "setup/commands.conf").read_text().splitlines()
    rows = [row.split() for row in rows if row and row[0] != "#"]
    assert rows and all(any(PLACE.rglob(f"{row[0]}.txt")) for row in rows)
    assert {row[1] for row in rows} <= {"exec", "rtl", "test"}


def test_every_option_is_in_its_page() -> None:
    """./mcpi refuses others before there are tools, by the words of the page."""
    left = [((), get_command(app))]
    while left:
        words, command = left.pop()
        left += [((*words, n), c) for n, c in getattr(command, "commands", {}).items()]
        name = "/".join(words) or help_pages.TOP
        [file] = [
            one for one in (PLACE / f"{name}.txt", PLACE / name / f"{name}.txt") if one.exists()
        ]
        page = file.read_text()
        for one in command.params:
            names = [name for name in (*one.opts, *one.secondary_opts) if name.startswith("--")]
            if not getattr(one, "hidden", False):
                assert not [name for name in names if f" {name} " not in page], words
