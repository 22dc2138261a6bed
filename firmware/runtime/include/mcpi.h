/* SPDX-License-Identifier: BSD-2-Clause */
/* Marks of the places that ./mcpi exec measures, and questions of a program to the machine. */
#pragma once

#include <mcpi_cores.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

/* MCPI_MEASURE { ... } is measured, each time it is passed. Leave it at its end or by `continue`;
 * after break, return or goto it stays open. Its markers are labels: no instruction is added.
 * MCPI_MEASURE_AS("name") { ... } has that name in the table; else it is called after its line.
 * A name has no quotation marks and no per cent signs. */
#define MCPI_MEASURE MCPI_MEASURE_AS("")
#define MCPI_MEASURE_AS(name)                                                                      \
	for (int mcpi_once = MCPI_OPEN(name); mcpi_once; mcpi_once = MCPI_CLOSE())

/* The value is wanted: what makes it is not optimised away. */
#define mcpi_keep(value) __asm__ volatile("" : : "r"(value) : "memory")

/* Ticks since reset; mcpi_ticks_per_us() of them are a microsecond. Costs a device access. */
uint64_t mcpi_ticks(void);
uint64_t mcpi_ticks_per_us(void);

/* 0, or 1 on the machine of --peer. */
int mcpi_node(void);

/* The handler runs at each timer interrupt, some hundred times a second, once mcpi_interrupts_on()
 * has let it. mcpi_wait() sleeps until an interrupt has been handled. */
void mcpi_on_timer(void (*handler)(void));
void mcpi_interrupts_on(void);
void mcpi_interrupts_off(void);
void mcpi_wait(void);

__END_DECLS

/* Records of two sections that are not loaded: .mcpi.markers (platform/marker.h), and
 * .mcpi.regions: .quad address, line; the name, zero-terminated; to a multiple of 8 bytes. */
#define MCPI_OPEN(name)                                                                            \
	({                                                                                         \
		__asm__ volatile("9997:\n\t.pushsection .mcpi.markers,\"\",@progbits\n\t"          \
				 ".quad 9997b\n\t.long 1, 1\n\t.popsection\n\t"                    \
				 ".pushsection .mcpi.regions,\"\",@progbits\n\t"                   \
				 ".quad 9997b, %0\n\t.asciz \"" name "\"\n\t"                      \
				 ".balign 8\n\t.popsection"                                        \
				 :                                                                 \
				 : "i"(__LINE__)                                                   \
				 : "memory");                                                      \
		1;                                                                                 \
	})
#define MCPI_CLOSE()                                                                               \
	({                                                                                         \
		__asm__ volatile("9997:\n\t.pushsection .mcpi.markers,\"\",@progbits\n\t"          \
				 ".quad 9997b\n\t.long 2, 1\n\t.popsection"                        \
				 :                                                                 \
				 :                                                                 \
				 : "memory");                                                      \
		0;                                                                                 \
	})
