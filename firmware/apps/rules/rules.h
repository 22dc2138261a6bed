/* SPDX-License-Identifier: BSD-2-Clause */
/* break.S: what C does not say. */
#ifndef RULES_H
#define RULES_H

#include <stdint.h>

void privileged_call(void);	   /* CALL_PAL SWPIPL */
void privileged_instruction(void); /* HW_MTPR */
void spin_with_stack(uint64_t sp); /* for several timer interrupts */
#endif
