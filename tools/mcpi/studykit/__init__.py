# SPDX-License-Identifier: BSD-2-Clause
"""Parts of every study: plan, runs, collected results, cells, tables, charts, pages."""
