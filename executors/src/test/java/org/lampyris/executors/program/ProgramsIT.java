package org.lampyris.executors.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.rows.ResidentTable;
import org.lampyris.executors.testdata.LocalSpark;
import org.lampyris.samplers.program.Distributions;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.DirichletMixture;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.BoundedMh;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.ScaffoldMh;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.program.series.ParticleGibbs;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.ResidentRows;

/**
 * The three programs on Spark against the same in memory: every value outside of the rows and in
 * them the same, to the bit, on any number of partitions.
 */
class ProgramsIT {
  private static final int BLOCKS = 9;
  private static final int BLOCK_ROWS = 25;
  private static final int COLUMNS = 3;

  /** A program, how it begins, and its moves. */
  private record Case(
      String name,
      Trace trace,
      BiFunction<ProgramRows, Integer, ProgramState> begin,
      Function<ProgramRows, Move> move,
      int clusters) {}

  private static List<Case> cases() {
    Trace regression = PaperPrograms.bayesLr(COLUMNS, 1);
    Trace mixture =
        PaperPrograms.jointDpm(
            new NormalInverseWishart(new double[2], 0.2, 5, new double[] {1, 0, 0, 1}), 2);
    DirichletMixture labels = new DirichletMixture(mixture, 60);
    Trace series = PaperPrograms.volatility(COLUMNS);
    Program choice = new Program();
    Node b = choice.global("b", Distributions.coin(0.5));
    Node mu =
        choice.when("mu", b, () -> v -> 0, () -> choice.global("g", Distributions.normal(1, 0, 1)));
    choice.perRow(row -> row.observe("y", Distributions.normal(mu, v -> 9), v -> v.response()));
    Trace branches = choice.trace();
    return List.of(
        new Case(
            "BayesLR",
            regression,
            ProgramRows::begin,
            rows -> SubsampledMh.sequential(regression, regression.node("w"), 0.1, 30, 0.05),
            1),
        new Case(
            "BayesLR by bounds",
            regression,
            ProgramRows::begin,
            rows -> BoundedMh.crankNicolson(rows, regression.node("w"), 0.9),
            1),
        new Case(
            "branches",
            branches,
            ProgramRows::begin,
            rows ->
                Move.cycle(
                    ScaffoldMh.flip(branches, b),
                    SubsampledMh.exact(branches, branches.node("g"), 0.3)),
            1),
        new Case(
            "JointDPM",
            mixture,
            labels::begin,
            rows ->
                Move.cycle(
                    labels, SubsampledMh.sequential(mixture, mixture.node("w"), 0.3, 20, 0.1)),
            4),
        new Case(
            "volatility",
            series,
            ProgramRows::begin,
            rows ->
                Move.cycle(
                    new ParticleGibbs(series, 5, 80),
                    SubsampledMh.sequential(series, series.node("phi"), 0.1, 50, 0.1)
                        .about(series, series.globals()),
                    SubsampledMh.exact(series, series.node("sigma2"), 0.005)
                        .about(series, series.globals())),
            1));
  }

  private static List<DataBlock> blocks() {
    UniformRandomProvider rng = new Streams(4).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    Noise noise = Noise.of(rng);
    List<DataBlock> blocks = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      int rows = b == BLOCKS - 1 ? 11 : BLOCK_ROWS;
      double[] x = noise.normals(rows * COLUMNS);
      double[] y = new double[rows];
      Arrays.setAll(y, i -> x[i * COLUMNS + 1] + noise.normal() > 0 ? 1 : -1);
      for (int i = 0; i < rows; i++) {
        x[i * COLUMNS + 2] += 2 * y[i];
      }
      blocks.add(new DenseBlock(b, COLUMNS, x, y, null));
    }
    return blocks;
  }

  /** Returns all that two chains came to, as text of bits. */
  private static String run(Case what, ProgramTable table, int steps) {
    StringBuilder text = new StringBuilder();
    try (ProgramRows rows = new ProgramRows(what.trace, table, new Streams(11), 2, what.clusters)) {
      Move move = what.move.apply(rows);
      for (int chain = 1; chain <= 2; chain++) {
        ProgramState state = what.begin.apply(rows, chain);
        for (int i = 0; i < steps; i++) {
          state = move.apply(state, rows);
          Globals globals = state.globals();
          text.append(Arrays.toString(globals.values()))
              .append(Arrays.deepToString(globals.clusters()))
              .append(Arrays.deepToString(globals.sums()))
              .append('\n');
        }
        assertTrue(state.counts().accepted() > 0, what.name);
        text.append(state.counts());
      }
      rows.latents().forEach(all -> text.append(Arrays.deepToString(all)));
    }
    return text.toString();
  }

  @Test
  void programsDrawTheSameOnAnyNumberOfPartitions() {
    List<DataBlock> blocks = blocks();
    long count = blocks.stream().mapToLong(DataBlock::rows).sum();
    try (JavaSparkContext context = LocalSpark.begin("local[2]")) {
      for (Case what : cases()) {
        String expected = run(what, ProgramTable.inMemory(blocks), 12);
        for (int partitions : new int[] {1, 2, 8}) {
          BlockRanges ranges = new BlockRanges(BLOCKS, partitions);
          ProgramTable.Source source =
              new ProgramTable.Source() {
                @Override
                public <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule) {
                  return new ResidentTable<>(
                      LocalSpark.spread(context, blocks, ranges), ranges, rule, 5);
                }
              };
          ProgramTable rows = new ProgramTable(source, new ProgramTable.Size(count, BLOCK_ROWS));
          assertEquals(
              expected, run(what, rows, 12), what.name + ", " + partitions + " partitions");
        }
      }
    }
  }
}
