# SPDX-License-Identifier: BSD-2-Clause
"""The engine ``model``: a recorded run, replayed on other layouts and machines (model.md)."""
