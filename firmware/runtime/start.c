/* SPDX-License-Identifier: BSD-2-Clause */
/* Between crt0.S and the program: its main has the arguments that C promises (the linker wraps
 * main). What the program asks of the machine. */
#include "mcpi.h"
#include "platform/platform.h"
#include "runtime/arguments.h"
#include "runtime/float/emulation.h"
#include "runtime/globals.h"
#include "stdlib.h"
#include "string.h"

int __real_main(int argc, char **argv);
int __wrap_main(void);

__attribute__((weak)) int __wrap_main(void) /* void/main.c has another */
{
	int code;

	mcpi_construct();
	code = __real_main(MCPI_ARGUMENT_COUNT, mcpi_arguments);
	mcpi_destroy();
	/* Not exit(): a program that comes there has left main before its end. */
	plat_ipl_set(IPL_HIGH);
	return code;
}

__attribute__((weak)) void exit(int code) /* socket/main.c has another */
{
	mcpi_destroy();
	plat_ipl_set(IPL_HIGH);
	plat_exit(code);
}

uint64_t mcpi_ticks(void)
{
	return plat_ticks();
}

uint64_t mcpi_ticks_per_us(void)
{
	return plat_boot()->ticks_per_us;
}

int mcpi_node(void)
{
	return (int)plat_boot()->role;
}

#if MCPI_FLOAT
static void (*timer_handler)(void);

/* The interrupted function's floating-point registers lie in memory (runtime/float). */
static void keep_floats(void)
{
	uint64_t kept[MCPI_FLOAT_WORDS];

	memcpy(kept, mcpi_float_registers, sizeof kept);
	timer_handler();
	memcpy(mcpi_float_registers, kept, sizeof kept);
}

static void (*keeping(void (*handler)(void)))(void)
{
	timer_handler = handler;
	return keep_floats;
}
#else
static void (*keeping(void (*handler)(void)))(void)
{
	return handler;
}
#endif

void mcpi_on_timer(void (*handler)(void))
{
	plat_on_timer(keeping(handler));
}

void mcpi_interrupts_on(void)
{
	plat_ipl_set(IPL_NONE);
}

void mcpi_interrupts_off(void)
{
	plat_ipl_set(IPL_HIGH);
}

void mcpi_wait(void)
{
	int level = plat_ipl_set(IPL_HIGH);

	plat_wait_for_interrupt();
	plat_ipl_set(IPL_NONE); /* here it is taken */
	plat_ipl_set(level);
}
