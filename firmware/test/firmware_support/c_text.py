# SPDX-License-Identifier: BSD-2-Clause
"""Patterns of the firmware's C for tests that read it."""

import re

COMMENT = re.compile(r"/\*.*?\*/|\"[^\"\n]*\"", re.S)
DEFINITION = re.compile(
    r"^(static )?[a-z][^;{}=#]*?\b(?!__attribute__)(\w+)\([^;{}]*\)\n\{(.*?)^\}", re.M | re.S
)
TAG_OR_MEMBER = re.compile(r"(?:\b(?:struct|enum|union)\s+|->\s*|(?<![\d.])\.)\w+")
