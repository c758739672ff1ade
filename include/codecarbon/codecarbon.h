#ifndef CODECARBON_H
#define CODECARBON_H
/**
 * \file
 * The C interface: a tracker behind an opaque pointer, options as text.
 *
 * Nothing here exits, prints, installs handlers or throws: where memory runs out a function answers
 * as it does for failure. All functions that take a tracker are thread-safe; options belong to one
 * thread at a time. Text that is returned belongs to the object it was asked of and lives until
 * that object is destroyed; the comments at a function say where it lives shorter.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct codecarbon_options codecarbon_options;
typedef struct codecarbon_tracker codecarbon_tracker;

/** Ordered; a hook hears its level and everything above. */
typedef enum codecarbon_log_level {
  CODECARBON_DEBUG = 0,
  CODECARBON_INFO = 1,
  CODECARBON_WARNING = 2,
  CODECARBON_ERROR = 3,
  CODECARBON_CRITICAL = 4
} codecarbon_log_level;

/** One line without a line end; may be called from any thread. */
typedef void (*codecarbon_log_hook)(codecarbon_log_level level, const char* line, void* user);

/** The totals of a run or task. Energies and powers include the PUE. */
typedef struct codecarbon_totals {
  double duration_s; /**< active time */
  double energy_j;   /**< sum of the three below */
  double cpu_energy_j;
  double gpu_energy_j;
  double ram_energy_j;
  double energy_bound_j; /**< the truth lies within energy_j +- this */
  double emissions_g;    /**< CO2-equivalent */
  double water_l;
} codecarbon_totals;

/** "0.1.0" */
const char* codecarbon_version(void);

/** Options are text, as in configuration files; docs/options.md lists them. NULL only when memory
 * runs out. */
codecarbon_options* codecarbon_options_new(void);
void codecarbon_options_free(codecarbon_options* options);
/** 0 when accepted; otherwise -1, and codecarbon_options_error says why. */
int codecarbon_options_set(codecarbon_options* options, const char* name, const char* value);
/** Empty when the last call that takes these options did not fail. Lives until the next
 * codecarbon_options_set or codecarbon_tracker_new with these options. */
const char* codecarbon_options_error(const codecarbon_options* options);
/** Who is told what the library has to say; by default nobody. */
void codecarbon_options_set_log_hook(codecarbon_options* options, codecarbon_log_hook hook,
                                     void* user);

/** Checks options and finds sensors. NULL on failure, and codecarbon_options_error says why.
 * `options` may be NULL (all defaults) and may be freed afterwards. */
codecarbon_tracker* codecarbon_tracker_new(codecarbon_options* options);
/** Stops the tracker if it runs, then frees it. NULL is allowed. */
void codecarbon_tracker_free(codecarbon_tracker* tracker);

/** Each returns 0 and, if `emissions_kg` is not NULL, the emissions so far; or 1 when there are
 * none yet (never started), leaving `emissions_kg` alone. Where only tasks were measured, flush and
 * stop give those of the time in which one was open. */
int codecarbon_start(codecarbon_tracker* tracker, double* emissions_kg);
int codecarbon_pause(codecarbon_tracker* tracker, double* emissions_kg);
int codecarbon_resume(codecarbon_tracker* tracker, double* emissions_kg);
int codecarbon_flush(codecarbon_tracker* tracker, double* emissions_kg);
int codecarbon_stop(codecarbon_tracker* tracker, double* emissions_kg);

/** Opens a task window and returns the key that closes it, which lives until the next
 * codecarbon_start_task on this thread, whatever its tracker, or until the thread ends: copy it to
 * keep it. `name` may be NULL. NULL only when memory runs out. */
const char* codecarbon_start_task(codecarbon_tracker* tracker, const char* name);
/** Closes a task window (the youngest when `key` is NULL). 0, or 1 when there is no such window. */
int codecarbon_stop_task(codecarbon_tracker* tracker, const char* key, codecarbon_totals* totals);

/** The totals at this moment; writes no row. All zero when memory runs out. */
void codecarbon_report(codecarbon_tracker* tracker, codecarbon_totals* totals);
const char* codecarbon_run_id(const codecarbon_tracker* tracker);

#ifdef __cplusplus
}
#endif

#endif
