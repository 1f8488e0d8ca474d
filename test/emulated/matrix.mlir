// Matrix products through compiled code: A has ones in row 0 and twos in row 8, B is 1 + column;
// fragments come from shared memory, where ldmatrix reads them.

// RUN: emulated_run %s m__product 1 32 0 f32:128! | FileCheck %s
// CHECK: operand 0: 16.5 32.5 48.5 64.5 80.5 96.5 112.5 128.5 0.5 0.5
// CHECK-SAME: 0.5 0.5 32.5 64.5 96.5 128.5 160.5 192.5 224.5 256.5 0.5

// RUN: not emulated_run %s m__product 1 31 0 f32:128! | FileCheck %s -check-prefix=LANES
// LANES: 'nvvm.ldmatrix': the mask 0xffffffff names lanes that the block of 31 threads does not have

// RUN: emulated_run %s m__tf32 1 32 0 f32:128! | FileCheck %s -check-prefix=TF32
// TF32: operand 0: 8 8 8

gpu.module @m {
  // 16 rows of 16 bf16.
  llvm.mlir.global internal @a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x bf16>

  llvm.func @product(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c15 = llvm.mlir.constant(15 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %half = llvm.mlir.constant(0.5 : f32) : f32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %two = llvm.mlir.constant(2.0 : f32) : f32
    // Lane k writes half a row: row k mod 16, columns 8 (k / 16) and up.
    %row = llvm.and %lane, %c15 : i32
    %side = llvm.lshr %lane, %c4 : i32
    %is0 = llvm.icmp "eq" %row, %c0 : i32
    %is8 = llvm.icmp "eq" %row, %c8 : i32
    %v8 = llvm.select %is8, %two, %zero : i1, f32
    %v = llvm.select %is0, %one, %v8 : i1, f32
    %narrow = llvm.fptrunc %v : f32 to bf16
    %poison = llvm.mlir.poison : vector<8xbf16>
    %first = llvm.insertelement %narrow, %poison[%c0 : i32] : vector<8xbf16>
    %values = llvm.shufflevector %first, %poison [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xbf16>
    %memory = llvm.mlir.addressof @a : !llvm.ptr<3>
    %row_begin = llvm.mul %row, %c16 : i32
    %column = llvm.mul %side, %c8 : i32
    %position = llvm.add %row_begin, %column : i32
    %own = llvm.getelementptr %memory[%position] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, bf16
    llvm.store %values, %own {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<3>
    nvvm.barrier0
    // Matrices of ldmatrix: rows 0 to 7, 8 to 15 of the left half, then of the right: the lanes' own.
    %a = nvvm.ldmatrix %own {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %a0 = llvm.extractvalue %a[0] : !llvm.struct<(i32, i32, i32, i32)>
    %a1 = llvm.extractvalue %a[1] : !llvm.struct<(i32, i32, i32, i32)>
    %a2 = llvm.extractvalue %a[2] : !llvm.struct<(i32, i32, i32, i32)>
    %a3 = llvm.extractvalue %a[3] : !llvm.struct<(i32, i32, i32, i32)>
    %group = llvm.lshr %lane, %c2 : i32
    %group1 = llvm.add %group, %c1 : i32
    %b = llvm.sitofp %group1 : i32 to f32
    %b_narrow = llvm.fptrunc %b : f32 to bf16
    %pair_poison = llvm.mlir.poison : vector<2xbf16>
    %pair0 = llvm.insertelement %b_narrow, %pair_poison[%c0 : i32] : vector<2xbf16>
    %pair = llvm.insertelement %b_narrow, %pair0[%c1 : i32] : vector<2xbf16>
    %bits = llvm.bitcast %pair : vector<2xbf16> to i32
    %d = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%bits, %bits] C[%half, %half, %half, %half] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.call @store(%out, %d) : (!llvm.ptr<1>, !llvm.struct<(f32, f32, f32, f32)>) -> ()
    llvm.return
  }

  llvm.func @tf32(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %bits = llvm.bitcast %one : f32 to i32
    %d = nvvm.mma.sync A[%bits, %bits, %bits, %bits] B[%bits, %bits] C[%zero, %zero, %zero, %zero] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.call @store(%out, %d) : (!llvm.ptr<1>, !llvm.struct<(f32, f32, f32, f32)>) -> ()
    llvm.return
  }

  // The accumulators of a lane to a 16x8 matrix.
  llvm.func @store(%out: !llvm.ptr<1>, %d: !llvm.struct<(f32, f32, f32, f32)>) {
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %group = llvm.lshr %lane, %c2 : i32
    %in_group = llvm.and %lane, %c3 : i32
    %column = llvm.shl %in_group, %c1 : i32
    %row = llvm.shl %group, %c3 : i32
    %position = llvm.add %row, %column : i32
    %upper = llvm.getelementptr %out[%position] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %lower = llvm.getelementptr %upper[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %c0i = llvm.mlir.constant(0 : i32) : i32
    %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d2 = llvm.extractvalue %d[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d3 = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
    %poison = llvm.mlir.poison : vector<2xf32>
    %u0 = llvm.insertelement %d0, %poison[%c0i : i32] : vector<2xf32>
    %u = llvm.insertelement %d1, %u0[%c1 : i32] : vector<2xf32>
    %l0 = llvm.insertelement %d2, %poison[%c0i : i32] : vector<2xf32>
    %l = llvm.insertelement %d3, %l0[%c1 : i32] : vector<2xf32>
    llvm.store %u, %upper {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
    llvm.store %l, %lower {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
    llvm.return
  }
}
