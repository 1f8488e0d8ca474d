// What `!ragged.tensor` refuses.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type 'f16', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], f16>)

// -----

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type 'i32', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], i32>)

// -----

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type 'i8', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], i8>)

// -----

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type 'index', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], index>)

// -----

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type 'ui64', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], ui64>)

// -----

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type 'si64', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], si64>)

// -----

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type 'tensor<4xf32>', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], tensor<4xf32>>)

// -----

// An element type that there is not.
// expected-error @below {{'!ragged.tensor' has element type '!ragged.tensor<[m], f32>', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<[n], !ragged.tensor<[m], f32>>)

// -----

// `*` has an element type of the project too.
// expected-error @below {{'!ragged.tensor' has element type 'f16', expected f64, f32, bf16, i64 or i1}}
func.func private @f(!ragged.tensor<*, f16>)

// -----

// Rank 17.
// expected-error @below {{'!ragged.tensor' has rank 17, at most 16 is supported}}
func.func private @f(!ragged.tensor<[n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n], f32>)

// -----

// An order that is none.
// expected-error @below {{'!ragged.tensor' order has 1 entry, expected 3}}
func.func private @f(!ragged.tensor<[n, m, 4], f32, order = [0]>)

// -----

// An order that is none.
// expected-error @below {{'!ragged.tensor' order has 4 entries, expected 3}}
func.func private @f(!ragged.tensor<[n, m, 4], f32, order = [0, 1, 2, 3]>)

// -----

// An order that is none.
// expected-error @below {{'!ragged.tensor' order names dimension 0 twice}}
func.func private @f(!ragged.tensor<[n, m, 4], f32, order = [0, 0, 2]>)

// -----

// An order that is none.
// expected-error @below {{'!ragged.tensor' order names dimension 3 at position 2, expected 0 to 2}}
func.func private @f(!ragged.tensor<[n, m, 4], f32, order = [0, 1, 3]>)

// -----

// An order that is none.
// expected-error @below {{'!ragged.tensor' order names dimension -1 at position 0, expected 0 to 2}}
func.func private @f(!ragged.tensor<[n, m, 4], f32, order = [-1, 0, 1]>)

// -----

// An order that is none.
// expected-error @below {{'!ragged.tensor' order puts static dimension 2 before ragged dimension 1 (axis m), expected all ragged dimensions first}}
func.func private @f(!ragged.tensor<[n, m, 4], f32, order = [0, 2, 1]>)

// -----

// An order of no dimension.
// expected-error @below {{expected '>'}}
func.func private @f(!ragged.tensor<*, f32, order = [0]>)

// -----

// Entries beyond 32 bits do not wrap to legal ones.
// expected-error @below {{'!ragged.tensor' order names dimension 4294967296 at position 0, expected 0 to 1}}
func.func private @f(!ragged.tensor<[n, m], f32, order = [4294967296, 1]>)

// -----

// A row of too many elements.
// expected-error @below {{'!ragged.tensor' the product of the static extents does not fit 63 bits}}
func.func private @f(!ragged.tensor<[1099511627776, 1099511627776, n], f32>)

// -----

// Zero does not hide a row of too many elements.
// expected-error @below {{'!ragged.tensor' the product of the static extents does not fit 63 bits}}
func.func private @f(!ragged.tensor<[1099511627776, 0, 1099511627776], f32>)

// -----

// No dimension.
// expected-error @below {{a static extent must not be negative, found -5}}
func.func private @f(!ragged.tensor<[-5], f32>)

// -----

// No dimension.
// expected-error @below {{expected an extent or an axis}}
func.func private @f(!ragged.tensor<[?], f32>)

// -----

// No dimension.
// expected-error @below {{expected an extent or an axis}}
func.func private @f(!ragged.tensor<[n, ], f32>)

// -----

// No dimension.
// expected-error @below {{expected an extent or an axis}}
func.func private @f(!ragged.tensor<["n"], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "99999999999999999999": a number in it does not fit 64 bits}}
func.func private @f(!ragged.tensor<[99999999999999999999], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "n + 9223372036854775807 + 1": a number in it does not fit 64 bits}}
func.func private @f(!ragged.tensor<[n + 9223372036854775807 + 1], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "n +": expected a name, a number or "(" at the end}}
func.func private @f(!ragged.tensor<[n +], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "n m": found "m" at character 3, expected an operator or the end}}
func.func private @f(!ragged.tensor<[n m], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "max": expected "(" at the end}}
func.func private @f(!ragged.tensor<[max], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "max ( n, )": found ")" at character 10, expected a name, a number or "("}}
func.func private @f(!ragged.tensor<[max(n,)], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "floordiv": found "floordiv" at character 1, expected a name (this word is reserved)}}
func.func private @f(!ragged.tensor<[floordiv], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "ceildiv": found "ceildiv" at character 1, expected a name (this word is reserved)}}
func.func private @f(!ragged.tensor<[ceildiv], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "batch": found "batch" at character 1, expected a name (this word is reserved)}}
func.func private @f(!ragged.tensor<[batch], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "order": found "order" at character 1, expected a name (this word is reserved)}}
func.func private @f(!ragged.tensor<[order], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "true": found "true" at character 1, expected a name (this word is reserved)}}
func.func private @f(!ragged.tensor<[true], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "false": found "false" at character 1, expected a name (this word is reserved)}}
func.func private @f(!ragged.tensor<[false], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "mod ( n )": found "mod" at character 1, expected a name (this word is reserved)}}
func.func private @f(!ragged.tensor<[mod(n)], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "n floordiv 0": it has a floordiv by 0, expected 1 or more}}
func.func private @f(!ragged.tensor<[n floordiv 0], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "n floordiv - 2": it has a floordiv by -2, expected 1 or more}}
func.func private @f(!ragged.tensor<[n floordiv -2], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "n floordiv m": it has a floordiv by an axis, expected a number}}
func.func private @f(!ragged.tensor<[n floordiv m], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "n - n": it is 0 for every sample, expected an axis that varies}}
func.func private @f(!ragged.tensor<[n - n], f32>)

// -----

// No dimension.
// expected-error @below {{axis expression "2 * 3": it is 6 for every sample, expected an axis that varies}}
func.func private @f(!ragged.tensor<[2 * 3], f32>)

// -----

// No dimension.
// expected-error @below {{it is nested more than}}
func.func private @f(!ragged.tensor<[(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((n)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))], f32>)

// -----

// No dimensions.
// expected-error @below {{expected '['}}
func.func private @f(!ragged.tensor<f32>)

// -----

// No element type.
// expected-error @below {{expected ','}}
func.func private @f(!ragged.tensor<[n]>)

// -----

// A word that is no parameter.
// expected-error @below {{expected 'order'}}
func.func private @f(!ragged.tensor<[n], f32, layout = [0]>)
