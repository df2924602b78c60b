package org.lampyris.driver.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.lampyris.driver.output.ParquetRows;
import org.lampyris.executors.table.ParquetFile;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;

/**
 * Parts of the chains' traces as Parquet files, which can be read during the run. Draws are stored
 * on the input's scale, for readers, and in the sampler's coordinates, bit for bit, to resume from.
 *
 * @param columns labels of the algorithm's own figures for each iteration
 */
record TraceParts(Configuration conf, List<String> columns) {
  /** The column with θ in the sampler's coordinates: 8 bytes an element, the first one first. */
  static final String THETA = ".theta";

  private static final String CHAIN = ".chain";
  private static final String ITERATION = ".iteration";

  /** Part of a chain's trace after the given numbers of draws, warm-up and sampling iterations. */
  record Stretch(ChainTrace trace, int draws, int warmup, int sampling) {}

  /** Writes draws of all chains. */
  void writeDraws(
      Path file, List<Stretch> stretches, List<String> names, UnaryOperator<double[]> toInput)
      throws IOException {
    Types.MessageTypeBuilder fields = Types.buildMessage();
    fields.required(PrimitiveTypeName.INT32).named(CHAIN);
    fields.required(PrimitiveTypeName.INT32).named(ITERATION);
    fields.required(PrimitiveTypeName.DOUBLE).named(".log_density");
    names.forEach(name -> fields.required(PrimitiveTypeName.DOUBLE).named(name));
    fields.required(PrimitiveTypeName.BINARY).named(THETA);
    MessageType schema = fields.named("draws");
    ParquetRows.Appending rows = new ParquetRows(conf, file).open(schema);
    try (rows) {
      for (Stretch stretch : stretches) {
        int number = stretch.draws;
        for (ChainTrace.Draw draw : stretch.trace.drawsFrom(number)) {
          double[] theta = draw.theta();
          double[] reported = toInput.apply(theta);
          ParquetRows.Row row = rows.row();
          row.add(0, stretch.trace.chain());
          row.add(1, ++number);
          row.add(2, draw.logDensity());
          for (int j = 0; j < reported.length; j++) {
            row.add(3 + j, reported[j]);
          }
          ByteBuffer bytes = ByteBuffer.allocate(theta.length * Double.BYTES);
          bytes.asDoubleBuffer().put(theta);
          row.add(3 + reported.length, Binary.fromConstantByteArray(bytes.array()));
          rows.write();
        }
      }
    }
  }

  /** Writes the statistics of iterations of all chains. */
  void writeSteps(Path file, List<Stretch> stretches) throws IOException {
    Types.MessageTypeBuilder fields = Types.buildMessage();
    fields.required(PrimitiveTypeName.INT32).named(CHAIN);
    fields.required(PrimitiveTypeName.INT32).named(ITERATION);
    fields.required(PrimitiveTypeName.BOOLEAN).named("warmup");
    fields.required(PrimitiveTypeName.DOUBLE).named("acceptance_probability");
    fields.required(PrimitiveTypeName.INT64).named("likelihood_evaluations");
    fields.required(PrimitiveTypeName.BOOLEAN).named("divergent");
    fields.required(PrimitiveTypeName.DOUBLE).named("tuning");
    fields.required(PrimitiveTypeName.DOUBLE).named("seconds");
    columns.forEach(column -> fields.required(PrimitiveTypeName.DOUBLE).named(column));
    MessageType schema = fields.named("sampler_stats");
    ParquetRows.Appending rows = new ParquetRows(conf, file).open(schema);
    try (rows) {
      for (Stretch stretch : stretches) {
        writeSteps(rows, stretch.trace, true, stretch.warmup);
        writeSteps(rows, stretch.trace, false, stretch.sampling);
      }
    }
  }

  private static void writeSteps(
      ParquetRows.Appending rows, ChainTrace trace, boolean warmup, int from) throws IOException {
    int number = from;
    for (ChainTrace.Iteration step : trace.iterationsFrom(warmup, from)) {
      StepInfo info = step.info();
      ParquetRows.Row row = rows.row();
      row.add(0, trace.chain());
      row.add(1, ++number);
      row.add(2, warmup);
      row.add(3, info.acceptanceProbability());
      row.add(4, info.likelihoodEvaluations());
      row.add(5, info.divergent());
      row.add(6, info.tuning());
      row.add(7, step.seconds());
      for (int k = 0; k < info.columns().size(); k++) {
        row.add(8 + k, info.columns().get(k).doubleValue());
      }
      rows.write();
    }
  }

  /** Adds the draws of a file to the traces of their chains, which are modified. */
  void readDraws(Path file, List<ChainTrace> traces) throws IOException {
    read(
        file,
        row -> {
          ByteBuffer bytes = row.getBinary(THETA, 0).toByteBuffer();
          double[] theta = new double[bytes.remaining() / Double.BYTES];
          bytes.asDoubleBuffer().get(theta);
          traces.get(row.getInteger(CHAIN, 0) - 1).addDraw(theta, row.getDouble(".log_density", 0));
        });
  }

  /** Adds the iterations of a file to the traces of their chains, which are modified. */
  void readSteps(Path file, List<ChainTrace> traces) throws IOException {
    read(
        file,
        row -> {
          List<Double> declared = columns.stream().map(column -> row.getDouble(column, 0)).toList();
          StepInfo info =
              new StepInfo(
                  row.getDouble("acceptance_probability", 0),
                  row.getLong("likelihood_evaluations", 0),
                  row.getBoolean("divergent", 0),
                  row.getDouble("tuning", 0),
                  declared);
          ChainTrace.Iteration step = new ChainTrace.Iteration(info, row.getDouble("seconds", 0));
          ChainTrace trace = traces.get(row.getInteger(CHAIN, 0) - 1);
          if (row.getBoolean("warmup", 0)) {
            trace.addWarmup(step);
          } else {
            trace.addBetween(step);
          }
        });
  }

  private interface Each {
    void row(Group row);
  }

  private void read(Path file, Each each) throws IOException {
    try (ParquetReader<Group> reader =
        ParquetFile.reader(file, conf, new GroupReadSupport()).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        each.row(row);
      }
    }
  }
}
