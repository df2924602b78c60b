package org.lampyris.samplers.austerity;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BernsteinDecision;
import org.lampyris.samplers.minibatch.ChangeRange;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.Remainders;
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
    return List.of(Settings.SECTION);
  }

  @Override
  public String knob(OwnSettings own) {
    return "sampler.confidence.delta: " + own.of(Settings.class).delta();
  }

  @Override
  protected Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Settings settings = own.of(Settings.class);
    Model model = context.model().model();
    LaplaceApproximation laplace = context.laplace();
    boolean proxies = settings.proxy() != Settings.Proxy.NONE;
    double radius = ChangeRange.radius(laplace);
    ChangeRange range = ChangeRange.of(model, laplace, proxies, rows);
    BernsteinDecision test =
        new BernsteinDecision(settings.delta(), settings.growth(), settings.batch(), range);
    long count = context.table().rows();
    boolean dropped = settings.proxy() == Settings.Proxy.DROPPED;
    return new Deciding(
        proxies
            ? Remainders.atMode(context, rows, radius, dropped ? 1 : settings.points())
            : Remainders.whole(model),
        test,
        BatchGradient.plain(context, count),
        new Remainders.Renewal(dropped ? settings.dropEvery() : 0, laplace, radius),
        test.usual(count, range.usual(Math.sqrt(2.0 * laplace.dimension()))),
        // The ranges take one evaluation a row, as the proxies do about each of their points.
        proxies
            ? new MinibatchRun.Setup(2, count * (1 + (dropped ? 1 : settings.points())), List.of())
            : MinibatchRun.Setup.ofPass(context));
  }

  /**
   * The section {@code sampler.confidence}.
   *
   * @param delta δ, at most how often a decision is wrong
   * @param growth γ, by what factor a batch grows
   * @param batch how many rows the first look takes
   * @param proxy where Taylor proxies, the control variates, are expanded
   * @param dropEvery α, the number of iterations after which dropped proxies are expanded again
   * @param points about how many points the proxies of {@code mode} are expanded
   */
  public record Settings(
      double delta, double growth, long batch, Proxy proxy, long dropEvery, int points)
      implements Serializable {
    /** Control variates. */
    public enum Proxy {
      /** None: batches of the log-likelihoods' changes themselves. */
      NONE,
      /** Taylor proxies of order 2 at the mode. */
      MODE,
      /** The same, expanded again every α iterations at the chain's position. */
      DROPPED
    }

    private static final int MOST_POINTS = 1000;

    static final OwnSection<Settings> SECTION =
        new OwnSection<>(
            "confidence",
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.number("delta", 0.1, Interval.OPEN_UNIT),
                    section.number("growth", 2, Interval.above(1)),
                    section.whole("batch", 32, 1, Integer.MAX_VALUE),
                    section.choice("proxy", Proxy.MODE),
                    section.whole("drop_every", 10, 1, Integer.MAX_VALUE),
                    section.whole("points", 1, 1, MOST_POINTS)));
  }
}
