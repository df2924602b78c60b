package org.lampyris.experiments.programs;

import java.util.Map;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.DirichletMixture;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.BoundedMh;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.StepComparison;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.program.series.ParticleGibbs;
import org.lampyris.samplers.random.Streams;

/**
 * Comparison of the sequential test with the exact step for the paper's three programs, with the
 * test of normality. Chains have as many steps as are asked for, and a quarter of these before.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 3.3.
 */
record Compared(int rows, int steps) implements Figure {
  private static final int SERIES = 200;
  private static final int LENGTH = 5;

  @Override
  public Map<String, String> files() {
    return Map.of(
        "table.md",
        Text.of(
            """
            # The sequential test and the exact step

            ## BayesLR, %,d rows

            %s
            ## JointDPM, %,d rows

            %s
            ## Stochastic volatility, %d series of %d

            %s""",
            rows,
            regression().text(),
            rows,
            mixture().text(),
            SERIES,
            LENGTH,
            volatility().text()));
  }

  private StepComparison regression() {
    Trace trace = PaperPrograms.bayesLr(2, Math.sqrt(0.1));
    // The posterior's sds are about 3/√N.
    SubsampledMh move =
        SubsampledMh.sequential(trace, trace.node("w"), 4 / Math.sqrt(rows), 100, 0.01);
    try (ProgramRows all = of(trace, ProgramTable.inMemory(MadeData.twoFeatures(5, rows)), 1);
        BoundedMh mode = BoundedMh.crankNicolson(all, trace.node("w"), 1)) {
      return compare(
          all, begin(trace, all, mode, 1), begin(trace, all, mode, 2), Move.none(), move);
    }
  }

  private static ProgramState begin(Trace trace, ProgramRows rows, BoundedMh mode, int chain) {
    ProgramState from = rows.begin(chain);
    return from.with(trace.with(from.globals(), trace.node("w"), 0, mode.mode()));
  }

  private StepComparison mixture() {
    Trace trace =
        PaperPrograms.jointDpm(
            new NormalInverseWishart(new double[2], 0.05, 5, new double[] {1, 0, 0, 1}), 4);
    DirichletMixture labels = new DirichletMixture(trace, Math.max(1, rows / 24));
    SubsampledMh move = SubsampledMh.sequential(trace, trace.node("w"), 1, 25, 0.3);
    try (ProgramRows all = of(trace, ProgramTable.inMemory(MadeData.clusters(6, rows)), 8)) {
      return compare(all, labels.begin(all, 1), labels.begin(all, 2), labels, move);
    }
  }

  private StepComparison volatility() {
    Trace trace = PaperPrograms.volatilityByInnovations(LENGTH);
    SubsampledMh move = SubsampledMh.sequential(trace, trace.node("phi"), 0.2, 50, 0.05);
    Move others =
        Move.cycle(
            new ParticleGibbs(trace, 3, SERIES / 20),
            SubsampledMh.exact(trace, trace.node("sigma2"), 0.006));
    try (ProgramRows all =
        of(trace, ProgramTable.inMemory(MadeData.series(7, SERIES, LENGTH)), 1)) {
      return compare(all, all.begin(1), all.begin(2), others, move);
    }
  }

  private static ProgramRows of(Trace trace, ProgramTable table, int clusters) {
    return new ProgramRows(trace, table, new Streams(31), 2, clusters);
  }

  private StepComparison compare(
      ProgramRows all, ProgramState one, ProgramState two, Move others, SubsampledMh move) {
    return StepComparison.of(all, one, two, others, move, steps / 4, steps);
  }
}
