// The kernel that computes extents and offsets where only the device knows the lengths: one block runs
// the steps of runtime/frame_plan.h, eight words each, whose numbers lie in `data`. After a fault the
// first one stands in `fault`, unless one stands there already, and `data` is all 0: no kernel that
// comes after then finds a row. lower_gpu.c puts it into every GPU module.
gpu.module @metadata {
  // 256 numbers that threads exchange, 256 more, then whether there was a fault.
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<0 x i8>

  // What an operand is for sample %i: a number, words of `data`, or integers at an address.
  llvm.func internal @ragged_metadata_number(%mode: i64, %value: i64, %data: !llvm.ptr<1>, %i: i64) -> i64 attributes {always_inline} {
    %case = arith.index_cast %mode : i64 to index
    %number = scf.index_switch %case -> i64
    case 1 {
      %word = arith.addi %value, %i : i64
      %at = llvm.getelementptr %data[%word] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
      %loaded = llvm.load %at : !llvm.ptr<1> -> i64
      scf.yield %loaded : i64
    }
    case 2 {
      %base = llvm.inttoptr %value : i64 to !llvm.ptr<1>
      %at = llvm.getelementptr %base[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
      %loaded = llvm.load %at : !llvm.ptr<1> -> i64
      scf.yield %loaded : i64
    }
    case 3 {
      %base = llvm.inttoptr %value : i64 to !llvm.ptr<1>
      %at = llvm.getelementptr %base[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      %loaded = llvm.load %at : !llvm.ptr<1> -> i32
      %wide = arith.extsi %loaded : i32 to i64
      scf.yield %wide : i64
    }
    default {
      scf.yield %value : i64
    }
    llvm.return %number : i64
  }

  llvm.func @ragged_metadata(%count: i64, %scratch: !llvm.ptr<1>, %steps: !llvm.ptr<1>, %data: !llvm.ptr<1>, %words: i64, %batch: i64, %fault: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %eight = arith.constant 8 : i64
    %half = arith.constant 128 : i64
    %threads = arith.constant 256 : i64
    %rounding = arith.constant 255 : i64
    %same = arith.constant 9 : i64
    %scan = arith.constant 10 : i64
    %max_rows = arith.constant 2305843009213693952 : i64
    %none = arith.constant 9223372036854775807 : i64
    %false = arith.constant false
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %thread = arith.extui %tid : i32 to i64
    %is_first = arith.cmpi eq, %thread, %zero : i64
    %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %own = llvm.getelementptr %shared[%thread] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %counts = llvm.getelementptr %shared[%threads] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %own_count = llvm.getelementptr %counts[%thread] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %failed = llvm.getelementptr %counts[%threads] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    scf.if %is_first {
      llvm.store %zero, %failed : i64, !llvm.ptr<3>
    }
    nvvm.barrier0
    scf.for %s = %zero to %count step %one : i64 {
      %first_word = arith.muli %s, %eight : i64
      %step = llvm.getelementptr %steps[%first_word] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
      %kind = llvm.load %step : !llvm.ptr<1> -> i64
      %a_mode_at = llvm.getelementptr %step[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
      %a_mode = llvm.load %a_mode_at : !llvm.ptr<1> -> i64
      %a_value_at = llvm.getelementptr %step[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
      %a_value = llvm.load %a_value_at : !llvm.ptr<1> -> i64
      %b_mode_at = llvm.getelementptr %step[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
      %b_mode = llvm.load %b_mode_at : !llvm.ptr<1> -> i64
      %b_value_at = llvm.getelementptr %step[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
      %b_value = llvm.load %b_value_at : !llvm.ptr<1> -> i64
      %limit_at = llvm.getelementptr %step[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
      %limit = llvm.load %limit_at : !llvm.ptr<1> -> i64
      %out_at = llvm.getelementptr %step[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
      %out = llvm.load %out_at : !llvm.ptr<1> -> i64
      %is_scan = arith.cmpi eq, %kind, %scan : i64

      // The thread's first sample with a fault, what was found there and what is required.
      %wrong:3 = scf.if %is_scan -> (i64, i64, i64) {
        // Every thread sums its share of the samples and counts those that have rows; sums end at one
        // more than the limit.
        %most = arith.addi %limit, %one : i64
        %rounded = arith.addi %batch, %rounding : i64
        %share = arith.shrui %rounded, %eight : i64
        %begin_any = arith.muli %thread, %share : i64
        %begin = arith.minsi %begin_any, %batch : i64
        %end_any = arith.addi %begin, %share : i64
        %end = arith.minsi %end_any, %batch : i64
        %sums:2 = scf.for %i = %begin to %end step %one iter_args(%so_far = %zero, %full = %zero) -> (i64, i64) : i64 {
          %rows = llvm.call @ragged_metadata_number(%a_mode, %a_value, %data, %i) : (i64, i64, !llvm.ptr<1>, i64) -> i64
          %few = arith.minsi %rows, %most : i64
          %more = arith.addi %so_far, %few : i64
          %next = arith.minsi %more, %most : i64
          %is_full = arith.minsi %few, %one : i64
          %next_full = arith.addi %full, %is_full : i64
          scf.yield %next, %next_full : i64, i64
        }
        llvm.store %sums#0, %own : i64, !llvm.ptr<3>
        llvm.store %sums#1, %own_count : i64, !llvm.ptr<3>
        nvvm.barrier0
        scf.for %k = %zero to %eight step %one : i64 {
          %distance = arith.shli %one, %k : i64
          %mine = llvm.load %own : !llvm.ptr<3> -> i64
          %mine_full = llvm.load %own_count : !llvm.ptr<3> -> i64
          %has_other = arith.cmpi sge, %thread, %distance : i64
          %other:2 = scf.if %has_other -> (i64, i64) {
            %before = arith.subi %thread, %distance : i64
            %sum_at = llvm.getelementptr %shared[%before] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
            %sum = llvm.load %sum_at : !llvm.ptr<3> -> i64
            %count_at = llvm.getelementptr %counts[%before] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
            %full = llvm.load %count_at : !llvm.ptr<3> -> i64
            scf.yield %sum, %full : i64, i64
          } else {
            scf.yield %zero, %zero : i64, i64
          }
          nvvm.barrier0
          %both = arith.addi %mine, %other#0 : i64
          %joined = arith.minsi %both, %most : i64
          %joined_full = arith.addi %mine_full, %other#1 : i64
          llvm.store %joined, %own : i64, !llvm.ptr<3>
          llvm.store %joined_full, %own_count : i64, !llvm.ptr<3>
          nvvm.barrier0
        }
        %last = arith.subi %threads, %one : i64
        %total_at = llvm.getelementptr %shared[%last] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %total = llvm.load %total_at : !llvm.ptr<3> -> i64
        %all_full_at = llvm.getelementptr %counts[%last] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %all_full = llvm.load %all_full_at : !llvm.ptr<3> -> i64
        %ends = arith.addi %out, %one : i64
        %samples = arith.addi %ends, %batch : i64
        %ordered = arith.addi %samples, %batch : i64
        %before_own:2 = scf.if %is_first -> (i64, i64) {
          %at = llvm.getelementptr %data[%out] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
          llvm.store %zero, %at : i64, !llvm.ptr<1>
          %end_word = arith.addi %ordered, %batch : i64
          %end_at = llvm.getelementptr %data[%end_word] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
          llvm.store %total, %end_at : i64, !llvm.ptr<1>
          scf.yield %zero, %zero : i64, i64
        } else {
          %before = arith.subi %thread, %one : i64
          %sum_at = llvm.getelementptr %shared[%before] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %sum = llvm.load %sum_at : !llvm.ptr<3> -> i64
          %count_at = llvm.getelementptr %counts[%before] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %full = llvm.load %count_at : !llvm.ptr<3> -> i64
          scf.yield %sum, %full : i64, i64
        }
        nvvm.barrier0
        %after:3 = scf.for %i = %begin to %end step %one iter_args(%so_far = %before_own#0, %full = %before_own#1, %first = %none) -> (i64, i64, i64) : i64 {
          %rows = llvm.call @ragged_metadata_number(%a_mode, %a_value, %data, %i) : (i64, i64, !llvm.ptr<1>, i64) -> i64
          %few = arith.minsi %rows, %most : i64
          %more = arith.addi %so_far, %few : i64
          %next = arith.minsi %more, %most : i64
          %end_word = arith.addi %ends, %i : i64
          %end_at = llvm.getelementptr %data[%end_word] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
          llvm.store %next, %end_at : i64, !llvm.ptr<1>
          // Its place among those that have rows, or, after them, among those that have none.
          %is_full = arith.cmpi sgt, %few, %zero : i64
          %one_full = arith.extui %is_full : i1 to i64
          %next_full = arith.addi %full, %one_full : i64
          %empty = arith.subi %i, %full : i64
          %after_full = arith.addi %all_full, %empty : i64
          %place = arith.select %is_full, %full, %after_full : i64
          %begins = arith.select %is_full, %so_far, %total : i64
          %sample_word = arith.addi %samples, %place : i64
          %sample_at = llvm.getelementptr %data[%sample_word] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
          llvm.store %i, %sample_at : i64, !llvm.ptr<1>
          %begins_word = arith.addi %ordered, %place : i64
          %begins_at = llvm.getelementptr %data[%begins_word] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
          llvm.store %begins, %begins_at : i64, !llvm.ptr<1>
          %is_over = arith.cmpi sgt, %next, %limit : i64
          %over = arith.select %is_over, %i, %none : i64
          %earliest = arith.minsi %first, %over : i64
          scf.yield %next, %next_full, %earliest : i64, i64, i64
        }
        scf.yield %after#2, %after#0, %limit : i64, i64, i64
      } else {
        %is_same = arith.cmpi eq, %kind, %same : i64
        %is_limited = arith.cmpi sge, %limit, %zero : i64
        %allowed = arith.select %is_limited, %limit, %none : i64
        %first:3 = scf.for %i = %thread to %batch step %threads iter_args(%sample = %none, %found = %zero, %required = %zero) -> (i64, i64, i64) : i64 {
          %a = llvm.call @ragged_metadata_number(%a_mode, %a_value, %data, %i) : (i64, i64, !llvm.ptr<1>, i64) -> i64
          %b = llvm.call @ragged_metadata_number(%b_mode, %b_value, %data, %i) : (i64, i64, !llvm.ptr<1>, i64) -> i64
          %case = arith.index_cast %kind : i64 to index
          // A number of 64 bits, and whether there is none.
          %result:2 = scf.index_switch %case -> i64, i1
          case 2 {
            %pair = "llvm.intr.sadd.with.overflow"(%a, %b) : (i64, i64) -> !llvm.struct<(i64, i1)>
            %number = llvm.extractvalue %pair[0] : !llvm.struct<(i64, i1)>
            %over = llvm.extractvalue %pair[1] : !llvm.struct<(i64, i1)>
            scf.yield %number, %over : i64, i1
          }
          case 3 {
            %pair = "llvm.intr.ssub.with.overflow"(%a, %b) : (i64, i64) -> !llvm.struct<(i64, i1)>
            %number = llvm.extractvalue %pair[0] : !llvm.struct<(i64, i1)>
            %over = llvm.extractvalue %pair[1] : !llvm.struct<(i64, i1)>
            scf.yield %number, %over : i64, i1
          }
          case 4 {
            %pair = "llvm.intr.smul.with.overflow"(%a, %b) : (i64, i64) -> !llvm.struct<(i64, i1)>
            %number = llvm.extractvalue %pair[0] : !llvm.struct<(i64, i1)>
            %over = llvm.extractvalue %pair[1] : !llvm.struct<(i64, i1)>
            scf.yield %number, %over : i64, i1
          }
          case 5 {
            %divisor = arith.maxsi %b, %one : i64
            %toward_zero = arith.divsi %a, %divisor : i64
            %rest = arith.remsi %a, %divisor : i64
            %is_below = arith.cmpi slt, %rest, %zero : i64
            %below = arith.extui %is_below : i1 to i64
            %number = arith.subi %toward_zero, %below : i64
            scf.yield %number, %false : i64, i1
          }
          case 6 {
            %number = arith.maxsi %a, %b : i64
            scf.yield %number, %false : i64, i1
          }
          case 7 {
            %number = arith.minsi %a, %b : i64
            scf.yield %number, %false : i64, i1
          }
          case 8 {
            %pair = "llvm.intr.smul.with.overflow"(%a, %b) : (i64, i64) -> !llvm.struct<(i64, i1)>
            %number = llvm.extractvalue %pair[0] : !llvm.struct<(i64, i1)>
            %over = llvm.extractvalue %pair[1] : !llvm.struct<(i64, i1)>
            %few = arith.minsi %number, %max_rows : i64
            %rows = arith.select %over, %max_rows, %few : i64
            scf.yield %rows, %false : i64, i1
          }
          case 9 {
            %differs = arith.cmpi ne, %a, %b : i64
            scf.yield %a, %differs : i64, i1
          }
          default {
            scf.yield %a, %false : i64, i1
          }
          %is_negative = arith.cmpi slt, %result#0, %zero : i64
          %is_over = arith.cmpi sgt, %result#0, %allowed : i64
          %is_out = arith.ori %is_negative, %is_over : i1
          %breaks = arith.andi %is_limited, %is_out : i1
          %is_wrong = arith.ori %result#1, %breaks : i1
          scf.if %is_same {
          } else {
            %kept = arith.select %is_wrong, %zero, %result#0 : i64
            %word = arith.addi %out, %i : i64
            %at = llvm.getelementptr %data[%word] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
            llvm.store %kept, %at : i64, !llvm.ptr<1>
          }
          %is_none = arith.cmpi eq, %sample, %none : i64
          %is_new = arith.andi %is_wrong, %is_none : i1
          %bound = arith.select %is_same, %b, %allowed : i64
          %next_sample = arith.select %is_new, %i, %sample : i64
          %next_found = arith.select %is_new, %result#0, %found : i64
          %next_required = arith.select %is_new, %bound, %required : i64
          scf.yield %next_sample, %next_found, %next_required : i64, i64, i64
        }
        scf.yield %first#0, %first#1, %first#2 : i64, i64, i64
      }

      // The first of the block's.
      llvm.store %wrong#0, %own : i64, !llvm.ptr<3>
      nvvm.barrier0
      scf.for %k = %zero to %eight step %one : i64 {
        %distance = arith.shrui %half, %k : i64
        %joins = arith.cmpi slt, %thread, %distance : i64
        scf.if %joins {
          %after = arith.addi %thread, %distance : i64
          %at = llvm.getelementptr %shared[%after] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %other = llvm.load %at : !llvm.ptr<3> -> i64
          %mine = llvm.load %own : !llvm.ptr<3> -> i64
          %least = arith.minsi %mine, %other : i64
          llvm.store %least, %own : i64, !llvm.ptr<3>
        }
        nvvm.barrier0
      }
      %earliest = llvm.load %shared : !llvm.ptr<3> -> i64
      nvvm.barrier0
      %is_fault = arith.cmpi ne, %earliest, %none : i64
      %is_own = arith.cmpi eq, %earliest, %wrong#0 : i64
      %tells = arith.andi %is_fault, %is_own : i1
      scf.if %tells {
        llvm.store %one, %failed : i64, !llvm.ptr<3>
        %known = llvm.load %fault : !llvm.ptr<1> -> i64
        %is_unknown = arith.cmpi eq, %known, %zero : i64
        scf.if %is_unknown {
          llvm.store %kind, %fault : i64, !llvm.ptr<1>
          %sample_at = llvm.getelementptr %fault[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
          llvm.store %wrong#0, %sample_at : i64, !llvm.ptr<1>
          %found_at = llvm.getelementptr %fault[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
          llvm.store %wrong#1, %found_at : i64, !llvm.ptr<1>
          %required_at = llvm.getelementptr %fault[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
          llvm.store %wrong#2, %required_at : i64, !llvm.ptr<1>
        }
      }
    }
    nvvm.barrier0
    %any = llvm.load %failed : !llvm.ptr<3> -> i64
    %is_failed = arith.cmpi ne, %any, %zero : i64
    scf.if %is_failed {
      scf.for %i = %thread to %words step %threads : i64 {
        %at = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
        llvm.store %zero, %at : i64, !llvm.ptr<1>
      }
    }
    llvm.return
  }
}
