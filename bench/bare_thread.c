/* A thread that does the least that a sampler can: it sleeps to absolute deadlines and reads one
 * file. python_cost.py loads this to show what any thread costs the program it runs in. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_t thread;
static atomic_bool wanted;
static long long period_ns;
static int file;

static void* beat(void* unused) {
  struct timespec now;
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long deadline = now.tv_sec * 1000000000LL + now.tv_nsec;
  while (atomic_load(&wanted)) {
    deadline += period_ns;
    const struct timespec until = {.tv_sec = deadline / 1000000000LL,
                                   .tv_nsec = deadline % 1000000000LL};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    char text[8192];
    if (pread(file, text, sizeof text, 0) < 0) break;
  }
  return unused;
}

/* 0, or the errno of what could not be had. One at a time. */
int bare_thread_start(double hz, const char* path) {
  period_ns = (long long)(1e9 / hz);
  file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  atomic_store(&wanted, 1);
  const int refused = pthread_create(&thread, NULL, beat, NULL);
  if (refused != 0) close(file);
  return refused;
}

void bare_thread_stop(void) {
  atomic_store(&wanted, 0);
  pthread_join(thread, NULL);
  close(file);
}
