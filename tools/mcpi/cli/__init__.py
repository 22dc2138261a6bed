# SPDX-License-Identifier: BSD-2-Clause
"""The command line: thin, over the packages below."""
