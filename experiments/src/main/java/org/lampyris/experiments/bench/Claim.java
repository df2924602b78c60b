package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sentence about figures, and when it is true. In its texts {@code {tables}} is replaced by the
 * names of the tables, {@code {sampler}} by the sampler's name, {@code {value}} by the first
 * condition's figure, {@code {at_least}} and similar names by the conditions' thresholds, and every
 * other name by its figure.
 *
 * @param target the number of the target that it belongs to
 * @param on the name of the tables; where there are several, conditions hold for the figures of all
 * @param samplers the samplers of the claim, of which the best by the first condition's figure
 *     counts; empty for a claim about a table alone
 * @param what what is measured
 * @param shown how the figures of a table are shown
 * @param wanted what they should be
 * @param must what must hold, all of it
 */
public record Claim(
    int target,
    String on,
    List<String> samplers,
    Sentence what,
    Sentence shown,
    Sentence wanted,
    List<Condition> must) {
  private static final String BETWEEN = "; ";

  /** Measured figures. */
  @FunctionalInterface
  public interface Measured {
    /**
     * Returns the figures of a sampler on a table, including the table's; empty if not measured.
     *
     * @param table the table's name
     * @param sampler the sampler's name; empty for the figures of the table alone
     */
    Optional<Figures> figures(String table, Optional<String> sampler);
  }

  /** Checks that nothing is missing. */
  @SuppressWarnings("ConstantConditions") // Jackson passes null for what is missing.
  public Claim {
    if (on == null || what == null || shown == null || wanted == null || must == null) {
      throw new IllegalArgumentException("a claim needs on, what, shown, wanted and must");
    }
    samplers = samplers == null ? List.of() : List.copyOf(samplers);
    must = List.copyOf(must);
  }

  /** Returns all samplers that must have been run, those compared with included. */
  public Set<String> needed() {
    Stream<String> others = must.stream().flatMap(condition -> condition.figure().samplers());
    return Stream.concat(samplers.stream(), others)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * Returns the verdict on the claim.
   *
   * @param tables the names of its tables, in order
   * @param references figures that are not measured, by name
   */
  public Verdict verdict(List<String> tables, Figures references, Measured measured) {
    Figures known = references;
    for (Condition condition : must) {
      known = known.with(condition.thresholds());
    }
    Map<String, String> words = new LinkedHashMap<>();
    words.put("tables", String.join(BETWEEN, tables));
    samplers.stream().findFirst().ifPresent(first -> words.put("sampler", first));
    List<Case> cases = new ArrayList<>();
    for (String table : tables) {
      best(table, known, measured).ifPresent(cases::add);
    }
    boolean complete = cases.size() == tables.size();
    Figures all = known;
    return new Verdict(
        target,
        what.with(words, name -> all.get(name.figure())),
        complete
            ? cases.stream().map(c -> c.said(shown)).collect(Collectors.joining(BETWEEN))
            : "not measured",
        wanted.with(words, name -> all.get(name.figure())),
        complete ? Optional.of(holds(cases)) : Optional.empty());
  }

  private boolean holds(List<Case> cases) {
    return must.stream()
        .allMatch(c -> c.holds(cases.stream().mapToDouble(one -> one.value(c.figure())).toArray()));
  }

  /** Returns the sampler whose first figure is the largest, if one has been measured. */
  private Optional<Case> best(String table, Figures known, Measured measured) {
    Quantity first = must.get(0).figure();
    Stream<Optional<String>> candidates =
        samplers.isEmpty() ? Stream.of(Optional.empty()) : samplers.stream().map(Optional::of);
    return candidates
        .flatMap(sampler -> measured(table, sampler, known, measured).stream())
        .max(Comparator.comparingDouble(one -> one.value(first)))
        .map(one -> one.with("value", one.value(first)));
  }

  private Optional<Case> measured(
      String table, Optional<String> sampler, Figures known, Measured measured) {
    Map<String, Figures> others = new LinkedHashMap<>();
    for (String other : needed()) {
      measured.figures(table, Optional.of(other)).ifPresent(f -> others.put(other, f));
    }
    boolean complete =
        must.stream().flatMap(c -> c.figure().samplers()).allMatch(others::containsKey);
    return complete
        ? measured
            .figures(table, sampler)
            .map(own -> new Case(sampler.orElse(""), own.with(known.byName()), others))
        : Optional.empty();
  }

  /** A sampler on a table, with its figures and those of compared samplers. */
  private record Case(String sampler, Figures own, Map<String, Figures> others) {

    Case with(String name, double figure) {
      return new Case(sampler, own.with(Map.of(name, figure)), others);
    }

    double value(Quantity quantity) {
      return quantity.value(this::figure);
    }

    String said(Sentence sentence) {
      return sentence.with(Map.of("sampler", sampler), this::figure);
    }

    private double figure(Quantity.Name name) {
      Optional<Figures> figures = name.sampler().map(others::get);
      if (name.sampler().isPresent() && figures.isEmpty()) {
        throw new IllegalArgumentException("no figures of " + name.sampler().get());
      }
      return figures.orElse(own).get(name.figure());
    }
  }
}
