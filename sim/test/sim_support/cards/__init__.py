# SPDX-License-Identifier: BSD-2-Clause
"""Histories of the controller's card, and the RTL's beside the exact engine's."""
