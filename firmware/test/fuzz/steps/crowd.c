/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/crowd.h"

#include "platform/host/host.h"
#include "protocols/tcp/tcp_private.h"
#include "test/fuzz/bins.h"
#include "test/fuzz/check.h"
#include "test/fuzz/steps/acts.h"
#include "test/fuzz/steps/conversations.h"
#include "test/host/users.h"
#include "xkernel/byteorder.h"

/* The habits of a seat's user. */
enum mood {
	KEEPS_SPACE = 1,
	ECHOES = 2,
	CLOSES_ON_DATA = 4,
	CLOSES_ON_PEER = 8,
	GIVES_A_PART = 16 /* of its room, half of what has come */
};
enum { MAX_PUSH = 3000, MAX_ECHO = 600 };

static struct seat {
	struct xobj *session; /* it holds a reference */
	unsigned opening;
	unsigned busy; /* upcalls and pushes in progress: they hold references too */
	int lingers;   /* it gave its own back while others were held: upcalls may go on */
	uint8_t mood;
} seats[CONVERSATIONS];
static struct xobj *self_protocol;
static int refuses, ignores, listens;

static struct seat *seat_of(const struct xobj *session)
{
	const struct tcp *t = session->state;
	int n = conversation_of(swap32((uint32_t)(t->key >> 32)), swap16(t->key & 0xffff));

	return n < 0 ? NULL : &seats[n];
}

/* An upcall about data or the peer's FIN: only to whoever has the session, or is about to. */
static struct seat *must_be_kept(const struct xobj *session)
{
	struct seat *seat = seat_of(session);

	if (!seat || (seat->session != session && !seat->opening && !seat->lingers))
		fuzz_fail("TCP's user hears of a session that it has given back");
	return seat;
}

static void is_free_again(struct seat *seat)
{
	if (--seat->busy == 0)
		seat->lingers = 0;
}

static void give_back(struct seat *seat, unsigned own_upcalls)
{
	struct xobj *session = seat->session;
	const struct tcp *t = session->state;

	if (t->queue.bytes && !t->send_window)
		bin(BIN_CLOSES_OVER_A_SHUT_WINDOW);
	seat->session = NULL;
	seat->lingers = seat->busy > own_upcalls;
	xClose(session);
}

/* Every byte is the one that belongs at its sequence number. */
static void check_bytes(const struct xobj *session, const struct msg *m)
{
	static uint8_t data[TCP_MAX_WINDOW + 1];
	const struct tcp *t = session->state;
	uint32_t bytes = (uint32_t)msg_bytes(m);

	if (bytes > sizeof data)
		fuzz_fail("TCP has handed up more than it can have offered");
	msg_copy_out(m, data);
	for (uint32_t i = 0; i < bytes; i++)
		if (data[i] != stream_byte(t->receive_next - bytes + i))
			fuzz_fail("TCP has handed up another byte than was sent");
}

static void make_room(const struct seat *seat, struct xobj *session, uint32_t bytes)
{
	const struct tcp *t = session->state;
	uint32_t room = seat->mood & GIVES_A_PART ? t->receive_space + bytes / 2 : UINT32_MAX;

	if (seat->mood & KEEPS_SPACE)
		bin(BIN_UPCALL_KEEPS_ROOM);
	else
		xControl(session, TCP_SET_RECEIVE_SPACE, &room, sizeof room);
	if (seat->mood & GIVES_A_PART)
		bin(BIN_UPCALL_GIVES_A_PART);
}

static int crowd_demux(struct xobj *, struct xobj *session, struct msg *m)
{
	struct seat *seat = must_be_kept(session);

	check_bytes(session, m);
	seat->busy++;
	make_room(seat, session, (uint32_t)msg_bytes(m));
	if (seat->mood & ECHOES && msg_bytes(m) <= MAX_ECHO) {
		const struct tcp *t = session->state;

		bin(t->queue.bytes < t->queue.limit ? BIN_UPCALL_ECHOES
						    : BIN_UPCALL_PUSHES_INTO_A_FULL_QUEUE);
		xPush(session, m);
	}
	if (seat->mood & CLOSES_ON_DATA && seat->session == session) {
		bin(BIN_UPCALL_CLOSES);
		give_back(seat, 1);
	}
	is_free_again(seat);
	return XK_OK;
}

static int crowd_open_done(struct xobj *, struct xobj *session, struct xobj *)
{
	struct seat *seat = seat_of(session);

	if (!listens)
		fuzz_fail("TCP's user hears of a connection to a port that it has closed");
	if (refuses) {
		bin(BIN_REFUSES);
		return XK_ERROR;
	}
	if (ignores)
		bin(BIN_IGNORES);
	if (seat && !seat->session && !seat->opening && !ignores)
		seat->session = xDuplicate(session);
	return XK_OK;
}

static void crowd_close_done(struct xobj *, struct xobj *session, enum xk_close why)
{
	struct seat *seat = seat_of(session);

	if (why == XK_CLOSE_PEER) {
		must_be_kept(session);
		if (!(seat->mood & CLOSES_ON_PEER))
			return;
		bin(BIN_CLOSES_WITH_THE_PEER);
	}
	if (seat && seat->session == session)
		give_back(seat, 0);
}

