package org.lampyris.experiments.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Verdicts on figures made up, at both sides of every target. */
class TargetsTest {
  private static final Set<Integer> ALL = Set.of(1, 2, 3, 4, 5, 6);
  private static final String FIREFLY = "firefly, random walk";
  private static final String TIGHT_AT_MODE = "firefly, map-tuned bounds, random walk";
  private static final String MHSS = "mhss, random walk";
  private static final String AUTO = "auto";
  private static final String PAPER = "firefly, random walk, q = 0.01";
  private static final String FULL_HMC = "full data, hmc";
  private static final Targets QUICK = Targets.read(true);

  private static Subject subject(int i) {
    return QUICK.subjects(ALL, "tables").get(i);
  }

  /** Figures at which every target is met, but for the row that is given. */
  private static List<Verdict> verdicts(Row... others) {
    Row[] rows = {
      MadeUp.row(FIREFLY, MadeUp.measured(10, 0.4, 100)),
      MadeUp.row(TIGHT_AT_MODE, MadeUp.measured(10, 0.4, 100)),
      MadeUp.row(MHSS, MadeUp.measured(8, 0.4, 100)),
      MadeUp.row(AUTO, MadeUp.measured(8, 20, 1000)),
      MadeUp.row(PAPER, MadeUp.measured(170, 4000 / 40_800.0, 4)),
      MadeUp.row("firefly, hmc", MadeUp.measured(300, 0.5, 100)),
      MadeUp.row(FULL_HMC, MadeUp.measured(1e5, 400, 250)),
    };
    for (Row other : others) {
      for (int i = 0; i < rows.length; i++) {
        rows[i] = rows[i].entry().name().equals(other.entry().name()) ? other : rows[i];
      }
    }
    Row first = MadeUp.row(MHSS, MadeUp.measured(9, 0.4, 100));
    return QUICK.verdicts(
        ALL,
        List.of(
            MadeUp.result(
                subject(1),
                MadeUp.row(FIREFLY, MadeUp.measured(15, 1, 9)),
                MadeUp.row(TIGHT_AT_MODE, MadeUp.measured(15, 1, 9)),
                first),
            MadeUp.result(subject(2), rows[0], rows[1], rows[2], rows[3]),
            MadeUp.result(subject(0), rows[4], rows[0], rows[5], rows[6]),
            MadeUp.result(subject(3), rows[0], rows[5], rows[6]),
            MadeUp.result(subject(4))));
  }

  private static void misses(int index, Row row) {
    List<Verdict> verdicts = verdicts(row);
    assertEquals(Optional.of(false), verdicts.get(index).met(), verdicts::toString);
  }

  @Test
  void tablesAndRowsAreThoseOfTheTargets() {
    assertEquals(5, QUICK.subjects(ALL, "tables").size());
    assertEquals(4, QUICK.subjects(ALL, null).size(), "no folder, and so no file");
    assertEquals(
        "tables/mnist79_train.csv.gz", ((Subject.Source.Input) subject(0).source()).path());
    assertEquals(
        List.of(
            PAPER,
            FIREFLY,
            "firefly, map-tuned bounds, hmc",
            "firefly, hmc",
            "firefly, mala",
            FULL_HMC),
        subject(0).entries().stream().map(BenchEntry::name).toList());
    assertEquals("30 draws", subject(3).entries().get(2).goal().toString());
    assertEquals("1 s", subject(0).entries().get(5).goal().toString());
    Targets full = Targets.read(false);
    assertEquals(
        List.of(FIREFLY, TIGHT_AT_MODE, MHSS, AUTO),
        subject(2).entries().stream().map(BenchEntry::name).toList());
    List<Subject> one = full.subjects(Set.of(5), null);
    assertEquals(new Subject.Source.Generated(4_000_000, 50), one.get(0).source());
    assertTrue(one.get(0).entries().isEmpty());
    List<Subject> all = full.subjects(ALL, "tables");
    assertEquals("10,000,000 rows × 20 features", all.get(4).name());
    assertEquals("ESS 1,000", all.get(4).entries().get(3).goal().toString());
    assertEquals("30 s", all.get(3).entries().get(0).goal().toString(), "for target 2");
    assertEquals("10 s", all.get(3).entries().get(1).goal().toString());
    assertEquals(
        List.of(FIREFLY),
        full.subjects(Set.of(2, 6), null).get(1).entries().stream().map(BenchEntry::name).toList());
  }

