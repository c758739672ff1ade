/* The least that sampling can cost: kept descriptors, one pread a counter, one absolute sleep.
 *
 *   floor HZ SECONDS FILE...
 *
 * Prints one JSON object: samples, CPU seconds of the whole process, and the share of samples that
 * came more than half a period late. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { kMostFiles = 64 };

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double cpu_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char** argv) {
  int files[kMostFiles];
  const int count = argc - 3;
  if (count < 1 || count > kMostFiles) {
    fprintf(stderr, "usage: floor HZ SECONDS FILE...\n");
    return 2;
  }
  const long long period = (long long)(1e9 / atof(argv[1]));
  const long samples = (long)(atof(argv[2]) * atof(argv[1]));
  for (int i = 0; i < count; ++i) {
    files[i] = open(argv[3 + i], O_RDONLY | O_CLOEXEC);
    if (files[i] < 0) {
      perror(argv[3 + i]);
      return 1;
    }
  }
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  if (period <= 10000000) {
    struct sched_param priority = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
  }

  volatile long long last[kMostFiles];
  long late = 0;
  const double before = cpu_seconds();
  long long deadline = now_ns() + period;
  for (long s = 0; s < samples; ++s) {
    const struct timespec until = {.tv_sec = deadline / 1000000000LL,
                                   .tv_nsec = deadline % 1000000000LL};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    if (now_ns() - deadline > period / 2) ++late;
    for (int i = 0; i < count; ++i) {
      char text[32];
      const ssize_t length = pread(files[i], text, sizeof text - 1, 0);
      if (length <= 0) continue;
      text[length] = '\0';
      last[i] = atoll(text);
    }
    deadline += period;
  }
  (void)last;
  printf("{\"samples\": %ld, \"cpu_s\": %.6f, \"late_share\": %.6f}\n", samples,
         cpu_seconds() - before, (double)late / (double)samples);
  return 0;
}
