package org.lampyris.samplers.program.named;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.random.Noise;

/** Normal proposal about a node's present value, without its normalising constant. */
record Drift(Node node, double sd) implements Density {
  @Override
  public int dimension() {
    return node.dimension();
  }

  @Override
  public List<Term> parameters() {
    return IntStream.range(0, node.dimension()).<Term>mapToObj(j -> v -> v.of(node, j)).toList();
  }

  @Override
  public double logDensity(Given given, double[] x, int at) {
    double squares = 0;
    for (int j = 0; j < node.dimension(); j++) {
      double z = (x[at + j] - given.of(node, j)) / sd;
      squares += z * z;
    }
    return -0.5 * squares;
  }

  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    Noise noise = Noise.of(rng);
    for (int j = 0; j < node.dimension(); j++) {
      out[at + j] = given.of(node, j) + sd * noise.normal();
    }
  }
}
