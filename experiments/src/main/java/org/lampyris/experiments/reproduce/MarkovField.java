package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.experiments.study.NumberFile;
import org.lampyris.samplers.minibatch.BatchQuestions;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.run.PlainBlock;

/**
 * A Markov random field: p(x) ∝ exp Σ log f_ijk(x_i, x_j, x_k) over x ∈ {0, 1}^d and a list of
 * triples.
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

  /**
   * Draws a field of d variables with a factor for every triple, whose eight values log f are N(0,
   * sd²). Its seed also keys the order in which tests read factors.
   */
  static MarkovField random(int variables, double sd, long seed) {
    Noise noise = Noise.of(new Streams(seed).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    List<double[]> factors = new ArrayList<>();
    for (int i = 0; i < variables; i++) {
      for (int j = i + 1; j < variables; j++) {
        for (int k = j + 1; k < variables; k++) {
          double[] factor = new double[TripleFactors.COLUMNS];
          double[] values = noise.normals(8);
          Arrays.setAll(factor, c -> c < 3 ? 0 : sd * values[c - 3]);
          factor[0] = i;
          factor[1] = j;
          factor[2] = k;
          factors.add(factor);
        }
      }
    }
    return of(seed, variables, factors);
  }

  /**
   * Reads the factors of a field: a CSV file with a header, and a line for each factor with the
   * columns of {@link TripleFactors}. A factor of fewer variables has values that do not depend on
   * the others.
   *
   * @param seed keys the order in which tests read factors
   * @throws UserException (data) if a line is not three different variables and eight numbers, or a
   *     variable is in no factor
   */
  static MarkovField read(String file, long seed) throws IOException {
    List<double[]> factors = List.of(NumberFile.read(file).rows());
    int variables = 0;
    for (int f = 0; f < factors.size(); f++) {
      double[] factor = factors.get(f);
      if (factor.length != TripleFactors.COLUMNS
          || Arrays.stream(factor).anyMatch(value -> !Double.isFinite(value))
          || IntStream.range(0, 3).anyMatch(k -> factor[k] < 0 || factor[k] != (int) factor[k])
          || Arrays.stream(factor, 0, 3).distinct().count() < 3) {
        throw UserException.data(
            ("%s: line %d is no factor. Write three different variables, numbered from 0, and the"
                    + " logarithms of the factor for 000, 001, 010, …, 111.")
                .formatted(file, f + 2));
      }
      variables = (int) Math.max(variables, 1 + Arrays.stream(factor, 0, 3).max().orElseThrow());
    }
    MarkovField field = of(seed, variables, factors);
    for (int v = 0; v < variables; v++) {
      if (field.factors(v) == 0) {
        throw UserException.data(
            "%s: no factor has the variable %d. Number the variables from 0, without gaps."
                .formatted(file, v));
      }
    }
    return field;
  }

  private static MarkovField of(long seed, int variables, List<double[]> factors) {
    List<List<double[]>> of =
        Stream.generate(() -> (List<double[]>) new ArrayList<double[]>()).limit(variables).toList();
    for (double[] factor : factors) {
      for (int k = 0; k < 3; k++) {
        of.get((int) factor[k]).add(factor);
      }
    }
    return new MarkovField(
        seed,
        variables,
        of.stream()
            .<DataBlock>map(
                own ->
                    new DenseBlock(
                        0,
                        TripleFactors.COLUMNS,
                        own.stream().flatMapToDouble(Arrays::stream).toArray(),
                        new double[own.size()],
                        null))
            .toList());
  }

  /** Returns d. */
  int variables() {
    return model.dimension();
  }

  /** Returns how many factors contain a variable. */
  int factors(int variable) {
    return factorsOf.get(variable).rows();
  }

  /** Returns how many factors contain a variable, on average over the variables. */
  double factors() {
    return factorsOf.stream().mapToInt(DataBlock::rows).average().orElse(0);
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
      for (int v = 0; v < rows.length; v++) {
        int all = factors(v);
        BatchQuestions questions = new BatchQuestions(seed, all, all);
        DataBlock block = factorsOf.get(v);
        Place<PlainBlock> place = Place.whole(List.of(new PlainBlock(block)));
        rows[v] =
            BatchRows.of(
                all,
                (iteration, low, high, term) -> {
                  count += high - low;
                  if (high - low == all) {
                    // All of them: no permutation is needed, and the bits are the same.
                    double[] out = new double[term.length()];
                    term.addTo(block, IntStream.range(0, all).toArray(), out);
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
