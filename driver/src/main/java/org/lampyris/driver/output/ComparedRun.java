package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.lampyris.samplers.diagnostics.Marginal;
import org.lampyris.samplers.diagnostics.NormalScores;

/**
 * A run as its output folder has it.
 *
 * @param marginals what the draws tell of each of their variables
 * @param manifest the manifest; a missing node where there is none
 */
public record ComparedRun(String folder, Draws draws, List<Marginal> marginals, JsonNode manifest) {

  /** Copies the list. */
  public ComparedRun {
    marginals = List.copyOf(marginals);
  }

  /**
   * Reads an output folder.
   *
   * @throws org.lampyris.bounds.config.UserException (data) if it holds no draws, or they or the
   *     manifest cannot be read
   */
  public static ComparedRun read(SparkSession spark, String folder) throws IOException {
    Draws draws = DrawsReader.read(spark, folder);
    return of(folder, draws, Manifest.read(spark.sparkContext().hadoopConfiguration(), folder));
  }

  static ComparedRun of(String folder, Draws draws, JsonNode manifest) {
    NormalScores scores = NormalScores.table(draws.chains(), draws.perChain());
    List<String> variables = draws.variables();
    List<Marginal> marginals =
        IntStream.range(0, variables.size())
            .parallel()
            .mapToObj(j -> Marginal.of(variables.get(j), draws.values()[j], scores))
            .toList();
    return new ComparedRun(folder, draws, marginals, manifest);
  }

  /** Returns this run with some of its variables, in the order given. */
  ComparedRun only(List<String> variables) {
    int[] at = variables.stream().mapToInt(draws.variables()::indexOf).toArray();
    double[][][] values =
        IntStream.of(at).mapToObj(j -> draws.values()[j]).toArray(double[][][]::new);
    return new ComparedRun(
        folder,
        new Draws(variables, values),
        IntStream.of(at).mapToObj(marginals::get).toList(),
        manifest);
  }

  /** Returns why what the draws say of the posterior cannot be relied on, a line each. */
  List<String> complaints() {
    List<String> lines = new ArrayList<>();
    Convergence.complaints(
            marginals.stream().map(Marginal::summary).toList(),
            draws.perChain(),
            Movement.of(draws))
        .forEach(text -> lines.add(folder + ": its Monte-Carlo errors cannot be trusted. " + text));
    JsonNode bias = manifest.path("bias").path("sentence");
    if (bias.isTextual()) {
      lines.add(folder + " is not exact: " + bias.asText());
    }
    return lines;
  }
}