  @Test
  void whatReachesTheTargetsMeetsThem() {
    List<Verdict> verdicts = verdicts();
    assertEquals(10, verdicts.size());
    for (Verdict verdict : verdicts) {
      assertEquals(Optional.of(true), verdict.met(), verdict::toString);
    }
    assertEquals(
        "evaluations an iteration, firefly, map-tuned bounds, random walk, 10,000 rows × 20 features;"
            + " 100,000 rows × 20 features",
        verdicts.get(0).what());
    assertEquals(
        "auto, sampling to ESS 1,000 beside precompute, 100,000 rows × 20 features",
        verdicts.get(4).what());
    assertEquals(
        "iterations a second, 4 chains, random walk, q = 0.01, beside the authors' Python (5,100),"
            + " MNIST 7 against 9",
        verdicts.get(5).what());
    assertEquals(
        List.of(
            "largest at most 1.5 times the smallest",
            "falling with n",
            "falling with n",
            "at least 50 times (goal 100)",
            "at most 0.5 times",
            "at least 8 times",
            "at least 5 times",
            "at least 200 times",
            "at least 0.5 times",
            "at most 1.3 times"),
        verdicts.stream().map(Verdict::wanted).toList());
    assertEquals("15.0; 10.0", verdicts.get(0).figure());
    assertEquals("15.0; 10.0", verdicts.get(1).figure());
    assertEquals("50.0 times (10,000; 200)", verdicts.get(3).figure());
    assertTrue(
        verdicts
            .get(4)
            .figure()
            .startsWith("0.50 times (20.0 s, with warm-up 25.0 s; precompute 40.0 s; ESS 1,000"));
    assertEquals("8.0 times (40,800)", verdicts.get(5).figure());
    // 250/s of the other random walk, and 200/s of hmc where there is none, beside 0.625/s.
    assertEquals("400.0 times (firefly, random walk)", verdicts.get(6).figure());
    assertEquals("320.0 times (firefly, hmc)", verdicts.get(7).figure());
    assertEquals("0.63 times (5.0 GB/s; 8.0 GB/s)", verdicts.get(8).figure());
    assertEquals("1.30 times (0.00 GB)", verdicts.get(9).figure());
  }

  @Test
  void whatFallsShortDoesNot() {
    misses(0, MadeUp.row(TIGHT_AT_MODE, MadeUp.measured(9.9, 0.4, 100)));
    misses(1, MadeUp.row(FIREFLY, MadeUp.measured(15, 0.4, 100)));
    misses(2, MadeUp.row(MHSS, MadeUp.measured(9, 0.4, 100)));
    misses(3, MadeUp.row(FIREFLY, MadeUp.measured(10, 0.41, 100)));
    misses(4, MadeUp.row(AUTO, MadeUp.measured(8, 20.1, 1000)));
    misses(4, MadeUp.row(AUTO, MadeUp.measured(8, 20, 999)));
    misses(5, MadeUp.row(PAPER, MadeUp.measured(170, 0.1, 4)));
    misses(6, MadeUp.row(FULL_HMC, MadeUp.measured(1e5, 1, 51)));
    misses(7, MadeUp.row(FULL_HMC, MadeUp.measured(1e5, 1, 1.26)));
  }

  @Test
  void aSlowPassFallsShort() {
    SubjectResult result = new SubjectResult(subject(4), MadeUp.baselines(1000, 0.251), List.of());
    assertEquals(Optional.of(false), QUICK.verdicts(Set.of(5), List.of(result)).get(0).met());
  }

  @Test
  void rowsThatTakeTooMuchFallShort() {
    Row row = MadeUp.row(FIREFLY, MadeUp.measured(10, 0.4, 100));
    SubjectResult result = new SubjectResult(subject(2), MadeUp.baselines(999, 0.2), List.of(row));
    assertEquals(Optional.of(false), QUICK.verdicts(Set.of(6), List.of(result)).get(0).met());
  }

  @Test
  void whatIsMissingIsSaidToBe() {
    Row failed =
        new Row(
            MadeUp.row(AUTO, MadeUp.measured(8, 20, 1000)).entry(),
            Optional.empty(),
            "no such algorithm");
    assertEquals("not measured", verdicts(failed).get(4).figure());
    assertEquals(Optional.empty(), verdicts(failed).get(4).met());
    for (Verdict verdict : QUICK.verdicts(ALL, List.of())) {
      assertEquals(Optional.empty(), verdict.met());
    }
  }
}
