package org.lampyris.samplers.firefly;

import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;

/** Firefly Monte Carlo: only bright rows are evaluated. Maclaurin and Adams (2014). */
public final class FireflyAlgorithm implements SamplingAlgorithm {
  @Override
  public String name() {
    return "firefly";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(new OwnSection<>("firefly", FireflySettings.class, FireflySettings::read));
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.BOUND);
  }

  @Override
  public boolean looksAtFewRows() {
    return true;
  }

  @Override
  public List<String> columns() {
    return List.of("bright_rows");
  }
}
