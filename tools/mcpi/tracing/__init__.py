# SPDX-License-Identifier: BSD-2-Clause
"""A part of a run, tick by tick: which one, its instructions in the pipeline, its functions, its
frames."""
