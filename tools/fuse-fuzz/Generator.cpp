//===- Generator.cpp - random graphs --------------------------------------===//
//
// Draws ops until there are enough.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "GraphWriter.h"

using namespace mlir;
using namespace fuse;

FuzzGraph fuse::generateGraph(MLIRContext &context, uint64_t seed,
                              uint64_t number, unsigned maxOps) {
  context.loadDialect<FuseDialect, arith::ArithDialect, math::MathDialect,
                      func::FuncDialect>();
  context.getOrLoadDialect("tensor");
  Random random(seed, number);
  FuzzGraph graph;
  GraphWriter writer(graph, context, random);
  unsigned wanted = random.between(1, maxOps);
  // What does not fit is drawn again, but not for ever: a graph of scalars has
  // no product.
  for (unsigned tries = 0; tries < 8 * maxOps && writer.numOps() < wanted;
       ++tries) {
    uint64_t kind = random.below(100);
    if (kind < 30)
      writer.addPointwise();
    else if (kind < 52)
      writer.addMove();
    else if (kind < 66)
      writer.addReduction();
    else if (kind < 78)
      writer.addProduct();
    else if (kind < 84)
      writer.addMaskedValue();
    else
      writer.addComposition();
  }
  writer.finish();
  return graph;
}
