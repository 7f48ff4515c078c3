/*
 * Kills the process right before its n-th call of libc that changes something below a directory.
 * Unlike the port of the disk room it sees SQLite's own calls too.
 *
 *   KILL_BELOW=/dir KILL_AT=n LD_PRELOAD=kill-shim.so program
 *   KILL_BELOW=/dir KILL_COUNT=file ...      writes how many calls there were at the exit
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls, deadline = -1;
static const char *below;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("KILL_AT");
  below = getenv("KILL_BELOW");
  if (at) deadline = atol(at);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("KILL_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) {
    fprintf(file, "%ld\n", calls);
    fclose(file);
  }
}

static void count(void) {
  if (__sync_add_and_fetch(&calls, 1) != deadline) return;
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int is_below(const char *path) {
  char real[PATH_MAX];
  int fd;
  if (!below || !path) return 0;
  /* A pinned directory: look where it leads. */
  if (sscanf(path, "/proc/self/fd/%d/", &fd) == 1) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, real, sizeof real - 1);
    if (length < 0) return 0;
    real[length] = 0;
    path = real;
  }
  return strncmp(path, below, strlen(below)) == 0;
}

static int is_file_below(int fd) {
  char link[64], real[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, real, sizeof real - 1);
  if (length < 0) return 0;
  real[length] = 0;
  return is_below(real);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_PATH(type, name, args, pass, path) \
  type name args { if (is_below(path)) count(); return REAL(name) pass; }
#define ON_FILE(type, name, args, pass) \
  type name args { if (is_file_below(fd)) count(); return REAL(name) pass; }

ON_PATH(int, rename, (const char *from, const char *to), (from, to), to)
ON_PATH(int, link, (const char *from, const char *to), (from, to), to)
ON_PATH(int, symlink, (const char *target, const char *path), (target, path), path)
ON_PATH(int, unlink, (const char *path), (path), path)
ON_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), path)
ON_PATH(int, rmdir, (const char *path), (path), path)
ON_FILE(int, fsync, (int fd), (fd))
ON_FILE(int, fdatasync, (int fd), (fd))
ON_FILE(int, fchmod, (int fd, mode_t mode), (fd, mode))
ON_FILE(int, ftruncate, (int fd, off_t length), (fd, length))
ON_FILE(int, ftruncate64, (int fd, off64_t length), (fd, length))
ON_FILE(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length))
ON_FILE(ssize_t, pwrite, (int fd, const void *bytes, size_t length, off_t at), (fd, bytes, length, at))
ON_FILE(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t at), (fd, bytes, length, at))

static int opened(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
  if ((flags & (O_CREAT | O_TRUNC)) && is_below(path)) count();
  return real(path, flags, mode);
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return opened(#name, path, flags, mode); \
  }

OPEN(open)
OPEN(open64)
