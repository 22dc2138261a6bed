# SPDX-License-Identifier: BSD-2-Clause
"""The command ``profile`` and its reports."""
