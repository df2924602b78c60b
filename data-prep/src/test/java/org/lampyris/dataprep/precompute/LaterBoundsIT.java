package org.lampyris.dataprep.precompute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.dataprep.SparkForTests;
import org.lampyris.dataprep.precompute.PreparedTable.TableFacts;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.table.BlockTable.LaterRows;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.MarginalScales;
import org.lampyris.samplers.mode.Objective;
import scala.Tuple2;

/** Bounds that later rows are added to, against those of all rows at once. */
class LaterBoundsIT {
  private static final SparkSession SPARK = SparkForTests.session();
  private static final List<String> COLUMNS = List.of("(Intercept)", "a", "b");
  private static final double[] TRUTH = {-0.5, 1, 0.3};

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private Path folder;

  private final List<String> progress = new ArrayList<>();

  private static List<DataBlock> rows(long first, int blocks, double shift) {
    List<DataBlock> made = new ArrayList<>();
    for (long id = first; id < first + blocks; id++) {
      Random random = new Random(100 + id);
      double[] x = new double[3 * 100];
      double[] y = new double[100];
      for (int n = 0; n < y.length; n++) {
        double eta = 0;
        for (int j = 0; j < 3; j++) {
          x[3 * n + j] = j == 0 ? 1 : random.nextGaussian();
          eta += x[3 * n + j] * (TRUTH[j] + (j == 1 ? shift : 0));
        }
        y[n] = random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : -1;
      }
      made.add(new DenseBlock(id, 3, x, y, null));
    }
    return made;
  }

  private static ModelOfTable model(String family) {
    return ModelOfTable.of(
        family.equals("gaussian")
            ? FamilySpec.of(family).with("sigma", "1")
            : FamilySpec.of(family),
        COLUMNS,
        PriorConfig.of("normal(0, 2)", Map.of(), PriorConfig.Scale.STANDARDIZED),
        null);
  }

  private static JavaRDD<DataBlock> spread(List<DataBlock> blocks, long first, BlockRanges ranges) {
    return JavaSparkContext.fromSparkContext(SPARK.sparkContext())
        .parallelize(blocks, 3)
        .mapToPair(block -> new Tuple2<>(block.id() - first, block))
        .repartitionAndSortWithinPartitions(ranges)
        .values();
  }

  private BoundsArtefact run(
      List<DataBlock> all, int earlierBlocks, String print, @Nullable String after) {
    return run(all, earlierBlocks, print, after, COLUMNS, null);
  }

  private BoundsArtefact run(
      List<DataBlock> all,
      int earlierBlocks,
      String print,
      @Nullable String after,
      List<String> columns,
      @Nullable EffectModel effects) {
    BlockRanges ranges = new BlockRanges(all.size(), 2);
    TableFacts facts = new TableFacts(print, columns, 100L * all.size());
    PreparedTable.Later later = null;
    if (earlierBlocks > 0) {
      List<DataBlock> rest = all.subList(earlierBlocks, all.size());
      BlockRanges of = new BlockRanges(rest.size(), 3);
      later =
          new PreparedTable.Later(
              new LaterRows(spread(rest, earlierBlocks, of), of, earlierBlocks),
              print.replaceAll("[0-9]+", "") + earlierBlocks);
    }
    progress.clear();
    return PrecomputeJob.run(
        SPARK,
        new PreparedTable(spread(all, 0, ranges), ranges, facts, later),
        effects == null ? model("logistic") : effects.base(),
        effects,
        new PrecomputeConfig(1e-6, 100, 1.5, null, PrecomputeConfig.Covariance.AUTO, after),
        folder.resolve(print).toString(),
        false,
        progress::add);
  }

  private String path(String print) {
    return folder.resolve(print).toString();
  }

  private static void assertNear(CollapsedQuadratic expected, CollapsedQuadratic actual) {
    assertArrayEquals(expected.origin(), actual.origin());
    assertArrayEquals(expected.packed(), actual.packed(), 1e-9);
  }

