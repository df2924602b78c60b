package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.experiments.study.ExperimentFile;

/**
 * Targets of the engine from {@code bench.yaml}, and the runs that test them.
 *
 * @param references figures of other programs, by name
 * @param tables the tables that claims are on, in the order in which they are run
 * @param until when a sampler that has no goal of its own has run long enough
 * @param samplers the samplers that claims are about, in the order in which they are run
 * @param claims the claims
 */
public record Targets(
    Map<String, Double> references,
    Map<String, Table> tables,
    Goal until,
    Map<String, Sampler> samplers,
    List<Claim> claims) {
  private static final String FILE = "bench";

  /**
   * A table that is read, or generated tables that differ in their rows.
   *
   * @param title what a table that is read is called
   * @param file its file in the folder of the experiments' tables; null if tables are generated
   * @param label its label's column
   * @param rows the rows of generated tables
   * @param features their features
   * @param set keys of the configuration, as {@code --set} takes them
   * @param until when samplers have run long enough on these tables, by their names
   */
  public record Table(
      @Nullable String title,
      @Nullable String file,
      @Nullable String label,
      @Nullable List<Long> rows,
      int features,
      @Nullable List<String> set,
      @Nullable Map<String, Goal> until) {

    private List<Subject> subjects(String folder) {
      List<String> settings = set == null ? List.of() : set;
      if (file != null) {
        String name = title == null ? file : title;
        Subject.Source source = new Subject.Source.Input(folder + "/" + file, label);
        return List.of(new Subject(name, source, settings, List.of()));
      }
      List<Long> sizes = rows == null ? List.of() : rows;
      return sizes.stream()
          .map(size -> Subject.generated(size, features, settings, List.of()))
          .toList();
    }

    private List<String> names() {
      return subjects("").stream().map(Subject::name).toList();
    }
  }

  /**
   * A sampler.
   *
   * @param set its keys, as {@code --set} takes them
   * @param until when it has run long enough; null if what holds for all does
   * @param warmup iterations per chain before the draws
   * @param draws draws of the first run
   */
  public record Sampler(
      List<String> set, @Nullable Goal until, @Nullable Integer warmup, @Nullable Integer draws) {}

  /**
   * Reads the targets.
   *
   * @param quick whether smaller tables and shorter runs will do
   */
  public static Targets read(boolean quick) {
    return ExperimentFile.read(FILE, List.of(FILE), quick, Targets.class);
  }

  /**
   * Returns the numbers of targets that a text lists.
   *
   * @param text numbers between commas, or "all"
   * @throws UserException (usage) if there is no such target
   */
  public Set<Integer> numbers(String text) {
    TreeSet<Integer> known =
        claims.stream().map(Claim::target).collect(Collectors.toCollection(TreeSet::new));
    if (text.equals("all")) {
      return known;
    }
    Map<String, Integer> byText =
        known.stream().collect(Collectors.toMap(String::valueOf, Function.identity()));
    Set<Integer> numbers = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      Integer number = byText.get(part);
      if (number == null) {
        throw UserException.usage(
            ("--targets %s: \"%s\" is no target. Give some of %s to %s, for instance --targets"
                    + " 1,3.")
                .formatted(text, part, known.first(), known.last()));
      }
      numbers.add(number);
    }
    return numbers;
  }

  /**
   * Returns the tables and their rows.
   *
   * @param wanted the numbers of the targets
   * @param folder the folder of the tables that are read; null for none of them
   */
  public List<Subject> subjects(Set<Integer> wanted, @Nullable String folder) {
    Map<String, Subject> subjects = new LinkedHashMap<>();
    for (Table table : tables.values()) {
      if (table.file() != null && folder == null) {
        continue;
      }
      for (Subject bare : table.subjects(String.valueOf(folder))) {
        List<Claim> about =
            claims(wanted).stream().filter(c -> tablesOf(c).contains(bare.name())).toList();
        if (!about.isEmpty()) {
          List<BenchEntry> entries = entries(bare.name(), about);
          subjects.put(
              bare.name(), new Subject(bare.name(), bare.source(), bare.settings(), entries));
        }
      }
    }
    return List.copyOf(subjects.values());
  }

  private List<BenchEntry> entries(String table, Collection<Claim> about) {
    Set<String> needed =
        about.stream().flatMap(claim -> claim.needed().stream()).collect(Collectors.toSet());
    List<BenchEntry> entries = new ArrayList<>();
    samplers.forEach(
        (name, sampler) -> {
          if (needed.contains(name)) {
            int warmup = sampler.warmup() == null ? BenchEntry.WARMUP : sampler.warmup();
            int pilot = sampler.draws() == null ? BenchEntry.PILOT : sampler.draws();
            entries.add(
                new BenchEntry(
                    name, sampler.set(), warmup, pilot, goal(table, name, sampler.until())));
          }
        });
    return entries;
  }

  /**
   * Returns the goal of a sampler on a table: the table's for it, or its own, or the common one.
   */
  private Goal goal(String table, String sampler, @Nullable Goal own) {
    for (Table group : tables.values()) {
      Goal goal = group.until() == null ? null : group.until().get(sampler);
      if (goal != null && group.names().contains(table)) {
        return goal;
      }
    }
    return own == null ? until : own;
  }

  private List<Claim> claims(Set<Integer> wanted) {
    return claims.stream().filter(claim -> wanted.contains(claim.target())).toList();
  }

  private List<String> tablesOf(Claim claim) {
    Table table = tables.get(claim.on());
    if (table == null) {
      throw new IllegalArgumentException("no tables " + claim.on());
    }
    return table.names();
  }

  /** Returns the figures compared with the targets, including those that could not be measured. */
  public List<Verdict> verdicts(Set<Integer> wanted, List<SubjectResult> results) {
    Map<String, SubjectResult> byName =
        results.stream().collect(Collectors.toMap(r -> r.subject().name(), Function.identity()));
    Claim.Measured measured =
        (table, sampler) ->
            Optional.ofNullable(byName.get(table)).flatMap(result -> result.figures(sampler));
    Figures known = new Figures(new LinkedHashMap<>(references));
    return claims(wanted).stream()
        .map(claim -> claim.verdict(tablesOf(claim), known, measured))
        .toList();
  }
}
