// The program of a bundle (bench/gpu.sh): checks and times compiled ragged programs where there is no
// compiler. Runs the stages one after the other, each in a child, prints one table and writes
// gpu.json. Exit status 0: nothing was wrong; 1: a result was, or a call failed; 2: there is no device.
#include "driver.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_WRONG = 1, EXIT_NO_DEVICE = 2, kCheckSeconds = 60, kMostRestarts = 10 };

double gpu_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

ragged_status gpu_context_create(const char *products, bool tf32, ragged_rt_context **out) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = gpu_bundle_device,
                                       .products = products, .tf32 = tf32};
  return ragged_rt_context_create(&options, out);
}

const ragged_rt_entry *gpu_find_entry(const char *program, const char *name) {
  for (const gpu_program *p = gpu_programs; p->name; ++p) {
    if (strcmp(p->name, program) != 0) continue;
    int count;
    const ragged_rt_entry *entries = p->entries(&count);
    for (int k = 0; k < count; ++k)
      if (!strcmp(entries[k].name, name)) return &entries[k];
  }
  return NULL;
}

// ---- Stages in children ----------------------------------------------------------------------------

typedef struct stage {
  const char *name, *what;
  ragged_status (*run)(const gpu_setting *setting);
  const gpu_program *program;  // of the checks, which `run` is null for
} stage;

static _Noreturn void be_child(const stage *stage, gpu_setting *setting, int descriptor,
                               unsigned seconds) {
  setting->out = fdopen(descriptor, "w");
  if (!setting->out) _exit(EXIT_WRONG);
  alarm(seconds);
  bool broken = false;
  ragged_status status = stage->program ? gpu_stage_check(setting, stage->program, &broken)
                                        : stage->run(setting);
  int code = broken ? kBrokenExit : 0;
  if (status) {
    bool missing = ragged_status_get_code(status) == RAGGED_STATUS_UNAVAILABLE;
    bool no_memory = ragged_status_get_code(status) == RAGGED_STATUS_RESOURCE_EXHAUSTED;
    gpu_row row = gpu_row_make(no_memory ? GPU_ROW_SKIPPED : GPU_ROW_WRONG, stage->name,
                               stage->what);
    gpu_row_note(&row, "%s", ragged_status_message(status));
    gpu_row_write(setting->out, &row);
    code = missing ? EXIT_NO_DEVICE : EXIT_WRONG;
  }
  fclose(setting->out);
  _exit(code);
}

static void collect(FILE *file, gpu_table *table) {
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, file) > 0) {
    gpu_row row;
    if (gpu_row_read(line, &row)) gpu_table_add(table, &row);
  }
  free(line);
}

static void add_row(gpu_table *table, gpu_state state, const stage *stage, const char *note) {
  gpu_row row = gpu_row_make(state, stage->name, stage->what);
  gpu_row_note(&row, "%s", note);
  gpu_table_add(table, &row);
}

// The child's exit status; what went wrong with it is in the table.
static int run_stage(const stage *stage, gpu_setting *setting, gpu_table *table) {
  double left = setting->deadline - gpu_now();
  if (left < 1) {
    add_row(table, GPU_ROW_SKIPPED, stage, "out of time");
    return 0;
  }
  if (stage->program && left > kCheckSeconds) left = kCheckSeconds;
  // Where there is no device, one line says so and nothing else.
  if (stage->run != gpu_stage_device) fprintf(stderr, "%s %s\n", stage->name, stage->what);
  int ends[2];
  if (pipe(ends)) return EXIT_WRONG;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(stage, setting, ends[1], (unsigned)left + 5);
  }
  close(ends[1]);
  FILE *file = fdopen(ends[0], "r");
  if (file) {
    collect(file, table);
    fclose(file);
  }
  int state = 0;
  if (child < 0 || waitpid(child, &state, 0) < 0) {
    add_row(table, GPU_ROW_WRONG, stage, "no process could be started");
    return EXIT_WRONG;
  }
  if (WIFEXITED(state)) return WEXITSTATUS(state);
  char note[160];
  bool late = WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM;
  int used = snprintf(note, sizeof note, late ? "did not end in time" : "ended by signal %d",
                      WIFSIGNALED(state) ? WTERMSIG(state) : 0);
  if (stage->program)
    snprintf(note + used, sizeof note - (size_t)used, ", in '%.63s', case %d of the file",
             setting->progress->last, setting->progress->next_case);
  // A measurement may take long; a check that never ends is a fault.
  add_row(table, late && !stage->program ? GPU_ROW_SKIPPED : GPU_ROW_WRONG, stage, note);
  return kBrokenExit;
}

// In a new process after each fault that ended one.
static void check_program(const gpu_program *program, gpu_setting *setting, gpu_table *table) {
  const stage check = {"check", program->name, NULL, program};
  *setting->progress = (gpu_progress){.next_case = 0};
  for (int k = 0; k < kMostRestarts; ++k)
    if (run_stage(&check, setting, table) != kBrokenExit) return;
  add_row(table, GPU_ROW_WRONG, &check, "faults ended too many processes; the rest was not checked");
}

// ---- Options -----------------------------------------------------------------------------------------

typedef struct options {
  const char *folder, *json, *torch;
  int64_t rows;
  double seconds;
  bool check_only, ptx;
} options;