  private static void assertBoundsOf(List<DataBlock> all, BoundsArtefact artefact) {
    assertBoundsOf(all, artefact, model("logistic"));
  }

  private static void assertBoundsOf(
      List<DataBlock> all, BoundsArtefact artefact, ModelOfTable model) {
    double[] mode = artefact.about().mode();
    double[] sums = new double[CollapsePass.length(mode.length)];
    for (DataBlock block : all) {
      CollapsePass.addTo(
          model.localBound(artefact.about(), artefact.radius()).orElseThrow(),
          true,
          mode,
          block,
          sums);
    }
    assertTrue(artefact.isLocal());
    assertNear(CollapsePass.split(mode, true, sums).lower(), artefact.collapsed());
  }

  private static MapFit fitOf(List<DataBlock> all) {
    ModelOfTable model = model("logistic");
    return new MapFinder(model.prior(), model.coefficients(), 1e-6, 100)
        .find(Objective.of(all, model.model(), 1), null, pass -> {});
  }

  private static double[] modeOf(List<DataBlock> all) {
    return fitOf(all).theta();
  }

  /** The approximation is to second order only, and the mode has moved by a part of an sd. */
  private static void assertLaplaceOf(List<DataBlock> all, BoundsArtefact artefact) {
    MapFit fit = fitOf(all);
    assertEquals(0, fit.laplace().distance(artefact.theta()), 0.05);
    assertEquals(fit.logPosterior(), artefact.fit().logPosterior(), 0.05);
    for (int j = 0; j < 3; j++) {
      assertEquals(1, artefact.fit().sd(j) / fit.sd(j), 0.02);
    }
  }

  /** Rows with a level each, which the later ones have more of. */
  private static List<DataBlock> grouped(int blocks, int earlier) {
    List<DataBlock> made = new ArrayList<>();
    for (DataBlock block : rows(0, blocks, 0)) {
      Random random = new Random(block.id());
      long[] keys = new long[block.rows()];
      double[] y = new double[keys.length];
      for (int n = 0; n < keys.length; n++) {
        int level = random.nextInt(block.id() < earlier ? 12 : 15);
        // Keys are in no order of the levels, so that new ones lie between the others.
        keys[n] = level * 7L % 15;
        double eta = block.feature(n, 1) + Math.sin(5 * level) * (1 + block.feature(n, 2));
        y[n] = random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : -1;
      }
      double[] x = new double[3 * keys.length];
      Arrays.setAll(x, k -> block.feature(k / 3, k % 3));
      made.add(new DenseBlock(block.id(), 3, x, y, null).grouped(new long[][] {keys}));
    }
    return made;
  }

  private static EffectModel effects(List<DataBlock> all) {
    return effects(all, "logistic");
  }

  private static EffectModel effects(List<DataBlock> all, String family) {
    long[] keys =
        all.stream()
            .flatMapToLong(
                block -> IntStream.range(0, block.rows()).mapToLong(n -> block.group(0, n)))
            .distinct()
            .sorted()
            .toArray();
    UnivariatePrior sd = PriorParser.parse("half_normal(0, 1)");
    // Correlated where the approximation is exact, else without.
    GroupingEffects of =
        family.equals("gaussian")
            ? new GroupingEffects("g", List.of("(Intercept)", "b"), sd, 2)
            : new GroupingEffects("g", List.of("(Intercept)"), sd, 2)
                .and(new GroupingEffects("g", List.of("b"), sd, 2));
    TableEffects effects =
        new TableEffects(of, 0, new int[] {-1, 2}, new double[2], keys.length, false);
    return EffectModel.of(
        model(family).withRandom(List.of(effects)),
        new EffectColumns(
            3,
            List.of(effects),
            new long[][] {keys},
            List.of(Arrays.stream(keys).mapToObj(String::valueOf).toList())),
        List.of(),
        COLUMNS,
        PriorConfig.of("normal(0, 2)", Map.of(), PriorConfig.Scale.STANDARDIZED));
  }

