/* SPDX-License-Identifier: BSD-2-Clause */
/* Device registers at the addresses of machine.h: uncached and in order. */
#pragma once

#include <stdint.h>

#include "machine.h"

static inline uint64_t device_read_quad(uint64_t address)
{
	return *(const volatile uint64_t *)address;
}

static inline void device_write_quad(uint64_t address, uint64_t value)
{
	*(volatile uint64_t *)address = value;
}

static inline uint32_t device_read_long(uint64_t address)
{
	return *(const volatile uint32_t *)address;
}

static inline void device_write_long(uint64_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}