static const char kUsage[] =
    "usage: driver FOLDER [--json FILE] [--torch FILE] [--rows N] [--seconds S] [--check] "
    "[--print-ptx]\n";

static bool parse(int argc, char **argv, options *out) {
  *out = (options){.rows = INT64_C(1) << 20, .seconds = 240};
  for (int k = 1; k < argc; ++k) {
    const char *value = k + 1 < argc ? argv[k + 1] : NULL;
    if (!strcmp(argv[k], "--check")) out->check_only = true;
    else if (!strcmp(argv[k], "--print-ptx")) out->ptx = true;
    else if (!strcmp(argv[k], "--json") && value) out->json = argv[++k];
    else if (!strcmp(argv[k], "--torch") && value) out->torch = argv[++k];
    else if (!strcmp(argv[k], "--rows") && value) out->rows = strtoll(argv[++k], NULL, 10);
    else if (!strcmp(argv[k], "--seconds") && value) out->seconds = strtod(argv[++k], NULL);
    else if (argv[k][0] != '-' && !out->folder) out->folder = argv[k];
    else return false;
  }
  return out->ptx || (out->folder && out->rows >= 64 && out->seconds > 0);
}

static void read_lengths(gpu_setting *setting) {
  FILE *file = fopen("lengths.txt", "r");
  long long length;
  enum { kMost = (int)(sizeof setting->lengths / sizeof *setting->lengths) };
  while (file && setting->num_lengths < kMost && fscanf(file, "%lld", &length) == 1)
    if (length >= 0) setting->lengths[setting->num_lengths++] = length;
  if (file) fclose(file);
}

static gpu_ceilings find_ceilings(const gpu_table *table) {
  return (gpu_ceilings){.copy_gb_per_s = gpu_table_measured(table, "copy bandwidth"),
                        .read_gb_per_s = gpu_table_measured(table, "read bandwidth"),
                        .fma_f32 = gpu_table_measured(table, "f32 FMA peak"),
                        .fma_f64 = gpu_table_measured(table, "f64 FMA peak"),
                        .mma_tf32 = gpu_table_measured(table, "tf32 mma.sync peak"),
                        .mma_bf16 = gpu_table_measured(table, "bf16 mma.sync peak")};
}

// Rows that another program measured, e.g. torch_block.py.
static void read_rows(const char *path, gpu_table *table) {
  FILE *file = fopen(path, "r");
  if (!file) return;
  int first = table->count;
  collect(file, table);
  fclose(file);
  double packed = gpu_table_measured(table, "packed, true lengths");
  for (int k = first; k < table->count; ++k) {
    gpu_row *row = &table->rows[k];
    if (!isnan(row->measured) && packed > 0)
      gpu_row_set(row, row->measured, "ms", packed, "packed, compiled", true);
  }
}

// ---- All ---------------------------------------------------------------------------------------------

static int run_all(const options *given, gpu_setting *setting, gpu_table *table) {
  stage device = {"device", "ceilings", gpu_stage_device, NULL};
  int code = run_stage(&device, setting, table);
  if (code == EXIT_NO_DEVICE) {
    fprintf(stderr, "gpu.sh: %s\n", table->rows[table->count - 1].note);
    return code;
  }
  setting->ceilings = find_ceilings(table);
  for (const gpu_program *program = gpu_programs; program->name; ++program)
    check_program(program, setting, table);
  if (given->check_only) return 0;
  const stage timed[] = {{"block", "single_pair_single", gpu_stage_block, NULL},
                         {"graph", "single_pair_single", gpu_stage_graph, NULL},
                         {"product", "cuBLASLt", gpu_stage_products, NULL},
                         {"kernel", "all", gpu_stage_kernels, NULL}};
  for (size_t k = 0; k < sizeof timed / sizeof *timed; ++k) run_stage(&timed[k], setting, table);
  if (given->torch) read_rows(given->torch, table);
  return 0;
}

int main(int argc, char **argv) {
  options given;
  if (!parse(argc, argv, &given)) {
    fputs(kUsage, stderr);
    return EXIT_NO_DEVICE;
  }
  if (given.ptx) {
    gpu_print_ptx(stdout);
    return 0;
  }
  char json[4096] = "gpu.json";
  if (given.json) snprintf(json, sizeof json, "%s", given.json);
  if (chdir(given.folder)) {
    perror(given.folder);
    return EXIT_NO_DEVICE;
  }
  gpu_progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (progress == MAP_FAILED) {
    perror("mmap");
    return EXIT_NO_DEVICE;
  }
  gpu_setting setting = {.progress = progress, .rows = given.rows,
                         .deadline = gpu_now() + given.seconds};
  read_lengths(&setting);
  gpu_table table = {0};
  int code = run_all(&given, &setting, &table);
  if (code == EXIT_NO_DEVICE) return code;
  gpu_table_print(&table);
  int wrong = 0;
  for (int k = 0; k < table.count; ++k) wrong += table.rows[k].state == GPU_ROW_WRONG;
  printf("%d rows, %d wrong\n", table.count, wrong);
  if (!gpu_table_write_json(&table, gpu_bundle_device, json)) {
    fprintf(stderr, "gpu.sh: '%s' cannot be written\n", json);
    wrong = 1;
  }
  free(table.rows);
  return wrong ? EXIT_WRONG : 0;
}
