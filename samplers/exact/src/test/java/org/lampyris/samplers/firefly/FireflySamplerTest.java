package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.PooledEvents;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.testdata.Factors;

/**
 * Segments from pools against the same chain with all rows at hand: every draw and every count the
 * same, to the bit, however long the segments are and wherever the rows.
 */
class FireflySamplerTest {
  private static final int D = 3;
  private static final int BLOCKS = 11;
  private static final int BLOCK_ROWS = 50;
  private static final int LAST_ROWS = 17;
  private static final int ROWS = BLOCK_ROWS * (BLOCKS - 1) + LAST_ROWS;
  private static final double[] MODE = {0.4, -0.7, 0.2};
  // Where the bounds are tight: away from the mode, so that many rows are bright.
  private static final double[] REFERENCE = {1.3, 0.2, 1.1};
  private static final double[] COVARIANCE = {
    0.01, 0.001, 0, 0.001, 0.012, 0.0005, 0, 0.0005, 0.009
  };
  private static final ChainRunner.Length LENGTH = new ChainRunner.Length(20, 40, 2, 0.3);

  private final JaakkolaJordanBound bound = new JaakkolaJordanBound(D);
  private final Streams streams = new Streams(20);
  private final FireflyPass pass = new FireflyPass(bound, streams);
  private final ChainRunner runner = new ChainRunner(LENGTH, streams, (c, i, info) -> {});

  private static DataBlock block(long id, boolean sparse, UniformRandomProvider rng) {
    int rows = id == BLOCKS - 1 ? LAST_ROWS : BLOCK_ROWS;
    double[] x = new double[rows * D];
    double[] y = new double[rows];
    double[] weight = new double[rows];
    int[] start = new int[rows + 1];
    int[] column = new int[rows * D];
    for (int i = 0; i < rows; i++) {
      double eta = 0;
      for (int j = 0; j < D; j++) {
        x[i * D + j] = j == 0 ? 1 : rng.nextDouble(-2, 2);
        column[i * D + j] = j;
        eta += x[i * D + j] * MODE[j];
      }
      start[i + 1] = (i + 1) * D;
      weight[i] = 0.5 + rng.nextDouble();
      y[i] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
    }
    return sparse
        ? new SparseBlock(id, D, start, column, x, y, weight)
        : new DenseBlock(id, D, x, y, weight);
  }

