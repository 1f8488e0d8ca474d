// RUN: ragged-opt %s --ragged-to-tiles --split-input-file --verify-diagnostics
// How large a dense constant may be.

// Just small enough, and nothing at all.
func.func @f() -> (tensor<268435456xf32>, tensor<0x4611686018427387904xf32>) {
  %0 = arith.constant dense<1.0> : tensor<268435456xf32>
  %1 = arith.constant dense<> : tensor<0x4611686018427387904xf32>
  return %0, %1 : tensor<268435456xf32>, tensor<0x4611686018427387904xf32>
}

// -----

func.func @f() -> tensor<268435457xf32> {
  // expected-error @+1 {{'arith.constant' op is a constant of type tensor<268435457xf32>, but at most 1073741824 bytes are supported}}
  %0 = arith.constant dense<1.0> : tensor<268435457xf32>
  return %0 : tensor<268435457xf32>
}

// -----

func.func @f() -> tensor<1073741825xi1> {
  // expected-error @+1 {{'arith.constant' op is a constant of type tensor<1073741825xi1>, but at most}}
  %0 = arith.constant dense<true> : tensor<1073741825xi1>
  return %0 : tensor<1073741825xi1>
}

// -----

func.func @f() -> tensor<4611686018427387904xf32> {
  // expected-error @+1 {{'arith.constant' op is a constant of type tensor<4611686018427387904xf32>, but at most}}
  %0 = arith.constant dense<1.0> : tensor<4611686018427387904xf32>
  return %0 : tensor<4611686018427387904xf32>
}
