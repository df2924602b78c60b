package org.lampyris.samplers.austerity;

import java.util.List;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.Renewal;
import org.lampyris.samplers.minibatch.TrialAlgorithm;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Austerity: {@link StudentTest}. */
public final class AusterityAlgorithm extends TrialAlgorithm {
  /** About how many looks a test has: pools hold that many rows of an iteration. */
  private static final long USUAL_LOOKS = 4;

  @Override
  public String name() {
    return "austerity";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(AusteritySettings.SECTION);
  }

  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  protected String knob(OwnSettings own) {
    AusteritySettings settings = own.of(AusteritySettings.class);
    return "sampler.austerity.epsilon: %s, sampler.austerity.batch: %s"
        .formatted(settings.epsilon(), settings.batch());
  }

  @Override
  protected boolean expandsProxies(OwnSettings own) {
    return own.of(AusteritySettings.class).proxy() == AusteritySettings.Proxy.MODE;
  }

  @Override
  protected Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    AusteritySettings settings = own.of(AusteritySettings.class);
    long count = context.table().rows();
    Remainders remainders =
        expandsProxies(own)
            ? Remainders.atMode(context, rows, Double.POSITIVE_INFINITY)
            : Remainders.whole(context.model().model());
    return new Deciding(
        remainders,
        new StudentTest(settings.batch(), settings.epsilon()),
        settings.gradientRows() == 0 ? count : settings.gradientRows(),
        new Renewal(0, context.laplace(), Double.POSITIVE_INFINITY),
        settings.gradientRows() + USUAL_LOOKS * settings.batch());
  }
}
