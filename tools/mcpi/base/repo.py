# SPDX-License-Identifier: BSD-2-Clause
"""Folders of the checkout, and the path on which its Python packages are found."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MACHINES = ROOT / "machines"
FIRMWARE = ROOT / "firmware"
BUILD = ROOT / "build"
RESULTS = ROOT / "results"
PYTHONPATH = f"{ROOT / 'tools'}:{ROOT}"  # of mcpi; of verify
