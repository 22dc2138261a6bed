# SPDX-License-Identifier: BSD-2-Clause
"""A second hand under every table of every study: ``recount`` makes each column again from the raw
files of runs, by the definitions of docs/; ``compare`` lays the study's own tables beside it."""