  private BoundsArtefact runEffects(List<DataBlock> rows, int earlier, @Nullable String after) {
    return runEffects(rows, earlier, after, "logistic");
  }

  private BoundsArtefact runEffects(
      List<DataBlock> rows, int earlier, @Nullable String after, String family) {
    EffectModel effects = effects(rows, family);
    List<DataBlock> all = rows.stream().map(effects.columns()::of).toList();
    List<String> columns = new ArrayList<>(COLUMNS);
    columns.addAll(effects.columns().names());
    return run(all, earlier, "effects-" + rows.size(), after, columns, effects);
  }

  private static MapFit fitOf(List<DataBlock> all, EffectModel effects, double[] phi) {
    ModelOfTable given = effects.given(phi);
    Objective rows = Objective.of(all, given.model(), 1);
    return new MapFinder(given.prior(), given.coefficients(), 1e-6, 100)
        .find(MarginalScales.coupled(effects, phi).apply(rows), null, pass -> {});
  }

  private static void assertEffectsOf(List<DataBlock> rows, BoundsArtefact artefact) {
    EffectModel effects = effects(rows);
    List<DataBlock> all = rows.stream().map(effects.columns()::of).toList();
    BoundsArtefact.Scales scales = Objects.requireNonNull(artefact.scales());
    ModelOfTable given = effects.given(scales.centre());
    assertBoundsOf(all, artefact, given);
    MapFit fit = fitOf(all, effects, scales.centre());
    MarginalScales known = new MarginalScales(fit.laplace(), effects.groups(), scales.centre());
    MarginalScales.Found found = known.found();
    assertEquals(0, found.distance(scales.centre()), 0.15, "scales");
    assertEquals(0, fit.laplace().distance(artefact.theta()), 0.5, "mode");
    assertEquals(fit.logPosterior(), artefact.fit().logPosterior(), 0.5);
    MarginalScales.Found at =
        new MarginalScales.Found(scales.centre(), scales.sds(), artefact.theta());
    for (int j = 0; j < fit.theta().length; j++) {
      // The curvature for a new level is that at 0.
      double most = j < COLUMNS.size() ? 0.03 : 0.1;
      assertEquals(1, artefact.fit().sd(j) / known.marginal(at).sd(j), most, "sd " + j);
    }
  }

  @Test
  void newLevelsAreAddedWithTheirPrior() {
    List<DataBlock> all = grouped(80, 70);
    BoundsArtefact first = runEffects(all.subList(0, 70), 0, null);
    BoundsArtefact next = runEffects(all.subList(0, 74), 70, path("effects-70"));
    assertTrue(progress.toString().contains("They bring 6 coefficients"), progress.toString());
    assertEffectsOf(all.subList(0, 74), next);
    assertTrue(first.laplace().dimension() < next.about().dimension());
    BoundsArtefact last = runEffects(all, 74, path("effects-74"));
    assertEffectsOf(all, last);
    BoundsArtefact read = BoundsArtefact.read(SPARK, path("effects-80"));
    assertArrayEquals(last.about().covariance(), read.about().covariance());
    assertArrayEquals(
        last.about().precision().orElseThrow().matrix(),
        read.about().precision().orElseThrow().matrix());
    assertEquals(last.scales(), read.scales());
  }

