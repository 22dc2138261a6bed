/* SPDX-License-Identifier: BSD-2-Clause */
/* Breaks each rule of user mode once, in a thread of its own, and says how the thread ended: the
 * kernel must say why, and go on. boot.seed is an address that is not this program's. */
#include "apps/rules/rules.h"
#include "kernel/user/calls.h"
#include "platform/platform.h"

enum { PAGE = 8192, TURNS = 3, LARGE = 4096 };

#define KERNEL_TEXT 0xfffffc0000100000ul
#define NOT_MAPPED 0x1f00000ul
#define NO_ADDRESS 0x10000000000ul /* neither mapped nor KSEG */

static uint64_t not_ours;
static volatile uint64_t *shared; /* by this program's threads */

static void load_from(uint64_t address)
{
	(void)*(const volatile uint64_t *)address;
}

static void store_to(uint64_t address)
{
	*(volatile uint64_t *)address = 1;
}

static void jump_to(uint64_t address)
{
	((void (*)(void))address)();
}

static void load_kernel(uint64_t n)
{
	load_from(KERNEL_TEXT);
}

static void store_kernel(uint64_t n)
{
	store_to(KERNEL_TEXT);
}

static void jump_kernel(uint64_t n)
{
	jump_to(KERNEL_TEXT);
}

static void load_other(uint64_t n)
{
	load_from(not_ours);
}

static void store_other(uint64_t n)
{
	store_to(not_ours);
}

static void jump_other(uint64_t n)
{
	jump_to(not_ours);
}

static void load_nothing(uint64_t n)
{
	load_from(NOT_MAPPED);
}

static void store_nothing(uint64_t n)
{
	store_to(NOT_MAPPED);
}

static void jump_nothing(uint64_t n)
{
	jump_to(NOT_MAPPED);
}

static void load_null(uint64_t n)
{
	load_from(0);
}

static void load_no_address(uint64_t n)
{
	load_from(NO_ADDRESS);
}

static void load_misaligned(uint64_t n)
{
	load_from((uintptr_t)shared + 1);
}

static void store_code(uint64_t n)
{
	store_to((uintptr_t)load_kernel & -8ul);
}

static void jump_data(uint64_t n)
{
	jump_to((uintptr_t)shared);
}

static void call_privileged(uint64_t n)
{
	privileged_call();
}

static void use_registers(uint64_t n)
{
	privileged_instruction();
}

static void divide(uint64_t n)
{
	shared[0] = 7 / shared[1];
}

static void show_stack(uint64_t n)
{
	shared[0] = (uintptr_t)__builtin_frame_address(0);
}

/* Loads a word of the stack of a thread that has ended. */
static void load_dead_stack(uint64_t n)
{
	user_wait(user_start(show_stack, 0, PRIORITY_USER));
	load_from(shared[0] & -8ul);
}

/* Below the stack is a page of nobody's, and below that `shared`. */
static uint64_t deep(uint64_t n)
{
	volatile uint8_t room[LARGE];

	room[0] = (uint8_t)n;
	return n ? deep(n - 1) + room[0] : 0;
}

static void overflow_stack(uint64_t n)
{
	for (int i = 0; i < PAGE / 8; i++)
		shared[i] = ~0ul;
	deep(100);
}

static void nothing_below_stack(uint64_t n)
{
	uint64_t changed = 0;

	for (int i = 0; i < PAGE / 8; i++) {
		changed += shared[i] != ~0ul;
		shared[i] = 0;
	}
	user_exit((int)changed);
}

static void stack_anywhere(uint64_t n)
{
	static const uint64_t places[] = { KERNEL_TEXT + 0x100000, NOT_MAPPED, NO_ADDRESS, 1, 0 };
	uint64_t *bytes = user_memory(PAGE);
	uint64_t changed = 0;

	for (uint64_t i = 0; i < sizeof places / sizeof places[0]; i++)
		spin_with_stack(places[i]);
	for (int i = 0; i < PAGE / 8; i++)
		bytes[i] = ~0ul;
	spin_with_stack((uintptr_t)bytes + PAGE / 2);
	for (int i = 0; i < PAGE / 8; i++)
		changed += bytes[i] != ~0ul;
	user_exit((int)changed);
}

/* Two that never call: each needs the other to go on. */
static void turns(uint64_t n)
{
	for (uint64_t i = 0; i < TURNS; i++) {
		while (shared[2] != 2 * i)
			;
		shared[2] = 2 * i + 1;
	}
}

static void take_turns(uint64_t n)
{
	int other = user_start(turns, 0, PRIORITY_USER);

	for (uint64_t i = 0; i < TURNS; i++) {
		while (shared[2] != 2 * i + 1)
			;
		shared[2] = 2 * i + 2;
	}
	user_exit(user_wait(other) == 0 ? (int)shared[2] : -1);
}

/* Calls with addresses that they must refuse. */
static void bad_arguments(uint64_t n)
{
	static const uint64_t bad[] = { KERNEL_TEXT, NOT_MAPPED, NO_ADDRESS, 0x1000000 };
	int socket = user_socket(), refused = 0;
	struct socket_name *misaligned = (struct socket_name *)((uintptr_t)shared + 1);

	for (uint64_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		refused +=
		    user_call(CALL_RECEIVE, (uint64_t)socket, bad[i], 8, 0, 0) == ERROR_BAD_ADDRESS;
	refused += user_call(CALL_RECEIVE, (uint64_t)socket, (uintptr_t)shared, 8,
			     (uintptr_t)misaligned, 0) == ERROR_BAD_ADDRESS;
	refused += user_call(CALL_LOCK, (uintptr_t)shared + 4, 0, 0, 0, 0) == ERROR_BAD_ADDRESS;
	refused += user_call(CALL_PRINT, KERNEL_TEXT, 8, 0, 0, 0) == ERROR_BAD_ADDRESS;
	user_exit(refused);
}

static const struct rule {
	const char *name;
	void (*breaks)(uint64_t n);
} rules[] = {
	{ "load_kernel", load_kernel },
	{ "store_kernel", store_kernel },
	{ "jump_kernel", jump_kernel },
	{ "load_other", load_other },
	{ "store_other", store_other },
	{ "jump_other", jump_other },
	{ "load_nothing", load_nothing },
	{ "store_nothing", store_nothing },
	{ "jump_nothing", jump_nothing },
	{ "load_null", load_null },
	{ "load_no_address", load_no_address },
	{ "load_misaligned", load_misaligned },
	{ "store_code", store_code },
	{ "jump_data", jump_data },
	{ "call_privileged", call_privileged },
	{ "use_registers", use_registers },
	{ "divide", divide },
	{ "load_dead_stack", load_dead_stack },
	{ "overflow_stack", overflow_stack },
	{ "nothing_below_stack", nothing_below_stack },
	{ "stack_anywhere", stack_anywhere },
	{ "take_turns", take_turns },
	{ "bad_arguments", bad_arguments },
};

/* Prints the meaning of a status: so many, or a call_error. */
static void say_status(int status)
{
	user_print(status < 0 ? " -" : " ");
	user_print_number((uint64_t)(status < 0 ? -status : status));
	user_print("\n");
}

static void run(uint64_t argument)
{
	int child;

	not_ours = ((const struct boot_params *)argument)->seed;
	shared = user_memory(PAGE);
	for (uint64_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		user_print(rules[i].name);
		user_print("\n");
		child = user_start(rules[i].breaks, i, PRIORITY_USER);
		say_status(user_wait(child));
	}
}

const struct program first_program = { .name = "rules", .entry = run, .priority = PRIORITY_USER };
