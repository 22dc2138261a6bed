# SPDX-License-Identifier: BSD-2-Clause
"""Hand-ins of a course: what a lab asks for, what a hand-in gets, and its report."""