USER_PROTOCOL(crowd, .demux = crowd_demux, .open_done = crowd_open_done,
	      .close_done = crowd_close_done)

static void open_one(const uint8_t *)
{
	const uint16_t port = (uint16_t)(CONVERSATION_PORT + conversation_now());
	const uint32_t host = 0x0a000002 + conversation_now() % PEERS;
	struct seat *seat = &seats[conversation_now()];
	struct xobj *session;
	struct part parts[2];

	if (seat->session || seat->opening)
		return;
	parts_of(parts, &host, &port, NULL);
	bin(BIN_OPENS);
	seat->opening++;
	session = xOpen(self_protocol, self_protocol, self_protocol->down[0], parts);
	seat->opening--;
	seat->session = session;
}

static void close_one(const uint8_t *)
{
	struct seat *seat = &seats[conversation_now()];

	if (!seat->session)
		return;
	bin(BIN_CLOSES);
	give_back(seat, 0);
}

static void push_one(const uint8_t *step)
{
	static const uint8_t text[MAX_PUSH] = "what the crowd says";
	struct seat *seat = &seats[conversation_now()];
	struct xobj *session = seat->session;
	struct msg m;

	if (!session || msg_init_copy(&m, text, 1 + (step[2] * 256u + step[3]) % MAX_PUSH))
		return;
	bin(BIN_PUSHES);
	seat->busy++;
	push_held(session, &m);
	is_free_again(seat);
}

static void listen_or_not(int wanted)
{
	static const uint16_t port = CROWD_PORT;
	struct part parts[2];

	if (wanted == listens)
		return;
	parts_of(parts, NULL, NULL, &port);
	if ((wanted ? xOpenEnable : xOpenDisable)(self_protocol, self_protocol,
						  self_protocol->down[0], parts) == XK_OK)
		listens = wanted;
}

static void enable_one(const uint8_t *step)
{
	bin(BIN_LISTENS_OR_NOT);
	listen_or_not(step[2] % 4 != 1);
}

static void change_mood(const uint8_t *step)
{
	bin(BIN_CHANGES_ITS_MOOD);
	seats[conversation_now()].mood = step[2];
	refuses = step[3] == 1;
	ignores = step[3] == 2;
}

static enum bin bin_of_room(const struct xobj *session, uint32_t bytes)
{
	if (!bytes)
		return BIN_GIVES_NO_ROOM;
	return bytes < ((const struct tcp *)session->state)->receive_size
		   ? BIN_GIVES_A_PART_OF_ITS_ROOM
		   : BIN_GIVES_ALL_ITS_ROOM;
}

static void control_one(const uint8_t *step)
{
	static const int operations[] = { TCP_SET_RECEIVE_SPACE, TCP_SET_RECEIVE_SIZE,
					  TCP_SET_SEND_SIZE,	 TCP_SET_NO_DELAY,
					  TCP_SET_KEEPALIVE,	 TCP_SHUTDOWN,
					  TCP_SHUTDOWN,		 TCP_ABORT };
	struct xobj *session = seats[conversation_now()].session;
	int op = operations[step[2] % 8];
	uint32_t number = op == TCP_SET_RECEIVE_SPACE ? step[3] * 64u
			  : op == TCP_SET_KEEPALIVE   ? step[3]
						      : step[3] * 256u + 1;

	static const enum bin bins[] = {
		BINS,	       BIN_OTHER_RECEIVE_BUFFER, BIN_OTHER_SEND_BUFFER, BIN_NO_DELAY,
		BIN_KEEPALIVE, BIN_SHUTS_DOWN,		 BIN_SHUTS_DOWN,	BIN_ABORTS
	};

	if (!session)
		return;
	bin(op == TCP_SET_RECEIVE_SPACE ? bin_of_room(session, number) : bins[step[2] % 8]);
	xDuplicate(session);
	xControl(session, op, &number, sizeof number);
	xClose(session);
}

static const struct acts acts = {
	.open = open_one,
	.close = close_one,
	.push = push_one,
	.enable = enable_one,
	.answer = change_mood,
	.control = control_one,
};

void crowd_step(const uint8_t *step)
{
	act(&acts, step);
}

void crowd_opens(void)
{
	static const uint8_t opens[16];

	crowd_step(opens);
}

IN_KERNEL(crowd_listens)
{
	refuses = ignores = 0;
	listen_or_not(1);
}

IN_KERNEL(crowd_ends)
{
	listen_or_not(0);
	for (int n = 0; n < CONVERSATIONS; n++) {
		seats[n].mood = 0;
		if (seats[n].session)
			give_back(&seats[n], 0);
	}
}

unsigned crowd_waits(void)
{
	unsigned waits = 0;

	for (int n = 0; n < CONVERSATIONS; n++)
		waits += seats[n].opening;
	return waits;
}

uint64_t crowd_talks(void)
{
	return ((const struct tcp_protocol *)self_protocol->down[0]->state)->active.entries;
}
