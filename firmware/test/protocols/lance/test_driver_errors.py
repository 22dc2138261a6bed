# SPDX-License-Identifier: BSD-2-Clause
"""The LANCE driver on a chip that makes every error (chip_model.c), on the host.

Each case with descriptors in place, copied (XK_USC=0), on PMAD, and with dense wiring, where the
chip fills shepherds' frames; under sanitizers.
"""

import pytest
from firmware_support.driver_build import BUILDS, ROOM, driver_tests
from firmware_support.host_build import case_names, run_case, same_cases


@pytest.mark.parametrize("define", BUILDS)
@pytest.mark.parametrize("name", case_names(ROOM))
def test_driver(name: str, define: str) -> None:
    run_case(driver_tests(define), name)


def test_no_case_is_forgotten() -> None:
    same_cases(driver_tests(BUILDS[0]), case_names(ROOM))
