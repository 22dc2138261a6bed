/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded into all processes of a session of tests: notes which files of the checkout each test
 * file looks at. The notes of a test file are lines of the file MCPI_READS/<hash of its name>:
 *   "f PATH" it was opened, or its state was asked for   "d PATH" its names were listed
 *   "t PATH" all below it may have been read             "* WHY"  anything may have been read
 * A call of libc that is made inside libc, or a system call without it, is not seen: so a program
 * without libc counts as one that reads anything.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEXT(name)                                                                                 \
    static __typeof__(&name) next;                                                                 \
    if (!next)                                                                                     \
    next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define SLOTS 16384
#define LOOKED_AT 65536 /* bytes of a program: its headers and the names of its libraries */

static const char *notes, *root, *library;
static char reads_of[PATH_MAX]; /* the test file; empty: nothing is noted */
static size_t root_length;
static uint64_t seen[SLOTS];

static uint64_t hash_of(const char *text, uint64_t hash) {
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

static const char *test(void) {
    return root && *reads_of ? reads_of : NULL;
}

/* A worker runs many test files, and says which one now. */
void mcpi_reads_of(const char *name) {
    snprintf(reads_of, sizeof reads_of, "%s", name);
}

static void line(const char *of, char kind, const char *path) {
    char place[PATH_MAX], text[PATH_MAX + 4];
    uint64_t key = hash_of(of, 0xcbf29ce484222325);
    uint64_t entry = hash_of(path, (key ^ (unsigned char)kind) * 0x100000001b3) | 1;
    size_t slot = entry % SLOTS;
    for (int tries = 0; tries < 64; tries++, slot = (slot + 1) % SLOTS) {
        if (seen[slot] == entry)
            return;
        if (!seen[slot])
            break;
    }
    int saved = errno, length = snprintf(text, sizeof text, "%c %s\n", kind, path);
    snprintf(place, sizeof place, "%s/%016llx", notes, (unsigned long long)key);
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    int file = (int)syscall(SYS_openat, AT_FDCWD, place, flags, 0600);
    if (file >= 0) {
        if (syscall(SYS_write, file, text, length) == length && !seen[slot])
            seen[slot] = entry;
        syscall(SYS_close, file);
    }
    errno = saved;
}

/* Without "." and "..", in place. */
static void plain(char *path) {
    char *to = path, *from = path;
    while (*from) {
        while (*from == '/')
            from++;
        size_t length = strcspn(from, "/");
        if (length == 2 && !memcmp(from, "..", 2)) {
            while (to > path && *--to != '/')
                continue;
        } else if (length && !(length == 1 && *from == '.')) {
            *to++ = '/';
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    *to = 0;
}

static int below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
}

/* A path may be null, though libc's headers say that it never is: so nobody may look into this. */
__attribute__((noipa)) static void note(char kind, int folder, const char *path) {
    char whole[2 * PATH_MAX];
    const char *of = test();
    if (!of || !path || !*path || strlen(path) >= PATH_MAX)
        return;
    int saved = errno;
    if (*path == '/') {
        strcpy(whole, path);
    } else {
        char link[64];
        long length;
        if (folder == AT_FDCWD) {
            length = syscall(SYS_getcwd, whole, PATH_MAX) - 1;
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            length = syscall(SYS_readlinkat, AT_FDCWD, link, whole, PATH_MAX - 1);
        }
        errno = saved;
        if (length < 0)
            return;
        whole[length] = '/';
        strcpy(whole + length + 1, path);
    }
    plain(whole);
    if (strncmp(whole, root, root_length))
        return;
    const char *rest = whole + root_length;
    if (*rest && *rest != '/')
        return;
    rest += *rest == '/';
    static const char *const made[] = {"build", "results", "out", ".git", ".mcpi", ".hypothesis"};
    for (size_t n = 0; n < sizeof made / sizeof *made; n++)
        if (below(rest, made[n]))
            return;
    if (strstr(rest, "__pycache__") || strstr(rest, ".ruff_cache"))
        return;
    line(of, kind, *rest ? rest : ".");
}

static void anything(const char *why) {
    if (test())
        line(test(), '*', why);
}

/* git says which commit this is, or whether something changed: no test depends on the answer. All
 * else that it is asked may be about any file. */
static void of_git(int count, char **words) {
    const char *name = count ? strrchr(words[0], '/') : NULL;
    name = name ? name + 1 : count ? words[0] : "";
    if (strcmp(name, "git"))
        return;
    int stamp = 0;
    for (int n = 1; n < count; n++) {
        if (!strcmp(words[n], "--is-shallow-repository"))
            break;
        stamp |= !strcmp(words[n], "rev-parse") || !strcmp(words[n], "describe");
        stamp |= !strcmp(words[n], "status") || !strcmp(words[n], "--version");
    }
    if (!stamp)
        anything(words[1] ? words[1] : "git");
    root = NULL;
}

__attribute__((constructor)) static void begin(int count, char **words) {
    library = getenv("MCPI_READS_LIBRARY");
    notes = getenv("MCPI_READS");
    const char *named = getenv("MCPI_READS_ROOT");
    if (!library || !notes || !named)
        return;
    library = strdup(library), notes = strdup(notes), named = strdup(named);
    root_length = strlen(named);
    root = named;
    const char *of = getenv("MCPI_READS_OF");
    mcpi_reads_of(of ? of : "");
    of_git(count, words);
}

/* Programs that begin: they are observed too, or count as if they read all that they are given. */

static int has(char *const *environment, const char *name, const char *value) {
    size_t length = strlen(name);
    for (; environment && *environment; environment++)
        if (!strncmp(*environment, name, length) && (*environment)[length] == '=')
            return strstr(*environment + length, value) != NULL;
    return 0;
}

static int observed(char *const *environment) {
    return has(environment, "LD_PRELOAD", library) && has(environment, "MCPI_READS", notes) &&
           has(environment, "MCPI_READS_ROOT", root) && has(environment, "MCPI_READS_OF", reads_of);
}

static void given(char *const *words) {
    for (words += *words != NULL; *words; words++)
        if (!syscall(SYS_faccessat, AT_FDCWD, *words, F_OK))
            note('t', AT_FDCWD, *words);
}

/* Programs that read what they are given, at most. */
static int reads_nothing(const char *name) {
    return !strncmp(name, "yices", 5) || !strcmp(name, "ldconfig") || !strcmp(name, "uname");
}

/* Returns 1 if the program must begin without this library: a sanitizer wants to be the first. */
static int look_at(const char *path, char *const *words, char *const *environment) {
    char start[LOOKED_AT];
    if (!test())
        return 0;
    int saved = errno, file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    long length = file < 0 ? -1 : syscall(SYS_read, file, start, sizeof start);
    if (file >= 0)
        syscall(SYS_close, file);
    errno = saved;
    if (length < 0)
        return 0;
    note('f', AT_FDCWD, path);
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (!strncmp(name, "yowasp-", 7))
        given(words); /* WebAssembly: it has no libc */
    Elf64_Ehdr *header = (Elf64_Ehdr *)start;
    int is_elf = length > (long)sizeof *header && !memcmp(header->e_ident, ELFMAG, SELFMAG);
    if (is_elf) {
        int loaded = 0;
        Elf64_Phdr *part = (Elf64_Phdr *)(start + header->e_phoff);
        for (int n = 0; n < header->e_phnum && (char *)(part + n + 1) <= start + length; n++)
            loaded |= part[n].p_type == PT_INTERP;
        if (!loaded) {
            given(words);
            if (!reads_nothing(name))
                anything(path);
            return 0;
        }
        if (memmem(start, length, "libasan.so", 10) || memmem(start, length, "libtsan.so", 10)) {
            given(words);
            return 1;
        }
    }
    if (!observed(environment) && !reads_nothing(name))
        anything(path);
    return 0;
}

/* After these nothing more can be noted, or paths are others. */

int chroot(const char *path) {
    NEXT(chroot);
    anything("chroot");
    return next(path);
}

int setuid(uid_t user) {
    NEXT(setuid);
    if (user != geteuid())
        anything("setuid");
    return next(user);
}

int setreuid(uid_t real, uid_t user) {
    NEXT(setreuid);
    if (user != geteuid())
        anything("setreuid");
    return next(real, user);
}

int setresuid(uid_t real, uid_t user, uid_t saved) {
    NEXT(setresuid);
    if (user != geteuid())
        anything("setresuid");
    return next(real, user, saved);
}

static void searched(char *found, const char *name) {
    const char *from = getenv("PATH");
    snprintf(found, PATH_MAX, "%s", name);
    if (strchr(name, '/'))
        return;
    if (!from)
        from = "/bin:/usr/bin";
    while (*from) {
        size_t length = strcspn(from, ":");
        snprintf(found, PATH_MAX, "%.*s/%s", (int)length, from, name);
        if (!syscall(SYS_faccessat, AT_FDCWD, found, X_OK))
            return;
        from += length + (from[length] == ':');
    }
}

#define MOST 2048
/* ``environment`` without this library. */
static char *const *without(char *const *environment, char **copy) {
    int count = 0;
    for (; *environment && count < MOST - 1; environment++)
        if (strncmp(*environment, "LD_PRELOAD=", 11))
            copy[count++] = *environment;
    copy[count] = NULL;
    return copy;
}

#define BEGINS(path, words, environment)                                                           \
    char *copy[MOST];                                                                              \
    if (look_at(path, words, environment))                                                         \
    environment = (void *)without(environment, copy)

int execve(const char *path, char *const words[], char *const environment[]) {
    NEXT(execve);
    BEGINS(path, words, environment);
    return next(path, words, environment);
}

int execv(const char *path, char *const words[]) {
    return execve(path, words, environ);
}

int execvpe(const char *name, char *const words[], char *const environment[]) {
    NEXT(execvpe);
    char path[PATH_MAX];
    searched(path, name);
    BEGINS(path, words, environment);
    return next(name, words, environment);
}

int execvp(const char *name, char *const words[]) {
    return execvpe(name, words, environ);
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *how, char *const words[], char *const environment[]) {
    NEXT(posix_spawn);
    BEGINS(path, words, environment);
    return next(pid, path, actions, how, words, environment);
}

int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *how, char *const words[], char *const environment[]) {
    NEXT(posix_spawnp);
    char path[PATH_MAX];
    searched(path, name);
    BEGINS(path, words, environment);
    return next(pid, name, actions, how, words, environment);
}

/* Files that are opened. What is only written is noted too: it was there, or was not. */

#define MODE()                                                                                     \
    mode_t mode = 0;                                                                               \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                                         \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }
