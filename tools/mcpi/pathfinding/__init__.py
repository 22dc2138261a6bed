# SPDX-License-Identifier: BSD-2-Clause
"""Find a stack's path in recordings of it (docs/explanation/paths.md)."""
