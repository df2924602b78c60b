package org.lampyris.dataprep.precompute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.precompute.BoundsArtefact.ModelFacts;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.jobs.ChosenRows;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.samplers.mode.LikelihoodSum;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.MarginalScales;
import org.lampyris.samplers.mode.NewtonPass;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.mode.WideObjective;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.BlockTerm;
import org.lampyris.samplers.run.Certificate;

/**
 * Precompute job: finds the mode and the Laplace covariance in passes over the blocks, then
 * collapses the bounds in one more pass, if the family has a bound.
 *
 * <p>The search starts at the mode of some rows, which are chosen at random by streams of their
 * blocks. The result does not depend on how the blocks are spread.
 */
public final class PrecomputeJob {
  /** Smallest subsample: rows, rows for each coefficient, and the share of all rows. */
  private static final long SUBSAMPLE_ROWS = 20_000;

  private static final long SUBSAMPLE_ROWS_PER_COLUMN = 50;

  /** How many scales a line of progress names. */
  private static final int MOST_SHOWN = 8;

  /**
   * The subsample's mode is √(n/m) posterior sd away from the table's, times a constant, and the
   * first step removes all but a two-thousandth of it. With m = n/100, the distance after one pass
   * is below 0.01 sd at any n.
   */
  private static final long SUBSAMPLE_ONE_IN = 100;

  /** A subsample is worth its own fit only if the table is this many times larger. */
  private static final long SUBSAMPLE_SHARE = 5;

  /**
   * A column has to vary in so many rows of a subsample. The subsample's mode is far off for a rare
   * level, and where that is, a step of Newton's overshoots: three million flights with 458 levels
   * took over 50 passes from there, and 4 without.
   */
  private static final int VARYING_ROWS = 100;

  /** Largest subsample on the driver, in doubles: 128 MiB. */
  private static final long SUBSAMPLE_DOUBLES = 1L << 24;

  private final PreparedTable table;
  private @Nullable EffectModel effects;
  private ModelOfTable model;
  private final PrecomputeConfig config;
  private final Consumer<String> progress;

  private PrecomputeJob(
      PreparedTable table,
      ModelOfTable model,
      @Nullable EffectModel effects,
      PrecomputeConfig config,
      Consumer<String> progress) {
    this.table = table;
    this.effects = effects;
    this.model = model;
    this.config = config;
    this.progress = progress;
  }

  /**
   * Computes the artefact and writes it to the output folder.
   *
   * @param effects the model's effects where they are coefficients, and the table has their
   *     columns; null where they are not
   * @param table the table, whose blocks are kept in memory or on disk for the job's time unless
   *     they are persisted already
   * @param progress receives a line for every pass
   * @throws UserException if the output exists (usage), a prior is wrong (usage), or the posterior
   *     has no mode (data); nothing is written then
   */
  public static BoundsArtefact run(
      SparkSession spark,
      PreparedTable table,
      ModelOfTable model,
      @Nullable EffectModel effects,
      PrecomputeConfig config,
      String output,
      boolean overwrite,
      Consumer<String> progress) {
    ArtefactFolder folder = new ArtefactFolder(spark, output);
    folder.requireFree(overwrite);
    JavaRDD<DataBlock> blocks = table.blocks();
    boolean persist = blocks.getStorageLevel().equals(StorageLevel.NONE());
    if (persist) {
      blocks.persist(StorageLevel.MEMORY_AND_DISK());
    }
    try {
      PrecomputeJob job = new PrecomputeJob(table, model, effects, config, progress);
      String after = config.after();
      BoundsArtefact artefact =
          after == null
              ? job.compute(model.start(), false)
              : job.extend(BoundsArtefact.read(spark, after));
      folder.write(artefact, overwrite);
      return artefact;
    } finally {
      if (persist) {
        blocks.unpersist(false);
      }
    }
  }

  private BoundsArtefact extend(BoundsArtefact earlier) {
    LaterBounds later = LaterBounds.of(earlier, table, model, effects).orElse(null);
    if (later == null) {
      progress.accept(
          "the earlier bounds are for effects that are drawn in another way, so all rows are read"
              + " to find the mode");
      return compute(model.start(), false);
    }
    return later
        .extended(config, progress)
        .orElseGet(
            () -> {
              effects = later.effects();
              return compute(later.start(), true);
            });
  }

