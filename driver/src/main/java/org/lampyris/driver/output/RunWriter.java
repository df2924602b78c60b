package org.lampyris.driver.output;

import static org.lampyris.driver.output.ParquetRows.field;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Writes the results of a run: {@code draws/}, {@code draws.csv}, {@code sampler_stats/}, {@code
 * summary.csv} and {@code manifest.json}. Nothing is seen of them until all are whole. Other things
 * in the folder are left alone.
 */
public final class RunWriter implements AutoCloseable {
  static final String DRAWS = "draws";
  static final String DRAWS_CSV = "draws.csv";
  static final String STATS = "sampler_stats";
  static final String MANIFEST = "manifest.json";
  static final List<String> INDEX = List.of(".chain", ".iteration", ".draw", "lp__");

  private final Configuration conf;
  private final OutputFolder folder;

  private RunWriter(Configuration conf, OutputFolder folder) {
    this.conf = conf;
    this.folder = folder;
  }

  /**
   * Makes sure, before sampling begins, that the results can be written.
   *
   * @param conf says which file systems there are
   * @param folder the output folder
   * @param overwrite whether the results of an earlier run are replaced
   * @throws org.lampyris.bounds.config.UserException if there are results already, or nothing can
   *     be written
   */
  public static RunWriter reserve(Configuration conf, String folder, boolean overwrite) {
    return new RunWriter(
        conf,
        OutputFolder.reserve(
            conf, folder, List.of(DRAWS, DRAWS_CSV, STATS, SummaryFile.NAME, MANIFEST), overwrite));
  }

  /**
   * Writes the results and puts them in place.
   *
   * @param summarizer computes the summary of a coefficient
   * @param progress is given the phase of writing
   * @return the summary of each coefficient
   */
  public List<VariableSummary> write(
      SampledRun run,
      JobConfig config,
      Manifest.Program program,
      Draws.Summarizer summarizer,
      Progress progress)
      throws IOException {
    Draws draws = new Draws(run.coefficients(), run.draws());
    VariableSummary[] rows = new VariableSummary[run.coefficients().size()];
    List<Workers.Piece> pieces = new ArrayList<>();
    pieces.add(() -> writeDrawsCsv(run, draws));
    for (int c = 0; c < run.chains().size(); c++) {
      int position = c;
      pieces.add(() -> writeDraws(run, draws, position));
      pieces.add(() -> writeStats(run.chains().get(position), run.columns()));
    }
    pieces.addAll(draws.pieces(summarizer, rows));
    progress.start("write", pieces.size());
    Workers.run(pieces, draws.threads(), done -> progress.step(done, Reading.NONE));
    List<VariableSummary> summary = List.of(rows);
    SummaryFile.write(conf, folder.temporary(SummaryFile.NAME), summary);
    Manifest.write(conf, folder.temporary(MANIFEST), Manifest.of(run, config, program));
    folder.publish();
    progress.end();
    return summary;
  }

  private void writeDraws(SampledRun run, Draws draws, int position) throws IOException {
    MessageType schema = drawsSchema(run.coefficients());
    ChainTrace chain = run.chains().get(position);
    int before = position * chain.size();
    ParquetRows.write(
        conf,
        part(DRAWS, chain),
        schema,
        chain.size(),
        (row, i) -> {
          field(row, schema, 0, () -> row.addInteger(chain.chain()));
          field(row, schema, 1, () -> row.addInteger(i + 1));
          field(row, schema, 2, () -> row.addInteger(before + i + 1));
          field(row, schema, 3, () -> row.addDouble(chain.logDensities().get(i)));
          for (int j = 0; j < draws.variables().size(); j++) {
            double value = draws.of(j)[position][i];
            field(row, schema, INDEX.size() + j, () -> row.addDouble(value));
          }
        });
  }

