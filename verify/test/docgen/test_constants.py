# SPDX-License-Identifier: BSD-2-Clause
"""Every value of a machine file has a status and a source, and the page has them."""

import shutil

import pytest

from mcpi.base.repo import MACHINES
from mcpi.machine import profile, sources
from verify.docgen import constants

AGAIN = "python -m verify.docgen.constants"


def test_every_value_says_where_it_comes_from() -> None:
    assert sources.slips(profile.names()) == []


def test_the_page_has_the_files_tables() -> None:
    assert constants.PAGE.read_text() == constants.render(), AGAIN


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """A copy of machines/ that a test may change: a file, a text of it, another text."""
    shutil.copytree(MACHINES, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(sources, "MACHINES", tmp_path)

    def edit(name: str, old: str, new: str) -> list[str]:
        path = tmp_path / f"{name}.toml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return sources.slips(profile.names())

    return edit


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "alpha-300",
            "mbps = 100",
            'mbps = 100\nduplex = "half"',
            "[alpha-300] link.duplex: write",
        ),
        ("sources", '"fitted: to the same 105 us"', '"guessed: so"', "[dec3000-600] lance.csr_ns"),
        ("sources", '"recalled: EV4 2.1"', '"recalled"', "core.predicted_penalty: write"),
        (
            "alpha-300-16k",
            '[dcache]\nsize = "16KB"',
            "",
            "dcache.size: alpha-300-16k.toml has it not",
        ),
        ("sources", "[alpha-300]", "[alpha-301]", "[alpha-301]: no such machine"),
        (
            "sources",
            "Int = 24 *",
            "Int = 25 *",
            "interframe spacing: lance-ip/LanceConfig.scala has",
        ),
    ],
)
def test_a_slip_is_found(edited, name, old, new, said) -> None:
    assert said in "\n".join(edited(name, old, new))
