package org.lampyris.samplers.austerity;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernelType;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.minibatch.TrialAlgorithm;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Austerity: {@link StudentDecision}. */
public final class AusterityAlgorithm extends TrialAlgorithm {
  /** About how many looks a test has: pools hold that many rows of an iteration. */
  private static final long USUAL_LOOKS = 4;

  /** Number of pairs for the average design. */
  private static final int DESIGN_PAIRS = 100;

  @Override
  public String name() {
    return "austerity";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(Settings.SECTION);
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.FEW_ROWS, Trait.WITHOUT_COVARIANCE);
  }

  @Override
  public String knob(OwnSettings own) {
    Settings settings = own.of(Settings.class);
    return settings.design() == Settings.Design.FIXED
        ? "sampler.austerity.epsilon: %s, sampler.austerity.batch: %s"
            .formatted(settings.epsilon(), settings.batch())
        : "sampler.austerity.error: " + settings.error();
  }

  @Override
  protected Deciding deciding(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Settings settings = own.of(Settings.class);
    long count = context.table().rows();
    boolean proxies = settings.proxy() == Settings.Proxy.MODE;
    Remainders remainders =
        proxies
            ? Remainders.atMode(context, rows, Double.POSITIVE_INFINITY)
            : Remainders.whole(context.model().model());
    MinibatchRun.Setup expansion =
        proxies ? MinibatchRun.Setup.ofPass(context) : MinibatchRun.Setup.NONE;
    Tried tried = tried(settings, context, rows, remainders);
    return new Deciding(
        remainders,
        tried.test,
        BatchGradient.plain(
            context, settings.gradientRows() == 0 ? count : settings.gradientRows()),
        Remainders.Renewal.never(context.laplace()),
        settings.gradientRows() + USUAL_LOOKS * tried.test.batch(),
        expansion.and(tried.setup));
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    super.require(model, settings);
    requireProposal(
        settings.own().of(Settings.class),
        settings.theta().type().filter(ThetaKernelType::isProposal).isPresent());
  }

  private static void requireProposal(Settings settings, boolean proposal) {
    if (!proposal && settings.design() != Settings.Design.FIXED) {
      throw UserException.usage(
          "sampler.austerity.design: %s needs proposals without gradients. Choose another"
                  .formatted(ConfigText.of(settings.design()))
              + " sampler.kernel, or remove the design.");
    }
  }

  /** A test, and the cost of trying it. */
  private record Tried(StudentDecision test, MinibatchRun.Setup setup) {}

  private static Tried tried(
      Settings settings,
      SamplingContext context,
      ResidentRows<PlainBlock> rows,
      Remainders remainders) {
    StudentDecision fixed =
        new StudentDecision(settings.batch(), settings.epsilon(), settings.boundary());
    boolean given = settings.design() == Settings.Design.FIXED;
    if (!(context.thetaKernel() instanceof ProposalKernel)) {
      requireProposal(settings, false);
      return new Tried(fixed, MinibatchRun.Setup.NONE);
    }
    if (given && settings.epsilon() == 0) {
      return new Tried(fixed, MinibatchRun.Setup.NONE);
    }
    long count = context.table().rows();
    boolean averages = settings.design() == Settings.Design.AVERAGE;
    int pairs = averages ? DESIGN_PAIRS : TrialRun.CHECKED;
    TrialRun trial = TrialRun.of(context, rows, remainders, pairs);
    List<Decision> decisions = new ArrayList<>();
    StudentDecision test = fixed;
    if (!given) {
      TestDesign design =
          averages
              ? TestDesign.average(trial.pairs(), count, settings.error(), settings.boundary())
              : TestDesign.worst(count, settings.error(), settings.boundary());
      test = new StudentDecision(design.batch(), design.epsilon(), settings.boundary());
      decisions.add(design.decision(settings));
    }
    trial.notNormal(test.batch()).ifPresent(decisions::add);
    return new Tried(test, new MinibatchRun.Setup(1, 2L * pairs * count, decisions));
  }

  /**
   * The section {@code sampler.austerity}.
   *
   * @param batch m, by how many rows a test's batch grows
   * @param epsilon ε, the error of one look at which a test ends; 0 for the exact decision
   * @param proxy whether Taylor proxies at the mode are control variates
   * @param design how m and ε are chosen
   * @param error Δ*, which the chosen test's error is to be at most
   * @param gradientRows how many rows the gradient of {@code sampler.kernel: mala} is taken from; 0
   *     for all
   * @param shape of the test's boundary, see {@link StudentDecision.Boundary}
   * @param decay with which power ε falls with the iterations
   * @param delay after how many iterations ε has fallen by 2 to that power
   */
  public record Settings(
      long batch,
      double epsilon,
      Proxy proxy,
      Design design,
      double error,
      long gradientRows,
      double shape,
      double decay,
      double delay)
      implements Serializable {
    /** The design of the test. */
    public enum Design {
      /** m and ε as configured. */
      FIXED,
      /** The cheapest ones whose acceptance probability is off by at most Δ* on average. */
      AVERAGE,
      /** The cheapest ones of whose decisions not even the hardest is wrong more often than Δ*. */
      WORST
    }

    /** Control variates. */
    public enum Proxy {
      /** None: the paper's test. */
      NONE,
      /** Taylor proxies of order 2 at the mode. */
      MODE
    }

    static final OwnSection<Settings> SECTION =
        new OwnSection<>(
            "austerity",
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.whole("batch", 500, 2, Integer.MAX_VALUE),
                    section.number("epsilon", 0.05, new Interval(0, true, 0.5, false)),
                    section.choice("proxy", Proxy.NONE),
                    section.choice("design", Design.FIXED),
                    section.number("error", 0.01, Interval.OPEN_UNIT),
                    section.whole("gradient_rows", 0, 0, Integer.MAX_VALUE),
                    section.number("shape", 0.5, new Interval(0, true, 0.5, true)),
                    section.number("decay", 0, new Interval(0, true, 1, true)),
                    section.number("delay", 100, Interval.POSITIVE)));

    /** Returns how ε changes from look to look, and from iteration to iteration. */
    StudentDecision.Boundary boundary() {
      return new StudentDecision.Boundary(shape, decay, delay);
    }
  }
}
