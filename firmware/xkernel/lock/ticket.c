/* SPDX-License-Identifier: BSD-2-Clause */
/* Ticket lock: the word is the next ticket, the second one the ticket that is served. */
#include "xkernel/lock/lock.h"
#include "xkernel/lock/waiting.h"

void lock_ticket_acquire(struct lock *l)
{
	struct waiting w = { 0 };
	uint64_t mine = atomic_add(&l->word, 1) - 1, served;

	while ((served = atomic_look(&l->second)) != mine)
		waiting_turn(&w, &l->second, served);
	barrier_acquire();
	waiting_ends(&w);
}

void lock_ticket_release(struct lock *l)
{
	barrier_release();
	atomic_publish(&l->second, atomic_read(&l->second) + 1);
	barrier_drain();
}
