package org.lampyris.experiments.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.minibatch.BatchQuestions;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.run.PlainBlock;

/**
 * A dense Markov random field: p(x) ∝ exp Σ_{i&lt;j&lt;k} log f_ijk(x_i, x_j, x_k) over x ∈ {0,
 * 1}^d, with a factor for every triple, whose eight values log f are N(0, sd²).
 *
 * <p>Factors that contain a variable are laid side by side, so that each is stored three times.
 */
final class MarkovField {
  private final long seed;
  private final TripleFactors model;
  private final List<DataBlock> factorsOf;

  private MarkovField(long seed, int variables, List<DataBlock> factorsOf) {
    this.seed = seed;
    this.model = new TripleFactors(variables);
    this.factorsOf = factorsOf;
  }

  /** Draws a field of d variables; its seed also keys the order in which tests read factors. */
  static MarkovField random(int variables, double sd, long seed) {
    Noise noise = Noise.of(new Streams(seed).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    int each = (variables - 1) * (variables - 2) / 2;
    double[][] packed = new double[variables][each * TripleFactors.COLUMNS];
    int[] filled = new int[variables];
    for (int i = 0; i < variables; i++) {
      for (int j = i + 1; j < variables; j++) {
        for (int k = j + 1; k < variables; k++) {
          double[] factor = new double[TripleFactors.COLUMNS];
          double[] values = noise.normals(8);
          Arrays.setAll(factor, c -> c < 3 ? 0 : sd * values[c - 3]);
          factor[0] = i;
          factor[1] = j;
          factor[2] = k;
          for (int v : new int[] {i, j, k}) {
            System.arraycopy(factor, 0, packed[v], filled[v], factor.length);
            filled[v] += factor.length;
          }
        }
      }
    }
    List<DataBlock> blocks = new ArrayList<>();
    for (double[] rows : packed) {
      blocks.add(new DenseBlock(0, TripleFactors.COLUMNS, rows, new double[each], null));
    }
    return new MarkovField(seed, variables, List.copyOf(blocks));
  }

  /** Returns d. */
  int variables() {
    return model.dimension();
  }

  /** Returns how many factors contain a variable. */
  int factors() {
    return factorsOf.get(0).rows();
  }

  /** Returns the factors as a model. */
  TripleFactors model() {
    return model;
  }

  /** Returns Σ_f log f(x) over the factors that contain a variable. x is not modified. */
  double logFactors(int variable, double[] x) {
    DataBlock block = factorsOf.get(variable);
    return IntStream.range(0, block.rows())
        .mapToDouble(f -> model.logLikelihood(block, f, x))
        .sum();
  }

  /** Returns log p(x) up to a constant. x is not modified. */
  double logDensity(double[] x) {
    // Each factor is there once for each of its three variables.
    return IntStream.range(0, variables()).mapToDouble(v -> logFactors(v, x)).sum() / 3;
  }

  /** The factors that contain a variable, with a count of those that a chain reads. */
  final class Seen {
    private final BatchRows[] rows = new BatchRows[variables()];
    private long count;

    Seen(int chain) {
      BatchQuestions questions = new BatchQuestions(seed, factors(), factors());
      for (int v = 0; v < rows.length; v++) {
        DataBlock block = factorsOf.get(v);
        Place<PlainBlock> place = Place.whole(List.of(new PlainBlock(block)));
        rows[v] =
            BatchRows.of(
                factors(),
                (iteration, low, high, term) -> {
                  count += high - low;
                  if (high - low == factors()) {
                    // All of them: no permutation is needed, and the bits are the same.
                    double[] out = new double[term.length()];
                    term.addTo(block, IntStream.range(0, factors()).toArray(), out);
                    return out;
                  }
                  BatchQuestions.Question asked =
                      new BatchQuestions.Question(chain, iteration, low, high, term);
                  return questions.merge(asked, questions.add(place, List.of(asked)));
                });
      }
    }

    /** Returns the factors that contain a variable. */
    BatchRows of(int variable) {
      return rows[variable];
    }

    /** Returns the number of factors read. */
    long count() {
      return count;
    }
  }
}