  /** Where the log-likelihood is a quadratic, one pass gives what a search on all rows gives. */
  @Test
  void quadraticsAreExtendedExactly() {
    List<DataBlock> all = grouped(80, 70);
    runEffects(all.subList(0, 70), 0, null, "gaussian");
    runEffects(all.subList(0, 74), 70, path("effects-70"), "gaussian");
    runEffects(all, 74, path("effects-74"), "gaussian");
    for (int blocks : new int[] {74, 80}) {
      BoundsArtefact artefact = BoundsArtefact.read(SPARK, path("effects-" + blocks));
      List<DataBlock> rows = all.subList(0, blocks);
      EffectModel effects = effects(rows, "gaussian");
      BoundsArtefact.Scales scales = Objects.requireNonNull(artefact.scales());
      MapFit fit =
          fitOf(rows.stream().map(effects.columns()::of).toList(), effects, scales.centre());
      MarginalScales known = new MarginalScales(fit.laplace(), effects.groups(), scales.centre());
      assertEquals(0, known.found().distance(scales.centre()), 0.02, "scales");
      assertArrayEquals(fit.theta(), artefact.theta(), 1e-6);
      assertEquals(fit.logPosterior(), artefact.fit().logPosterior(), 1e-6);
      MarginalScales.Found at =
          new MarginalScales.Found(scales.centre(), scales.sds(), artefact.theta());
      for (int j = 0; j < fit.theta().length; j++) {
        assertEquals(1, artefact.fit().sd(j) / known.marginal(at).sd(j), 1e-6, "sd " + j);
      }
    }
  }

  /** What a line says, in posterior sds. */
  private double moved() {
    String line =
        progress.stream().filter(of -> of.contains("move the mode by")).findFirst().orElseThrow();
    return Double.parseDouble(line.replaceAll(".*move the mode by ([0-9.e+-]+) .*", "$1"));
  }

  @Test
  void boundsOfLaterRowsAreAddedAboutTheEarlierMode() {
    List<DataBlock> all = rows(0, 40, 0);
    BoundsArtefact first = run(all.subList(0, 30), 0, "print-30", null);
    BoundsArtefact next = run(all.subList(0, 34), 30, "print-34", path("print-30"));
    assertArrayEquals(first.theta(), next.about().mode());
    assertLaplaceOf(all.subList(0, 34), next);
    assertBoundsOf(all.subList(0, 34), next);
    assertEquals(
        first.laplace().distance(modeOf(all.subList(0, 34))), moved(), 0.1 * moved() + 0.005);
    assertTrue(progress.stream().noneMatch(line -> line.startsWith("pass ")), progress.toString());
    // A second time: the gradient at the mode is not 0 any more.
    BoundsArtefact last = run(all, 34, "print-40", path("print-34"));
    assertBoundsOf(all, last);
    assertLaplaceOf(all, last);
    assertEquals(first.laplace().distance(modeOf(all)), moved(), 0.1 * moved() + 0.005);
    BoundsArtefact read = BoundsArtefact.read(SPARK, path("print-40"));
    assertArrayEquals(last.collapsed().packed(), read.collapsed().packed());
    assertArrayEquals(last.about().covariance(), read.about().covariance());
    assertArrayEquals(last.laplace().covariance(), read.laplace().covariance());
  }

  @Test
  void theModeIsSoughtAnewWhereItHasMovedFar() {
    List<DataBlock> all = new ArrayList<>(rows(0, 20, 0));
    all.addAll(rows(20, 10, 2));
    run(all.subList(0, 20), 0, "print-20", null);
    BoundsArtefact next = run(all, 20, "print-30", path("print-20"));
    assertTrue(
        progress.stream().anyMatch(line -> line.contains("too far for the earlier bounds")),
        progress.toString());
    assertArrayEquals(modeOf(all), next.theta(), 1e-6);
    assertBoundsOf(all, next);
    assertEquals(null, next.earlier());
  }

  @Test
  void boundsOfAnotherTableOrWithoutLaterRowsAreRefused() {
    List<DataBlock> all = rows(0, 12, 0);
    run(all.subList(0, 8), 0, "print-8", null);
    UserException none =
        assertThrows(UserException.class, () -> run(all, 0, "print-12", path("print-8")));
    assertTrue(none.toString().contains("Remove precompute.after"), none.toString());
    UserException other =
        assertThrows(UserException.class, () -> run(all, 10, "print-12", path("print-8")));
    assertTrue(other.toString().contains("print-8"), other.toString());
  }
}
