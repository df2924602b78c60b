package org.lampyris.samplers.selection;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.minibatch.BatchDecision;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.DecisionErrors;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.minibatch.TrialKernel;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Variable selection: {@link SelectionKernel}. */
public final class VariableSelection implements SamplingAlgorithm {
  /** About how many looks a test has: pools hold that many rows of an iteration. */
  private static final long USUAL_LOOKS = 4;

  /** Standard deviations from 0 of a coefficient whose feature is in at the start. */
  private static final double CLEAR = 2;

  @Override
  public String name() {
    return "variable-selection";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(SelectionSettings.SECTION);
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.FEW_ROWS);
  }

  @Override
  public boolean isExact(OwnSettings own) {
    SelectionSettings settings = own.of(SelectionSettings.class);
    return settings.test() == SelectionSettings.Test.EXACT || settings.epsilon() == 0;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PROPOSAL);
  }

  @Override
  public String defaultKernel() {
    return "pcn";
  }

  @Override
  public List<Column> columns() {
    return SelectionKernel.COLUMNS;
  }

  @Override
  public InclusionPrior prior(SamplingContext context, OwnSettings own) {
    SelectionSettings settings = own.of(SelectionSettings.class);
    Features features = features(context.model());
    int most = most(settings, features);
    return new InclusionPrior(
        context.model().prior(), features, settings.size(), most, settings.shared());
  }

  private static Features features(ModelOfTable model) {
    return new Features(model.slopes(), model.model().dimension());
  }

  private static int most(SelectionSettings settings, Features features) {
    int all = features.count();
    return settings.maxSize() == 0 ? all : Math.min(all, settings.maxSize());
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    SamplingAlgorithm.super.require(model, settings);
    MinibatchRun.requireEqualBlocks(model.isGrouped(), name());
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    requireSlabs(context.model(), own.of(SelectionSettings.class));
    ProposalKernel within = SamplingAlgorithm.requireProposal(context.thetaKernel());
    InclusionPrior prior = prior(context, own);
    Features features = prior.features();
    ReversibleJump jump =
        new ReversibleJump(CandidateFeatures.of(prior, context.laplace()), prior.most(), within);
    RunResult result =
        MinibatchRun.run(
            context, name(), within.targetAcceptance(), rows -> plan(context, own, jump, rows));
    Decision found = found(result.chains(), features);
    RunProgress progress = context.inputs().progress();
    progress.begin("selection");
    progress.note(found.text());
    progress.end();
    return result.deciding(List.of(), List.of(found));
  }

  @Override
  public String knob(OwnSettings own) {
    SelectionSettings settings = own.of(SelectionSettings.class);
    return "sampler.variable_selection.epsilon: %s, sampler.variable_selection.batch: %s"
        .formatted(settings.epsilon(), settings.batch());
  }

  private MinibatchRun.Plan<TrialKernel.State> plan(
      SamplingContext context,
      OwnSettings own,
      ReversibleJump jump,
      ResidentRows<PlainBlock> rows) {
    SelectionSettings settings = own.of(SelectionSettings.class);
    long count = context.table().rows();
    boolean exact = isExact(own);
    BatchDecision decision =
        exact
            ? new TrialKernel.AllRows()
            : new StudentDecision(settings.batch(), settings.epsilon());
    Model model = context.model().model();
    BatchGradient gradient = new BatchGradient(model, prior(context, own), count, null);
    boolean proxies = !exact && settings.proxies();
    Remainders remainders =
        proxies
            ? Remainders.atMode(context, rows, Double.POSITIVE_INFINITY)
            : Remainders.whole(model);
    Remainders.Renewal never = Remainders.Renewal.never(context.laplace());
    boolean[] begun = begun(settings.start(), jump, context.laplace());
    return new MinibatchRun.Plan<>(
        (chain, batches) ->
            new SelectionKernel(
                new TrialKernel(batches, remainders, decision, gradient, never), jump, begun),
        exact ? count : Math.min(count, USUAL_LOOKS * settings.batch()),
        proxies ? MinibatchRun.Setup.ofPass(context) : MinibatchRun.Setup.NONE,
        exact ? null : new DecisionErrors(context, knob(own)));
  }

  /**
   * Returns the features that are in at the start: at most K, those with the clearest coefficients
   * at the mode.
   */
  static boolean[] begun(
      SelectionSettings.Start start, ReversibleJump jump, LaplaceApproximation laplace) {
    List<int[]> elements = jump.features().elements();
    double[] clear =
        elements.stream()
            .mapToDouble(
                own ->
                    IntStream.of(own)
                        .mapToDouble(j -> Math.abs(laplace.mode()[j]) / laplace.sd(j))
                        .max()
                        .orElse(0))
            .toArray();
    double least =
        switch (start) {
          case MODE -> CLEAR;
          case ALL -> 0;
          case NONE -> Double.POSITIVE_INFINITY;
        };
    boolean[] begun = new boolean[clear.length];
    IntStream.range(0, clear.length)
        .filter(f -> clear[f] >= least)
        .boxed()
        .sorted(Comparator.comparing(f -> -clear[f]))
        .limit(jump.most())
        .forEach(f -> begun[f] = true);
    return begun;
  }

  /** Refuses a model without features, or with a prior that no marginal likelihood goes with. */
  private static void requireSlabs(ModelOfTable model, SelectionSettings settings) {
    if (model.slopes().isEmpty()) {
      throw UserException.usage(
          "sampler.algorithm: variable-selection selects coefficients of columns, and the family %s has none here. Choose another algorithm."
              .formatted(model.spec().name()));
    }
    if (settings.slab() == SelectionSettings.Slab.SHARED_SCALE) {
      requireScales(settings);
      return;
    }
    List<UnivariatePrior> priors = model.prior().factors();
    model.slopes().stream()
        .flatMapToInt(IntStream::of)
        .filter(j -> priors.get(j) instanceof UnivariatePrior.Flat)
        .findFirst()
        .ifPresent(
            j -> {
              throw UserException.usage(
                  ("model.prior: sampler.algorithm: variable-selection compares models, which needs"
                          + " proper priors, but the prior of %s is flat. Set a proper one, such as"
                          + " normal(0, 2.5), in model.prior or model.priors.")
                      .formatted(model.coefficients().get(j)));
            });
  }

  private static void requireScales(SelectionSettings settings) {
    if (settings.leastScale() >= settings.largestScale()) {
      throw UserException.usage(
          "sampler.variable_selection.least_scale is %s, but must be below largest_scale, %s."
              .formatted(settings.leastScale(), settings.largestScale()));
    }
  }

  /** Returns in a line how large the models of all draws are. */
  private static Decision found(List<ChainTrace> chains, Features features) {
    Map<Integer, Long> sizes =
        chains.stream()
            .flatMap(chain -> chain.draws().stream())
            .collect(
                Collectors.groupingBy(
                    theta -> Features.size(features.in(theta)),
                    TreeMap::new,
                    Collectors.counting()));
    double draws = sizes.values().stream().mapToLong(count -> count).sum();
    Map<String, Double> shares = new LinkedHashMap<>();
    sizes.forEach((size, count) -> shares.put(size + " features", count / draws));
    return Decision.of(
        Decision.FOUND,
        shares,
        "features included, out of %d: ".formatted(features.count())
            + sizes.entrySet().stream()
                .map(one -> Text.of("%d in %.3g %%", one.getKey(), 100 * one.getValue() / draws))
                .collect(Collectors.joining(", "))
            + " of the draws");
  }
}
