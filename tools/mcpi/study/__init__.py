# SPDX-License-Identifier: BSD-2-Clause
"""What every study needs: plan, runs, collected results, cells, tables, charts, pages."""
