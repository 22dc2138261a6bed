/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "platform/host/host.h"
#include "test/host/case.h"
#include "xkernel/message/msg.h"
#include "xkernel/switches.h"

static void expect_text(const struct msg *m, const char *text)
{
	char got[4096];

	CHECK_EQUAL(msg_bytes(m), strlen(text));
	msg_copy_out(m, got);
	CHECK(!memcmp(got, text, strlen(text)));
}

static void make(struct msg *m, const char *text)
{
	CHECK_EQUAL(msg_init_copy(m, text, strlen(text)), 0);
}

CASE(msg_push_and_pop)
{
	struct msg m;

	make(&m, "data");
	memcpy(msg_push(&m, 4), "tcp.", 4);
	memcpy(msg_push(&m, 3), "ip.", 3);
	expect_text(&m, "ip.tcp.data");
	CHECK(!memcmp(msg_pop(&m, 3), "ip.", 3));
	CHECK(!memcmp(msg_pop(&m, 4), "tcp.", 4));
	expect_text(&m, "data");
	CHECK(!msg_pop(&m, 5));
	expect_text(&m, "data");
	msg_destroy(&m);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

CASE(msg_push_beyond_the_stack)
{
	struct msg m;
	char big[200];

	make(&m, "data");
	memset(big, 'h', sizeof big);
	memcpy(msg_push(&m, sizeof big), big, sizeof big);
	CHECK_EQUAL(msg_bytes(&m), 204);
	CHECK(!memcmp(msg_pop(&m, 200), big, 200));
	expect_text(&m, "data");
	msg_destroy(&m);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

CASE(msg_pop_gathers)
{
	struct msg a, b, c;

	make(&a, "ab");
	make(&b, "cd");
	make(&c, "efgh");
	CHECK_EQUAL(msg_join(&a, &b), 0);
	CHECK_EQUAL(msg_join(&a, &c), 0);
	msg_destroy(&b);
	msg_destroy(&c);
	expect_text(&a, "abcdefgh");
	CHECK(!memcmp(msg_pop(&a, 5), "abcde", 5));
	expect_text(&a, "fgh");
	CHECK(!msg_pop(&a, 4));
	CHECK(!memcmp(msg_pop(&a, 3), "fgh", 3));
	CHECK_EQUAL(msg_bytes(&a), 0);
	msg_destroy(&a);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

/* Bytes that one message pushes must never show in another that shares its bytes. */
CASE(msg_sharing)
{
	struct msg m, copy;

	make(&m, "headerdata");
	msg_share(&copy, &m);
	CHECK(!memcmp(msg_pop(&m, 6), "header", 6));
	memcpy(msg_push(&m, 6), "HEADER", 6);
	expect_text(&copy, "headerdata");
	expect_text(&m, "HEADERdata");
	memcpy(msg_push(&copy, 2), "c:", 2);
	memcpy(msg_push(&m, 2), "m:", 2);
	expect_text(&copy, "c:headerdata");
	expect_text(&m, "m:HEADERdata");
	msg_destroy(&m);
	expect_text(&copy, "c:headerdata");
	msg_destroy(&copy);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

CASE(msg_breaking_and_joining)
{
	struct msg m, head;

	make(&m, "0123456789");
	CHECK_EQUAL(msg_break(&m, &head, 4), 0);
	expect_text(&head, "0123");
	expect_text(&m, "456789");
	memcpy(msg_push(&m, 1), "M", 1);
	memcpy(msg_push(&head, 1), "H", 1);
	expect_text(&head, "H0123");
	expect_text(&m, "M456789");
	CHECK_EQUAL(msg_join(&head, &m), 0);
	msg_destroy(&m);
	expect_text(&head, "H0123M456789");
	msg_destroy(&head);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

CASE(msg_truncating)
{
	struct msg a, b;

	make(&a, "abcd");
	make(&b, "efgh");
	CHECK_EQUAL(msg_join(&a, &b), 0);
	msg_destroy(&b);
	msg_truncate(&a, 100);
	expect_text(&a, "abcdefgh");
	msg_truncate(&a, 6);
	expect_text(&a, "abcdef");
	msg_discard(&a, 1);
	expect_text(&a, "bcdef");
	msg_truncate(&a, 2);
	expect_text(&a, "bc");
	msg_discard(&a, 9);
	expect_text(&a, "");
	msg_destroy(&a);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

/* Against a plain array, by a fixed sequence of random steps. */
CASE(msg_random_steps)
{
	static uint8_t model[1 << 16];
	size_t bytes = 0;
	uint64_t random = 12345;
	struct msg m;

	msg_init_empty(&m);
	for (int step = 0; step < 20000; step++) {
		uint8_t piece[64], got[8192];
		size_t n;

		random = random * 6364136223846793005 + 1442695040888963407;
		n = 1 + (random >> 40) % 60;
		memset(piece, (int)(random >> 20 & 0xff), sizeof piece);
		switch (random >> 61) {
		case 0:
		case 1:
			if (bytes > 4000)
				break;
			memcpy(msg_push(&m, n), piece, n);
			memmove(model + n, model, bytes);
			memcpy(model, piece, n);
			bytes += n;
			break;
		case 2:
		case 3: {
			struct msg behind;

			if (bytes > 4000)
				break;
			CHECK_EQUAL(msg_init_copy(&behind, piece, n), 0);
			CHECK_EQUAL(msg_join(&m, &behind), 0);
			msg_destroy(&behind);
			memcpy(model + bytes, piece, n);
			bytes += n;
			break;
		}
		case 4: {
			const uint8_t *h = msg_pop(&m, n);

			CHECK_EQUAL(h != NULL, n <= bytes);
			if (!h)
				break;
			CHECK(!memcmp(h, model, n));
			bytes -= n;
			memmove(model, model + n, bytes);
			break;
		}
		case 5:
			n = n > bytes ? bytes : n;
			msg_discard(&m, n);
			bytes -= n;
			memmove(model, model + n, bytes);
			break;
		case 6:
			n = n > bytes ? bytes : n;
			bytes -= n;
			msg_truncate(&m, bytes);
			break;
		default: {
			struct msg copy;

			msg_share(&copy, &m);
			if (bytes > 3)
				msg_pop(&copy, 3);
			memset(msg_push(&copy, 9), 0xee, 9);
			msg_destroy(&copy);
			break;
		}
		}
		CHECK_EQUAL(msg_bytes(&m), bytes);
		msg_copy_out(&m, got);
		CHECK(!memcmp(got, model, bytes));
	}
	msg_destroy(&m);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

CASE(msg_failed_allocation_changes_nothing)
{
	struct msg m, other, copy;

	make(&m, "ab");
	make(&other, "cd");
	host_fail_allocations(0, 1);
	CHECK_EQUAL(msg_join(&m, &other), 0); /* needs none: m has no rest */
	expect_text(&m, "abcd");
	host_fail_allocations(0, 1);
	CHECK(!msg_pop(&m, 3));
	expect_text(&m, "abcd");
	host_fail_allocations(0, 1);
	CHECK_EQUAL(msg_join(&m, &other), -1);
	expect_text(&m, "abcd");
	msg_share(&copy, &m);
	for (uint64_t skip = 0; skip < 2; skip++) {
		host_fail_allocations(skip, 1);
		CHECK(!msg_push(&copy, 8));
		expect_text(&copy, "abcd");
	}
	host_fail_allocations(0, 0);
	msg_destroy(&copy);
	msg_destroy(&m);
	msg_destroy(&other);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}

CASE(msg_refresh)
{
	struct msg m, kept;

	CHECK_EQUAL(msg_init_frame(&m), 0);
	uint8_t *start = m.head;
	CHECK_EQUAL((uintptr_t)start & 15, 2);
	CHECK(msg_front_bytes(&m) >= 1518);
	m.tail = m.head + 60;
	msg_pop(&m, 14);
	uint64_t before = host_allocations();
	CHECK_EQUAL(msg_refresh_frame(&m), 0);
	CHECK(m.head == start || !XK_REFRESH);
	CHECK_EQUAL(host_allocations() - before, XK_REFRESH ? 0 : 1);
	m.tail = m.head + 60;
	msg_share(&kept, &m); /* someone keeps the bytes: a new leaf */
	memset(m.head, 'k', 60);
	CHECK_EQUAL(msg_refresh_frame(&m), 0);
	memset(m.head, 'n', 60);
	CHECK_EQUAL(kept.head[59], 'k');
	msg_destroy(&kept);
	msg_destroy(&m);
	CHECK_EQUAL(host_blocks_in_use(), 0);
}
