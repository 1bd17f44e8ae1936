// Functions are as exact as what is seen of them.

// RUN: fuse-opt %s --tile-relax-functions | FileCheck %s

// f16 has 11 digits, of which a fast exponential loses none; f32 has 24. The
// factor of the argument is log2(e) times 2 then.
// CHECK-LABEL: tile.kernel @exponentials
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[FACTOR:.*]] = arith.constant dense<2.885390e+00>
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[X]], %[[FACTOR]]
//       CHECK:   %[[E:.*]] = math.exp2 %[[SCALED]] fastmath<afn>
//       CHECK:   arith.truncf %[[E]]
//       CHECK:   math.exp %{{.*}} : tensor<8xf32>
tile.kernel @exponentials(%x: memref<8xf32>, %y: memref<8xf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = arith.mulf %0, %two : tensor<8xf32>
  %2 = math.exp %1 : tensor<8xf32>
  %3 = arith.truncf %2 : tensor<8xf32> to tensor<8xf16>
  tile.store %3, %y[%c0] : tensor<8xf16>, memref<8xf16>
  %4 = math.exp %0 : tensor<8xf32>
  tile.store %4, %z[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}

// What is subtracted from whole rows may be multiplied before.
// CHECK-LABEL: tile.kernel @shifted
//       CHECK:   %[[D:.*]] = arith.subf
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[D]], %{{.*}} fastmath<reassoc,contract>
//       CHECK:   math.exp2 %[[SCALED]]
tile.kernel @shifted(%x: memref<4x8xf32>, %m: memref<4xf32>, %y: memref<4x8xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.load %m[%c0] : memref<4xf32> -> tensor<4xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %3 = arith.subf %0, %2 : tensor<4x8xf32>
  %4 = math.exp %3 : tensor<4x8xf32>
  %5 = arith.truncf %4 : tensor<4x8xf32> to tensor<4x8xf16>
  tile.store %5, %y[%c0, %c0] : tensor<4x8xf16>, memref<4x8xf16>
  tile.return
}

// Of a sum of positive numbers as much is seen as of its terms; what a loop
// carries is positive if it starts so and stays so. A comparison with zero
// takes no digits.
// CHECK-LABEL: tile.kernel @sums
//       CHECK:   scf.for
//       CHECK:     math.exp2 %{{.*}} fastmath<afn>
//       CHECK:   arith.divf %{{.*}} fastmath<afn>
tile.kernel @sums(%x: memref<4x64xf32>, %y: memref<4xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %0 = scf.for %i = %c0 to %c64 step %c8 iter_args(%sum = %zero) -> (tensor<4xf32>) {
    %5 = tile.load %x[%c0, %i] : memref<4x64xf32> -> tensor<4x8xf32>
    %6 = math.exp %5 : tensor<4x8xf32>
    %7 = tile.reduce sum %6 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
    %8 = arith.addf %sum, %7 : tensor<4xf32>
    scf.yield %8 : tensor<4xf32>
  }
  %1 = arith.cmpf oeq, %0, %zero : tensor<4xf32>
  %2 = arith.select %1, %one, %0 : tensor<4xi1>, tensor<4xf32>
  %3 = arith.divf %one, %2 : tensor<4xf32>
  %4 = arith.truncf %3 : tensor<4xf32> to tensor<4xbf16>
  tile.store %4, %y[%c0] : tensor<4xbf16>, memref<4xbf16>
  tile.return
}

