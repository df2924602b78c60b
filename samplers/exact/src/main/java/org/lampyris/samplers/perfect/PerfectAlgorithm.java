package org.lampyris.samplers.perfect;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Perfect draws: independent draws of a log-concave posterior by rejection, without a chain.
 *
 * <p>θ is drawn from an {@link Envelope} g ≥ p Π L_n, a few normal densities and a tail. In the
 * ball it is accepted with probability Π L_n/U_n = exp(−Σ φ_n(θ)), which {@linkplain
 * PerfectBlock.Points a few rows decide}; beyond the ball, all rows decide. An accepted θ is a draw
 * from the posterior, and draws are independent. The share accepted, times ∫g, is the evidence ∫ p
 * Π L_n.
 *
 * <p>By the Laplace approximation, the expected acceptance rate is |Σ̂|^{½}/Σ Z_k up to a constant.
 * −log of it, and the number of rows read for a proposal, Σ c_n·E‖θ − θ̂‖², shrink like n^(−1/2).
 * The page docs/perfect.md derives all of it.
 *
 * <p>Source: ours; von Neumann (1951) for rejection, Lewis and Shedler (1979) for the decision by
 * points of a Poisson process.
 */
public final class PerfectAlgorithm implements SamplingAlgorithm {
  static final String NAME = "perfect";

  @Override
  public String name() {
    return NAME;
  }

  /** {@inheritDoc} Its jobs test batches of proposals: there are no segments. */
  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.INDEPENDENT);
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.BOUND);
  }

  @Override
  public List<Column> columns() {
    return List.of(new Column("proposals", "proposals", true));
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(Settings.SECTION);
  }

  /**
   * Refuses a posterior that has no envelope: without a local bound, or not log-concave.
   *
   * @param isQuadratic whether the log-likelihood is quadratic, and needs no bound
   */
  static void require(SamplingContext context, boolean isQuadratic) {
    ModelOfTable model = context.model();
    String family = model.spec().name();
    if (!model.model().isConcave()) {
      throw UserException.usage(
          "sampler.algorithm: perfect needs a log-likelihood that is concave in all that is sampled, and the family %s is not known to have one. Set sampler.algorithm: auto%s."
              .formatted(
                  family,
                  model
                      .concaveGiven()
                      .map(name -> ", or give " + name + " as a number")
                      .orElse("")));
    }
    List<UnivariatePrior> priors = model.prior().factors();
    for (int j = 0; j < priors.size(); j++) {
      if (!priors.get(j).isLogConcave()) {
        throw UserException.usage(
            "sampler.algorithm: perfect needs log-concave priors, and the prior of %s is %s. Give it a normal or laplace prior in model.priors, or set sampler.algorithm: auto."
                .formatted(model.coefficients().get(j), priors.get(j)));
      }
    }
    if (!isQuadratic
        && (context.inputs().bounds() == null
            || model.localBound(context.laplace(), 1).isEmpty())) {
      throw UserException.usage(
          "sampler.algorithm: perfect needs a bound that holds in a ball about the mode, and the family %s has none. Set sampler.algorithm: auto."
              .formatted(family));
    }
  }

  /** Returns the error that the quadratics above the posterior have no peak in the ball. */
  static UserException withoutEnvelope(SamplingContext context) {
    return UserException.usage(
        Text.of(
            "sampler.algorithm: perfect finds no envelope within %.3g posterior sds of the mode:"
                + " %,d rows are too few for %d coefficients. Set sampler.algorithm: auto.",
            context.bounds().radius(), context.table().rows(), context.laplace().dimension()));
  }

  /** Returns the error that too few proposals are accepted. */
  static UserException tooFew(String found) {
    return UserException.usage(
        "sampler.algorithm: perfect %s, because there are few rows for so many coefficients, or rare events. Set sampler.algorithm: auto."
            .formatted(found));
  }

  @Override
  public Optional<ExpectedCost> expectedCost(SamplingContext context, SamplerSettings settings) {
    try {
      require(context, PerfectRun.isQuadratic(context));
      return PerfectCost.expected(context, settings.run());
    } catch (UserException e) {
      return Optional.empty();
    }
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    return PerfectRun.run(context, own.of(Settings.class));
  }

  @Override
  public List<Class<?>> sentClasses() {
    return List.of(PerfectBlock.class, Anchors.class, Anchors[].class);
  }

  /**
   * The section {@code sampler.perfect}.
   *
   * @param maxProposals the number of proposals after which a run ends with the draws that it has
   */
  public record Settings(long maxProposals) implements Serializable {
    static final OwnSection<Settings> SECTION =
        new OwnSection<>(
            NAME,
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.whole("max_proposals", 10_000_000L, PerfectRun.FIRST, Long.MAX_VALUE)));
  }
}
