package org.lampyris.samplers.metropolis;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.TrialAlgorithm;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** {@link DelayedAcceptance}. */
public final class DelayedAlgorithm extends TrialAlgorithm {
  /**
   * The section {@code sampler.delayed_acceptance}.
   *
   * @param batches B, how many batches the table is divided into
   * @param proxies whether Taylor proxies at the mode make a first factor
   */
  public record Settings(int batches, boolean proxies) implements Serializable {}

  @Override
  public String name() {
    return "delayed-acceptance";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(
        new OwnSection<>(
            "delayed_acceptance",
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.whole("batches", 10, 1, 100_000), section.flag("proxies", true))));
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.FEW_ROWS);
  }

  @Override
  protected Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Remainders remainders =
        own.of(Settings.class).proxies()
            ? Remainders.atMode(context, rows, Double.POSITIVE_INFINITY)
            : Remainders.whole(context.model().model());
    DelayedAcceptance decision = new DelayedAcceptance(own.of(Settings.class).batches());
    return Deciding.by(context, remainders, decision, context.table().rows());
  }
}
