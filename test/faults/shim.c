/*
 * Makes something go wrong at the n-th call of libc that changes something below a directory. Unlike
 * the port of the disk room it sees SQLite's own calls too.
 *
 *   FAULT_BELOW=/dir FAULT=kill FAULT_AT=n LD_PRELOAD=shim.so program
 *
 *   FAULT=kill        the process is killed right before the call
 *   FAULT=cut         the file system at FAULT_MOUNT is shut down as by a power cut, then the same;
 *                     FAULT_AT=0 does it at once
 *   FAULT=fail        the call fails with FAULT_ERRNO
 *   FAULT=fail-on     it and all later ones do
 *   FAULT=lie         a write says it was done, and was not
 *   FAULT_COUNT=file  writes how many calls there were at the exit
 *   FAULT_NO_SYNC=1   a sync says it was done, and was not
 *   FAULT_CLOCK=s     the wall clock is so many seconds ahead
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum fate { GO, FAIL, LIE };

static long calls, at = -1, ahead;
static int error = EIO, no_sync, mount = -1;
static const char *below, *fault, *count_file;

static void cut(void) {
  /* XFS_IOC_GOINGDOWN and EXT4_IOC_SHUTDOWN are the same number; 2: not even the log is flushed. */
  uint32_t flags = 2;
  if (ioctl(mount, _IOR('X', 125, uint32_t), &flags) != 0) perror("shutdown");
}

__attribute__((constructor)) static void begin(void) {
  const char *value;
  below = getenv("FAULT_BELOW");
  fault = getenv("FAULT");
  count_file = getenv("FAULT_COUNT");
  if (!fault) fault = "";
  if ((value = getenv("FAULT_AT"))) at = atol(value);
  if ((value = getenv("FAULT_ERRNO"))) error = atoi(value);
  if ((value = getenv("FAULT_CLOCK"))) ahead = atol(value);
  if ((value = getenv("FAULT_MOUNT"))) mount = open(value, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  no_sync = getenv("FAULT_NO_SYNC") != NULL;
  if (!strcmp(fault, "cut") && at == 0) cut();
  /* The programs that this one starts have a life of their own. */
  unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void) {
  FILE *file = count_file ? fopen(count_file, "w") : NULL;
  if (file) {
    fprintf(file, "%ld\n", calls);
    fclose(file);
  }
}

static enum fate next_call(void) {
  long number = __sync_add_and_fetch(&calls, 1);
  if (!strcmp(fault, "fail-on") && at > 0 && number >= at) return errno = error, FAIL;
  if (number != at) return GO;
  if (!strcmp(fault, "fail")) return errno = error, FAIL;
  if (!strcmp(fault, "lie")) return LIE;
  if (!strcmp(fault, "cut")) cut();
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
  type name args { \
    if (is_below(path) && next_call() == FAIL) return -1; \
    return REAL(name) pass; \
  }
#define ON_FILE(type, name, args, pass, lie) \
  type name args { \
    if (is_file_below(fd)) switch (next_call()) { \
      case FAIL: return -1; \
      case LIE: lie; break; \
      case GO: break; \
    } \
    return REAL(name) pass; \
  }
#define ON_SYNC(name) \
  int name(int fd) { \
    if (is_file_below(fd)) { \
      if (next_call() == FAIL) return -1; \
      if (no_sync) return 0; \
    } \
    return REAL(name)(fd); \
  }

ON_PATH(int, rename, (const char *from, const char *to), (from, to), to)
ON_PATH(int, link, (const char *from, const char *to), (from, to), to)
ON_PATH(int, symlink, (const char *target, const char *path), (target, path), path)
ON_PATH(int, unlink, (const char *path), (path), path)
ON_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), path)
ON_PATH(int, rmdir, (const char *path), (path), path)
ON_SYNC(fsync)
ON_SYNC(fdatasync)
ON_FILE(int, fchmod, (int fd, mode_t mode), (fd, mode), )
ON_FILE(int, ftruncate, (int fd, off_t length), (fd, length), )
ON_FILE(int, ftruncate64, (int fd, off64_t length), (fd, length), )
ON_FILE(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length), return length)
ON_FILE(ssize_t, pwrite, (int fd, const void *bytes, size_t length, off_t to), (fd, bytes, length, to), return length)
ON_FILE(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t to), (fd, bytes, length, to), return length)

static int opened(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
  if ((flags & (O_CREAT | O_TRUNC)) && is_below(path) && next_call() == FAIL) return -1;
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

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = REAL(clock_gettime)(clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += ahead;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = REAL(gettimeofday)(now, zone);
  now->tv_sec += ahead;
  return result;
}

time_t time(time_t *now) {
  time_t result = REAL(time)(NULL) + ahead;
  if (now) *now = result;
  return result;
}