  private static List<DataBlock> blocks(boolean sparse) {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> all = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      all.add(block(b, sparse, rng));
    }
    return all;
  }

  private record Case(String name, List<BoundBlock> blocks, FireflySampler sampler) {
    Pool<BoundBlock> pool(int chain, long first, int length, int fromBlock, int toBlock) {
      return sampler.draw(chain, first, length, blocks.subList(fromBlock, toBlock));
    }
  }

  private Case implicit(String name, int window, boolean perRow, boolean sparse) {
    FireflyKernel.ZStep zStep =
        new FireflyKernel.ZStep(new ImplicitBrightness(window), RowSelection.Size.fixed(0));
    PerRowRates rates = new PerRowRates(bound, new LaplaceApproximation(MODE, COVARIANCE), 3, 0.1);
    List<DataBlock> data = blocks(sparse);
    return of(
        name,
        zStep,
        perRow
            ? BoundBlocks.withRatesOfRows(data, this::anchors, rates)
            : BoundBlocks.withOneRate(data, this::anchors, 0.05));
  }

  private Case explicit(String name, RowSelection selection, RowSelection.Size size) {
    return of(
        name,
        new FireflyKernel.ZStep(new ExplicitBrightness(selection), size),
        BoundBlocks.withoutRates(blocks(false), this::anchors));
  }

  private Anchors anchors(DataBlock block) {
    return bound.anchorsAt(block, REFERENCE);
  }

  private Case of(String name, FireflyKernel.ZStep zStep, List<BoundBlock> blocks) {
    CollapsedQuadratic collapsed = new CollapsedQuadratic(MODE);
    blocks.forEach(block -> bound.collapse(block.data(), block.anchors(), collapsed));
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 1), D);
    return new Case(name, blocks, new FireflySampler(prior, collapsed, pass, zStep, 1, null));
  }

  private List<Case> cases() {
    RowSelection random = new RowSelection.Random(20, ROWS, BLOCK_ROWS);
    RowSelection.Size none = RowSelection.Size.fixed(0);
    return List.of(
        implicit("one rate", 8, false, false),
        implicit("windows of one", 1, true, false),
        implicit("per row", 16, true, false),
        implicit("sparse", 16, true, true),
        explicit("with replacement", random, RowSelection.Size.distinctOf(60, ROWS)),
        explicit("without replacement", random, RowSelection.Size.fixed(60)),
        // So many that the place with few rows asks about each, and the other one finds them.
        explicit("a quarter", random, RowSelection.Size.fixed(130)),
        explicit("most", random, RowSelection.Size.fixed(300)),
        explicit("scheduled", new RowSelection.Scheduled(9, BLOCK_ROWS), none),
        explicit("some blocks scheduled", new RowSelection.Scheduled(70, BLOCK_ROWS), none));
  }

  private static List<ThetaKernel> thetaKernels() {
    Preconditioner laplace = Factors.choleskyOf(COVARIANCE, D);
    return List.of(
        new RandomWalk(laplace, RandomWalk.optimalStepSize(D)), new Hmc(laplace, 0.4, 4));
  }

  private ChainTrace oneQuestionAtATime(Case what, ThetaKernel kernel) {
    FireflyRows.InMemory rows = new FireflyRows.InMemory(what.blocks(), pass);
    return runner.run(2, what.sampler().kernel(2, rows), kernel, MODE);
  }

  /** Runs the chain in segments, with the blocks at two places. */
  private ChainTrace inSegments(Case what, ThetaKernel kernel, int segment) {
    ChainTrace trace = new ChainTrace(2);
    ChainState<FireflyKernel.State<Brightness.Carried>> state = begun(what, 2, kernel, trace);
    for (long first = 1; first <= LENGTH.iterations(); first += segment) {
      int length = (int) Math.min(segment, LENGTH.iterations() + 1 - first);
      List<Pool<BoundBlock>> pools =
          List.of(what.pool(2, first, length, 4, BLOCKS), what.pool(2, first, length, 0, 4));
      long to = first + length - 1;
      state = what.sampler().advance(runner, state, to, pools, trace);
      assertEquals(to, state.iteration(), what.name());
    }
    return trace;
  }

  /** Begins a chain with all rows at hand, and gives it its bright rows to carry. */
  private ChainState<FireflyKernel.State<Brightness.Carried>> begun(
      Case what, int chain, ThetaKernel kernel, ChainTrace trace) {
    FireflyRows.InMemory rows = new FireflyRows.InMemory(what.blocks(), pass);
    ChainState<FireflyKernel.State<Brightness>> begun =
        runner.begin(trace, what.sampler().kernel(chain, rows), kernel, MODE);
    Brightness.Carried carried =
        Brightness.Carried.of(begun.state().rows(), Rows.whole(what.blocks()));
    return begun.with(new FireflyKernel.State<>(begun.state().point(), carried));
  }

  @Test
  void segmentsOfAnyLengthDrawTheSame() {
    for (Case what : cases()) {
      for (ThetaKernel kernel : thetaKernels()) {
        ChainTrace expected = oneQuestionAtATime(what, kernel);
        double bright =
            expected.sampling().stream().mapToDouble(i -> i.info().columns().get(0)).sum();
        assertTrue(bright > LENGTH.iterations(), what.name() + ": " + bright + " bright rows");
        for (int segment : new int[] {1, 7, 16, 48, 1000}) {
          assertSameTrace(
              expected, inSegments(what, kernel, segment), what.name() + ", " + segment);
        }
      }
    }
  }

  private static void assertSameTrace(ChainTrace expected, ChainTrace actual, String what) {
    assertEquals(expected.size(), actual.size(), what);
    assertEquals(expected.logDensities(), actual.logDensities(), what);
    assertEquals(expected.stepSize(), actual.stepSize(), what);
    assertEquals(expected.initialEvaluations(), actual.initialEvaluations(), what);
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.draws().get(i), actual.draws().get(i), what);
    }
    for (int i = 0; i < expected.sampling().size(); i++) {
      assertEquals(expected.sampling().get(i).info(), actual.sampling().get(i).info(), what);
    }
  }

  /** Every candidate belongs to one iteration, and no iteration asks for those of another. */
  @Test
  void aCandidateIsUsedInItsIterationOrNever() {
    for (Case what : cases()) {
      int length = 40;
      Pool<BoundBlock> whole = what.pool(1, 1, length, 0, BLOCKS);
      Map<String, Integer> uses = new HashMap<>();
      List<Double> numbers = new ArrayList<>();
      for (int first = 1; first <= length; first += 5) {
        for (Pool<BoundBlock> part :
            List.of(what.pool(1, first, 5, 0, 4), what.pool(1, first, 5, 4, BLOCKS))) {
          PooledEvents<BoundBlock> events = new PooledEvents<>(List.of(part));
          for (long i = first; i < first + 5; i++) {
            String iteration = i + " ";
            events.visit(
                i,
                Double.POSITIVE_INFINITY,
                (row, number) -> {
                  uses.merge(iteration + RowId.block(row) + " " + RowId.row(row), 1, Integer::sum);
                  numbers.add(number);
                  return true;
                });
          }
        }
      }
      assertEquals(whole.size(), uses.size(), what.name());
      assertTrue(uses.values().stream().allMatch(n -> n == 1), what.name());
      boolean numbered = what.sampler().zStep().kernel() instanceof ImplicitBrightness;
      assertEquals(
          numbered ? uses.size() : 1,
          numbers.stream().distinct().count(),
          "no random number decides twice");
      assertEquals(!numbered, numbers.contains(BrightnessKernel.Candidates.NO_NUMBER), what.name());
    }
  }

  /** Returns the candidates of chain 2 as they are drawn. */
  private RowEvents drawn(Case what) {
    FireflyKernel.ZStep zStep = what.sampler().zStep();
    return new DrawnEvents<>(
        new BrightnessKernel.Candidates(zStep.kernel(), streams, 2, zStep.selected()),
        what.blocks());
  }

  /** The rows that an iteration resamples are the candidates that were drawn for it. */
  @Test
  void aSelectionOfRowsIsUsedOnceAndInItsIteration() {
    for (Case what : cases().subList(4, cases().size())) {
      Map<Long, Set<Long>> used = new HashMap<>();
      FireflyRows.InMemory rows =
          new FireflyRows.InMemory(
              Rows.whole(what.blocks()), true, pass, noting(drawn(what), used));
      runner.run(2, what.sampler().kernel(2, rows), thetaKernels().get(0), MODE);
      int length = (int) LENGTH.iterations();
      PooledEvents<BoundBlock> events =
          new PooledEvents<>(List.of(what.pool(2, 1, length, 0, BLOCKS)));
      Map<Long, Set<Long>> drawn = new HashMap<>();
      for (long i = 1; i <= length; i++) {
        noting(events, drawn).visit(i, Double.POSITIVE_INFINITY, (row, number) -> true);
      }
      assertEquals(used, drawn, what.name());
    }
  }

  /** Notes the rows of each iteration, of which none comes twice. */
  private static RowEvents noting(RowEvents events, Map<Long, Set<Long>> noted) {
    return (iteration, limit, visitor) ->
        events.visit(
            iteration,
            limit,
            (row, number) -> {
              assertTrue(noted.computeIfAbsent(iteration, i -> new HashSet<>()).add(row));
              return visitor.event(row, number);
            });
  }

  /** The iteration is left to be made with all rows, and neither chain nor trace has changed. */
  @Test
  void poolsOfOtherIterationsLeaveAChainWhereItIs() {
    Case what = cases().get(2);
    ChainTrace trace = new ChainTrace(1);
    ChainState<FireflyKernel.State<Brightness.Carried>> begun =
        begun(what, 1, thetaKernels().get(0), trace);
    List<Pool<BoundBlock>> late = List.of(what.pool(1, 2, 5, 0, BLOCKS));
    ChainState<FireflyKernel.State<Brightness.Carried>> after =
        what.sampler().advance(runner, begun, 6, late, trace);
    assertEquals(0, after.iteration());
    assertSame(begun.state().point(), after.state().point());
    assertSame(begun.state().rows().brightness(), after.state().rows().brightness());
    assertEquals(0, trace.warmup().size());
  }

  @Test
  void poolsThatDoNotBelongTogetherAreRefused() {
    Case what = cases().get(2);
    ChainTrace trace = new ChainTrace(1);
    ChainState<FireflyKernel.State<Brightness.Carried>> begun =
        begun(what, 1, thetaKernels().get(0), trace);
    List<Pool<BoundBlock>> torn = List.of(what.pool(1, 1, 5, 0, 4), what.pool(1, 2, 5, 4, BLOCKS));
    assertThrows(
        IllegalArgumentException.class,
        () -> what.sampler().advance(runner, begun, 5, torn, trace));
    List<Pool<BoundBlock>> good = List.of(what.pool(1, 1, 5, 0, BLOCKS));
    ChainRunner other = new ChainRunner(LENGTH, new Streams(21), (c, i, info) -> {});
    assertThrows(
        IllegalArgumentException.class, () -> what.sampler().advance(other, begun, 5, good, trace));
  }
}
