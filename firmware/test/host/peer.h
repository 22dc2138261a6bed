/* SPDX-License-Identifier: BSD-2-Clause */
/* The other end of the wire, by script: frames in, frames expected, in virtual milliseconds.
 *
 * The kernel under test is 10.0.0.1, the peer 10.0.0.2. Sequence numbers in scripts are relative:
 * ours to peer_initial, the kernel's to its own SYN; the SYN is 0, the first byte 1. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "platform/host/host.h"
#include "protocols/tcp/tcp_header.h"
#include "xkernel/upi.h"

enum { F = TCP_FIN, S = TCP_SYN, R = TCP_RST, P = TCP_PSH, A = TCP_ACK };
enum { KERNEL_PORT = 2001, PEER_PORT = 5000, PEER_WINDOW = 8192, KERNEL_WINDOW = 4096 };

struct segment { /* one of the kernel's */
	uint32_t sequence, ack, flags, window, segment_max, bytes;
	uint16_t source, destination;
	uint8_t data[1460];
	double ms; /* when it was sent */
	uint32_t ident;
};

/* Mistakes in the next frame; all zero: none. */
struct twist {
	int bad_ip_checksum, bad_tcp_checksum;
	int version, header_words; /* instead of 4, 5 */
	int total_delta;	   /* added to the IP total length */
	int ttl_zero;
	uint32_t destination, source; /* host order */
	int protocol, fragment;
	int offset_words; /* TCP's, instead of 5 */
	const char *ip_options, *tcp_options;
	size_t ip_option_bytes, tcp_option_bytes;
	int ethertype, to_broadcast, to_other, from_other;
	int cut;       /* bytes off the end of the frame */
	uint16_t port; /* the kernel's */
	uint16_t from_port;
	int frame_padding; /* bytes behind the datagram */
};
extern struct twist twist;
extern uint32_t peer_initial, kernel_initial;
extern uint32_t peer_window;
extern uint16_t kernel_port, peer_port;
extern uint8_t peer_number; /* 10.0.0.n, and the last byte of its station address */

void kernel_start(void);		 /* with the user protocol on top, see user.h */
void kernel_start_stack(uint64_t stack); /* 1: the RPC stack with the caller on top, caller.h */
int kernel_begin(uint64_t stack); /* the same, which may fail: its exit code, or HOST_RUNNING */
struct xobj *kernel_object(const char *name); /* a protocol of the TCP stack's graph */
int kernel_control(struct xobj *session, int op, uint32_t *value); /* in a thread of its own */
double now_ms(void);
void wait_ms(double ms);

void peer_tcp(uint32_t flags, uint32_t sequence, uint32_t ack, const void *data, size_t bytes);
void peer_tcp_window(uint32_t flags, uint32_t sequence, uint32_t ack, uint32_t window);
void peer_frame(const void *frame, size_t bytes);

struct ip_fields { /* zero: our identification, the kernel's address */
	uint32_t protocol, ident, fragment, destination;
};

/* With headers of Ethernet and IP around what is at frame + 34 already; the frame is padded. A
 * station address that is there stays. */
void peer_ip(uint8_t *frame, size_t payload, struct ip_fields ip);
void peer_ethernet(uint8_t *frame, size_t bytes, uint32_t type); /* Ethernet's header alone */

/* The kernel's next frame or segment, now or within so many ms; 0: none. A segment is checked in
 * full. */
int next_frame(struct host_frame *f, double ms);
int next_segment(struct segment *g, double ms);
void drop_frames(void); /* all that it has sent */

/* The kernel's next segment, now or within 200 s; the case fails if it is another, or none. */
struct segment expect(uint32_t flags, uint32_t sequence, uint32_t ack, uint32_t bytes);
struct segment expect_any(void);
/* The peer's segment is acknowledged up to `next` at once; the ACK is from where the segment's is.
 */
void peer_acked(uint32_t flags, uint32_t sequence, uint32_t ack, const void *data, size_t bytes,
		uint32_t next);
void user_closes(uint32_t sequence, uint32_t ack); /* the FIN is sent */
void user_sends(const void *data, size_t bytes, uint32_t flags, uint32_t sequence, uint32_t ack);
void expect_quiet(double ms); /* no frame at all in so many ms from now */

/* Handshakes, to (1, 1). */
enum { SEGMENT = 512 }; /* the kernel's, for a peer that says nothing of it */
uint32_t four_under_way(const void *data,
			size_t more); /* from 1537 on; behind them, the next byte */
void peer_connects(void);	      /* the user listens already */
void peer_opens(void);		      /* its SYN is answered */
void listening(void);		      /* the kernel, and the user listens */
void half_open(void);		      /* and the peer has opened */
void connected(void);		      /* and the peer has connected */
