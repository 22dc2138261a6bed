# SPDX-License-Identifier: BSD-2-Clause
"""Figures out of a ``result.json`` that several studies ask for."""

from collections.abc import Callable

Get = Callable[[dict], float | None]


def client(*keys: str) -> Get:
    """A figure of the client's steady path."""

    def get(result: dict) -> float:
        value = result["steady"]["client"]
        for key in keys:
            value = value[key]
        return value

    return get


def tp(result: dict) -> float:
    """T_p of the client, µs: the mean over samples, or of the one there is."""
    steady = result["steady"]["client"]["time_us"]
    return result["path_time"]["client"]["mean_us"] if "path_time" in result else steady


def te(result: dict) -> float:
    """Round-trip time, µs."""
    return result["round_trip"]["mean_us"]
