"""Checks of bench/kernel_report_*.py on what is known: occupancy (as cuda_occupancy.h of the CUDA toolkit
computes it), PTX, the order of views, bytes of a tile program."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bench"))
import kernel_report_ptx as ptx
import kernel_report_tiles as tiles

# Blocks of 256 threads, and smaller ones; registers a thread, shared memory a block.
for chip, registers, shared, threads, expected in (
        ("sm_80", 32, 0, 256, (1.0, "threads")),            # 8 blocks of 8 warps
        ("sm_80", 33, 0, 256, (0.75, "registers")),         # 1,280 a warp: 12 of 16 warps a part
        ("sm_80", 64, 0, 256, (0.5, "registers")),
        ("sm_80", 255, 0, 256, (0.125, "registers")),
        ("sm_80", 32, 48 * 1024, 256, (0.375, "shared memory")),  # 49 KiB of 164
        ("sm_90", 32, 48 * 1024, 256, (0.5, "shared memory")),    # of 228
        ("sm_86", 32, 0, 256, (1.0, "threads")),            # 6 blocks of 8 of 48 warps
        ("sm_86", 32, 48 * 1024, 256, (2 * 8 / 48, "shared memory")),
        ("sm_86", 16, 0, 32, (16 / 48, "blocks")),
        ("sm_89", 40, 0, 256, (1.0, "threads")),
        ("sm_90", 168, 0, 384, (12 / 64, "registers"))):
    found = ptx.occupancy(chip, registers, shared, threads)
    assert found == expected, (chip, registers, shared, threads, found)
assert ptx.occupancy("sm_120", 32, 0, 256) is None

assert ptx.unescape(r"a\0A\22b\\c\09") == 'a\n"b\\c\t'

# A view keeps the order where the operand's dimensions are the last of the result.
assert tiles.keeps_order([1], [4], [3, 4]) and tiles.keeps_order([], [], [8])
assert tiles.keeps_order([0, -1], [8, 1], [8]) and tiles.keeps_order([1, 2], [3, 4], [1, 3, 4])
assert not tiles.keeps_order([1, 0], [4, 3], [3, 4]) and not tiles.keeps_order([0], [3], [3, 4])

# Loads are found through what is added to a parameter, with the loops around them.
CODE = """
.visible .entry k(
\t.param .u64 k_param_3
)
{
\tld.param.b64 \t%rd1, [k_param_3];
\tmad.lo.s64 \t%rd2, %rd9, 12, %rd1;
\tld.global.nc.v4.b32 \t{%r1, %r2, %r3, %r4}, [%rd2+16];
$L__BB0_1:
\tadd.s64 \t%rd3, %rd2, %rd8;
\tld.global.b16 \t%rs1, [%rd3];
\tdiv.s64 \t%rd7, %rd8, %rd9;
\tex2.approx.ftz.f32 \t%r5, %r6;
$L__BB0_2:
\tst.global.b64 \t[%rd9], %rd7;
\t@%p1 bra \t$L__BB0_2;
\t@%p2 bra \t$L__BB0_1;
\tcall.uni f, (param0);
\tret;
}
.func f(
\t.param .b64 f_param_0
)
{
\tst.local.b32 \t[%rd1], %r1;
\tdiv.rn.f32 \t%r1, %r2, %r3;
\tret;
}
"""
counts, accesses, reached = ptx.analyse_ptx(CODE)["k"]
assert accesses == [("ld", 16, {3}, 0), ("ld", 2, {3}, 1), ("st", 8, frozenset(), 2)], accesses
assert reached == ["k", "f"], reached
assert {key for key, value in counts.items() if value} == {"div_64", "ex2", "local", "div_float"}, counts

# A product of two axes: a row of `a` for each b.
KERNEL = """
  ragged_tile.kernel @k axes = ["n", "m"] grid = [0, 1] {
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: !ragged_tile.ref<[0], 8xf32>, %arg4: !ragged_tile.ref<dense, 8xf32>, %arg5: !ragged_tile.ref<[0, 1], 8xf32>):
    %0 = ragged_tile.load %arg3[%arg0, %arg1] : <[0], 8xf32> -> <8xf32>
    %1 = ragged_tile.load %arg3[%arg0, %arg1] : <[0], 8xf32> -> <8xf32>
    %2 = ragged_tile.load %arg4[] : <dense, 8xf32> -> <8xf32>
    ragged_tile.store %2, %arg5[%arg0, %arg1, %arg2] : <8xf32>, <[0, 1], 8xf32>
""".strip("\n").splitlines()
traffic = tiles.parse_kernel(KERNEL).traffic([[2, 3, 4], [5, 1, 0]], ["%a", "%b", "%c"], 3)
rows = 2 * 5 + 3 * 1  # the last sample has none, and reads none
assert traffic == {"minimum": 32 * (2 + 3 + 1 + rows), "asked": 3 * 32 * rows, "repeated": 32 * rows}, traffic

# Rows of a builtin tensor: as many as the launch has items, whatever axes the program has.
DENSE = """
  ragged_tile.kernel @d axes = [] grid = [] {
  ^bb0(%arg0: index, %arg1: !ragged_tile.ref<[], f32>, %arg2: !ragged_tile.ref<[], f32>):
    %0 = ragged_tile.load %arg1[%arg0] : <[], f32> -> <f32>
    ragged_tile.store %0, %arg2[%arg0] : <f32>, <[], f32>
  }
  func.func @ragged_entry_d(%arg0: !ragged_tile.frame) {
    %c4 = arith.constant 4 : i64
    %c3 = arith.constant 3 : i64
    %2 = arith.muli %c4, %c3 : i64
    %c1 = arith.constant 1 : i64
    ragged_tile.launch %arg0, @d items %2 batch %c1 axes() buffers(%0, %1)
  }
"""
for lengths, batch in (({}, None), ({"n": [300, 40]}, 2)):
    assert tiles.Program(DENSE).traffic("d", lengths, batch)["d"]["minimum"] == 2 * 4 * 12

# A box that has the batch after the tail has no row that lies together; one with the batch between axes has.
for layout, last in (("[1, 0]", False), ("[0, 1]", True)):
    box = KERNEL[:1] + [KERNEL[1].replace("!ragged_tile.ref<[0], 8xf32>", f"!ragged_tile.ref<box {layout} [], 8xf32>")]
    assert tiles.parse_kernel(box).refs[0].tail_last is last, layout
assert tiles.Ref("box [1, 0, 2] [1], 3xf32").tail_last and not tiles.Ref("box [0, 3, 1, 2] [0, 1], 3xf32").tail_last
