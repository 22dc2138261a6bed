/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: fuzz RUNS SEED FOLDER        grows a corpus in FOLDER; every input in a process of its own
 *        fuzz --replay FILE...        runs inputs, each in a process of its own
 *        fuzz --once FILE             runs one in this process, for a debugger
 * Exits with 1 and keeps FOLDER/finding if an input breaks something. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/fuzz/fuzz.h"

enum { MAX_CORPUS = 4096, HANG_SECONDS = 30, PATIENT_EVERY = 50 };

static struct program corpus[MAX_CORPUS];
static size_t kept;
static uint64_t state;

static uint32_t random32(uint32_t below)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(state >> 33) % below;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void write_program(const struct program *p, const char *folder, const char *name)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "wb");
	if (!f || fwrite(p, 2 + (size_t)p->steps * STEP_BYTES, 1, f) != 1) {
		perror(path);
		exit(2);
	}
	fclose(f);
}

static struct program read_program(const char *path)
{
	struct program p = { 0 };
	FILE *f = fopen(path, "rb");
	size_t bytes;

	if (!f) {
		perror(path);
		exit(2);
	}
	bytes = fread(&p, 1, sizeof p, f);
	fclose(f);
	p.steps = bytes < 2 ? 0 : (uint8_t)((bytes - 2) / STEP_BYTES);
	return p;
}

/* 0: all is well. */
static int run_in_child(const struct program *p, int patient)
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (!child) {
		struct rlimit processor = { HANG_SECONDS, HANG_SECONDS };

		setrlimit(RLIMIT_CPU, &processor);
		fuzz_run(p, patient);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("fork");
		exit(2);
	}
	if (WIFSIGNALED(status))
		fprintf(stderr, "signal %d%s\n", WTERMSIG(status),
			WTERMSIG(status) == SIGKILL ? ": it hangs" : "");
	return status;
}

static void random_step(struct program *p, int at)
{
	/* Mostly what the scenario is about. */
	static const uint8_t usual[SCENARIOS][6] = {
		[LISTENING] = { STEP_TCP, STEP_TCP, STEP_TWISTED_TCP, STEP_WAIT, STEP_USER,
				STEP_TCP },
		[CONNECTED] = { STEP_TCP, STEP_TCP, STEP_TWISTED_TCP, STEP_WAIT, STEP_USER,
				STEP_TCP },
		[OPENING] = { STEP_TCP, STEP_TCP, STEP_TWISTED_TCP, STEP_WAIT, STEP_USER,
			      STEP_TCP },
		[DATAGRAMS] = { STEP_UDP, STEP_ICMP, STEP_ARP, STEP_FRAGMENT, STEP_FRAGMENT,
				STEP_WAIT },
		[RPC_SERVER] = { STEP_CHAN, STEP_LONG_CHAN, STEP_BLAST, STEP_BIDCTL, STEP_WAIT,
				 STEP_CALL },
		[RPC_CLIENT] = { STEP_CHAN, STEP_LONG_CHAN, STEP_BLAST, STEP_BIDCTL, STEP_WAIT,
				 STEP_CALL },
	};

	for (int i = 0; i < STEP_BYTES; i++)
		p->step[at][i] = random32(3) ? 0 : (uint8_t)random32(256);
	p->step[at][0] =
	    random32(8) ? usual[p->scenario % SCENARIOS][random32(6)] : (uint8_t)random32(STEPS);
}

static void insert(struct program *p, int at)
{
	if (p->steps >= MAX_STEPS)
		return;
	memmove(p->step[at + 1], p->step[at], (size_t)(p->steps - at) * STEP_BYTES);
	p->steps++;
}

static void mutate_once(struct program *p)
{
	static const uint8_t edges[] = { 0, 1, 2, 4, 8, 16, 32, 127, 128, 255 };
	int at = p->steps ? (int)random32(p->steps) : 0;
	uint8_t *byte = &p->step[at][random32(STEP_BYTES)];
	const struct program *other;

	switch (random32(p->steps ? 10 : 2)) {
	case 0:
	case 1:
		if (p->steps < MAX_STEPS) {
			at = (int)random32(p->steps + 1u);
			insert(p, at);
			random_step(p, at);
		}
		break;
	case 2:
		*byte ^= (uint8_t)(1 << random32(8));
		break;
	case 3:
		*byte = edges[random32(sizeof edges)];
		break;
	case 4:
		*byte += (uint8_t)(random32(9) - 4);
		break;
	case 5:
		*byte = (uint8_t)random32(256);
		break;
	case 6:
		memmove(p->step[at], p->step[at + 1], (size_t)(p->steps - at - 1) * STEP_BYTES);
		p->steps--;
		break;
	case 7:
		insert(p, at); /* twice the same */
		break;
	case 8:
		memcpy(p->step[random32(p->steps)], p->step[at], STEP_BYTES);
		break;
	default: /* the end of another one */
		other = &corpus[random32((uint32_t)kept)];
		while (p->steps < MAX_STEPS && at < other->steps) {
			memcpy(p->step[p->steps++], other->step[at], STEP_BYTES);
			at++;
		}
		break;
	}
}

static void keep(const struct program *p, const char *folder, int new)
{
	char name[32];

	if (kept == MAX_CORPUS)
		return;
	snprintf(name, sizeof name, "%04zu%s", kept, new > 1 ? ".edge" : "");
	write_program(p, folder, name);
	corpus[kept++] = *p;
}

static int grow(uint64_t limit, const char *folder, uint64_t seed)
{
	double began = seconds();
	uint64_t runs = 0, packets = 0;
	size_t begun;

	state = seed;
	for (uint8_t s = 0; s < SCENARIOS; s++)
		corpus[kept++] = (struct program){ .scenario = s };
	for (const struct program *p = seeds; p->steps; p++)
		corpus[kept++] = *p;
	begun = kept;
	for (; runs < limit; runs++) {
		struct program p = corpus[random32((uint32_t)kept)];
		int new;

		for (uint32_t n = 1 + random32(6); n; n--)
			mutate_once(&p);
		packets += p.steps;
		cover_clear();
		if (run_in_child(&p, runs % PATIENT_EVERY == 0)) {
			write_program(&p, folder, "finding");
			printf("finding after %llu runs; again: fuzz --once %s/finding\n",
			       (unsigned long long)runs, folder);
			return 1;
		}
		new = cover_is_new();
		if (new)
			keep(&p, folder, new);
	}
	printf("runs %llu steps %llu kept %zu edges %zu seconds %.0f seed %llu\n",
	       (unsigned long long)runs, (unsigned long long)packets, kept - begun, cover_edges(),
	       seconds() - began, (unsigned long long)seed);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--once")) {
		struct program p = read_program(argv[2]);

		fuzz_start();
		fuzz_run(&p, 1);
		printf("nothing found\n");
		return 0;
	}
	if (argc > 2 && !strcmp(argv[1], "--replay")) {
		fuzz_start();
		for (int i = 2; i < argc; i++) {
			struct program p = read_program(argv[i]);

			if (run_in_child(&p, i % PATIENT_EVERY == 0)) {
				printf("finding; again: fuzz --once %s\n", argv[i]);
				return 1;
			}
		}
		return 0;
	}
	if (argc != 4) {
		fprintf(stderr, "usage: fuzz RUNS SEED FOLDER | --replay FILE... | --once FILE\n");
		return 2;
	}
	cover_init();
	fuzz_start();
	return grow(strtoull(argv[1], NULL, 0), argv[3], strtoull(argv[2], NULL, 0));
}
