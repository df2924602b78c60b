package org.lampyris.samplers.baseline;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.minibatch.BatchDecision;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.Trial;
import org.lampyris.samplers.minibatch.TrialAlgorithm;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Baselines whose decisions look at one batch of a fixed size. */
public abstract sealed class OneBatch extends TrialAlgorithm {
  private final String name;
  private final OwnSection<?> section;

  private OneBatch(String name, OwnSection<?> section) {
    this.name = name;
    this.section = section;
  }

  /** Returns what decides. */
  abstract BatchDecision decision(OwnSettings own);

  /** Returns how many rows it looks at. */
  abstract long batch(OwnSettings own);

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final List<OwnSection<?>> sections() {
    return List.of(section);
  }

  @Override
  public final boolean isExact() {
    return false;
  }

  @Override
  protected final String knob(OwnSettings own) {
    return "sampler.%s.batch: %s".formatted(section.key(), batch(own));
  }

  @Override
  protected final Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Remainders whole = Remainders.whole(context.model().model());
    return Deciding.by(context, whole, decision(own), batch(own));
  }

  @Override
  public final List<String> warnings(OwnSettings own) {
    return List.of(
        "%s is a baseline, to compare with: its draws are not those of the posterior"
            .formatted(name));
  }

  /**
   * Accepts with probability min(1, e^(λ − σ²/2)), where λ = rest + N·v̄ estimates the logarithm of
   * the ratio from a batch, and σ² is the variance of that estimate. Were λ normal, and σ² known,
   * that would be exact; it is estimated from the same batch.
   *
   * <p>Source: Ceperley and Dewing (1999); Bardenet, Doucet and Holmes (2017), section 6.2.
   */
  public static final class Penalty extends OneBatch {
    /** The section {@code sampler.penalty}: how many rows a decision looks at. */
    public record PenaltySettings(long batch) {}

    public Penalty() {
      super(
          "penalty",
          new OwnSection<>(
              "penalty",
              PenaltySettings.class,
              (section, defaults) ->
                  new PenaltySettings(section.whole("batch", 500, 2, Integer.MAX_VALUE))));
    }

    @Override
    long batch(OwnSettings own) {
      return own.of(PenaltySettings.class).batch();
    }

    @Override
    BatchDecision decision(OwnSettings own) {
      return new PenaltyDecision(batch(own));
    }

    /** The test. */
    record PenaltyDecision(long batch) implements BatchDecision {
      @Override
      public boolean accepts(Trial trial, UniformRandomProvider rng) {
        long rows = trial.rows();
        BatchMoments seen = trial.lookAt(Math.min(batch, rows));
        double sd = rows * seen.standardError(rows);
        return Math.log(rng.nextDouble()) < trial.rest() + rows * seen.mean() - 0.5 * sd * sd;
      }
    }
  }

  /**
   * Accepts if rest + N·v̄ &gt; 0: the noise of the batch takes the place of the uniform number.
   * The target is about that of a Barker test at the temperature 1/β, β = 1.702·√t/(Nσ) with σ the
   * standard deviation of the v_n. Drawn without replacement, the batch is less noisy by √(1 − (t −
   * 1)/(N − 1)) than there.
   *
   * <p>Source: Bardenet, Doucet and Holmes (2017), section 6.3, equation 22.
   */
  public static final class NoiseExchange extends OneBatch {
    /** The section {@code sampler.noise_exchange}: how many rows a decision looks at. */
    public record ExchangeSettings(long batch) {}

    public NoiseExchange() {
      super(
          "noise-exchange",
          new OwnSection<>(
              "noise_exchange",
              ExchangeSettings.class,
              (section, defaults) ->
                  new ExchangeSettings(section.whole("batch", 500, 1, Integer.MAX_VALUE))));
    }

    @Override
    long batch(OwnSettings own) {
      return own.of(ExchangeSettings.class).batch();
    }

    @Override
    BatchDecision decision(OwnSettings own) {
      return new ExchangeDecision(batch(own));
    }

    /** The test. */
    record ExchangeDecision(long batch) implements BatchDecision {
      @Override
      public boolean accepts(Trial trial, UniformRandomProvider rng) {
        long rows = trial.rows();
        return trial.rest() + rows * trial.lookAt(Math.min(batch, rows)).mean() > 0;
      }
    }
  }
}
