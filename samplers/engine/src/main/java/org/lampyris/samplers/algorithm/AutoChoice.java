package org.lampyris.samplers.algorithm;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Choice of the exact algorithm whose effective draws should cost least, including set-up. It uses
 * each algorithm's expected cost, and then the cost in the chosen one's warm-up: counted, not
 * timed, so that a run is the same on every machine. A wrong choice costs time, never exactness.
 *
 * @param wanted the section {@code sampler}, whose algorithm is {@code auto}
 * @param candidates the chosen algorithm, and others in the order of their costs
 * @param rows how many rows the table has
 * @param why what was chosen, and its reason
 */
public record AutoChoice(
    SamplerSettings wanted, List<Candidate> candidates, long rows, Decision why) {
  /** The topic of a choice of the algorithm. */
  public static final String TOPIC = "algorithm";

  /**
   * Factor by which an algorithm's cost must exceed the next one's expected cost before it is left:
   * its draws so far are lost, and expectations have that uncertainty.
   */
  private static final double DEARER = 2;

  /**
   * Fewest rows for independent draws that are only a little cheaper. With fewer, every algorithm
   * takes a second or two, and R-hat is worth having. Perfect draws then also accept little: with
   * 20 coefficients, 0.18 of the proposals at 3,000 rows and 0.43 at 10,000.
   */
  private static final long MANY_ROWS = 10_000;

  /** Fewest rows for independent draws that are much cheaper. */
  private static final long FEWEST_ROWS = 1_000;

  /** Factor by which chains must be dearer on a table of few rows. */
  private static final double MUCH_DEARER = 3;

  /** An algorithm and its expected cost. */
  record Candidate(SamplingAlgorithm algorithm, ExpectedCost cost) {
    /** Returns the cost of an effective draw, including set-up and warm-up. */
    double ofDraw(ChainSettings run) {
      return cost.ofDraw(algorithm.has(Trait.INDEPENDENT) ? run.withoutWarmup() : run);
    }
  }

  /** Chooses for a section {@code sampler} whose algorithm is {@code auto}. */
  public static AutoChoice of(SamplerSettings settings, SamplingContext context) {
    List<Candidate> all =
        SamplingAlgorithm.registry().all().stream()
            .filter(settings::permits)
            .filter(
                one ->
                    !one.has(Trait.INDEPENDENT)
                        || (context.table().rows() >= FEWEST_ROWS
                            && !settings.setsUpChains(KernelSettings.AUTO)))
            .filter(
                one ->
                    one.has(Trait.TAKES_SCALES)
                        || (!hasScales(context) && context.model().monotonic().isEmpty())
                        || (one.has(Trait.DRAWS_EFFECTS) && hasEffectsAlone(context)))
            .filter(
                one ->
                    context.model().monotonic().isEmpty() || !settings.with(one).isCrankNicolson())
            .filter(one -> context.laplace().hasCovariance() || one.has(Trait.WITHOUT_COVARIANCE))
            .flatMap(
                algorithm ->
                    algorithm.expectedCost(context, settings).stream()
                        .map(cost -> cost.and(ofEvidence(settings, context, algorithm)))
                        .map(cost -> new Candidate(algorithm, cost)))
            .toList();
    double most =
        all.stream()
            .filter(one -> !one.algorithm.has(Trait.INDEPENDENT))
            .mapToDouble(one -> one.ofDraw(settings.run()))
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    double dearer = context.table().rows() >= MANY_ROWS ? 0 : MUCH_DEARER;
    return of(
        settings,
        all.stream()
            .filter(
                one ->
                    !one.algorithm.has(Trait.INDEPENDENT)
                        || dearer * one.ofDraw(settings.run()) <= most)
            .toList(),
        context.table().rows(),
        hasScales(context));
  }

  /** Returns the cost of the evidence by a bridge, unless the algorithm knows it or none is set. */
  private static double ofEvidence(
      SamplerSettings settings, SamplingContext context, SamplingAlgorithm algorithm) {
    return settings.evidence() == BridgeSampling.When.BRIDGE && !algorithm.has(Trait.INDEPENDENT)
        ? 2.0 * BridgeSampling.DRAWS * context.table().rows() * ExpectedCost.inPass(context)
        : 0;
  }

  /** Returns whether all scales are those of random effects. */
  private static boolean hasEffectsAlone(SamplingContext context) {
    return context.model().prior().term() instanceof ScaledPrior scales
        && scales.groups().size() == context.model().random().size();
  }

  private static boolean hasScales(SamplingContext context) {
    return context.model().prior().term() instanceof ScaledPrior;
  }

  /**
   * Chooses among algorithms, in any order.
   *
   * @param scaled whether effects are coefficients: the cost of an algorithm that has them beside
   *     their rows is told, but it is not chosen
   */
  static AutoChoice of(
      SamplerSettings settings, List<Candidate> candidates, long rows, boolean scaled) {
    List<Candidate> cheapestFirst =
        candidates.stream()
            .sorted(Comparator.comparing(candidate -> candidate.ofDraw(settings.run())))
            .toList();
    List<Candidate> able =
        cheapestFirst.stream()
            .filter(one -> !scaled || one.algorithm.has(Trait.TAKES_SCALES))
            .toList();
    String chosen = able.get(0).algorithm.name();
    return new AutoChoice(
        settings,
        able,
        rows,
        why(
            chosen,
            cheapestFirst,
            settings,
            Text.of(
                "algorithm: %s (expected cost of an effective draw, with set-up, in likelihood"
                    + " evaluations of a full pass: %s)%s",
                chosen,
                costs(cheapestFirst, settings),
                unable(cheapestFirst.get(0), able.get(0)) + withoutChains(able))));
  }

  /** Returns why the cheapest is not chosen; nothing if it is. */
  private static String unable(Candidate cheapest, Candidate chosen) {
    return cheapest.equals(chosen)
        ? ""
        : Text.of(
            ". %s was not considered, because precompute has made effects of groups coefficients.",
            cheapest.algorithm.name());
  }

  /** Returns how to get chains, if the first one makes none. */
  private static String withoutChains(List<Candidate> able) {
    return able.size() > 1 && able.get(0).algorithm.has(Trait.INDEPENDENT)
        ? Text.of(
            ". Its draws are independent. Set sampler.algorithm: %s for chains with R-hat.",
            able.get(1).algorithm.name())
        : "";
  }

  private static Decision why(
      String chosen, List<Candidate> all, SamplerSettings settings, String line) {
    Map<String, Double> costs = new LinkedHashMap<>();
    all.forEach(one -> costs.put(one.algorithm.name(), one.ofDraw(settings.run())));
    return new Decision(TOPIC, chosen, costs, line);
  }

  private static String costs(List<Candidate> candidates, SamplerSettings settings) {
    return candidates.stream()
        .map(one -> Text.of("%s %.3g", one.algorithm.name(), one.ofDraw(settings.run())))
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the expected cost of an effective draw of the chosen one, in likelihood evaluations.
   */
  public double costOfDraw() {
    return candidates.get(0).ofDraw(wanted.run());
  }

  /** Returns the settings with the chosen algorithm and a kernel. */
  public SamplerSettings settings() {
    return wanted.with(candidates.get(0).algorithm);
  }

  /**
   * Returns the progress for a run of the chosen algorithm, which ends it by {@link
   * CostWatch.Dearer} if another one should be cheaper; {@link #leaving} then chooses that. It does
   * not if there is no other, or if the user chose the kernel, whose cost is not predicted.
   */
  public RunProgress watching(RunProgress shown) {
    return candidates.size() == 1 || wanted.theta().type().isPresent()
        ? shown
        : new CostWatch(
            shown,
            rows,
            candidates.get(0).cost.evaluationsFor(DEARER * candidates.get(1).ofDraw(wanted.run())));
  }

  /** Returns the choice of an algorithm by its name, as an earlier run of the same has made it. */
  public Optional<AutoChoice> of(String name) {
    return IntStream.range(0, candidates.size())
        .filter(k -> candidates.get(k).algorithm.name().equals(name))
        .mapToObj(k -> new AutoChoice(wanted, candidates.subList(k, candidates.size()), rows, why))
        .findFirst();
  }

  /** Chooses among the others, after a run that was too dear. */
  public AutoChoice leaving(CostWatch.Dearer run) {
    Candidate left = candidates.get(0);
    List<Candidate> others = candidates.subList(1, candidates.size());
    return new AutoChoice(
        wanted,
        others,
        rows,
        why(
            others.get(0).algorithm.name(),
            others,
            wanted,
            Text.of(
                "algorithm: %s (expected: %s). %s",
                others.get(0).algorithm.name(), costs(others, wanted), found(left, run))));
  }

  private static String found(Candidate left, CostWatch.Dearer run) {
    if (Double.isInfinite(run.evaluations())) {
      return "All rows show that %s would accept too few proposals."
          .formatted(left.algorithm.name());
    }
    return Text.of(
        "%s %.3g likelihood evaluations %s, and %.3g were expected. An effective draw then costs"
            + " %.3g, and not %.3g.",
        left.algorithm.has(Trait.INDEPENDENT)
            ? "All rows show that %s would take".formatted(left.algorithm.name())
            : "The warm-up of %s took".formatted(left.algorithm.name()),
        run.evaluations(),
        left.algorithm.has(Trait.INDEPENDENT) ? "a draw" : "an iteration",
        left.cost.evaluations(),
        left.cost.ofDraw(run.evaluations()),
        left.cost.ofDraw(left.cost.evaluations()));
  }

  /** Returns the algorithm chosen last among a run's decisions; empty if none was. */
  public static Optional<String> chosen(List<Decision> decisions) {
    return decisions.stream()
        .filter(decision -> decision.topic().equals(TOPIC))
        .map(Decision::choice)
        .reduce((first, last) -> last);
  }
}
