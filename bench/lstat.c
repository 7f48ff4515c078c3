/* Looks at every path of a NUL-separated list, and prints how many milliseconds that took. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int main(int count, char **args) {
  if (count < 2) return 2;
  FILE *file = fopen(args[1], "r");
  if (file == NULL) return 1;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *list = malloc(size + 1);
  if (list == NULL || fread(list, 1, size, file) != (size_t)size) return 1;
  list[size] = 0;
  struct timespec start, end;
  struct stat found;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (char *path = list; path < list + size; path += strlen(path) + 1)
    if (lstat(path, &found) != 0) return 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%f\n", (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6);
  return 0;
}
