package org.lampyris.samplers.mhss;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.run.ChainRuns;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Metropolis–Hastings by Taylor proxies and a few rows, which decide by one {@link RowDecision}.
 */
public abstract sealed class SubsampledMetropolis implements SamplingAlgorithm {
  /** Metropolis–Hastings with {@linkplain ScalableSubsampling scalable subsampling}. */
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
          ? SubsampledCost.expected(context, settings.own().of(SubsamplingSettings.class))
          : Optional.empty();
    }

    @Override
    public RowDecision test(SubsamplingSettings settings) {
      // Proxies of order 1 know nothing of the curvature: both factors are needed in one ratio.
      return new ScalableSubsampling(settings.order() == 2);
    }
  }

  /** Scalable Metropolis–Hastings: the {@linkplain FactorisedDecision factorised test}. */
  public static final class Smh extends SubsampledMetropolis {
    @Override
    public String name() {
      return "smh";
    }

    @Override
    public RowDecision test(SubsamplingSettings settings) {
      return new FactorisedDecision();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Factors of order 1 leave the curvature out of the proxies, so that every row may reject
     * for it: with 6 coefficients, an iteration came to 0.02 effective draws at 300, 20,000 and
     * 100,000 rows alike, and it is less with more coefficients.
     */
    @Override
    public List<String> warnings(OwnSettings own) {
      return own.of(SubsamplingSettings.class).order() == 1
          ? List.of(
              "smh of order 1 hardly moves, as every row may reject for the curvature that its"
                  + " proxy leaves out; set sampler.subsampling.order: 2, or sampler.algorithm:"
                  + " mhss")
          : List.of();
    }
  }

  /** Returns how rows decide. */
  public abstract RowDecision test(SubsamplingSettings settings);

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(SubsamplingSettings.SECTION);
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public Set<Need> needs() {
    return EnumSet.of(Need.PROXY, Need.PROPOSAL);
  }

  @Override
  public boolean looksAtFewRows() {
    return true;
  }

  @Override
  public String defaultKernel() {
    return "pcn";
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    SubsamplingSettings settings = own.of(SubsamplingSettings.class);
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
}
