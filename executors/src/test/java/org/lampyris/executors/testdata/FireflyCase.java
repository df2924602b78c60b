package org.lampyris.executors.testdata;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTeam;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.firefly.BlockRates;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.BrightnessKernel;
import org.lampyris.samplers.firefly.ExplicitBrightness;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.FireflySampler;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.PerRowRates;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowStates.Asked;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.run.BlockRule;

/**
 * Firefly on a table of nine blocks, with one way to resample brightness.
 *
 * @param name of that way
 * @param rule makes the resident blocks
 * @param sampler runs chains
 */
public record FireflyCase(String name, BlockRule<BoundBlock> rule, FireflySampler sampler) {
  /** How many chains there are. */
  public static final int CHAINS = 3;

  /** How many blocks the table has. */
  public static final int BLOCKS = 9;

  private static final int BLOCK_ROWS = 64;
  private static final int LAST_ROWS = 17;
  private static final long ROWS = BLOCK_ROWS * (BLOCKS - 1) + LAST_ROWS;
  // Where the bounds are tight: away from the mode, so that many rows are bright.
  private static final double[] REFERENCE = {1.3, 0.2, 1.1};
  private static final Streams STREAMS = new Streams(20);
  private static final JaakkolaJordanBound BOUND = new JaakkolaJordanBound(LogisticTable.D);

  /** Returns the table. */
  public static List<DataBlock> blocks() {
    return LogisticTable.blocks(BLOCKS, BLOCK_ROWS, LAST_ROWS);
  }

  /** Returns a case for every way. */
  public static List<FireflyCase> all() {
    RowSelection.Size none = RowSelection.Size.fixed(0);
    RowSelection random = new RowSelection.Random(20, ROWS, BLOCK_ROWS);
    BlockRule<BoundBlock> unrated = block -> new BoundBlock(block, anchors(block), null);
    return List.of(
        of(
            "implicit",
            block ->
                new BoundBlock(block, anchors(block), new BlockRates.Uniform(0.05, block.rows())),
            new ImplicitBrightness(),
            none),
        of("per row", perRow(), new ImplicitBrightness(), none),
        of(
            "explicit, with replacement",
            unrated,
            new ExplicitBrightness(random),
            RowSelection.Size.distinctOf(60, ROWS)),
        of(
            "explicit, without replacement",
            unrated,
            new ExplicitBrightness(random),
            RowSelection.Size.fixed(60)),
        of(
            "explicit, scheduled",
            unrated,
            new ExplicitBrightness(new RowSelection.Scheduled(10, BLOCK_ROWS)),
            none));
  }

  private static Anchors anchors(DataBlock block) {
    return BOUND.anchorsAt(block, REFERENCE);
  }

  private static BlockRule<BoundBlock> perRow() {
    PerRowRates rates =
        new PerRowRates(
            BOUND,
            new LaplaceApproximation(LogisticTable.mode(), LogisticTable.covariance()),
            3,
            0.1);
    double mean =
        blocks().stream()
                .flatMapToDouble(
                    block -> Arrays.stream(rates.expectedBrightness(block, anchors(block))))
                .sum()
            / ROWS;
    return block -> {
      Anchors own = anchors(block);
      return new BoundBlock(block, own, rates.rates(rates.expectedBrightness(block, own), mean));
    };
  }

  private static FireflyCase of(
      String name, BlockRule<BoundBlock> rule, BrightnessKernel kernel, RowSelection.Size size) {
    CollapsedQuadratic collapsed = new CollapsedQuadratic(LogisticTable.mode());
    blocks().forEach(block -> BOUND.collapse(block, anchors(block), collapsed));
    FireflySampler sampler =
        new FireflySampler(
            ProductPrior.shared(new UnivariatePrior.Normal(0, 1), LogisticTable.D),
            collapsed,
            new FireflyPass(BOUND, STREAMS),
            new FireflyKernel.ZStep(kernel, size),
            1,
            null);
    return new FireflyCase(name, rule, sampler);
  }

  /** Returns what runs the chains: 15 iterations of warm-up, 25 draws. */
  public static ChainRunner runner() {
    ChainRunner.Length length =
        new ChainRunner.Length(15, 25, 1, LogisticTable.walk().targetAcceptance());
    return new ChainRunner(length, STREAMS, (c, i, info) -> {});
  }

  /** Runs the chains one question at a time, with all rows in memory: the reference. */
  public List<ChainTrace> inMemory() {
    List<BoundBlock> resident = blocks().stream().map(rule::resident).toList();
    return Traces.begin(CHAINS).stream()
        .map(
            trace -> {
              FireflyRows.InMemory rows = new FireflyRows.InMemory(resident, sampler.pass());
              return run(trace.chain(), sampler.kernel(trace.chain(), rows));
            })
        .toList();
  }

  /** Runs the chains one question at a time, with answers from anywhere. */
  public List<ChainTrace> run(
      Function<List<Asked<FireflyRows.Question>>, List<FireflyRows.Answer>> answer) {
    return together(answer, FireflyCase::run);
  }

  private static ChainTrace run(int chain, FireflyKernel<?> kernel) {
    return runner().run(chain, kernel, LogisticTable.walk(), LogisticTable.mode());
  }

  /**
   * Has all chains do their work side by side.
   *
   * @param <T> what it leads to
   * @param answer answers their questions
   * @param work the work of a chain
   */
  public <T> List<T> together(
      Function<List<Asked<FireflyRows.Question>>, List<FireflyRows.Answer>> answer,
      BiFunction<Integer, FireflyKernel<Generation>, T> work) {
    ChainTeam team = new ChainTeam(CHAINS);
    return team.run(
        c -> {
          FireflyRows<Generation> rows =
              new FireflyRows.Asked(c, asked -> team.ask(c, answer, asked));
          return work.apply(c, sampler.kernel(c, rows));
        });
  }
}
