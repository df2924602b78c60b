package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.diagnostics.GaussianDivergence;
import org.lampyris.samplers.diagnostics.Marginal;
import org.lampyris.samplers.diagnostics.MarginalDifference;

/**
 * Comparison of runs with a reference run: differences of means, sds and distributions, and which
 * of them exceed their Monte-Carlo errors.
 *
 * @param runs the runs with the variables that all have, in the reference's order; the reference
 *     first
 * @param doubts why the comparison may mean little, in sentences
 * @param chance how far figures are apart by chance: over the mean, sd and distribution function of
 *     each variable and the joint divergence, of all runs
 * @param others what is found of each run but the reference
 */
public record Comparison(
    List<ComparedRun> runs, List<String> doubts, FalseAlarms chance, List<Found> others) {
  /** The chance of any false alarm, were all runs to draw from one distribution. */
  static final double RATE = 0.01;

  static final int MOST_NAMED = 5;

  /** Copies the lists. */
  public Comparison {
    runs = List.copyOf(runs);
    doubts = List.copyOf(doubts);
    others = List.copyOf(others);
  }

  /**
   * Differences between a run and the reference.
   *
   * @param number the run's number, from 2 on
   * @param differences of each variable
   * @param joint of all together
   */
  record Found(
      int number, ComparedRun run, List<MarginalDifference> differences, GaussianDivergence joint) {

    private static Found of(ComparedRun reference, ComparedRun run, int number) {
      return new Found(
          number,
          run,
          IntStream.range(0, run.marginals().size())
              .mapToObj(
                  j -> MarginalDifference.of(reference.marginals().get(j), run.marginals().get(j)))
              .toList(),
          GaussianDivergence.of(reference.draws().values(), run.draws().values()));
    }
  }

  /**
   * Compares runs with the first one.
   *
   * @throws UserException (usage) if they share no variable
   */
  public static Comparison of(List<ComparedRun> all) {
    List<String> doubts = new ArrayList<>();
    Set<String> shared = new LinkedHashSet<>(all.get(0).draws().variables());
    all.forEach(run -> shared.retainAll(run.draws().variables()));
    if (shared.isEmpty()) {
      throw UserException.usage(
          "%s have no variable in common. Name output folders of one model."
              .formatted(
                  all.stream().map(ComparedRun::folder).collect(Collectors.joining(" and "))));
    }
    for (ComparedRun run : all) {
      List<String> own =
          run.draws().variables().stream().filter(name -> !shared.contains(name)).toList();
      if (!own.isEmpty()) {
        doubts.add(
            "Not compared, because not all runs have them: %s in %s."
                .formatted(Text.few(own, MOST_NAMED), run.folder()));
      }
    }
    leaveOut(all, shared);
    List<ComparedRun> runs = all.stream().map(run -> run.only(List.copyOf(shared))).toList();
    ComparedRun reference = runs.get(0);
    List<ComparedRun> others = runs.subList(1, runs.size());
    others.forEach(run -> doubts.addAll(SamePosterior.doubts(reference, run)));
    runs.forEach(run -> doubts.addAll(run.complaints()));
    return new Comparison(
        runs,
        doubts.stream().distinct().toList(),
        new FalseAlarms(RATE, others.size() * (3 * shared.size() + 1)),
        IntStream.range(0, others.size())
            .mapToObj(i -> Found.of(reference, others.get(i), i + 2))
            .toList());
  }

  /** Removes variables that are 0 in all draws of all runs, because they are in no model. */
  private static void leaveOut(List<ComparedRun> all, Set<String> shared) {
    Set<String> in = new LinkedHashSet<>();
    for (ComparedRun run : all) {
      run.marginals().stream()
          .map(Marginal::summary)
          .filter(summary -> summary.inclusion().probability() > 0)
          .forEach(summary -> in.add(summary.variable()));
    }
    if (shared.stream().anyMatch(in::contains)) {
      shared.retainAll(in);
    }
  }

  /** Returns the shared variables. */
  List<String> variables() {
    return runs.get(0).draws().variables();
  }

  /**
   * Returns the numbers of the variables, sorted by their largest figure relative to chance,
   * descending.
   */
  List<Integer> worstFirst(Found found) {
    return IntStream.range(0, variables().size())
        .boxed()
        .sorted(
            Comparator.comparingDouble((Integer j) -> -found.differences().get(j).largest(chance)))
        .toList();
  }

  /** Returns in a sentence for each run which differences are beyond their Monte-Carlo errors. */
  public List<String> verdict() {
    List<String> lines = new ArrayList<>();
    for (Found found : others) {
      List<String> beyond = new ArrayList<>();
      worstFirst(found)
          .forEach(j -> beyond.addAll(beyond(found.differences().get(j), variables().get(j))));
      if (found.joint().differs(chance)) {
        beyond.add(
            Text.of(
                "all means and covariances by a divergence of %.2g (by chance up to %.2g)",
                found.joint().value(), found.joint().limit(chance)));
      }
      if (!beyond.isEmpty()) {
        lines.add(
            found.run().folder()
                + " differs from "
                + runs.get(0).folder()
                + ": "
                + Text.few(beyond, MOST_NAMED)
                + ".");
      }
    }
    return lines.isEmpty() ? List.of("No difference exceeds its Monte-Carlo error.") : lines;
  }

  private List<String> beyond(MarginalDifference d, String variable) {
    List<String> beyond = new ArrayList<>();
    if (d.meansDiffer(chance)) {
      beyond.add(
          Text.of(
              "%s's mean by %.2g posterior sds (Monte-Carlo error %.2g)",
              variable, d.mean(), d.meanError()));
    }
    if (d.sdsDiffer(chance)) {
      beyond.add(
          Text.of(
              "%s's sd by a factor of %.3g (Monte-Carlo error %.2g %%)",
              variable, Math.exp(d.logSd()), 100 * d.logSdError()));
    }
    if (d.distributionsDiffer(chance)) {
      beyond.add(
          Text.of(
              "%s's distribution by a distance of %.2g (by chance up to %.2g)",
              variable, d.distance(), d.distanceLimit(chance)));
    }
    return beyond;
  }
}
