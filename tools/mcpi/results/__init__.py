# SPDX-License-Identifier: BSD-2-Clause
"""From the files a run leaves to result.json and its table."""