  /**
   * Seeks the mode and collapses the bounds there.
   *
   * @param start where the search begins; null to leave that to it
   * @param near whether the start is near the mode, so that no subsample is worth its time
   */
  private BoundsArtefact compute(double @Nullable [] start, boolean near) {
    if (model.isProgram()) {
      return ofProgram();
    }
    long begin = System.nanoTime();
    table.blocks().count();
    progress.accept(Text.of("%,d rows read, %.1f s", table.facts().rows(), seconds(begin)));
    boolean wide = effects == null && config.isWide(model.coefficients().size());
    Scaled found =
        effects != null
            ? scaledFit(effects, near ? start : null, begin)
            : new Scaled(
                wide
                    ? wideFit(finder(), start, near, begin)
                    : fit(finder(), UnaryOperator.identity(), start, near, begin),
                null);
    MapFit fit = found.fit;
    CollapsePass collapsed = !wide && model.hasBound(fit.laplace()) ? collapse(fit, begin) : null;
    return new BoundsArtefact(
        LibraryVersion.get(),
        ModelFacts.of(model),
        table.facts(),
        fit,
        radius(),
        collapsed,
        null,
        found.scales);
  }

  /** Returns an artefact without a mode: a program's chains begin at draws from its priors. */
  private BoundsArtefact ofProgram() {
    int d = model.coefficients().size();
    double[] identity = new double[d * d];
    for (int j = 0; j < d; j++) {
      identity[j * d + j] = 1;
    }
    progress.accept("model.family: " + model.spec().name() + " is a program: no mode is sought");
    return new BoundsArtefact(
        LibraryVersion.get(),
        ModelFacts.of(model),
        table.facts(),
        new MapFit(new LaplaceApproximation(new double[d], identity), 0, List.of()),
        radius(),
        null,
        null,
        null);
  }

  private MapFinder finder() {
    return new MapFinder(
        model.prior(), model.coefficients(), config.tolerance(), config.maxPasses());
  }

  /** A fit, and the scales that it was found by. */
  private record Scaled(MapFit fit, BoundsArtefact.@Nullable Scales scales) {}

  private Scaled scaledFit(EffectModel of, double @Nullable [] start, long begin) {
    int[] passes = new int[1];
    MarginalScales.Fit found =
        MarginalScales.search(
            of,
            start,
            (given, coupled, near) -> {
              model = given;
              double[] from = near == null ? given.start() : near;
              MapFit fit = fit(finder(), coupled, from, near != null, begin);
              passes[0] += fit.passes();
              return fit;
            },
            phi ->
                progress.accept(
                    Text.of(
                        "scales %s, %d passes in all, %.1f s",
                        reported(of, phi), passes[0], seconds(begin))));
    return new Scaled(found.fit(), BoundsArtefact.Scales.of(of, found.phi(), found.spread()));
  }

  private static String reported(EffectModel of, double[] phi) {
    List<String> all = new ArrayList<>();
    int first = 0;
    for (ScaleGroup group : of.groups()) {
      double[] reported =
          group.reported(Arrays.copyOfRange(phi, first, first + group.parameters()));
      for (int k = 0; k < reported.length && all.size() < MOST_SHOWN; k++) {
        if (!group.names().get(k).startsWith("cor")) {
          all.add(Text.of("%s %.3g", group.names().get(k), reported[k]));
        }
      }
      first += group.parameters();
    }
    return String.join(", ", all);
  }

  private MapFit fit(
      MapFinder finder,
      UnaryOperator<Objective> coupled,
      double @Nullable [] start,
      boolean near,
      long begin) {
    Model rows = model.surrogate(table.facts().rows());
    Objective objective = coupled.apply(new TableObjective(table, rows, model.isOwn()));
    Objective subsample =
        near
            ? null
            : subsample(
                rows,
                rows.dimension(),
                (some, factor) -> coupled.apply(Objective.of(some, rows, factor)));
    Consumer<NewtonPass> told = pass -> progress.accept(line(pass, "", begin));
    return start == null
        ? finder.find(objective, subsample, told)
        : finder.find(start, objective, subsample, told);
  }

