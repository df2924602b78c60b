package org.lampyris.samplers.firefly;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.run.ChainRuns;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Firefly Monte Carlo: only bright rows are evaluated. Maclaurin and Adams (2014). */
public final class FireflyAlgorithm implements SamplingAlgorithm {
  static final String NAME = "firefly";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(new OwnSection<>("firefly", FireflySettings.class, FireflySettings::read));
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.TAKES_SCALES, Trait.FEW_ROWS);
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.BOUND);
  }

  @Override
  public List<Column> columns() {
    return List.of(new Column("bright_rows", "bright", true));
  }

  @Override
  public Optional<ExpectedCost> expectedCost(SamplingContext context, SamplerSettings settings) {
    return context.model().hasBound(context.laplace())
        ? FireflyCost.expected(context, settings.own().of(FireflySettings.class), settings.own())
        : Optional.empty();
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    FireflySettings settings = own.of(FireflySettings.class);
    RunInputs.Kernel kernel = context.kernel().about(context.laplace().mode());
    SamplingContext near = context.with(context.inputs().with(kernel));
    return ChainRuns.run(
        near, near.thetaKernel().targetAcceptance(), () -> new FireflyRun(near, settings));
  }

  @Override
  public List<Class<?>> sentClasses() {
    return List.of(
        BoundBlock.class,
        Anchors.class,
        BlockRates.Uniform.class,
        BlockRates.OfRows.class,
        BlockRates.Selected.class,
        Brightness.OfPlace.class,
        Brightness.Carried.class,
        FireflyPass.OfCarried.Share.class);
  }
}
