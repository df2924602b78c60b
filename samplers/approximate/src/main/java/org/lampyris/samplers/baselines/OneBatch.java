package org.lampyris.samplers.baselines;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.minibatch.BatchDecision;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.Trial;
import org.lampyris.samplers.minibatch.TrialAlgorithm;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Baselines whose decisions read one batch of a fixed size. */
public abstract sealed class OneBatch extends TrialAlgorithm {
  /** Returns the decision rule. */
  abstract BatchDecision decision(BaselineSettings settings);

  @Override
  public final List<OwnSection<?>> sections() {
    return List.of(BaselineSettings.SECTION);
  }

  @Override
  public final List<String> warnings(OwnSettings own) {
    return List.of(BaselineSettings.warning(name()));
  }

  @Override
  public final String knob(OwnSettings own) {
    return "sampler.baseline.batch: " + own.of(BaselineSettings.class).batch();
  }

  @Override
  protected final Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Remainders whole = Remainders.whole(context.model().model());
    BaselineSettings settings = own.of(BaselineSettings.class);
    return Deciding.by(context, whole, decision(settings), settings.batch());
  }

  /**
   * Accepts with probability min(1, e^(λ − σ²/2)), where λ = rest + N·v̄ estimates the logarithm of
   * the ratio from a batch, and σ² is the variance of that estimate. Were λ normal, and σ² known,
   * that would be exact; it is estimated from the same batch.
   *
   * <p>Source: Ceperley and Dewing (1999); Bardenet, Doucet and Holmes (2017), section 6.2.
   */
  public static final class Penalty extends OneBatch {
    @Override
    public String name() {
      return "penalty";
    }

    @Override
    BatchDecision decision(BaselineSettings settings) {
      return new PenaltyDecision(settings.batch());
    }
  }

  /** See {@link Penalty}. */
  record PenaltyDecision(long batch) implements BatchDecision {
    @Override
    public boolean accepts(Trial trial, UniformRandomProvider rng) {
      long rows = trial.rows();
      BatchMoments seen = trial.lookAt(Math.min(batch, rows));
      double sd = rows * seen.standardError(rows);
      return Math.log(rng.nextDouble()) < trial.rest() + rows * seen.mean() - 0.5 * sd * sd;
    }
  }

  /**
   * Accepts if rest + N·v̄ &gt; 0: the noise of the batch takes the place of the uniform number.
   * The target is close to a Barker test's at the temperature 1/β, β = 1.702·√t/(Nσ), with σ the
   * standard deviation of the v_n. Drawn without replacement, the batch is less noisy by √(1 − (t −
   * 1)/(N − 1)) than there.
   *
   * <p>Source: Bardenet, Doucet and Holmes (2017), section 6.3, equation 22.
   */
  public static final class NoiseExchange extends OneBatch {
    @Override
    public String name() {
      return "noise-exchange";
    }

    @Override
    BatchDecision decision(BaselineSettings settings) {
      return new ExchangeDecision(settings.batch(), settings.replacement());
    }
  }

  /** See {@link NoiseExchange}. */
  record ExchangeDecision(long batch, boolean replacement) implements BatchDecision {
    @Override
    public boolean accepts(Trial trial, UniformRandomProvider rng) {
      long rows = trial.rows();
      BatchMoments seen =
          replacement
              ? trial.drawWithReplacement(Math.toIntExact(batch), rng)
              : trial.lookAt(Math.min(batch, rows));
      return trial.rest() + rows * seen.mean() > 0;
    }
  }
}
