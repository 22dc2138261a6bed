# SPDX-License-Identifier: BSD-2-Clause
"""Where the rooms of the house are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MACHINES = ROOT / "machines"
FIRMWARE = ROOT / "firmware"
BUILD = ROOT / "build"
RESULTS = ROOT / "results"
