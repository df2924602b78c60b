package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.block.SparseBlock;
import org.lampyris.bounds.family.logistic.JaakkolaJordanBound;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

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
    CandidatePool pool(int chain, long first, int length, int fromBlock, int toBlock) {
      return CandidatePool.draw(
          sampler.zStep(),
          sampler.pass(),
          chain,
          first,
          length,
          blocks.subList(fromBlock, toBlock));
    }
  }

  private Case implicit(String name, ImplicitBrightness kernel, boolean perRow, boolean sparse) {
    return of(name, new FireflyKernel.ZStep(kernel, SelectionSize.fixed(0)), perRow, sparse);
  }

  private Case explicit(String name, RowSelection selection, SelectionSize size) {
    return of(name, new FireflyKernel.ZStep(new ExplicitBrightness(selection), size), false, false);
  }

  private Case of(String name, FireflyKernel.ZStep zStep, boolean perRow, boolean sparse) {
    List<DataBlock> data = blocks(sparse);
    CollapsedQuadratic collapsed = new CollapsedQuadratic(MODE);
    data.forEach(block -> bound.collapse(block, bound.anchorsAt(block, REFERENCE), collapsed));
    PerRowRates rates = new PerRowRates(bound, MODE, COVARIANCE, 3, 0.1);
    List<BoundBlock> blocks =
        perRow
            ? rates.inMemory(data, block -> bound.anchorsAt(block, REFERENCE))
            : data.stream()
                .map(block -> new BoundBlock(block, bound.anchorsAt(block, REFERENCE), null))
                .toList();
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 1), D);
    return new Case(name, blocks, new FireflySampler(prior, collapsed, pass, zStep, 1));
  }

  private List<Case> cases() {
    CandidateRates perRow = new CandidateRates.PerRow();
    RowSelection random = new RowSelection.Random(20, ROWS, BLOCK_ROWS);
    SelectionSize none = SelectionSize.fixed(0);
    return List.of(
        implicit(
            "one rate", new ImplicitBrightness(new CandidateRates.Uniform(0.05), 8), false, false),
        implicit("windows of one", new ImplicitBrightness(perRow, 1), true, false),
        implicit("per row", new ImplicitBrightness(perRow, 16), true, false),
        implicit("sparse", new ImplicitBrightness(perRow, 16), true, true),
        explicit("with replacement", random, SelectionSize.distinctOf(60, ROWS)),
        explicit("without replacement", random, SelectionSize.fixed(60)),
        // So many that the place with few rows asks about each, and the other one finds them.
        explicit("a quarter", random, SelectionSize.fixed(130)),
        explicit("most", random, SelectionSize.fixed(300)),
        explicit("scheduled", new RowSelection.Scheduled(9, BLOCK_ROWS), none),
        explicit("some blocks scheduled", new RowSelection.Scheduled(70, BLOCK_ROWS), none));
  }

  private static List<ThetaKernel> thetaKernels() {
    Preconditioner laplace = Preconditioner.choleskyOf(COVARIANCE, D);
    return List.of(
        new RandomWalk(laplace, RandomWalk.optimalStepSize(D)), new Hmc(laplace, 0.4, 4));
  }

  private ChainTrace oneQuestionAtATime(Case what, ThetaKernel kernel) {
    InMemoryFireflyRows rows = new InMemoryFireflyRows(what.blocks(), pass);
    return runner.run(2, what.sampler().kernel(2, rows), kernel, MODE);
  }

  /** Runs the chain in segments, with the blocks at two places. */
  private ChainTrace inSegments(Case what, ThetaKernel kernel, int segment) {
    ChainTrace trace = new ChainTrace(2);
    InMemoryFireflyRows rows = new InMemoryFireflyRows(what.blocks(), pass);
    ChainState begun = runner.begin(trace, what.sampler().kernel(2, rows), kernel, MODE);
    FireflySampler.Chain chain =
        new FireflySampler.Chain(begun, CarriedBrightness.of(rows.brightness(), what.blocks()));
    for (long first = 1; first <= LENGTH.iterations(); first += segment) {
      int length = (int) Math.min(segment, LENGTH.iterations() + 1 - first);
      List<CandidatePool> pools =
          List.of(what.pool(2, first, length, 4, BLOCKS), what.pool(2, first, length, 0, 4));
      FireflySampler.Segment done = what.sampler().advance(runner, chain, pools);
      trace.append(done.trace());
      chain = done.chain();
    }
    return trace;
  }

  @Test
  void segmentsOfAnyLengthDrawTheSame() {
    for (Case what : cases()) {
      for (ThetaKernel kernel : thetaKernels()) {
        ChainTrace expected = oneQuestionAtATime(what, kernel);
        long bright = expected.sampling().stream().mapToLong(i -> i.info().brightRows()).sum();
        assertTrue(bright > LENGTH.iterations(), what.name() + ": " + bright + " bright rows");
        for (int segment : new int[] {1, 7, 16, 48, 1000}) {
          assertSame(expected, inSegments(what, kernel, segment), what.name() + ", " + segment);
        }
      }
    }
  }

  private static void assertSame(ChainTrace expected, ChainTrace actual, String what) {
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
      CandidatePool whole = what.pool(1, 1, length, 0, BLOCKS);
      Map<String, Integer> uses = new HashMap<>();
      Set<Double> numbers = new HashSet<>();
      for (int first = 1; first <= length; first += 5) {
        for (CandidatePool part :
            List.of(what.pool(1, first, 5, 0, 4), what.pool(1, first, 5, 4, BLOCKS))) {
          for (PooledBlock block : part.blocks()) {
            for (int i = 0; i < block.candidates(); i++) {
              String name =
                  (first + block.iteration(i))
                      + " "
                      + block.selected().block().id()
                      + " "
                      + block.selected().rows()[block.row(i)];
              uses.merge(name, 1, Integer::sum);
              if (block.numbered()) {
                numbers.add(block.uniform(i));
              }
            }
          }
        }
      }
      assertEquals(whole.size(), uses.size(), what.name());
      assertTrue(uses.values().stream().allMatch(n -> n == 1), what.name());
      boolean numbered = whole.blocks().get(0).numbered();
      assertEquals(numbered ? uses.size() : 0, numbers.size(), "no random number decides twice");
    }
  }

  /** The rows that an iteration resamples are the candidates that were drawn for it. */
  @Test
  void aSelectionOfRowsIsUsedOnceAndInItsIteration() {
    for (Case what : cases().subList(4, cases().size())) {
      Map<Long, Set<Long>> used = new HashMap<>();
      InMemoryFireflyRows rows =
          new InMemoryFireflyRows(
              what.blocks(),
              pass,
              (update, chain, candidate) ->
                  new DrawnCandidates(pass, what.blocks(), null)
                      .candidates(
                          update,
                          chain,
                          (key, uniform) -> {
                            used.computeIfAbsent(update.iteration(), i -> new HashSet<>()).add(key);
                            candidate.row(key, uniform);
                          }),
              Brightness.dark());
      runner.run(2, what.sampler().kernel(2, rows), thetaKernels().get(0), MODE);
      int length = (int) LENGTH.iterations();
      CandidatePool pool = what.pool(2, 1, length, 0, BLOCKS);
      Map<Long, Set<Long>> drawn = new HashMap<>();
      for (PooledBlock block : pool.blocks()) {
        int index = (int) block.selected().block().id();
        for (int i = 0; i < block.candidates(); i++) {
          long key = Brightness.key(index, block.selected().rows()[block.row(i)]);
          assertTrue(drawn.computeIfAbsent(1L + block.iteration(i), n -> new HashSet<>()).add(key));
        }
      }
      assertEquals(ROWS, used.remove(0L).size(), "the start draws every row");
      assertEquals(used, drawn, what.name());
    }
  }

  @Test
  void aPoolOfOtherIterationsIsRefused() {
    Case what = cases().get(2);
    ChainTrace trace = new ChainTrace(1);
    InMemoryFireflyRows rows = new InMemoryFireflyRows(what.blocks(), pass);
    ChainState begun =
        runner.begin(trace, what.sampler().kernel(1, rows), thetaKernels().get(0), MODE);
    FireflySampler.Chain chain =
        new FireflySampler.Chain(begun, CarriedBrightness.of(rows.brightness(), what.blocks()));
    List<CandidatePool> late = List.of(what.pool(1, 2, 5, 0, BLOCKS));
    assertThrows(IllegalArgumentException.class, () -> what.sampler().advance(runner, chain, late));
  }
}