// A difference may cancel; a function of the result, or a comparison, may make
// much of its last digit; one of two users may see all.
// CHECK-LABEL: tile.kernel @seen
//   CHECK-NOT:   fastmath
tile.kernel @seen(%x: memref<8xf32>, %y: memref<8xbf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  %2 = arith.subf %1, %one : tensor<8xf32>
  %3 = arith.truncf %2 : tensor<8xf32> to tensor<8xbf16>
  tile.store %3, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  %4 = arith.addf %0, %one : tensor<8xf32>
  %5 = math.exp %4 : tensor<8xf32>
  %6 = arith.addf %5, %0 : tensor<8xf32>
  %7 = arith.truncf %6 : tensor<8xf32> to tensor<8xbf16>
  tile.store %7, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  %8 = math.exp2 %0 : tensor<8xf32>
  %9 = math.sin %8 : tensor<8xf32>
  %10 = arith.truncf %9 : tensor<8xf32> to tensor<8xbf16>
  tile.store %10, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  // The larger one of two negative numbers is negative.
  %13 = arith.addf %0, %0 : tensor<8xf32>
  %14 = arith.maximumf %0, %13 : tensor<8xf32>
  %15 = math.exp %14 : tensor<8xf32>
  %16 = arith.addf %15, %14 : tensor<8xf32>
  %17 = arith.truncf %16 : tensor<8xf32> to tensor<8xbf16>
  tile.store %17, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  %11 = math.exp2 %4 : tensor<8xf32>
  %12 = arith.truncf %11 : tensor<8xf32> to tensor<8xbf16>
  tile.store %12, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  tile.store %11, %z[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}

// One more than a tanh is a quotient, and in a gelu the factor of 2 is one with
// that of 1/2. Where all digits are seen it stays what it is.
// CHECK-LABEL: tile.kernel @gelu
//   CHECK-DAG:   %[[ONE:.*]] = arith.constant dense<1.000000e+00>
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[POWER:.*]] = math.exp2 %{{.*}} fastmath<afn>
//       CHECK:   %[[SUM:.*]] = arith.addf %[[ONE]], %[[POWER]]
//       CHECK:   %[[PART:.*]] = arith.divf %{{.*}}, %[[SUM]] fastmath<afn>
//       CHECK:   %[[Y:.*]] = arith.mulf %[[X]], %[[PART]]
//       CHECK:   arith.truncf %[[Y]]
//       CHECK:   %[[TANH:.*]] = math.tanh %[[X]] : tensor<8xf32>
//       CHECK:   %[[Z:.*]] = arith.addf %[[TANH]], %[[ONE]]
//       CHECK:   tile.store %[[Z]]
tile.kernel @gelu(%x: memref<8xf32>, %y: memref<8xf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8xf32>
  %scale = arith.constant dense<0.75> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = arith.mulf %scale, %0 : tensor<8xf32>
  %2 = math.tanh %1 : tensor<8xf32>
  %3 = arith.addf %one, %2 : tensor<8xf32>
  %4 = arith.mulf %0, %half : tensor<8xf32>
  %5 = arith.mulf %4, %3 : tensor<8xf32>
  %6 = arith.truncf %5 : tensor<8xf32> to tensor<8xf16>
  tile.store %6, %y[%c0] : tensor<8xf16>, memref<8xf16>
  %7 = math.tanh %0 : tensor<8xf32>
  %8 = arith.addf %7, %one : tensor<8xf32>
  tile.store %8, %z[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}

// One more than an erf is a power where the argument is negative, and twice the
// rest of one elsewhere.
// CHECK-LABEL: tile.kernel @gelu_erf
//   CHECK-DAG:   %[[X:.*]] = tile.load
//       CHECK:   %[[SIZE:.*]] = math.absf %[[X]]
//       CHECK:   %[[BOUNDED:.*]] = arith.minimumf %[[SIZE]], %{{.*}}
// CHECK-COUNT-5: math.fma %{{.*}}, %[[BOUNDED]]
//       CHECK:   %[[EXPONENT:.*]] = math.fma %[[SIZE]]
//       CHECK:   %[[POWER:.*]] = math.exp2 %[[EXPONENT]] fastmath<afn>
//       CHECK:   %[[REST:.*]] = arith.subf %{{.*}}, %[[POWER]]
//       CHECK:   %[[BELOW:.*]] = arith.cmpf olt, %[[X]]
//       CHECK:   %[[HALF:.*]] = arith.select %[[BELOW]], %[[POWER]], %[[REST]]
//       CHECK:   %[[GELU:.*]] = arith.mulf %[[X]], %[[HALF]]
//       CHECK:   arith.truncf %[[GELU]]
//       CHECK:   math.erf
tile.kernel @gelu_erf(%x: memref<8xf32>, %y: memref<8xbf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = math.erf %0 : tensor<8xf32>
  %2 = arith.addf %one, %1 : tensor<8xf32>
  %3 = arith.mulf %0, %half : tensor<8xf32>
  %4 = arith.mulf %3, %2 : tensor<8xf32>
  %5 = arith.truncf %4 : tensor<8xf32> to tensor<8xbf16>
  tile.store %5, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  %6 = math.erf %0 : tensor<8xf32>
  %7 = arith.addf %one, %6 : tensor<8xf32>
  tile.store %7, %z[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}

// Beside products in a loop it stays as it is.
// CHECK-LABEL: tile.kernel @gelu_of_rounds
//       CHECK:   scf.for
//       CHECK:     math.erf
//   CHECK-NOT:     math.exp2
tile.kernel @gelu_of_rounds(%x: memref<16x64xf32>, %w: memref<64x16xbf16>, %y: memref<16x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = scf.for %i = %c0 to %c64 step %c16 iter_args(%sum = %zero) -> (tensor<16x16xf32>) {
    %1 = tile.load %x[%c0, %i] : memref<16x64xf32> -> tensor<16x16xf32>
    %2 = math.erf %1 : tensor<16x16xf32>
    %3 = arith.addf %one, %2 : tensor<16x16xf32>
    %4 = arith.truncf %3 : tensor<16x16xf32> to tensor<16x16xbf16>
    %5 = tile.load %w[%i, %c0] : memref<64x16xbf16> -> tensor<16x16xbf16>
    %6 = tile.dot %4, %5, %sum : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
    scf.yield %6 : tensor<16x16xf32>
  }
  tile.store %0, %y[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  tile.return
}

// Any quotient of which few digits are seen is a product with a reciprocal.
// CHECK-LABEL: tile.kernel @quotients
//       CHECK:   arith.divf %{{.*}} fastmath<arcp>
//       CHECK:   arith.divf %{{.*}} : tensor<8xf32>
tile.kernel @quotients(%w: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xbf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = tile.load %w[%c0] : memref<8xf32> -> tensor<8xf32>
  %2 = arith.divf %0, %1 : tensor<8xf32>
  %3 = arith.truncf %2 : tensor<8xf32> to tensor<8xbf16>
  tile.store %3, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  %4 = arith.divf %1, %0 : tensor<8xf32>
  tile.store %4, %z[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}

// The instruction for tanh has 11 digits, enough for bf16 alone. Numbers beyond
// one are divided as they were.
// CHECK-LABEL: tile.kernel @others
//       CHECK:   math.tanh %{{.*}} fastmath<afn>
//       CHECK:   math.tanh %{{[0-9]+}} : tensor<8xf32>
//       CHECK:   math.rsqrt %{{.*}} fastmath<afn>
//       CHECK:   arith.divf %{{[0-9a-z_]+}}, %{{[0-9]+}} fastmath<arcp> : tensor<8xf32>
tile.kernel @others(%x: memref<8xf32>, %y: memref<8xbf16>, %z: memref<8xf16>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = math.tanh %0 : tensor<8xf32>
  %2 = arith.truncf %1 : tensor<8xf32> to tensor<8xbf16>
  tile.store %2, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  %3 = arith.addf %0, %two : tensor<8xf32>
  %4 = math.tanh %3 : tensor<8xf32>
  %5 = arith.truncf %4 : tensor<8xf32> to tensor<8xf16>
  tile.store %5, %z[%c0] : tensor<8xf16>, memref<8xf16>
  %6 = math.rsqrt %0 : tensor<8xf32>
  %7 = arith.truncf %6 : tensor<8xf32> to tensor<8xf16>
  tile.store %7, %z[%c0] : tensor<8xf16>, memref<8xf16>
  %8 = arith.divf %two, %0 : tensor<8xf32>
  %9 = arith.truncf %8 : tensor<8xf32> to tensor<8xf16>
  tile.store %9, %z[%c0] : tensor<8xf16>, memref<8xf16>
  tile.return
}

// What is a term of the argument of a power may be off by as much as the power's
// digits allow, also where it is near 0. The numbers that it is scaled by are one.
// CHECK-LABEL: tile.kernel @capped
//       CHECK:   %[[X:.*]] = tile.load
//   CHECK-DAG:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<4x8xf32>
//   CHECK-DAG:   %[[FACTOR:.*]] = arith.constant dense<0.0961{{[0-9]*}}> : tensor<4x8xf32>
//   CHECK-NOT:   math.tanh
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[X]], %[[FACTOR]] : tensor<4x8xf32>
//       CHECK:   %[[POWER:.*]] = math.exp2 %[[SCALED]] fastmath<afn> : tensor<4x8xf32>
//       CHECK:   %[[SUM:.*]] = arith.addf %[[POWER]], %[[ONE]] : tensor<4x8xf32>
//       CHECK:   %[[PART:.*]] = arith.divf %{{.*}}, %[[SUM]] fastmath<afn> : tensor<4x8xf32>
//       CHECK:   %[[MINUS:.*]] = arith.constant dense<-2.000000e+00> : tensor<4x8xf32>
//       CHECK:   %[[TANH:.*]] = math.fma %[[PART]], %[[MINUS]], %[[ONE]] : tensor<4x8xf32>
//       CHECK:   tile.reduce max %[[TANH]]
//       CHECK:   arith.subf %[[TANH]]
tile.kernel @capped(%x: memref<4x8xf32>, %y: memref<4x8xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cap = arith.constant dense<30.0> : tensor<4x8xf32>
  %0 = tile.load %x[%c0, %c0] : memref<4x8xf32> -> tensor<4x8xf32>
  %1 = arith.divf %0, %cap : tensor<4x8xf32>
  %2 = math.tanh %1 : tensor<4x8xf32>
  %3 = tile.reduce max %2 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %5 = arith.subf %2, %4 : tensor<4x8xf32>
  %6 = arith.mulf %5, %cap : tensor<4x8xf32>
  %7 = math.exp %6 : tensor<4x8xf32>
  %8 = arith.truncf %7 : tensor<4x8xf32> to tensor<4x8xbf16>
  tile.store %8, %y[%c0, %c0] : tensor<4x8xbf16>, memref<4x8xbf16>
  tile.return
}

// All digits of the power count, or those of the number itself, or it is scaled
// by what is too large.
// CHECK-LABEL: tile.kernel @not_capped
// CHECK-COUNT-3: math.tanh
tile.kernel @not_capped(%x: memref<8xf32>, %y: memref<8xbf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %large = arith.constant dense<1000.0> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = math.tanh %0 : tensor<8xf32>
  %2 = math.exp %1 : tensor<8xf32>
  tile.store %2, %z[%c0] : tensor<8xf32>, memref<8xf32>
  %3 = arith.addf %0, %large : tensor<8xf32>
  %4 = math.tanh %3 : tensor<8xf32>
  %5 = math.exp %4 : tensor<8xf32>
  %6 = arith.divf %5, %4 : tensor<8xf32>
  %7 = arith.truncf %6 : tensor<8xf32> to tensor<8xf16>
  %8 = arith.extf %7 : tensor<8xf16> to tensor<8xf32>
  tile.store %8, %z[%c0] : tensor<8xf32>, memref<8xf32>
  %9 = arith.mulf %0, %large : tensor<8xf32>
  %10 = math.tanh %9 : tensor<8xf32>
  %11 = arith.mulf %10, %large : tensor<8xf32>
  %12 = math.exp %11 : tensor<8xf32>
  %13 = arith.truncf %12 : tensor<8xf32> to tensor<8xbf16>
  tile.store %13, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  tile.return
}

// A mask hides nothing, and what it puts in their place has a sign as well.
// CHECK-LABEL: tile.kernel @masked
//       CHECK:   math.exp2 %{{.*}} fastmath<afn>
tile.kernel @masked(%x: memref<4x8xf32>, %y: memref<4xbf16>) outputs 1 blocks(%limit) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x8xf32> -> tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  %2 = tile.mask %1 limits(%limit) axes [1] : tensor<4x8xf32> else 0.0
  %3 = tile.reduce sum %2 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %4 = arith.truncf %3 : tensor<4xf32> to tensor<4xbf16>
  tile.store %4, %y[%c0] : tensor<4xbf16>, memref<4xbf16>
  tile.return
}

// A sum in the argument of a power from whose terms a factor can be taken out
// has two instructions less: x + 0.04 x^3, as in a gelu, is x (1 + 0.04 x^2),
// and what all is multiplied with joins both numbers.
// CHECK-LABEL: tile.kernel @polynomial
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   arith.addf
//       CHECK:   %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : tensor<8xf32>
//   CHECK-DAG:   %[[SMALL:.*]] = arith.constant dense<5.770780e-02> : tensor<8xf32>
//   CHECK-DAG:   %[[LOG2E:.*]] = arith.constant dense<1.44269502> : tensor<8xf32>
//       CHECK:   %[[SUM:.*]] = math.fma %[[SQUARE]], %[[SMALL]], %[[LOG2E]] : tensor<8xf32>
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[X]], %[[SUM]] : tensor<8xf32>
//       CHECK:   math.exp2 %[[SCALED]] fastmath<afn>
tile.kernel @polynomial(%x: memref<8xf32>, %y: memref<8xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c = arith.constant dense<0.04> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = arith.mulf %0, %0 : tensor<8xf32>
  %2 = arith.mulf %1, %0 : tensor<8xf32>
  %3 = arith.mulf %c, %2 : tensor<8xf32>
  %4 = arith.addf %0, %3 : tensor<8xf32>
  %5 = math.exp %4 : tensor<8xf32>
  %6 = arith.truncf %5 : tensor<8xf32> to tensor<8xbf16>
  tile.store %6, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  tile.return
}

// A term of a sum is at most as large as the one whose exponent is the maximum
// itself, and counts less the more it is off. Here as there the difference is
// multiplied, since all digits of the sum are seen.
// CHECK-LABEL: tile.kernel @below_maximum
//       CHECK:   scf.for
//       CHECK:     %[[D:.*]] = arith.subf
//       CHECK:     %[[SCALED:.*]] = arith.mulf %[[D]], %{{[^ ]*}} : tensor<4x64xf32>
//       CHECK:     math.exp2 %[[SCALED]] fastmath<afn> : tensor<4x64xf32>
//       CHECK:     math.exp %{{.*}} : tensor<4xf32>
//       CHECK:   math.log
tile.kernel @below_maximum(%x: memref<4x?xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant dense<0xFF800000> : tensor<4xf32>
  %floor = arith.constant dense<-1.0e30> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %n step %c64 iter_args(%max = %none, %sum = %zero) -> (tensor<4xf32>, tensor<4xf32>) {
    %left = arith.subi %n, %i : index
    %2 = tile.load %x[%c0, %i] limits(%left) axes [1] : memref<4x?xf32> -> tensor<4x64xf32>
    %3 = tile.mask %2 limits(%left) axes [1] : tensor<4x64xf32> else 0xFF800000
    %4 = tile.reduce max %3 dims [1] : tensor<4x64xf32> -> tensor<4xf32>
    %5 = arith.maximumf %max, %4 : tensor<4xf32>
    %6 = arith.maximumf %5, %floor : tensor<4xf32>
    %7 = tile.broadcast %6 dims [0] : tensor<4xf32> -> tensor<4x64xf32>
    %8 = arith.subf %2, %7 : tensor<4x64xf32>
    %9 = math.exp %8 : tensor<4x64xf32>
    %10 = tile.mask %9 limits(%left) axes [1] : tensor<4x64xf32> else 0.0
    %11 = tile.reduce sum %10 dims [1] : tensor<4x64xf32> -> tensor<4xf32>
    %12 = arith.subf %max, %6 : tensor<4xf32>
    %13 = math.exp %12 : tensor<4xf32>
    %14 = arith.mulf %sum, %13 : tensor<4xf32>
    %15 = arith.addf %14, %11 : tensor<4xf32>
    scf.yield %5, %15 : tensor<4xf32>, tensor<4xf32>
  }
  %1 = math.log %0#1 : tensor<4xf32>
  tile.store %1, %y[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}

// The same for what a product adds up.
// CHECK-LABEL: tile.kernel @factor_below_maximum
//       CHECK:   math.exp2 %{{.*}} fastmath<afn> : tensor<16x64xf32>
tile.kernel @factor_below_maximum(%x: memref<16x64xf32>, %v: memref<64x16xf32>, %y: memref<16x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %3 = arith.subf %0, %2 : tensor<16x64xf32>
  %4 = math.exp %3 : tensor<16x64xf32>
  %5 = tile.load %v[%c0, %c0] : memref<64x16xf32> -> tensor<64x16xf32>
  %6 = tile.dot %4, %5, %zero : tensor<16x64xf32>, tensor<64x16xf32> -> tensor<16x16xf32>
  tile.store %6, %y[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  tile.return
}

// All digits are seen of what is stored itself, of few terms, of columns where
// rows had a maximum, and where nobody knows that it is one.
// CHECK-LABEL: tile.kernel @not_below_maximum
// CHECK-COUNT-4: math.exp %{{.*}} : tensor<
//   CHECK-NOT:   math.exp2
tile.kernel @not_below_maximum(%x: memref<64x64xf32>, %m: memref<64xf32>, %y: memref<64x64xf32>, %z: memref<64xf32>, %w: memref<64xf32>, %v: memref<64xf32>) outputs 4 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<64xf32> -> tensor<64x64xf32>
  %3 = arith.subf %0, %2 : tensor<64x64xf32>
  %4 = math.exp %3 : tensor<64x64xf32>
  tile.store %4, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>

  %5 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x16xf32>
  %6 = tile.reduce max %5 dims [1] : tensor<64x16xf32> -> tensor<64xf32>
  %7 = tile.broadcast %6 dims [0] : tensor<64xf32> -> tensor<64x16xf32>
  %8 = arith.subf %5, %7 : tensor<64x16xf32>
  %9 = math.exp %8 : tensor<64x16xf32>
  %10 = tile.reduce sum %9 dims [1] : tensor<64x16xf32> -> tensor<64xf32>
  tile.store %10, %z[%c0] : tensor<64xf32>, memref<64xf32>

  %11 = arith.subf %0, %2 : tensor<64x64xf32>
  %12 = math.exp %11 : tensor<64x64xf32>
  %13 = tile.reduce sum %12 dims [0] : tensor<64x64xf32> -> tensor<64xf32>
  tile.store %13, %w[%c0] : tensor<64xf32>, memref<64xf32>

  %14 = tile.load %m[%c0] : memref<64xf32> -> tensor<64xf32>
  %15 = tile.broadcast %14 dims [0] : tensor<64xf32> -> tensor<64x64xf32>
  %16 = arith.subf %0, %15 : tensor<64x64xf32>
  %17 = math.exp %16 : tensor<64x64xf32>
  %18 = tile.reduce sum %17 dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  tile.store %18, %v[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// A product that is added to what a power is of is rounded once with it; not
// where another needs it, or the sum is seen.
// CHECK-LABEL: tile.kernel @rounded_once
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[S:.*]] = tile.load
//       CHECK:   %[[T:.*]] = tile.load
//       CHECK:   %[[SUM:.*]] = math.fma %[[X]], %[[S]], %[[T]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[SUM]]
//       CHECK:   math.exp2 %[[SCALED]] fastmath<afn>
//       CHECK:   %[[P:.*]] = arith.mulf %[[X]], %[[X]]
//       CHECK:   arith.addf %[[P]], %[[S]]
//   CHECK-NOT:   math.fma
//       CHECK:   tile.return
tile.kernel @rounded_once(%x: memref<8xf32>, %s: memref<8xf32>, %t: memref<8xf32>, %y: memref<8xbf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = tile.load %s[%c0] : memref<8xf32> -> tensor<8xf32>
  %8 = tile.load %t[%c0] : memref<8xf32> -> tensor<8xf32>
  %2 = arith.mulf %0, %1 : tensor<8xf32>
  %3 = arith.addf %8, %2 : tensor<8xf32>
  %4 = math.exp %3 : tensor<8xf32>
  %5 = arith.truncf %4 : tensor<8xf32> to tensor<8xbf16>
  tile.store %5, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  %6 = arith.mulf %0, %0 : tensor<8xf32>
  %7 = arith.addf %6, %1 : tensor<8xf32>
  tile.store %7, %z[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}

// What a loop carries beside the maximum may be any number, far above all terms.
// CHECK-LABEL: tile.kernel @above_maximum
//       CHECK:   math.exp %{{.*}} : tensor<4x64xf32>
//   CHECK-NOT:   math.exp2
//       CHECK:   tile.return
tile.kernel @above_maximum(%x: memref<4x?xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %n step %c64 iter_args(%other = %zero, %sum = %zero) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tile.load %x[%c0, %i] : memref<4x?xf32> -> tensor<4x64xf32>
    %2 = tile.reduce max %1 dims [1] : tensor<4x64xf32> -> tensor<4xf32>
    %3 = arith.maximumf %other, %2 : tensor<4xf32>
    %4 = tile.broadcast %3 dims [0] : tensor<4xf32> -> tensor<4x64xf32>
    %5 = arith.subf %1, %4 : tensor<4x64xf32>
    %6 = math.exp %5 : tensor<4x64xf32>
    %7 = tile.reduce sum %6 dims [1] : tensor<4x64xf32> -> tensor<4xf32>
    %8 = arith.addf %sum, %7 : tensor<4xf32>
    %9 = arith.addf %other, %one : tensor<4xf32>
    scf.yield %9, %8 : tensor<4xf32>, tensor<4xf32>
  }
  tile.store %0#1, %y[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}

// A silu is a product with a fast reciprocal, if nobody sees more: where the
// denominator has none, nothing is left of it.
// CHECK-LABEL: tile.kernel @silu
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[POWER:.*]] = math.exp2 %{{.*}} fastmath<afn>
//       CHECK:   %[[SUM:.*]] = arith.addf %[[POWER]], %{{.*}} :
//       CHECK:   %[[PART:.*]] = arith.divf %{{.*}}, %[[SUM]] fastmath<afn>
//       CHECK:   arith.mulf %[[X]], %[[PART]]
//       CHECK:   %[[EXACT:.*]] = math.exp %{{.*}} : tensor<8xf32>
//       CHECK:   %[[WHOLE:.*]] = arith.addf %[[EXACT]], %{{.*}}
//       CHECK:   arith.divf %[[X]], %[[WHOLE]] : tensor<8xf32>
tile.kernel @silu(%x: memref<8xf32>, %y: memref<8xf16>, %z: memref<8xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %1 = arith.negf %0 : tensor<8xf32>
  %2 = math.exp %1 : tensor<8xf32>
  %3 = arith.addf %2, %one : tensor<8xf32>
  %4 = arith.divf %0, %3 : tensor<8xf32>
  %5 = arith.truncf %4 : tensor<8xf32> to tensor<8xf16>
  tile.store %5, %y[%c0] : tensor<8xf16>, memref<8xf16>
  %6 = math.exp %1 : tensor<8xf32>
  %7 = arith.addf %6, %one : tensor<8xf32>
  %8 = arith.divf %0, %7 : tensor<8xf32>
  tile.store %8, %z[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}
