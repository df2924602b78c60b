package org.lampyris.samplers.austerity;

import java.util.List;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BernsteinDecision;
import org.lampyris.samplers.minibatch.ChangeRange;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.Renewal;
import org.lampyris.samplers.minibatch.TrialAlgorithm;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** The confidence sampler: {@link BernsteinDecision}. */
public final class ConfidenceAlgorithm extends TrialAlgorithm {
  @Override
  public String name() {
    return "confidence";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(ConfidenceSettings.SECTION);
  }

  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public String knob(OwnSettings own) {
    return "sampler.confidence.delta: " + own.of(ConfidenceSettings.class).delta();
  }

  @Override
  protected Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    ConfidenceSettings settings = own.of(ConfidenceSettings.class);
    Model model = context.model().model();
    LaplaceApproximation laplace = context.laplace();
    boolean proxies = settings.proxy() != ConfidenceSettings.Proxy.NONE;
    double radius = ChangeRange.radius(laplace);
    ChangeRange range = ChangeRange.of(model, laplace, proxies, rows);
    BernsteinDecision test =
        new BernsteinDecision(settings.delta(), settings.growth(), settings.batch(), range);
    long count = context.table().rows();
    boolean dropped = settings.proxy() == ConfidenceSettings.Proxy.DROPPED;
    return new Deciding(
        proxies ? Remainders.atMode(context, rows, radius) : Remainders.whole(model),
        test,
        BatchGradient.plain(context, count),
        new Renewal(dropped ? settings.dropEvery() : 0, laplace, radius),
        test.usual(count, range.usual(Math.sqrt(2.0 * laplace.dimension()))),
        // The ranges take one evaluation a row, as the proxies do.
        proxies
            ? MinibatchRun.Setup.ofPass(context).and(MinibatchRun.Setup.ofPass(context))
            : MinibatchRun.Setup.ofPass(context));
  }
}
