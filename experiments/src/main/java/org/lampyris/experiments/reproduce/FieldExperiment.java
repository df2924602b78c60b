package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.experiments.study.ExperimentFile;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.random.Streams;

/**
 * Marginals of a random field by Gibbs sampling, exact and approximate.
 *
 * @param title what the table is called
 * @param variables how many binary variables
 * @param sd the standard deviation of the logarithms of the factors
 * @param batch m, by how many factors a test's batch grows
 * @param epsilons ε of each row; the others are compared with the first
 */
public record FieldExperiment(
    String title,
    int variables,
    double sd,
    long seed,
    int chains,
    Length length,
    long batch,
    List<Double> epsilons) {
  /** The experiment's name. */
  public static final String NAME = "mrf";

  /** Number of sweeps in a chain. */
  public record Length(int warmup, int sweeps) {}

  /**
   * Reads the experiment.
   *
   * @throws UserException (usage) if it cannot be read
   */
  public static FieldExperiment read(boolean quick) {
    return ExperimentFile.read(NAME, List.of(NAME), quick, FieldExperiment.class);
  }

  /**
   * Result of a row.
   *
   * @param factors how many factors an update looks at
   * @param wrong the share of wrong decisions
   * @param means P(x_i = 1) by variable
   * @param errors their Monte-Carlo errors
   */
  record Row(double epsilon, double factors, double wrong, double[] means, double[] errors) {
    /** Returns the differences of the marginals to another row's. */
    double[] differences(Row from) {
      return IntStream.range(0, means.length).mapToDouble(v -> means[v] - from.means[v]).toArray();
    }

    /** Returns the Monte-Carlo errors of the differences. */
    double[] errors(Row from) {
      return IntStream.range(0, means.length)
          .mapToDouble(v -> Math.hypot(errors[v], from.errors[v]))
          .toArray();
    }
  }

  /** Returns the random field. */
  MarkovField random() {
    return MarkovField.random(variables, sd, seed);
  }

  /** Returns the field whose factors are in a file: {@link MarkovField#read}. */
  MarkovField read(String factors) throws IOException {
    return MarkovField.read(factors, seed);
  }

  /** Runs all rows; chains of a row side by side. */
  List<Row> run(MarkovField field) {
    List<Row> rows = new ArrayList<>();
    for (double epsilon : epsilons) {
      StudentDecision test = new StudentDecision(batch, epsilon);
      rows.add(
          row(
              epsilon,
              IntStream.rangeClosed(1, chains)
                  .parallel()
                  .mapToObj(c -> new FieldGibbs(field, test, new Streams(seed + 1), c))
                  .map(chain -> chain.run(length.warmup, length.sweeps))
                  .toList()));
    }
    return rows;
  }

  private static Row row(double epsilon, List<FieldGibbs.Chain> run) {
    int variables = run.get(0).draws().length;
    double[] means = new double[variables];
    double[] errors = new double[variables];
    for (int v = 0; v < variables; v++) {
      int at = v;
      double[][] draws = run.stream().map(c -> c.draws()[at]).toArray(double[][]::new);
      means[v] = Arrays.stream(draws).flatMapToDouble(Arrays::stream).average().orElseThrow();
      errors[v] = Diagnostics.mcseMean(draws);
    }
    double factors = run.stream().mapToDouble(FieldGibbs.Chain::factors).average().orElseThrow();
    double wrong = run.stream().mapToDouble(FieldGibbs.Chain::wrong).average().orElseThrow();
    return new Row(epsilon, factors, wrong, means, errors);
  }

  /** The rows as tables. */
  public record Tables(String markdown, String csv) {}

  /** Distance of a row's marginals from the first row's: root mean square, and largest. */
  private record Apart(double rms, double chance, double largest, double inErrors) {
    static Apart of(Row row, Row first) {
      double[] apart = row.differences(first);
      double[] errors = row.errors(first);
      return new Apart(
          rootMeanSquare(apart),
          row.epsilon == first.epsilon ? 0 : rootMeanSquare(errors),
          Arrays.stream(apart).map(Math::abs).max().orElseThrow(),
          IntStream.range(0, apart.length)
              .mapToDouble(v -> apart[v] == 0 ? 0 : Math.abs(apart[v]) / errors[v])
              .max()
              .orElseThrow());
    }

    private static double rootMeanSquare(double[] values) {
      return Math.sqrt(Arrays.stream(values).map(x -> x * x).average().orElseThrow());
    }
  }

  /**
   * Runs all rows, and returns the tables.
   *
   * @param file the field's factors; null for the random field
   */
  public Tables tables(@Nullable String file) throws IOException {
    MarkovField field = file == null ? random() : read(file);
    List<Row> rows = run(field);
    double factors = field.factors();
    StringBuilder markdown =
        new StringBuilder(
            Text.of(
                "# %s\n\n"
                    + "| ε | factors per update, of %,.0f | wrong decisions | marginals apart, rms |"
                    + " by chance | largest | in errors |\n"
                    + "|--:|--:|--:|--:|--:|--:|--:|\n",
                file == null ? title : "The field of " + file, factors));
    StringBuilder csv =
        new StringBuilder(
            "epsilon,factors_per_update,share,wrong_decisions,rms_difference,rms_by_chance,"
                + "largest_difference,largest_in_errors\n");
    for (Row row : rows) {
      Apart apart = Apart.of(row, rows.get(0));
      double share = row.factors / factors;
      markdown.append(
          Text.of(
              "| %s | %,.0f (%.0f %%) | %.2f %% | %.4f | %.4f | %.4f | %.1f |\n",
              row.epsilon,
              row.factors,
              100 * share,
              100 * row.wrong,
              apart.rms,
              apart.chance,
              apart.largest,
              apart.inErrors));
      csv.append(
          Stream.of(row.epsilon, row.factors, share, row.wrong, apart.rms, apart.chance)
              .map(String::valueOf)
              .collect(Collectors.joining(",", "", "," + apart.largest + "," + apart.inErrors)));
      csv.append('\n');
    }
    return new Tables(markdown.toString(), csv.toString());
  }
}
