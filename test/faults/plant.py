"""Tests the test suite: plants faults in a copy of the tree, one at a time, builds it and runs the
suite, which must fail. Run by `make faults`: the whole suite once, then for each fault up to the first
failure.

  plant.py SOURCE WORK [--only NAME] [--mlir-dir DIR] [--jobs N]

WORK receives the copy and its build. Exits 1 unless at least nine of ten faults are caught, or if a
fault no longer applies to the sources."""
import argparse
import os
import shutil
import subprocess
import sys

# name, file, what stands there, what is planted.
FAULTS = [
    ("swapped coordinate: a transpose read the other way round", "lib/lower/tile/access.c",
     "out[dims[k]] = index[k];", "out[k] = index[dims[k]];"),
    ("dropped mask: unpack reads one position past the sample", "lib/lower/kernel/kernel_emit_access.c",
     "emit_compare(e, COMPARE_LT, at, axis_extent(e, ref.axes[k], sample))",
     "emit_compare(e, COMPARE_LE, at, axis_extent(e, ref.axes[k], sample))"),
    ("wrong identity: the maximum of nothing is 0", "lib/lower/kernel/kernel_emit_ops.c",
     "? 0.0 : -__builtin_inf();", "? 0.0 : 0.0;"),
    ("off by one: rows after the last whole vector begin one late", "lib/lower/cpu/kernel_emit_rows.c",
     "    done = end;\n", "    done = number_add(e, end, number_of(1));\n"),
    ("off by one row: a run reaches into the next outer coordinate", "lib/lower/cpu/kernel_emit_rows.c",
     "number_min(e, number_sub(e, extent, start), number_sub(e, last, row))",
     "number_min(e, extent, number_sub(e, last, row))"),
    ("wrong stride: the inner extent is left out of a row's position",
     "lib/lower/kernel/kernel_emit_access.c",
     "if (k > 0) inner = number_mul(e, inner, axis_extent(e, ref->axes[k], sample));",
     "if (k > 1) inner = number_mul(e, inner, axis_extent(e, ref->axes[k], sample));"),
    ("dropped residual: a product's sum is fused and forgotten", "lib/lower/tile/fuse_epilogues.c",
     "if (!mlirValueIsNull(residual)) {", "if (!mlirValueIsNull(residual) && activation) {"),
    ("empty = zero is ignored", "lib/lower/tile/emit_reduction.c",
     "if (r->empty_zero) count =", "if (0 && r->empty_zero) count ="),
    ("bf16 is cut off instead of rounded", "lib/lower/math/vector_convert.c",
     "ragged_build_integer(builder, bits, 0x7fff)", "ragged_build_integer(builder, bits, 0)"),
    ("a cast from f64 to bf16 rounds on the way", "lib/lower/math/vector_convert.c",
     "x = emit_odd_f32(builder, f32, x);", 'x = 0 ? emit_odd_f32(builder, f32, x) : emit_cast(builder, "arith.truncf", f32, x);'),
    ("what is not chosen is computed with", "lib/lower/math/vector_math.c",
     "return ragged_emit_select(builder, type, x[0], x[1], x[2]);",
     "return is_integer(type) ? ragged_emit_select(builder, type, x[0], x[1], x[2])\n"
     "             : ragged_emit_add(builder, type, ragged_emit_select(builder, type, x[0], x[1], x[2]),\n"
     "                               ragged_emit_sub(builder, type, x[2], x[2]));"),
    ("a sum of infinities is compensated into NaN", "lib/lower/cpu/kernel_emit_accumulate.c",
     "emit_finite_or(e, sum, get(e, a, PART_PLAIN, index))", "sum"),
    ("a later one of equal entries wins", "lib/lower/kernel/kernel_emit_ops.c",
     'emit_combine(e, "maximum", a.match, b.match), a.match);', "b.match, a.match);"),
    ("an argmax counts positions in a step only", "lib/lower/tile/emit_reduction.c",
     "emit_group_position(k, &r->operand, r->group,", "emit_group_position(k, &r->operand, r->reduced,"),
    ("a sector counts in the first launch only", "runtime/emulated/emulated_check.c",
     "if (range->touched[sector][store] == launch) continue;",
     "if (range->touched[sector][store]) continue;"),
    ("layer_norm forgets eps", "lib/lower/tile/emit_rows.c",
     "tile_constant(k, &reduced, eps)", "tile_constant(k, &reduced, 0 * eps)"),
    ("a buffer that a loop yields is released", "lib/lower/tile/releases.c",
     "if (!passed_on && !inside && mlirOperationEqual(user, last)) passed_on = true;",
     "if (!passed_on && !inside && mlirOperationEqual(user, last)) passed_on = false;"),
    ("the last product row block is one row short", "lib/lower/cpu/kernel_emit_rows.c",
     "number_sub(e, number_value(e->last), number_value(e->first)),\n"
     "                             number_of(e->layout.dots[k].rows_per_row)",
     "number_sub(e, number_sub(e, number_value(e->last), number_value(e->first)), number_of(1)),\n"
     "                             number_of(e->layout.dots[k].rows_per_row)"),
    ("a size forgets all ragged dimensions but the first", "lib/lower/tile/emit_metadata.c",
     "if (!counted[d] || !name) continue;",
     "if (!counted[d] || !name || !mlirValueIsNull(size)) continue;"),
    ("rows behind the packed ones are not 0", "runtime/frame_tensors.c",
     "(char *)copy->data + kept, 0, all - kept", "(char *)copy->data + kept, 1, all - kept"),
    ("what only has a structure to give is computed", "lib/lower/tile/reads.c",
     "if (ragged_op_reads(operation, k)) {", "if (k >= 0) {"),
    ("a gradient is off by a thousandth", "passes/grad/rules_elementwise.c",
     "SUB(CONSTANT(1), r)", "SUB(CONSTANT(1.001), r)"),
    ("positions in parts of a builtin tensor are not counted through", "lib/lower/tile/emit_dense_reduction.c",
     "r.batch = true;", "r.batch = false;"),
    ("offsets of a space begin at 1", "runtime/space.c", "offsets[0] = 0;", "offsets[0] = 1;"),
    ("after a fault in lengths of the device kernels find rows", "lib/lower/gpu/metadata_kernel.mlir",
     "%is_failed = arith.cmpi ne, %any, %zero", "%is_failed = arith.cmpi slt, %any, %zero"),
    ("samples without rows are visited between others", "lib/lower/gpu/metadata_kernel.mlir",
     "%place = arith.select %is_full, %full, %after_full", "%place = arith.addi %i, %zero"),
    ("slices of rows that there are not change sums", "lib/lower/tile/emit_product_over_rows.c",
     "FromCString(\"plain\")", "FromCString(\"of\")"),
    ("an op is computed again at another row than the one that is read", "lib/lower/tile/late_ops.c",
     "mlirOperationIsNull(reader) || is_view_op(reader)", "mlirOperationIsNull(reader)"),
    ("arguments are read as if they were aligned", "runtime/frame_tensors.c",
     "if (aligned || frame->", "if (true || aligned || frame->"),
    ("a capture does not keep its constants", "runtime/capture.c",
     "  ragged_rt_constant_retain(constant);\n  capture->constants", "  capture->constants"),
]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("work")
    parser.add_argument("--only", default="")
    parser.add_argument("--mlir-dir", required=True)
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    arguments = parser.parse_args()
    tree, build = os.path.join(arguments.work, "tree"), os.path.join(arguments.work, "build")
    shutil.rmtree(tree, ignore_errors=True)
    source = os.path.realpath(arguments.source)
    top = ("build", ".git")  # of the source folder itself: builds and history

    def ignored(folder, names):
        return [n for n in names if os.path.realpath(folder) == source and n.startswith(top)]

    shutil.copytree(source, tree, ignore=ignored)
    configured = run(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DMLIR_DIR=" + arguments.mlir_dir])
    if configured.returncode:
        sys.exit(configured.stdout)

    def suite(name):
        """The first test that fails; None when all pass. What the compiler refuses is no fault."""
        built = run(["ninja", "-C", build, "-j", arguments.jobs])
        if built.returncode:
            sys.exit(f"{name} does not build:\n" + built.stdout[-2000:])
        lit = run(["ninja", "-C", build, "check-ragged"],
                  env=dict(os.environ, LIT_OPTS="--max-failures=1"))
        failed = [line.strip() for line in lit.stdout.splitlines() if line.startswith("FAIL:")]
        return (failed or ["failed"])[0] if lit.returncode else None

    problem = suite("the copy")
    if problem:
        sys.exit("the suite fails without a fault: " + problem)
    caught = tried = 0
    for name, file, old, new in FAULTS:
        if arguments.only not in name:
            continue
        path = os.path.join(tree, file)
        text = open(path, encoding="utf-8").read()
        if text.count(old) != 1:
            sys.exit(f"{file} holds the text of '{name}' {text.count(old)} times, expected once")
        open(path, "w", encoding="utf-8").write(text.replace(old, new))
        result = suite(f"'{name}'")
        open(path, "w", encoding="utf-8").write(text)
        tried += 1
        caught += bool(result)
        print(f"{'caught' if result else 'MISSED'}: {name}" + (f" ({result})" if result else ""), flush=True)
    print(f"{caught} of {tried} faults caught")
    return 0 if tried and caught * 10 >= tried * 9 else 1


sys.exit(main())
