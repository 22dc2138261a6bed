/* SPDX-License-Identifier: BSD-2-Clause */
/* One table: name, function, and which arguments are addresses of how many bytes. */
#include "kernel/syscall.h"

#include "kernel/call.h"
#include "kernel/lock.h"
#include "kernel/port.h"
#include "kernel/sleep.h"
#include "kernel/structure.h"
#include "kernel/user_mode.h"

struct syscall_counts syscall_counts;

typedef const uint64_t *words;

static int64_t do_exit(struct process *p, words a)
{
	process_end(p, (int)a[0], "exit");
	return 0;
}

static int64_t do_yield(struct process *p, words a)
{
	(void)a;
	user_mode_yield(p);
	return 0;
}

static int64_t do_self(struct process *p, words a)
{
	(void)a;
	return p->number;
}

/* A thread of the same program: in its space, and no more urgent than it. */
static int64_t do_start(struct process *p, words a)
{
	struct program thread = p->program;
	struct process *child;

	thread.entry = (void (*)(uint64_t))a[0];
	if (a[2] < PRIORITIES && a[2] > thread.priority)
		thread.priority = (enum priority)a[2];
	child = process_start(&thread, a[1], p->space);
	return child ? child->number : ERROR_NO_MEMORY;
}

static int64_t do_wait(struct process *p, words a)
{
	struct process *child = process_find((int)a[0]);
	int status;

	if (!child)
		return ERROR_BAD_NUMBER;
	if (child->parent != p)
		return ERROR_NOT_OURS;
	return process_wait(child, &status) ? ERROR_ENDED : status;
}

static int64_t do_print(struct process *p, words a)
{
	const char *text = (const char *)a[0];

	(void)p;
	for (uint64_t i = 0; i < a[1]; i++)
		plat_putc(text[i]);
	return (int64_t)a[1];
}

static int64_t do_ticks(struct process *p, words a)
{
	(void)p;
	(void)a;
	return (int64_t)plat_ticks();
}

static int64_t do_pause(struct process *p, words a)
{
	(void)p;
	return sleep_for(a[0]) ? ERROR_ENDED : 0;
}

static int64_t do_memory(struct process *p, words a)
{
	void *start = space_allocate(p->space, a[0]);

	return start ? (int64_t)(uintptr_t)start : ERROR_NO_MEMORY;
}

static int64_t do_sleep(struct process *p, words a)
{
	(void)p;
	if (a[1])
		lock_free((uint64_t *)a[1]);
	return sleep_on((const void *)a[0]) ? ERROR_ENDED : 0;
}

static int64_t do_wakeup(struct process *p, words a)
{
	(void)p;
	wakeup((const void *)a[0]);
	return 0;
}

static int64_t do_lock(struct process *p, words a)
{
	(void)p;
	return lock_wait((uint64_t *)a[0]) ? ERROR_ENDED : 0;
}

static int64_t do_unlock(struct process *p, words a)
{
	(void)p;
	lock_free((uint64_t *)a[0]);
	return 0;
}

static int64_t do_socket(struct process *p, words a)
{
	(void)a;
	return structure.sockets.socket ? structure.sockets.socket(p) : ERROR_NO_CALL;
}

static int64_t do_bind(struct process *p, words a)
{
	const struct socket_calls *s = &structure.sockets;

	return s->bind ? s->bind(p, (int)a[0], (uint32_t)a[1]) : ERROR_NO_CALL;
}

static int64_t do_limits(struct process *p, words a)
{
	const struct socket_calls *s = &structure.sockets;

	if (!s->limits)
		return ERROR_NO_CALL;
	return s->limits(p, (int)a[0], (uint32_t)a[1], (uint32_t)a[2]);
}

static int64_t do_receive(struct process *p, words a)
{
	const struct socket_calls *s = &structure.sockets;

	if (!s->receive)
		return ERROR_NO_CALL;
	return s->receive(p, (int)a[0], (void *)a[1], (uint32_t)a[2], (struct socket_name *)a[3],
			  (int)a[4]);
}

static int64_t do_borrow(struct process *p, words a)
{
	const struct socket_calls *s = &structure.sockets;

	if (!s->borrow)
		return ERROR_NO_CALL;
	return s->borrow(p, (int)a[0], (void *)a[1], (uint32_t)a[2], (struct socket_name *)a[3],
			 (int)a[4]);
}

static int64_t do_send(struct process *p, words a)
{
	const struct socket_calls *s = &structure.sockets;

	if (!s->send)
		return ERROR_NO_CALL;
	return s->send(p, (int)a[0], (const void *)a[1], (uint32_t)a[2],
		       (const struct socket_name *)a[3]);
}

static int64_t do_close(struct process *p, words a)
{
	return structure.sockets.close ? structure.sockets.close(p, (int)a[0]) : ERROR_NO_CALL;
}

