/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: every kind of segment in every synchronised state, as RFC 793 3.9 has it. Each cell of the
 * table runs in a process of its own. */
#include <sys/wait.h>
#include <unistd.h>

#include "platform/host/host.h"
#include "protocols/tcp/tcp.h"
#include "test/case.h"
#include "test/peer.h"
#include "test/user.h"

static void reach_syn_received(void)
{
	listening();
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
}

static void reach_established(void)
{
	connected();
}

static void reach_fin_wait_1(void)
{
	reach_established();
	user_control(TCP_SHUTDOWN, 0);
	expect(F | A, 1, 1, 0);
}

static void reach_fin_wait_2(void)
{
	reach_fin_wait_1();
	peer_tcp(A, 1, 2, NULL, 0);
}

static void reach_close_wait(void)
{
	reach_established();
	peer_tcp(F | A, 1, 1, NULL, 0);
	expect(A, 1, 2, 0);
}

static void reach_closing(void)
{
	reach_fin_wait_1();
	peer_tcp(F | A, 1, 1, NULL, 0);
	expect(A, 2, 2, 0);
}

static void reach_last_ack(void)
{
	reach_close_wait();
	user_control(TCP_SHUTDOWN, 0);
	expect(F | A, 1, 2, 0);
}

static void reach_time_wait(void)
{
	reach_fin_wait_2();
	peer_tcp(F | A, 1, 2, NULL, 0);
	expect(A, 2, 2, 0);
}

/* What comes. p: the next byte from the peer; ack: acknowledges all but a FIN of ours; k: all. */
enum event {
	RESET_LEFT_EDGE,
	RESET_LEFT_OF_WINDOW,
	RESET_RIGHT_EDGE,
	RESET_RIGHT_OF_WINDOW,
	SYN_IN_WINDOW,
	SYN_LEFT_OF_WINDOW,
	ACK_OF_UNSENT,
	NO_ACK_FLAG,
	OLD_DATA,
	NEW_FIN,
	OLD_FIN,
	NEW_DATA,
	ACK_OF_ALL,
	EVENTS
};

struct row {
	void (*reach)(void);
	uint32_t state, p, ack, k;
	/* For each event two characters: what is sent (- nothing, A ack, R reset, S SYN+ACK), and
	 * the state then: = the same, else its letter in `letters`. */
	const char *expected;
};

static const char letters[] = "C.sreW1gL2T"; /* by enum tcp_state; e established, W close wait */

static const struct row rows[] = {
	{ reach_syn_received, TCP_SYN_RECEIVED, 1, 1, 1, "-C -= -C -= RC S= R= -= Ae AW Ae -e -e" },
	{ reach_established, TCP_ESTABLISHED, 1, 1, 1, "-C -= -C -= RC A= A= -= A= AW A= -= -=" },
	{ reach_fin_wait_1, TCP_FIN_WAIT_1, 1, 1, 2, "-C -= -C -= RC A= A= -= A= Ag A= -= -2" },
	{ reach_fin_wait_2, TCP_FIN_WAIT_2, 1, 2, 2, "-C -= -C -= RC A= A= -= A= AT A= -= -=" },
	{ reach_close_wait, TCP_CLOSE_WAIT, 2, 1, 1, "-C -= -C -= RC A= A= -= A= -= A= -= -=" },
	{ reach_closing, TCP_CLOSING, 2, 1, 2, "-C -= -C -= RC A= A= -= A= -= A= -= -T" },
	{ reach_last_ack, TCP_LAST_ACK, 2, 1, 2, "-C -= -C -= RC A= A= -= A= -= A= -= -C" },
	{ reach_time_wait, TCP_TIME_WAIT, 2, 2, 2, "-C -= -C -= S. A= A= -= A= -= A= -= -=" },
};

static void happen(const struct row *r, enum event e)
{
	switch (e) {
	case RESET_LEFT_EDGE:
		peer_tcp(R, r->p, 0, NULL, 0);
		break;
	case RESET_LEFT_OF_WINDOW:
		peer_tcp(R, r->p - 1, 0, NULL, 0);
		break;
	case RESET_RIGHT_EDGE:
		peer_tcp(R, r->p + KERNEL_WINDOW - 2, 0, NULL, 0);
		break;
	case RESET_RIGHT_OF_WINDOW:
		peer_tcp(R, r->p + KERNEL_WINDOW, 0, NULL, 0);
		break;
	case SYN_IN_WINDOW:
		peer_tcp(S, r->p + 1, 0, NULL, 0);
		break;
	case SYN_LEFT_OF_WINDOW:
		peer_tcp(S, r->p - 1, 0, NULL, 0);
		break;
	case ACK_OF_UNSENT:
		peer_tcp(A, r->p, r->k + 1, NULL, 0);
		break;
	case NO_ACK_FLAG:
		peer_tcp(P, r->p, 0, "x", 1);
		break;
	case OLD_DATA:
		peer_tcp(A, r->p - 1, r->ack, "x", 1);
		break;
	case NEW_FIN:
		peer_tcp(F | A, r->p, r->ack, NULL, 0);
		break;
	case OLD_FIN:
		peer_tcp(F | A, r->p - 1, r->ack, NULL, 0);
		break;
	case NEW_DATA:
		peer_tcp(P | A, r->p, r->ack, "x", 1);
		break;
	default:
		peer_tcp(A, r->p, r->k, NULL, 0);
		break;
	}
}

static char sent(void)
{
	struct host_frame f;

	if (!host_take(&f))
		return '-';
	switch (f.data[47] & (R | S | A)) {
	case S | A:
		return 'S';
	case A:
		return 'A';
	default:
		return f.data[47] & R ? 'R' : '?';
	}
}

static void cell(const struct row *r, enum event e)
{
	const char *wanted = r->expected + 3 * e;
	char reply, then = '.';

	r->reach();
	struct xobj *before = user.session;
	happen(r, e);
	reply = sent();
	if (user.session && user.session == before) {
		uint32_t state = user_state();

		then = state == r->state ? '=' : letters[state];
	} else if (user.session) { /* accepted by this very segment */
		then = letters[user_state()];
	} else if (r->state == TCP_SYN_RECEIVED) { /* the user hasn't heard of it */
		peer_tcp(A, 1, 1, NULL, 0);
		then = user.session ? '=' : 'C';
	}
	if (reply == wanted[0] && (then == wanted[1] || wanted[1] == '.'))
		exit(0);
	fprintf(stderr, "state %u, event %d: expected %.2s, got %c%c\n", r->state, e, wanted, reply,
		then);
	exit(1);
}

static void row(const struct row *r)
{
	for (enum event e = 0; e < EVENTS; e++) {
		int status;
		pid_t child = fork();

		if (!child)
			cell(r, e);
		CHECK(child > 0 && waitpid(child, &status, 0) == child);
		CHECK_EQUAL(status, 0);
	}
}

CASE(tcp_any_segment_in_syn_received)
{
	row(&rows[0]);
}

CASE(tcp_any_segment_in_established)
{
	row(&rows[1]);
}

CASE(tcp_any_segment_in_fin_wait_1)
{
	row(&rows[2]);
}

CASE(tcp_any_segment_in_fin_wait_2)
{
	row(&rows[3]);
}

CASE(tcp_any_segment_in_close_wait)
{
	row(&rows[4]);
}

CASE(tcp_any_segment_in_closing)
{
	row(&rows[5]);
}

CASE(tcp_any_segment_in_last_ack)
{
	row(&rows[6]);
}

CASE(tcp_any_segment_in_time_wait)
{
	row(&rows[7]);
}
