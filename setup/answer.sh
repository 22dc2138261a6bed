# SPDX-License-Identifier: BSD-2-Clause
# Read by ./mcpi: answers what wants no tools, and ends. A page of setup/help/ is what a command
# prints for -h, made by tools/mcpi/docgen/help_pages.py; its name is the command.