#define KIND ((flags & O_DIRECTORY) && !(flags & O_CREAT) ? 'd' : 'f')

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        NEXT(name);                                                                                \
        MODE();                                                                                    \
        note(KIND, AT_FDCWD, path);                                                                \
        return next(path, flags, mode);                                                            \
    }
#define OPENAT(name)                                                                               \
    int name(int folder, const char *path, int flags, ...) {                                       \
        NEXT(name);                                                                                \
        MODE();                                                                                    \
        note(KIND, folder, path);                                                                  \
        return next(folder, path, flags, mode);                                                    \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int __open_2(const char *, int), __open64_2(const char *, int);
int __openat_2(int, const char *, int), __openat64_2(int, const char *, int);

#define CHECKED(name)                                                                              \
    int name(const char *path, int flags) {                                                        \
        NEXT(name);                                                                                \
        note(KIND, AT_FDCWD, path);                                                                \
        return next(path, flags);                                                                  \
    }
#define CHECKED_AT(name)                                                                           \
    int name(int folder, const char *path, int flags) {                                            \
        NEXT(name);                                                                                \
        note(KIND, folder, path);                                                                  \
        return next(folder, path, flags);                                                          \
    }
CHECKED(__open_2)
CHECKED(__open64_2)
CHECKED_AT(__openat_2)
CHECKED_AT(__openat64_2)

#define ONE(type, name, kind, second)                                                              \
    type name(const char *path, second argument) {                                                 \
        NEXT(name);                                                                                \
        note(kind, AT_FDCWD, path);                                                                \
        return next(path, argument);                                                               \
    }
ONE(FILE *, fopen, 'f', const char *)
ONE(FILE *, fopen64, 'f', const char *)
ONE(int, stat, 'f', struct stat *)
ONE(int, stat64, 'f', struct stat64 *)
ONE(int, lstat, 'f', struct stat *)
ONE(int, lstat64, 'f', struct stat64 *)
ONE(int, access, 'f', int)
ONE(int, eaccess, 'f', int)

ONE(int, link, 'f', const char *)

FILE *freopen(const char *path, const char *how, FILE *file) {
    NEXT(freopen);
    note('f', AT_FDCWD, path);
    return next(path, how, file);
}

int linkat(int folder, const char *path, int to, const char *name, int flags) {
    NEXT(linkat);
    note('f', folder, path);
    return next(folder, path, to, name, flags);
}

/* What is read through a link has another name. A relative one begins at the link's folder. */
static void linked(const char *path, int folder, const char *name) {
    char whole[2 * PATH_MAX];
    const char *end = strrchr(name, '/');
    if (*path == '/' || !end)
        snprintf(whole, sizeof whole, "%s", path);
    else
        snprintf(whole, sizeof whole, "%.*s/%s", (int)(end - name), name, path);
    if (test() && !syscall(SYS_faccessat, folder, whole, F_OK))
        note('t', folder, whole);
}

int symlink(const char *path, const char *name) {
    NEXT(symlink);
    linked(path, AT_FDCWD, name);
    return next(path, name);
}

int symlinkat(const char *path, int folder, const char *name) {
    NEXT(symlinkat);
    linked(path, folder, name);
    return next(path, folder, name);
}

int mount(const char *path, const char *to, const char *kind, unsigned long flags,
          const void *how) {
    NEXT(mount);
    note('t', AT_FDCWD, path);
    return next(path, to, kind, flags, how);
}

/* Folders whose names are listed. */

DIR *opendir(const char *path) {
    NEXT(opendir);
    note('d', AT_FDCWD, path);
    return next(path);
}

DIR *fdopendir(int folder) {
    NEXT(fdopendir);
    note('d', folder, ".");
    return next(folder);
}

#define SCAN(name, entry)                                                                          \
    int name(const char *path, struct entry ***found, int (*wanted)(const struct entry *),         \
             int (*order)(const struct entry **, const struct entry **)) {                         \
        NEXT(name);                                                                                \
        note('d', AT_FDCWD, path);                                                                 \
        return next(path, found, wanted, order);                                                   \
    }
SCAN(scandir, dirent)
SCAN(scandir64, dirent64)

int nftw(const char *path, int (*each)(const char *, const struct stat *, int, struct FTW *),
         int most, int flags) {
    NEXT(nftw);
    note('t', AT_FDCWD, path);
    return next(path, each, most, flags);
}

#define AT(name, type)                                                                             \
    int name(int folder, const char *path, type to, int flags) {                                   \
        NEXT(name);                                                                                \
        note('f', folder, path);                                                                   \
        return next(folder, path, to, flags);                                                      \
    }
AT(fstatat, struct stat *)
AT(fstatat64, struct stat64 *)
AT(faccessat, int)

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *to) {
    NEXT(statx);
    note('f', folder, path);
    return next(folder, path, flags, mask, to);
}

/* Of programs that were linked with an older libc. */
int __xstat(int, const char *, struct stat *), __xstat64(int, const char *, struct stat64 *);
int __lxstat(int, const char *, struct stat *), __lxstat64(int, const char *, struct stat64 *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __fxstatat64(int, int, const char *, struct stat64 *, int);

#define OLD(name, type)                                                                            \
    int name(int version, const char *path, type *to) {                                            \
        NEXT(name);                                                                                \
        note('f', AT_FDCWD, path);                                                                 \
        return next(version, path, to);                                                            \
    }
#define OLD_AT(name, type)                                                                         \
    int name(int version, int folder, const char *path, type *to, int flags) {                     \
        NEXT(name);                                                                                \
        note('f', folder, path);                                                                   \
        return next(version, folder, path, to, flags);                                             \
    }
OLD(__xstat, struct stat)
OLD(__xstat64, struct stat64)
OLD(__lxstat, struct stat)
OLD(__lxstat64, struct stat64)
OLD_AT(__fxstatat, struct stat)
OLD_AT(__fxstatat64, struct stat64)
