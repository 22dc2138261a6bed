# SPDX-License-Identifier: BSD-2-Clause
"""Columns of the studies' tables from raw files, by the definitions of docs/.

These modules import nothing of ``mcpi``: whatever the first hand has wrong, they do not share.
A module ``STUDY`` has ``tables(runs)``: by the table's key and its rows' labels, the columns.
"""
