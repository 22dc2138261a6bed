# SPDX-License-Identifier: BSD-2-Clause
"""A release: a folder of files made from one commit, each with its digest."""
