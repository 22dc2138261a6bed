# SPDX-License-Identifier: BSD-2-Clause
"""Many runs: a grid of specs, workers that Dask feeds, one data set."""
