// Measures a training step of one of the single–pair–single functions: the derivative of its loss and the
// update of the weights, on true and on padded lengths, against three times the forward's products: each
// product of the forward pass comes back once for its input's gradient and once for its weight's.
#ifndef RAGGED_BENCH_DEMO_TRAINING_H
#define RAGGED_BENCH_DEMO_TRAINING_H

#include "demo_measure.h"

typedef struct demo_training {
  const ragged_rt_entry *derivative, *step;  // @..._loss_vjp and @step, compiled
  MlirOperation function;                    // @..._loss_vjp for the reference
} demo_training;

// Times are the best of five. What `figures` of the forward pass have and a training step has not (a dense
// baseline, the cost of new lengths) stays 0.
RAGGED_MUST_USE ragged_status demo_measure_training(demo_setting *setting,
                                                    const demo_training *training,
                                                    const demo_lengths *lengths,
                                                    demo_figures *out);

#endif  // RAGGED_BENCH_DEMO_TRAINING_H