  private MapFit wideFit(MapFinder finder, double @Nullable [] start, boolean near, long begin) {
    Model rows = model.surrogate(table.facts().rows());
    progress.accept(
        Text.of(
            "%,d coefficients: the mode by conjugate gradients, without dense matrices",
            rows.dimension()));
    WideTableObjective objective = new WideTableObjective(table, rows, model.isOwn());
    double bytes =
        BlockSum.over(
            table.blocks(), table.ranges(), 1, (block, out) -> out[0] = block.packedBytes())[0];
    long stored = 1 + (long) (bytes / Double.BYTES / table.facts().rows());
    WideObjective subsample =
        near
            ? null
            : subsample(rows, stored, (some, factor) -> WideObjective.of(some, rows, factor));
    MapFit fit =
        finder.find(
            start,
            objective,
            subsample,
            pass -> progress.accept(line(pass, objective.takeProducts(), begin)));
    if (fit.laplace().factor() instanceof LowRankFactor factor) {
      double[] far = factor.eigenvalues();
      String range =
          far.length == 0
              ? "is nearly diagonal"
              : Text.of(
                  "has factors of %.3g to %.3g off its diagonal along %d directions",
                  far[0], far[far.length - 1], far.length);
      progress.accept(
          Text.of(
              "the curvature at the mode %s%s, %d passes in all, %.1f s",
              range, objective.takeProducts(), fit.passes(), seconds(begin)));
    }
    return fit;
  }

  private CollapsePass collapse(MapFit fit, long begin) {
    int last = fit.passes() + 1;
    progress.accept("pass " + last + " over the data: collapsing the bounds at the mode");
    Optional<LowerBound> local = model.localBound(fit.laplace(), radius());
    CollapsePass collapsed =
        CollapsePass.over(
            table.blocks(),
            table.ranges(),
            local.orElseGet(() -> model.bound(fit.laplace()).orElseThrow()),
            local.isPresent(),
            fit.theta());
    progress.accept(Text.of("bounds collapsed, %d passes in all, %.1f s", last, seconds(begin)));
    if (collapsed.upper() != null) {
      progress.accept(certificate(fit, collapsed.upper()));
    }
    return collapsed;
  }

  /** Reports the posterior mass outside the region of the local bounds. */
  private String certificate(MapFit fit, CollapsedQuadratic upper) {
    String within = Text.of("local bounds hold within %.1f posterior sds of the mode", radius());
    String reached = "; outside, chains read all rows";
    if (!model.random().isEmpty()) {
      return within + ", not counting effects of groups";
    }
    if (!model.model().isConcave()) {
      return Text.of(
          "%s. The posterior mass outside is not known, because the log-likelihood of %s is not"
              + " known to be concave and may have other modes%s",
          within, model.spec().name(), reached);
    }
    double decrement = config.tolerance() * Math.sqrt(fit.theta().length);
    double outside =
        Certificate.outside(
            model.model(), fit.laplace(), radius(), upper, model.prior(), decrement);
    return outside < 1
        ? Text.of("%s; at most %.2g of the posterior lies outside%s", within, outside, reached)
        : within + "; the posterior mass outside is not known" + reached;
  }

  private double radius() {
    return config.radius(model.coefficients().size(), table.facts().rows());
  }

  /**
   * Returns the log-likelihood of some rows, scaled up, or null if the table is small.
   *
   * @param room how many doubles a row takes
   */
  private <T> @Nullable T subsample(
      Model model, long room, BiFunction<List<DataBlock>, Double, T> objective) {
    int d = model.dimension();
    long all = table.facts().rows();
    long wanted =
        Math.max(Math.max(SUBSAMPLE_ROWS, SUBSAMPLE_ROWS_PER_COLUMN * d), all / SUBSAMPLE_ONE_IN);
    long rows = Math.min(wanted, SUBSAMPLE_DOUBLES / room);
    if (all < SUBSAMPLE_SHARE * rows) {
      return null;
    }
    ChosenRows chosen =
        new ChosenRows((double) rows / all, new Streams(0), Streams.Purpose.MODE_ROWS);
    List<DataBlock> sample = chosen.of(table.blocks()).collect();
    int fewest = config.isWide(d) ? VARYING_ROWS : ColumnVariation.fewest(sample);
    if (fewest < VARYING_ROWS) {
      progress.accept(
          Text.of(
              "not starting at the mode of some rows: a column varies in only %d of them", fewest));
      return null;
    }
    long taken = sample.stream().mapToLong(DataBlock::rows).sum();
    progress.accept(Text.of("starting at the mode of %,d rows", taken));
    return objective.apply(sample, (double) all / taken);
  }

