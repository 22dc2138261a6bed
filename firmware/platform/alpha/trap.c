/* SPDX-License-Identifier: BSD-2-Clause */
/* The handlers of interrupts. trap.S calls trap_dispatch at the source's level. */
#include "platform/alpha/device.h"
#include "platform/platform.h"

static void (*timer_handler)(void);
static void (*network_handler)(void);

void trap_dispatch(uint64_t source);

void plat_on_timer(void (*handler)(void))
{
	timer_handler = handler;
	device_write_quad(SYSTEM_TIMER_CONTROL, 1);
}

void plat_on_network(void (*handler)(void))
{
	network_handler = handler;
}

void trap_dispatch(uint64_t source)
{
	switch (source) {
	case INTERRUPT_TIMER_BIT:
		device_write_quad(SYSTEM_TIMER_ACKNOWLEDGE, 1);
		timer_handler();
		break;
	case INTERRUPT_TURBOCHANNEL_BIT:
		if (network_handler)
			network_handler();
		break;
	case INTERRUPT_CONSOLE_BIT: /* nobody reads it: taking the byte drops the interrupt */
		device_read_quad(SYSTEM_CONSOLE_DATA);
		break;
	}
}