  private static MessageType drawsSchema(List<String> coefficients) {
    Types.MessageTypeBuilder builder = Types.buildMessage();
    for (String index : INDEX.subList(0, 3)) {
      builder.required(PrimitiveTypeName.INT32).named(index);
    }
    builder.required(PrimitiveTypeName.DOUBLE).named("lp__");
    for (String coefficient : coefficients) {
      builder.required(PrimitiveTypeName.DOUBLE).named(coefficient);
    }
    return builder.named("draws");
  }

  private void writeDrawsCsv(SampledRun run, Draws draws) throws IOException {
    List<String> header = new ArrayList<>(INDEX);
    header.addAll(run.coefficients());
    CsvText.write(
        conf,
        folder.temporary(DRAWS_CSV),
        header,
        csv -> {
          int draw = 0;
          Object[] cells = new Object[header.size()];
          for (int c = 0; c < run.chains().size(); c++) {
            ChainTrace chain = run.chains().get(c);
            for (int i = 0; i < chain.size(); i++) {
              cells[0] = chain.chain();
              cells[1] = i + 1;
              cells[2] = ++draw;
              cells[3] = chain.logDensities().get(i);
              for (int j = 0; j < draws.variables().size(); j++) {
                cells[INDEX.size() + j] = draws.of(j)[c][i];
              }
              csv.writeRow(cells);
            }
          }
        });
  }

  private void writeStats(ChainTrace chain, List<Column> columns) throws IOException {
    Types.GroupBuilder<MessageType> fields =
        Types.buildMessage()
            .required(PrimitiveTypeName.INT32)
            .named(".chain")
            .required(PrimitiveTypeName.INT32)
            .named(".iteration")
            .required(PrimitiveTypeName.BOOLEAN)
            .named("warmup")
            .required(PrimitiveTypeName.DOUBLE)
            .named("acceptance_probability")
            .required(PrimitiveTypeName.INT64)
            .named("likelihood_evaluations");
    for (Column column : columns) {
      fields
          .optional(column.whole() ? PrimitiveTypeName.INT64 : PrimitiveTypeName.DOUBLE)
          .named(column.name());
    }
    MessageType schema =
        fields
            .required(PrimitiveTypeName.BOOLEAN)
            .named("divergent")
            .required(PrimitiveTypeName.DOUBLE)
            .named("seconds")
            .named("sampler_stats");
    int warmup = chain.warmup().size();
    ParquetRows.write(
        conf,
        part(STATS, chain),
        schema,
        warmup + chain.sampling().size(),
        (row, i) -> {
          boolean warm = i < warmup;
          int iteration = warm ? i : i - warmup;
          ChainTrace.Iteration step =
              warm ? chain.warmup().get(iteration) : chain.sampling().get(iteration);
          field(row, schema, 0, () -> row.addInteger(chain.chain()));
          field(row, schema, 1, () -> row.addInteger(iteration + 1));
          field(row, schema, 2, () -> row.addBoolean(warm));
          statistics(row, schema, step, columns);
        });
  }

  private static void statistics(
      RecordConsumer row, MessageType schema, ChainTrace.Iteration step, List<Column> columns) {
    StepInfo info = step.info();
    field(row, schema, 3, () -> row.addDouble(info.acceptanceProbability()));
    field(row, schema, 4, () -> row.addLong(info.likelihoodEvaluations()));
    int next = 5;
    for (int k = 0; k < columns.size(); k++) {
      double value = info.columns().get(k);
      boolean whole = columns.get(k).whole();
      field(
          row,
          schema,
          next++,
          () -> {
            if (whole) {
              row.addLong((long) value);
            } else {
              row.addDouble(value);
            }
          });
    }
    field(row, schema, next, () -> row.addBoolean(info.divergent()));
    field(row, schema, next + 1, () -> row.addDouble(step.seconds()));
  }

  private Path part(String item, ChainTrace chain) {
    return new Path(
        folder.temporary(item),
        String.format(Locale.ROOT, "chain-%04d.snappy.parquet", chain.chain()));
  }

  /** Removes what was not put in place. */
  @Override
  public void close() throws IOException {
    folder.close();
  }
}
