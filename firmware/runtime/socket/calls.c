/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of sys/socket.h, by those of the stack: numbers for sockets, errno for errors. */
#include "runtime/socket/calls.h"

#include "bsd/error.h"
#include "bsd/inet/in_pcb.h"
#include "bsd/kern/sleep.h"
#include "bsd/net/arp.h"
#include "bsd/tcp/tcp.h"
#include "errno.h"
#include "platform/platform.h"
#include "string.h"
#include "sys/socket.h"
#include "unistd.h"
#include "xkernel/byteorder.h"
#include "xkernel/thread/event.h"

enum { FIRST = 3, FILES = 64, MOST = 1 << 30 };

struct waiting waiting;

static struct socket *files[FILES]; /* the first three are no sockets */

static int result_of(int error)
{
	if (!error)
		return 0;
	errno = error;
	return -1;
}

/* NULL, and errno is set: not a socket. */
static struct socket *socket_of(int file)
{
	if (file >= FIRST && file < FILES && files[file])
		return files[file];
	errno = EBADF;
	return NULL;
}

/* Its number; it is closed if there is none left. */
static int keep(struct socket *so)
{
	for (int file = FIRST; file < FILES; file++)
		if (!files[file]) {
			files[file] = so;
			return file;
		}
	soclose(so);
	return result_of(EMFILE);
}

/* Is it an address of ours to read? Else errno is set. */
static int is_name(const struct sockaddr *name, socklen_t bytes)
{
	if (!name || bytes < sizeof(struct sockaddr_in))
		return result_of(EINVAL) == 0;
	return result_of(name->sa_family == AF_INET ? 0 : EAFNOSUPPORT) == 0;
}

static struct in_name in_name_of(const struct sockaddr *name)
{
	struct sockaddr_in in;

	memcpy(&in, name, sizeof in);
	return (struct in_name){ in.sin_addr.s_addr, in.sin_port };
}

static void wait_begins(const char *call, int file, const char *since_what)
{
	const struct inpcb *p = files[file]->pcb;

	waiting = (struct waiting){ call, since_what, file, p ? swap16(p->local_port) : 0 };
}

static int wait_ends(int error)
{
	waiting.call = NULL;
	return result_of(error);
}

int socket(int domain, int type, int protocol)
{
	struct socket *so;

	if (domain != AF_INET)
		return result_of(EAFNOSUPPORT);
	if (type != SOCK_STREAM || (protocol && protocol != IPPROTO_TCP))
		return result_of(EPROTONOSUPPORT);
	if (result_of(socreate(&so, &tcp_protocol)))
		return -1;
	return keep(so);
}

int bind(int file, const struct sockaddr *name, socklen_t bytes)
{
	struct socket *so = socket_of(file);
	struct in_name own;

	if (!so || !is_name(name, bytes))
		return -1;
	own = in_name_of(name);
	return result_of(sobind(so, &own));
}

int listen(int file, int backlog)
{
	struct socket *so = socket_of(file);

	return so ? result_of(solisten(so, backlog > 0 ? (uint32_t)backlog : 1)) : -1;
}

int accept(int file, struct sockaddr *from, socklen_t *bytes)
{
	struct socket *head = socket_of(file), *so;
	struct sockaddr_in in = { .sin_family = AF_INET };
	const struct inpcb *p;

	if (!head)
		return -1;
	if (!(head->options & SOCKET_ACCEPTS))
		return result_of(EINVAL);
	wait_begins("accept", file, "no program has connected");
	if (wait_ends(soaccept(head, &so, 1)))
		return -1;
	p = so->pcb;
	if (p) {
		in.sin_port = p->foreign_port;
		in.sin_addr.s_addr = p->foreign_host;
	}
	if (from && bytes) {
		memcpy(from, &in, *bytes < sizeof in ? *bytes : sizeof in);
		*bytes = sizeof in;
	}
	return keep(so);
}

int connect(int file, const struct sockaddr *to, socklen_t bytes)
{
	struct socket *so = socket_of(file);
	struct in_name name;

	if (!so || !is_name(to, bytes))
		return -1;
	name = in_name_of(to);
	if (!arp_resolve(name.host))
		return result_of(EHOSTUNREACH);
	wait_begins("connect", file, "the other machine has not answered");
	waiting.port = swap16(name.port);
	return wait_ends(soconnect(so, &name, 1));
}

ssize_t send(int file, const void *from, size_t bytes, int flags)
{
	struct socket *so = socket_of(file);
	uint32_t done = bytes < MOST ? (uint32_t)bytes : MOST;
	int error;

	if (!so)
		return -1;
	if (flags)
		return result_of(EOPNOTSUPP);
	wait_begins("send", file, "the other program has not read what was sent before");
	error = sosend(so, from, &done);
	return wait_ends(done ? 0 : error) ? -1 : (ssize_t)done;
}

ssize_t recv(int file, void *to, size_t room, int flags)
{
	struct socket *so = socket_of(file);
	uint32_t done = room < MOST ? (uint32_t)room : MOST;
	int error, how = 0;

	if (!so)
		return -1;
	if (flags & ~(MSG_PEEK | MSG_DONTWAIT))
		return result_of(EOPNOTSUPP);
	how |= flags & MSG_PEEK ? RECEIVE_PEEK : 0;
	how |= flags & MSG_DONTWAIT ? RECEIVE_NO_WAIT : 0;
	wait_begins("recv", file, "the other program has neither sent nor closed");
	error = soreceive(so, to, &done, how);
	return wait_ends(done ? 0 : error) ? -1 : (ssize_t)done;
}

int shutdown(int file, int how)
{
	struct socket *so = socket_of(file);

	if (!so)
		return -1;
	return result_of(how == SHUT_WR ? soshutdown(so) : EINVAL);
}

int setsockopt(int file, int level, int option, const void *value, socklen_t bytes)
{
	struct socket *so = socket_of(file);
	int on;

	if (!so)
		return -1;
	if (level != IPPROTO_TCP || option != TCP_NODELAY)
		return result_of(ENOPROTOOPT);
	if (bytes != sizeof on)
		return result_of(EINVAL);
	memcpy(&on, value, sizeof on);
	tcp_set_no_delay(so, on);
	return 0;
}

int close(int file)
{
	struct socket *so = socket_of(file);

	if (!so)
		return -1;
	files[file] = NULL;
	return result_of(soclose(so));
}

void sockets_close(void)
{
	for (int file = FIRST; file < FILES; file++)
		if (files[file])
			close(file);
}

static void wake(void *channel)
{
	wakeup(channel);
}

int usleep(unsigned us)
{
	static struct event end;

	event_schedule(&end, wake, &end, us);
	return result_of(tsleep(&end) ? EINTR : 0);
}

in_addr_t mcpi_host(int node)
{
	const struct boot_params *boot = plat_boot();

	return swap32((uint32_t)((uint64_t)node == boot->role ? boot->ip : boot->peer_ip));
}
