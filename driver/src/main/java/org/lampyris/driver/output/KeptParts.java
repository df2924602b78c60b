package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.run.RunResult;

/**
 * Draws from parts of a table, kept in an output folder for combining again: {@code
 * subposteriors/}, a Parquet file for each part, in the sampler's coordinates.
 *
 * @param parts the draws
 * @param run the run which made them
 */
public record KeptParts(RunResult.Parts parts, RunOutput run) {
  static final String FOLDER = "subposteriors";
  private static final List<String> INDEX = List.of(".part", ".chain", ".iteration");

  /** Returns the work of writing. */
  static List<Workers.Piece> pieces(
      Configuration conf, Path folder, List<String> coefficients, RunResult.Parts parts) {
    List<Workers.Piece> pieces = new ArrayList<>();
    for (int p = 0; p < parts.draws().length; p++) {
      int part = p;
      Path file = new Path(folder, Text.of("part-%05d.snappy.parquet", part + 1));
      double[][][] draws = parts.draws()[part];
      int each = draws[0].length;
      pieces.add(
          () ->
              new ParquetRows(conf, file)
                  .write(
                      FOLDER,
                      INDEX,
                      coefficients,
                      draws.length * each,
                      (row, i) -> {
                        row.add(0, part + 1);
                        row.add(1, i / each + 1);
                        row.add(2, i % each + 1);
                        double[] theta = draws[i / each][i % each];
                        for (int j = 0; j < theta.length; j++) {
                          row.add(INDEX.size() + j, theta[j]);
                        }
                      }));
    }
    return pieces;
  }

  /**
   * Reads the parts in an output folder.
   *
   * @throws UserException (data) if it keeps none, or they are not whole
   */
  public static KeptParts read(RunOutput run) throws IOException {
    Path path = new Path(run.folder(), FOLDER);
    if (!path.getFileSystem(run.conf()).exists(path)) {
      throw UserException.data(
          run.folder()
              + " keeps no subposteriors. Name the output folder of a run with sampler.algorithm:"
              + " shards.");
    }
    JsonNode counts = run.manifest().path("subposteriors");
    int chains = counts.path("chains").asInt();
    int draws = counts.path("draws_per_chain").asInt();
    double[][][][] values = new double[counts.path("count").asInt()][chains][draws][];
    ParquetNumbers table = ParquetNumbers.open(run.conf(), path);
    AtomicInteger read = new AtomicInteger();
    table.read(
        table.columns(),
        row -> {
          if (row[0] > values.length || row[1] > chains || row[2] > draws) {
            throw notWhole(path);
          }
          values[(int) row[0] - 1][(int) row[1] - 1][(int) row[2] - 1] =
              Arrays.copyOfRange(row, INDEX.size(), row.length);
          read.incrementAndGet();
        });
    if (read.get() == 0 || read.get() != values.length * chains * draws) {
      throw notWhole(path);
    }
    return new KeptParts(new RunResult.Parts(counts.path("kind").asText(), values), run);
  }

  private static UserException notWhole(Path path) {
    return UserException.data(path + " and the manifest next to it do not match. Sample again.");
  }

  /**
   * Checks that the parts are from a table, and from shards dealt with a seed.
   *
   * @throws UserException (usage) if they are not
   */
  public void require(
      String fingerprint, List<String> coefficients, List<String> priors, long seed) {
    if (!run.fingerprint().equals(fingerprint)
        || !List.copyOf(run.priors().keySet()).equals(coefficients)
        || !List.copyOf(run.priors().values()).equals(priors)) {
      throw UserException.usage(
          "the kept subposteriors are from another table or model. Set prepared to the table that"
              + " they were sampled from, and use the same model and priors.");
    }
    long there = run.manifest().path("seed").asLong();
    if (there != seed) {
      throw UserException.usage(
          "the kept subposteriors are from shards dealt with another seed. Set sampler.seed: "
              + there
              + ".");
    }
  }
}
