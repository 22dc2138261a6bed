# SPDX-License-Identifier: BSD-2-Clause
"""Folders of the checkout, and the path on which its Python packages are found."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MACHINES = ROOT / "machines"
FIRMWARE = ROOT / "firmware"
BUILD = ROOT / "build"
#: A file that only a wheel has (mcpi.releasing.wheel): there BUILD has what was built before, and
#: nothing is compiled.
WHEEL = ROOT / "wheel.txt"
RESULTS = Path.cwd() / "results" if WHEEL.is_file() else ROOT / "results"
PYTHONPATH = f"{ROOT / 'tools'}:{ROOT}"  # of mcpi; of verify
