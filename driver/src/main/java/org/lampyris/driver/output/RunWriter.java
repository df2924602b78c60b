package org.lampyris.driver.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;

/**
 * Writes the results of a run: {@code draws/}, {@code draws.csv}, {@code sampler_stats/}, {@code
 * summary.csv} and {@code manifest.json}, {@code subposteriors/} for combined draws, and {@code
 * effects/} for effects of groups. Nothing is seen of them until all are whole. Other things in the
 * folder are left alone.
 */
public final class RunWriter implements AutoCloseable {
  private static final List<String> ITEMS =
      List.of(
          RunOutput.DRAWS,
          RunOutput.DRAWS_CSV,
          RunOutput.STATS,
          KeptParts.FOLDER,
          EffectFiles.FOLDER,
          SummaryFile.NAME,
          RunOutput.MANIFEST);

  /** The share of the memory that the draws of coefficients take that are summarised together. */
  private static final double SHARE = 1.0 / 8;

  private final Configuration conf;
  private final OutputFolder folder;

  private RunWriter(Configuration conf, OutputFolder folder) {
    this.conf = conf;
    this.folder = folder;
  }

  /**
   * Checks, before sampling starts, that the results can be written.
   *
   * @param overwrite whether the results of an earlier run are replaced
   * @throws org.lampyris.bounds.config.UserException if there are results already, or nothing can
   *     be written
   */
  public static RunWriter reserve(Configuration conf, String folder, boolean overwrite) {
    return new RunWriter(conf, OutputFolder.reserve(conf, folder, ITEMS, overwrite));
  }

  /**
   * Refuses a folder that holds results.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) naming one of them
   */
  public static void requireNone(Configuration conf, String folder) throws IOException {
    Path path = new Path(folder);
    OutputFolder.requireNone(path.getFileSystem(conf), path, folder, ITEMS);
  }

  /**
   * Refuses to go on once another process has taken over the folder.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if one has
   */
  public void requireHeld() {
    folder.requireHeld();
  }

  /**
   * Writes the results and moves them to their places.
   *
   * @param summarizer computes the summary of a coefficient
   * @return the summary of each coefficient
   */
  public List<VariableSummary> write(
      SampledRun run,
      JobConfig config,
      Manifest.Program program,
      BiFunction<String, double[][], VariableSummary> summarizer,
      Progress progress)
      throws IOException {
    List<Workers.Piece> pieces = new ArrayList<>();
    pieces.add(() -> writeDrawsCsv(run));
    for (int c = 0; c < run.chains().size(); c++) {
      int position = c;
      pieces.add(() -> writeDraws(run, position));
      pieces.add(() -> writeStats(run.chains().get(position), run.columns()));
    }
    RunResult.Parts parts = run.result().parts();
    if (parts != null) {
      pieces.addAll(
          KeptParts.pieces(conf, folder.temporary(KeptParts.FOLDER), run.coefficients(), parts));
    }
    int coefficients = run.coefficients().size();
    progress.start("write", coefficients + pieces.size());
    List<VariableSummary> summary =
        summary(run, summarizer, pieces, done -> progress.step(done, Reading.NONE));
    List<String> unwritten = new ArrayList<>(parts == null ? List.of(KeptParts.FOLDER) : List.of());
    try (EffectFiles effects = run.effects()) {
      if (effects == null || effects.isEmpty()) {
        unwritten.add(EffectFiles.FOLDER);
      } else {
        effects.write(folder.temporary(EffectFiles.FOLDER));
      }
    }
    SummaryFile.write(folder, summary);
    folder.json(RunOutput.MANIFEST, Manifest.of(run, config, program, summary));
    folder.publish(unwritten.toArray(String[]::new));
    progress.end();
    return summary;
  }

  /**
   * Returns the summaries, for as many coefficients at a time as memory allows.
   *
   * @param first work to do before the first of them and in parallel, the longest first
   */
  private static List<VariableSummary> summary(
      SampledRun run,
      BiFunction<String, double[][], VariableSummary> summarizer,
      List<Workers.Piece> first,
      LongConsumer done)
      throws IOException {
    List<String> names = run.coefficients();
    double each = (double) run.chains().size() * run.chains().get(0).size();
    double fit = Runtime.getRuntime().maxMemory() * SHARE / (Double.BYTES * each);
    int together = (int) Math.max(1, Math.min(names.size(), fit));
    List<VariableSummary> all = new ArrayList<>();
    List<Workers.Piece> under = new ArrayList<>(first);
    for (int from = 0; from < names.size(); from += together) {
      int to = Math.min(names.size(), from + together);
      int before = from;
      int chains = run.chains().size();
      double[][][] values = new double[to - from][chains][run.chains().get(0).size()];
      List<Workers.Piece> copies = new ArrayList<>();
      for (int c = 0; c < chains; c++) {
        int position = c;
        copies.add(() -> run.copyDraws(position, before, values));
      }
      Workers.run(copies, Workers.threads(0), copied -> {});
      Draws draws = new Draws(names.subList(from, to), values);
      VariableSummary[] rows = new VariableSummary[to - from];
      under.addAll(draws.pieces(summarizer, rows));
      long earlier = from == 0 ? 0 : first.size() + from;
      Workers.run(under, draws.threads(), more -> done.accept(earlier + more));
      under.clear();
      all.addAll(List.of(rows));
    }
    return all;
  }

