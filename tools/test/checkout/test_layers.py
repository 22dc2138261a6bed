# SPDX-License-Identifier: BSD-2-Clause
"""The packages of tools/mcpi import one way (.importlinter); above engines none asks which runs."""

import re

import pytest
from importlinter.cli import lint_imports

from mcpi.base.repo import ROOT

CONTRACT = ROOT / ".importlinter"
ASKS = re.compile(r"(?<!proof\.)\bengine\b\s*(==|!=|in\b|not in\b)")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_arrows_go_one_way():
    assert lint_imports(config_filename=str(CONTRACT), no_cache=True, no_logo=True) == 0


def test_an_arrow_upwards_is_seen(tmp_path, capsys):
    """Layers the other way round, in both contracts."""
    text = CONTRACT.read_text()
    other = text.replace("    spec\n    firmware\n", "    firmware\n    spec\n")
    other = other.replace("    verify\n    mcpi\n", "    mcpi\n    verify\n", 2)
    assert other != text
    (tmp_path / "contract").write_text(other)
    assert lint_imports(config_filename=str(tmp_path / "contract"), no_cache=True) != 0
    said = capsys.readouterr().out
    assert "mcpi.spec is not allowed to import mcpi.firmware" in said
    assert "verify is not allowed to import mcpi" in said


@pytest.mark.parametrize("package", ["tools/mcpi/api", "tools/mcpi/cli", "verify"])
def test_nobody_asks_which_engine_runs(package):
    """Options are refused by rules of cli/options.py."""
    files = sorted((ROOT / package).rglob("*.py"))
    assert files and not [f for f in files if ASKS.search(f.read_text())]
