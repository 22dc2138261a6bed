/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver's test bench: its kernel on one side, chip_model.h on the other. */
#pragma once

#include "protocols/lance/chip.h"
#include "protocols/lance/lance.h"
#include "test/host/case.h"
#include "xkernel/thread/shepherd.h"

enum { FCS = 4, SMALL = 60, GOOD = FLAG_STP | FLAG_ENP };

/* The kernel below the driver. */
struct kernel_side {
	int shepherds; /* 0: none is free */
	size_t delivered, delivered_bytes;
	struct shepherd *shepherd; /* delivered last */
	int level;
	int interrupt_at;	      /* memory barrier, from now; 0: none */
	void (*ready)(void *arg);     /* the thread that has been made ready, or NULL */
	void (*scheduled)(void *arg); /* the event that waits, or NULL; and what for */
	uint64_t scheduled_us;
	struct xobj protocol, eth, *session;
};
extern struct kernel_side kernel;

void begin(void);
void interrupt(void);
int push(size_t bytes);		    /* a frame of so many bytes; xPush's result */
void goes_on(void);		    /* something of every kind still works */
void run_ready(void);		    /* the thread's turn */
void fire(void);		    /* the event's time has come */
void ring_is_full_of_buffers(void); /* all receive descriptors are the chip's */
void restarted(uint64_t times);	    /* stopped, rings as new, started; and it goes on */