  private String line(NewtonPass pass, String products, long begin) {
    return Text.of(
        "pass %d over the data%s: log posterior %.4f, gradient %.3g, next step %.3g sd%s,"
            + " %.1f s",
        pass.pass(),
        products,
        pass.logPosterior(),
        pass.gradientNorm(),
        pass.decrement(),
        pass.accepted() ? "" : " (rejected as too far)",
        seconds(begin));
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) * 1e-9;
  }

  /** The log-likelihood of a distributed table, whose first value has to be finite. */
  private abstract static class OfTable {
    final JavaRDD<DataBlock> blocks;
    final BlockRanges ranges;
    final Model model;
    private final boolean isOwn;
    private boolean begun;

    OfTable(PreparedTable table, Model model, boolean isOwn) {
      blocks = table.blocks();
      ranges = table.ranges();
      this.model = model;
      this.isOwn = isOwn;
    }

    /** Returns Σ over blocks of packed log-likelihoods and derivatives at a point. */
    final double[] sum(double[] theta, int length, BlockTerm<DataBlock> term) {
      double[] packed = BlockSum.over(blocks, ranges, length, term);
      if (!begun && !isFinite(packed)) {
        throw notFinite(theta);
      }
      begun = true;
      return packed;
    }

    /** Names the first row of a block whose log-likelihood or derivatives are not finite. */
    private UserException notFinite(double[] theta) {
      Model m = model;
      List<DataBlock> some =
          blocks
              .filter(
                  block ->
                      IntStream.range(0, block.rows()).anyMatch(n -> !isFinite(m, block, n, theta)))
              .take(1);
      if (some.isEmpty()) {
        return UserException.data(
            "the log-likelihoods of the rows add up to more than a number holds, at the start of"
                + " the search for the mode. Check columns, weights and offsets for very large"
                + " values.");
      }
      DataBlock block = some.get(0);
      int row =
          IntStream.range(0, block.rows())
              .filter(n -> !isFinite(m, block, n, theta))
              .findFirst()
              .orElseThrow();
      double value = m.logLikelihood(block, row, theta);
      return UserException.data(
          Text.of(
              "row %d of block %d, label %s: %s at the start of the search for the mode, with"
                  + " coefficients %s. Check the row's label, columns, weight and offset for values"
                  + " outside the family's range.%s",
              row,
              block.id(),
              block.response(row),
              Double.isFinite(value)
                  ? "a derivative of log L is not finite"
                  : "the log-likelihood is " + value,
              Arrays.stream(theta)
                  .limit(MOST_SHOWN)
                  .mapToObj(of -> Text.of("%.4g", of))
                  .collect(Collectors.joining(", ", "", theta.length > MOST_SHOWN ? ", …" : "")),
              isOwn
                  ? " If the likelihood of your class is not defined there, let its start return a"
                      + " point that has a likelihood at every row."
                  : ""));
    }

    private static boolean isFinite(Model model, DataBlock block, int row, double[] theta) {
      int d = model.dimension();
      double[] gradient = new double[d];
      double[] diagonal = new double[d];
      DataBlock alone = block.select(new int[] {row});
      return Double.isFinite(model.addDiagonals(alone, theta, gradient, diagonal))
          && isFinite(gradient)
          && isFinite(diagonal);
    }

    private static boolean isFinite(double[] values) {
      return Arrays.stream(values).allMatch(Double::isFinite);
    }
  }

  /** By Hessians: one job for each evaluation. */
  private static final class TableObjective extends OfTable implements Objective {
    TableObjective(PreparedTable table, Model model, boolean isOwn) {
      super(table, model, isOwn);
    }

    @Override
    public LikelihoodSum evaluate(double[] theta) {
      Model m = model;
      double[] at = theta.clone();
      int length = LikelihoodSum.packedLength(m.dimension());
      return new LikelihoodSum(
          m.dimension(), sum(at, length, (block, out) -> LikelihoodSum.addTo(m, at, block, out)));
    }
  }

  /** With many coefficients: a job for each pass. */
  private static final class WideTableObjective extends OfTable implements WideObjective {
    private int products;

    WideTableObjective(PreparedTable table, Model model, boolean isOwn) {
      super(table, model, isOwn);
    }

    /** Returns the number of passes for products since the last call, as text. */
    String takeProducts() {
      String taken = products == 0 ? "" : Text.of(", %d more for products", products);
      products = 0;
      return taken;
    }

    @Override
    public DiagonalSum evaluate(double[] theta) {
      Model m = model;
      double[] at = theta.clone();
      int length = DiagonalSum.packedLength(m.dimension());
      return DiagonalSum.of(
          sum(at, length, (block, out) -> DiagonalSum.addTo(m, at, block, out)), 1);
    }

    @Override
    public double[] products(double[] theta, int count, double[] vectors) {
      products++;
      Model m = model;
      double[] at = theta.clone();
      double[] of = vectors.clone();
      return BlockSum.over(
          blocks,
          ranges,
          of.length,
          (block, out) -> m.addHessianProducts(block, at, count, of, out));
    }
  }
}
