# SPDX-License-Identifier: BSD-2-Clause
"""The site of ``./mcpi docs``: staged pages, generated reference, checks of links, build."""