  private void writeDraws(SampledRun run, int position) throws IOException {
    ChainTrace chain = run.chains().get(position);
    List<String> columns = columns(run);
    Iterator<double[]> draws = run.draws(position);
    new ParquetRows(conf, part(RunOutput.DRAWS, chain))
        .write(
            RunOutput.DRAWS,
            RunOutput.INDEX,
            columns.subList(RunOutput.INDEX.size(), columns.size()),
            chain.size(),
            (row, i) -> {
              long[] index = index(run, position, i);
              double[] numbers = numbers(run, position, i, draws.next());
              for (int k = 0; k < index.length; k++) {
                row.add(k, index[k]);
              }
              for (int k = 0; k < numbers.length; k++) {
                row.add(index.length + k, numbers[k]);
              }
            });
  }

  private void writeDrawsCsv(SampledRun run) throws IOException {
    try (CsvText.Numbers csv =
        CsvText.numbers(conf, folder.temporary(RunOutput.DRAWS_CSV), columns(run))) {
      for (int c = 0; c < run.chains().size(); c++) {
        Iterator<double[]> draws = run.draws(c);
        for (int i = 0; draws.hasNext(); i++) {
          csv.writeRow(index(run, c, i), numbers(run, c, i, draws.next()));
        }
      }
    }
  }

  private static List<String> columns(SampledRun run) {
    List<String> columns = new ArrayList<>(RunOutput.INDEX);
    if (run.logPosteriors().values() != null) {
      columns.add(RunOutput.LOG_POSTERIOR);
    }
    columns.addAll(run.coefficients());
    return columns;
  }

  /** Returns the cells of {@link RunOutput#INDEX} for the i-th draw of the chain at a position. */
  private static long[] index(SampledRun run, int position, int i) {
    ChainTrace chain = run.chains().get(position);
    return new long[] {chain.chain(), i + 1, (long) position * chain.size() + i + 1};
  }

  /** Returns the other cells of a draw: its log posterior, if that is known, and the draw. */
  private static double[] numbers(SampledRun run, int position, int i, double[] draw) {
    double[][] logPosterior = run.logPosteriors().values();
    if (logPosterior == null) {
      return draw;
    }
    double[] numbers = new double[1 + draw.length];
    numbers[0] = logPosterior[position][i];
    System.arraycopy(draw, 0, numbers, 1, draw.length);
    return numbers;
  }

  private void writeStats(ChainTrace chain, List<Column> columns) throws IOException {
    Types.MessageTypeBuilder fields = Types.buildMessage();
    fields.required(PrimitiveTypeName.INT32).named(".chain");
    fields.required(PrimitiveTypeName.INT32).named(".iteration");
    fields.required(PrimitiveTypeName.BOOLEAN).named("warmup");
    fields.required(PrimitiveTypeName.DOUBLE).named("acceptance_probability");
    fields.required(PrimitiveTypeName.INT64).named("likelihood_evaluations");
    for (Column column : columns) {
      fields
          .optional(column.whole() ? PrimitiveTypeName.INT64 : PrimitiveTypeName.DOUBLE)
          .named(column.name());
    }
    fields.required(PrimitiveTypeName.BOOLEAN).named("divergent");
    fields.required(PrimitiveTypeName.DOUBLE).named("seconds");
    MessageType schema = fields.named(RunOutput.STATS);
    int warmup = chain.warmup().size();
    Iterator<ChainTrace.Iteration> warming = chain.iterationsFrom(true, 0).iterator();
    Iterator<ChainTrace.Iteration> sampling = chain.iterationsFrom(false, 0).iterator();
    ParquetRows rows = new ParquetRows(conf, part(RunOutput.STATS, chain));
    rows.write(
        schema,
        warmup + chain.sampling().size(),
        (row, i) -> {
          boolean warm = i < warmup;
          int iteration = warm ? i : i - warmup;
          ChainTrace.Iteration step = (warm ? warming : sampling).next();
          StepInfo info = step.info();
          row.add(0, chain.chain());
          row.add(1, iteration + 1);
          row.add(2, warm);
          row.add(3, info.acceptanceProbability());
          row.add(4, info.likelihoodEvaluations());
          for (int k = 0; k < columns.size(); k++) {
            double value = info.columns().get(k);
            if (columns.get(k).whole() && !Double.isNaN(value)) {
              row.add(5 + k, (long) value);
            } else if (!Double.isNaN(value)) {
              row.add(5 + k, value);
            }
          }
          row.add(5 + columns.size(), info.divergent());
          row.add(6 + columns.size(), step.seconds());
        });
  }

  private Path part(String item, ChainTrace chain) {
    return new Path(folder.temporary(item), Text.of("chain-%04d.snappy.parquet", chain.chain()));
  }

  /** Removes files that were not moved to their places. */
  @Override
  public void close() throws IOException {
    folder.close();
  }
}