static int64_t do_port_create(struct process *p, words a)
{
	return port_create(p, (int)a[0]);
}

static int64_t do_port_send(struct process *p, words a)
{
	return port_send(p, (int)a[0], (const struct message_header *)a[1], (const void *)a[2]);
}

static int64_t do_port_receive(struct process *p, words a)
{
	return port_receive(p, (int)a[0], (struct message_header *)a[1], (void *)a[2],
			    (uint32_t)a[3], (int)a[4]);
}

static int64_t do_port_offer(struct process *p, words a)
{
	return port_offer(p, (int)a[0], (const void *)a[1]);
}

static int64_t do_port_map(struct process *p, words a)
{
	void *start = port_map(p, (int)a[0]);

	return start ? (int64_t)(uintptr_t)start : ERROR_NO_MEMORY;
}

static int64_t do_frame_send(struct process *p, words a)
{
	if (!structure.frame_send)
		return ERROR_NO_CALL;
	return structure.frame_send(p, (const void *)a[0], (uint32_t)a[1]);
}

/* Argument `address` is the address of as many bytes as argument `length` says; `length` 0: of
 * `bytes`, aligned to `aligned`. Where it is optional, 0 is allowed. */
struct memory_argument {
	int address, length, optional, rights;
	uint32_t bytes, aligned;
};

#define A_NAME .bytes = sizeof(struct socket_name), .aligned = _Alignof(struct socket_name)
#define A_LOCK .bytes = sizeof(uint64_t), .aligned = sizeof(uint64_t), .rights = MAY_WRITE

static const struct syscall {
	int64_t (*f)(struct process *p, words a);
	int memories;
	struct memory_argument memory[2];
} table[CALLS] = {
	[CALL_EXIT] = { .f = do_exit },
	[CALL_YIELD] = { .f = do_yield },
	[CALL_SELF] = { .f = do_self },
	[CALL_START] = { .f = do_start },
	[CALL_WAIT] = { .f = do_wait },
	[CALL_PRINT] = { do_print, 1, { { .address = 0, .length = 1 } } },
	[CALL_TICKS] = { .f = do_ticks },
	[CALL_PAUSE] = { .f = do_pause },
	[CALL_MEMORY] = { .f = do_memory },
	[CALL_SLEEP] = { do_sleep, 1, { { .address = 1, A_LOCK, .optional = 1 } } },
	[CALL_WAKEUP] = { .f = do_wakeup },
	[CALL_SOCKET] = { .f = do_socket },
	[CALL_BIND] = { .f = do_bind },
	[CALL_LIMITS] = { .f = do_limits },
	[CALL_RECEIVE] = { do_receive,
			   2,
			   { { .address = 1, .length = 2, .rights = MAY_WRITE },
			     { .address = 3, A_NAME, .optional = 1, .rights = MAY_WRITE } } },
	[CALL_SEND] = { do_send, 2, { { .address = 1, .length = 2 }, { .address = 3, A_NAME } } },
	[CALL_CLOSE] = { .f = do_close },
	[CALL_PORT_CREATE] = { .f = do_port_create },
	[CALL_PORT_SEND] = { .f = do_port_send }, /* this and the next one check by themselves */
	[CALL_PORT_RECEIVE] = { .f = do_port_receive },
	[CALL_PORT_OFFER] = { .f = do_port_offer },
	[CALL_PORT_MAP] = { .f = do_port_map },
	[CALL_FRAME_SEND] = { do_frame_send, 1, { { .address = 0, .length = 1 } } },
	[CALL_LOCK] = { do_lock, 1, { { .address = 0, A_LOCK } } },
	[CALL_UNLOCK] = { do_unlock, 1, { { .address = 0, A_LOCK } } },
	[CALL_BORROW] = { do_borrow,
			  2,
			  { { .address = 1, .length = 2, .rights = MAY_WRITE, .aligned = 8 },
			    { .address = 3, A_NAME, .optional = 1, .rights = MAY_WRITE } } },
};

static int is_allowed(const struct process *p, const struct memory_argument *m, words a)
{
	uint64_t bytes = m->length ? a[m->length] : m->bytes;

	if ((m->optional && !a[m->address]) || !bytes)
		return 1;
	if (m->aligned && a[m->address] % m->aligned)
		return 0;
	return space_check(p->space, (const void *)a[m->address], bytes, m->rights) == 0;
}

int64_t syscall_do(struct process *p, uint64_t number, const uint64_t *argument)
{
	syscall_counts.calls++;
	if (number >= CALLS) {
		syscall_counts.unknown++;
		return ERROR_NO_CALL;
	}
	for (int i = 0; i < table[number].memories; i++) {
		if (is_allowed(p, &table[number].memory[i], argument))
			continue;
		syscall_counts.bad_address++;
		return ERROR_BAD_ADDRESS;
	}
	return table[number].f(p, argument);
}
