/* SPDX-License-Identifier: BSD-2-Clause */
/* The LANCE driver on a chip that makes every error there is: what is counted, what is dropped,
 * and that it goes on afterwards. usage: driver_tests --list | driver_tests NAME */
#include "test/protocols/lance/driver_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "test/protocols/lance/chip_model.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/shepherd.h"

struct kernel_side kernel = { .shepherds = 1 };
static void (*handler)(void);

/* The ring's frames, one that is delivered, and one that waits. */
enum { FRAMES = RING + 2 };
static uint8_t frames[FRAMES][SHEPHERD_FRAME_BYTES + 18] __attribute__((aligned(16)));
static struct shepherd shepherds[FRAMES], *first, *delivered;
static int taken[FRAMES]; /* by the driver */

const struct boot_params *plat_boot(void)
{
	static const struct boot_params boot = { .mac = 0x01000000002b0008 };

	return &boot;
}

int plat_ipl_raise(int level)
{
	int before = kernel.level;

	if (level > before)
		kernel.level = level;
	return before;
}

int plat_ipl_set(int level)
{
	int before = kernel.level;

	kernel.level = level;
	return before;
}

void thread_ready(struct thread *t, void (*entry)(void *arg), void *arg)
{
	CHECK(!kernel.ready && !arg && t); /* once in the queue */
	kernel.ready = entry;
}

void event_schedule(struct event *e, void (*function)(void *arg), void *arg, uint64_t us)
{
	CHECK_EQUAL(kernel.level, IPL_NONE); /* not from an interrupt handler */
	CHECK(!kernel.scheduled && !arg && e);
	kernel.scheduled = function;
	kernel.scheduled_us = us;
}

static void run(void (**what)(void *arg))
{
	void (*f)(void *arg) = *what;

	CHECK(f != NULL);
	*what = NULL;
	f(NULL);
	CHECK_EQUAL(kernel.level, IPL_NONE);
}

void run_ready(void)
{
	run(&kernel.ready);
}

void fire(void)
{
	run(&kernel.scheduled);
}

void plat_memory_barrier(void)
{
	int level;

	if (!kernel.interrupt_at || --kernel.interrupt_at)
		return;
	CHECK_EQUAL(kernel.level, IPL_NONE);
	level = plat_ipl_raise(IPL_NET);
	handler();
	plat_ipl_set(level);
}

void plat_putc(char c)
{
	fputc(c, stderr);
}

void plat_exit(int code)
{
	exit(code);
}

void plat_on_network(void (*f)(void))
{
	handler = f;
}

struct shepherd *shepherd_take(void)
{
	struct shepherd *s = kernel.shepherds ? first : NULL;

	if (s) {
		first = s->next;
		taken[s - shepherds] = 1;
	}
	return s;
}

void shepherd_put_back(struct shepherd *s)
{
	s->next = first;
	first = s;
	taken[s - shepherds] = 0;
}

/* Its frame stays until the next one has come. */
void shepherd_deliver(struct shepherd *s, struct xobj *to, size_t bytes)
{
	CHECK(s >= shepherds && s < shepherds + FRAMES && to == kernel.session);
	CHECK(taken[s - shepherds]);
	taken[s - shepherds] = 0;
	if (delivered)
		shepherd_put_back(delivered);
	delivered = kernel.shepherd = s;
	kernel.delivered++;
	kernel.delivered_bytes = bytes;
}

void begin(void)
{
	chip.frames = frames[0];
	for (int i = 0; i < FRAMES; i++) {
		shepherds[i].msg.head = frames[i] + 2;
		shepherd_put_back(&shepherds[i]);
	}
	CHECK_EQUAL(lance_init(&kernel.protocol), XK_OK);
	kernel.session = xOpen(&kernel.eth, &kernel.eth, &kernel.protocol, NULL);
	CHECK(kernel.session != NULL);
	CHECK_EQUAL(chip.starts, 1);
}

void interrupt(void)
{
	CHECK(chip.csr[0] & CSR0_INTR && chip.csr[0] & CSR0_INEA);
	chip.csr[0] &= (uint16_t)~CSR0_INTR;
	plat_ipl_raise(IPL_NET);
	handler();
	plat_ipl_set(IPL_NONE);
	CHECK_EQUAL(chip.rules_broken, 0);
}

int push(size_t bytes)
{
	struct msg m;

	CHECK_EQUAL(msg_init_bytes(&m, bytes), 0);
	for (size_t i = 0; i < bytes; i++)
		m.head[i] = (uint8_t)(i * 3 + bytes);
	int result = xPush(kernel.session, &m);
	msg_destroy(&m);
	return result;
}

void goes_on(void)
{
	static uint8_t frame[SMALL + FCS];
	uint64_t received = lance_counts.received, sent = lance_counts.sent;
	size_t before = kernel.delivered;

	frame[SMALL - 1] = (uint8_t)++frame[0];
	CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), 0);
	interrupt();
	CHECK_EQUAL(kernel.delivered, before + 1);
	CHECK_EQUAL(kernel.delivered_bytes, SMALL);
	CHECK(!memcmp(shepherd_frame(delivered), frame, SMALL));
	CHECK_EQUAL(lance_counts.received, received + 1);
	CHECK_EQUAL(push(SMALL), XK_OK);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, sent + 1);
	CHECK_EQUAL(chip.bytes, SMALL);
	for (size_t i = 0; i < SMALL; i++)
		CHECK_EQUAL(chip.frame[i], (uint8_t)(i * 3 + SMALL));
	CHECK(chip.csr[0] & CSR0_RXON && chip.csr[0] & CSR0_TXON);
}

void ring_is_full_of_buffers(void)
{
	for (unsigned i = 0; i < RING; i++)
		CHECK_EQUAL(chip_descriptor_flags(chip.receive_ring, i), FLAG_OWN);
}

void restarted(uint64_t times)
{
	CHECK_EQUAL(lance_counts.restarts, times);
	CHECK_EQUAL(chip.starts, 1 + times);
	ring_is_full_of_buffers();
	for (unsigned i = 0; i < RING; i++)
		CHECK_EQUAL(chip_descriptor_flags(chip.transmit_ring, i), 0);
	goes_on();
	goes_on();
}

void case_ends(void)
{
	CHECK_EQUAL(chip.rules_broken, 0);
}
