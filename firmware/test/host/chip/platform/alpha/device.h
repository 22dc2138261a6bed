/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "machine.h"

uint32_t device_read_long(uint64_t address);
void device_write_long(uint64_t address, uint32_t value);
