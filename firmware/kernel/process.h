/* SPDX-License-Identifier: BSD-2-Clause */
/* Processes: programs in user mode, each with a thread of the kernel, a stack for each mode, and an
 * address space, which several may share. */
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

#include "kernel/space.h"
#include "xkernel/thread/thread.h"

enum { PROCESSES = 16, CALL_ARGUMENTS = 5, NAME_BYTES = 16 };

enum priority { PRIORITY_INPUT, PRIORITY_SERVER, PRIORITY_USER, PRIORITIES }; /* first: highest */
enum process_state { PROCESS_FREE, PROCESS_ALIVE, PROCESS_ENDED };

struct program {
	const char *name;
	void (*entry)(uint64_t argument); /* in user mode; its return is exit(0) */
	enum priority priority;
	const uint8_t
	    *image; /* where programs are loaded: an ELF file, which has the rest of this */
	size_t image_bytes;
};

struct process {
	enum process_state state;
	int number;
	struct program program; /* a copy */
	struct process *parent; /* NULL: the kernel's own, or the parent has ended */
	struct space *space;
	struct thread thread;
	uint64_t argument;
	int status;   /* of exit; of a process that was ended: below 0 */
	int must_end; /* at its next step in the kernel */
	const char *why;
	char name[NAME_BYTES]; /* the program's */

	void *stack;		   /* of user mode */
	plat_context user, kernel; /* where the other mode goes on, if that is another stack */
	struct {
		uint64_t number, argument[CALL_ARGUMENTS];
		int64_t result;
	} call;

	const void *channel;  /* it sleeps on */
	struct process *next; /* sleepers, or who waits for user mode */
};

/* `call` does system calls; `ended` is called when a process has ended; `last`: of its space. */
void processes_start(int64_t (*call)(struct process *p, uint64_t number, const uint64_t *argument),
		     void (*ended)(struct process *p, int last));
/* In `space`, which it shares. NULL: no room or memory. */
struct process *process_start(const struct program *program, uint64_t argument,
			      struct space *space);
void process_end(struct process *p, int status, const char *why); /* it or another one */
int process_wait(struct process *child, int *status);		  /* -1: the caller must end */

/* process_table.c */
extern struct process processes[PROCESSES];
struct process *process_self(void);	  /* NULL: a thread of the kernel alone */
struct process *process_find(int number); /* NULL: there is no such process */
#endif
