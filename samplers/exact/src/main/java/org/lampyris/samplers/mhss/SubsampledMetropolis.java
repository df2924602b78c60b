package org.lampyris.samplers.mhss;

import java.io.Serializable;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.run.ChainRuns;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Metropolis–Hastings by Taylor proxies and a few rows, which decide by one {@link RowDecision}.
 */
public abstract sealed class SubsampledMetropolis implements SamplingAlgorithm {
  /** Metropolis–Hastings with {@linkplain RowDecision.Scalable scalable subsampling}. */
  public static final class Mhss extends SubsampledMetropolis {
    @Override
    public String name() {
      return "mhss";
    }

    /**
     * {@inheritDoc}
     *
     * <p>For steps of pCN with β = 1, between two independent points of the posterior.
     */
    @Override
    public Optional<ExpectedCost> expectedCost(SamplingContext context, SamplerSettings settings) {
      return settings.theta().type().map(type -> type.isProposal()).orElse(true)
          ? Cost.expected(context, settings.own().of(Settings.class))
          : Optional.empty();
    }

    @Override
    public RowDecision test(Settings settings) {
      // Proxies of order 1 know nothing of the curvature: both factors are needed in one ratio.
      return new RowDecision.Scalable(settings.order() == 2);
    }
  }

  /** Scalable Metropolis–Hastings: the {@linkplain RowDecision.Factorised factorised test}. */
  public static final class Smh extends SubsampledMetropolis {
    @Override
    public String name() {
      return "smh";
    }

    @Override
    public RowDecision test(Settings settings) {
      return new RowDecision.Factorised();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Factors of order 1 omit curvature from the proxies, so every row may reject because of it.
     * With 6 coefficients, an iteration gave 0.02 effective draws at 300, 20,000 and 100,000 rows
     * alike; more coefficients give fewer.
     */
    @Override
    public List<String> warnings(OwnSettings own) {
      return own.of(Settings.class).order() == 1
          ? List.of(
              "smh of order 1 hardly moves, because its proxy omits curvature and every row may"
                  + " therefore reject. Set sampler.subsampling.order: 2, or sampler.algorithm:"
                  + " mhss.")
          : List.of();
    }
  }

  /** Returns how rows decide. */
  public abstract RowDecision test(Settings settings);

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(Settings.SECTION);
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.TAKES_SCALES, Trait.FEW_ROWS);
  }

  @Override
  public Set<Need> needs() {
    return EnumSet.of(Need.PROXY, Need.PROPOSAL);
  }

  @Override
  public String defaultKernel() {
    return "pcn";
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    Settings settings = own.of(Settings.class);
    RowDecision test = test(settings);
    return ChainRuns.run(
        context,
        SubsampledKernel.targetAcceptance(test, context.thetaKernel()),
        () -> new SubsampledRun(context, settings, test));
  }

  @Override
  public List<Class<?>> sentClasses() {
    return List.of(ProxyBlock.class);
  }

  /**
   * The section {@code sampler.subsampling}: Metropolis–Hastings by Taylor proxies, mhss (Prado,
   * Nemeth and Sherlock 2024) and smh (Cornish et al. 2019).
   *
   * @param order of the proxies: 1 or 2
   * @param radius the radius, in posterior standard deviations, of the ball about the mode that the
   *     coefficients are confined to; null for no ball, where the family's derivatives are bounded
   * @param points about how many points proxies are expanded; those with the least M(θ, θ′) decide
   */
  public record Settings(int order, @Nullable Double radius, int points) implements Serializable {
    private static final int MOST_POINTS = 1000;

    static final OwnSection<Settings> SECTION =
        new OwnSection<>(
            "subsampling",
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.whole("order", 2, 1, 2),
                    section.number("radius", Interval.POSITIVE),
                    section.whole("points", 1, 1, MOST_POINTS)));

    /** Returns the radius of the ball, +∞ for none. */
    double ball() {
      return radius == null ? Double.POSITIVE_INFINITY : radius;
    }

    /** Returns the proxies of a table's rows. */
    TaylorProxy proxy(SamplingContext context) {
      return new TaylorProxy(context.model().model(), order, context.laplace(), ball());
    }
  }

  /**
   * Expected cost of mhss before sampling: c·E·(1 + a·E^b) evaluations for an effective draw by
   * pCN. E is the expected number for an iteration, from the constants c_n of a hundredth of the
   * blocks.
   *
   * <p>Fitted to 5.3 at 3.4, 17 at 10 and 60 at 33 (10⁶, 10⁵ and 10⁴ rows, 21 coefficients), and
   * 40,000 at 4,900 (MNIST), for the smaller of bulk and tail ESS of the worst coefficient.
   */
  static final class Cost {
    private static final long SHARE = 100;
    private static final double SHORTFALL = 1.5;
    private static final double LOSS = 0.027;
    private static final double POWER = 0.6;

    /**
     * Costs: an iteration without its evaluations; an evaluation with its candidates, whose number
     * depends on the longest proposal of a segment; in set-up, a row, and x_nᵀΣ̂x_n for each pair
     * of its coefficients.
     */
    private static final double OVERHEAD = 2500;

    private static final double PICKED = 60;
    private static final double SETUP = 5;
    private static final double SETUP_SQUARE = 0.025;

    private Cost() {}

    /** Returns the expected cost; empty if derivatives or constants are not bounded. */
    static Optional<ExpectedCost> expected(SamplingContext context, Settings settings) {
      TaylorProxy proxy;
      try {
        proxy = settings.proxy(context);
      } catch (UserException e) {
        return Optional.empty();
      }
      double[] sums =
          context.sampledSum(
              Math.max(1, context.table().blocks() / SHARE),
              2,
              (block, out) -> {
                out[0] += Arrays.stream(proxy.derivativeBounds(block)).sum();
                out[1] += block.rows();
              });
      if (!(sums[0] < Double.POSITIVE_INFINITY)) {
        return Optional.empty();
      }
      double total = sums[0] * context.table().rows() / sums[1];
      double step = Math.sqrt(2.0 * context.laplace().dimension());
      double evaluations = 2 * total * proxy.usualFactor(step);
      double iterations = SHORTFALL * (1 + LOSS * Math.pow(evaluations, POWER));
      double inRow = ExpectedCost.inRow(context);
      double setup = (SETUP + SETUP_SQUARE * inRow * inRow) * context.table().rows();
      return Optional.of(new ExpectedCost(setup, OVERHEAD, PICKED, evaluations, iterations));
    }
  }
}
