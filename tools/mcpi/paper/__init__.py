# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi paper``: every table of the study beside the paper's values (docs/paper.md)."""
