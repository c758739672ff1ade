/* The C interface: options as text, a tracker, totals.
 *   example_minimal_c [output folder] [machine file] */

#include <codecarbon/codecarbon.h>
#include <stdio.h>
#include <time.h>

static void say(codecarbon_log_level level, const char* line, void* user) {
  if (level >= CODECARBON_WARNING) fprintf((FILE*)user, "%s\n", line);
}

static int set(codecarbon_options* options, const char* name, const char* value) {
  if (codecarbon_options_set(options, name, value) == 0) return 0;
  fprintf(stderr, "minimal: %s\n", codecarbon_options_error(options));
  return -1;
}

static void work(void) {
  const struct timespec time = {0, 50L * 1000 * 1000};
  nanosleep(&time, NULL);
}

static void measure(codecarbon_tracker* tracker) {
  codecarbon_totals task;
  codecarbon_totals run;
  double emissions_kg = 0;

  codecarbon_start(tracker, NULL);
  codecarbon_start_task(tracker, "work");
  work();
  if (codecarbon_stop_task(tracker, "work", &task) == 0) {
    printf("task work: %.3f J in %.3f s\n", task.energy_j, task.duration_s);
  }
  codecarbon_stop(tracker, &emissions_kg);

  codecarbon_report(tracker, &run);
  printf("run: %.3f J (+- %.3f J), %.3f mg CO2e\n", run.energy_j, run.energy_bound_j,
         emissions_kg * 1e6);
}

int main(int argc, char** argv) {
  codecarbon_options* options = codecarbon_options_new();
  codecarbon_tracker* tracker = NULL;
  int failed = set(options, "offline", "true") || set(options, "project_name", "minimal") ||
               (argc > 1 && set(options, "output_dir", argv[1])) ||
               (argc > 2 && set(options, "machine", argv[2]));

  codecarbon_options_set_log_hook(options, say, stderr);
  if (!failed) {
    tracker = codecarbon_tracker_new(options);
    if (tracker == NULL) {
      fprintf(stderr, "minimal: %s\n", codecarbon_options_error(options));
      failed = 1;
    }
  }
  if (!failed) measure(tracker);

  codecarbon_tracker_free(tracker);
  codecarbon_options_free(options);
  return failed ? 2 : 0;
}
