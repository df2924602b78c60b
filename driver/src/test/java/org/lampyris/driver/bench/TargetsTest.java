package org.lampyris.driver.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Verdicts on figures made up, at both sides of every target. */
class TargetsTest {
  private static final Targets QUICK = new Targets(Targets.ALL, true, "tables");

  private static Subject subject(int i) {
    return QUICK.subjects().get(i);
  }

  /** Figures at which every target is met, but for the row that is given. */
  private static List<Verdict> verdicts(Row... others) {
    Row[] rows = {
      Figures.row(Targets.FIREFLY, Figures.measured(10, 0.4, 100)),
      Figures.row(Targets.TIGHT_AT_MODE, Figures.measured(10, 0.4, 100)),
      Figures.row(Targets.MHSS, Figures.measured(8, 0.4, 100)),
      Figures.row(Targets.AUTO, Figures.measured(8, 20, 1000)),
      Figures.row(Targets.PAPER, Figures.measured(170, 4000 / 40_800.0, 4)),
      Figures.row("firefly, hmc", Figures.measured(300, 0.5, 100)),
      Figures.row(Targets.FULL_HMC, Figures.measured(1e5, 400, 250)),
    };
    for (Row other : others) {
      for (int i = 0; i < rows.length; i++) {
        rows[i] = rows[i].entry().name().equals(other.entry().name()) ? other : rows[i];
      }
    }
    Row first = Figures.row(Targets.MHSS, Figures.measured(9, 0.4, 100));
    return QUICK.verdicts(
        List.of(
            Figures.result(
                subject(1),
                Figures.row(Targets.FIREFLY, Figures.measured(15, 1, 9)),
                Figures.row(Targets.TIGHT_AT_MODE, Figures.measured(15, 1, 9)),
                first),
            Figures.result(subject(2), rows[0], rows[1], rows[2], rows[3]),
            Figures.result(subject(0), rows[4], rows[0], rows[5], rows[6]),
            Figures.result(subject(3), rows[0], rows[5], rows[6]),
            Figures.result(subject(4))));
  }

  private static void misses(int index, Row row) {
    List<Verdict> verdicts = verdicts(row);
    assertEquals(Optional.of(false), verdicts.get(index).met(), verdicts::toString);
  }

  @Test
  void tablesAndRowsAreThoseOfTheTargets() {
    assertEquals(5, QUICK.subjects().size());
    assertEquals(
        List.of(Targets.FIREFLY, Targets.TIGHT_AT_MODE, Targets.MHSS, Targets.AUTO),
        subject(2).entries().stream().map(Entry::name).toList());
    List<Subject> one = new Targets(Set.of(5), false, null).subjects();
    assertEquals(new Subject.Source.Generated(4_000_000, 50), one.get(0).source());
    assertTrue(one.get(0).entries().isEmpty());
    List<Subject> all = new Targets(Targets.ALL, false, "tables").subjects();
    assertEquals("10,000,000 rows × 20 features", all.get(4).name());
    assertEquals(1000, all.get(4).entries().get(3).goal().amount());
  }

  @Test
  void whatReachesTheTargetsMeetsThem() {
    List<Verdict> verdicts = verdicts();
    assertEquals(10, verdicts.size());
    for (Verdict verdict : verdicts) {
      assertEquals(Optional.of(true), verdict.met(), verdict::toString);
    }
    assertEquals("15.0; 10.0", verdicts.get(0).figure());
    assertEquals("15.0; 10.0", verdicts.get(1).figure());
    assertEquals("50.0 times (10,000; 200)", verdicts.get(3).figure());
    assertTrue(verdicts.get(4).figure().startsWith("0.50 times (20.0 s, with warm-up 25.0 s"));
    assertEquals("8.0 times (40,800)", verdicts.get(5).figure());
    // 250/s of the other random walk and 200/s of hmc, beside 0.625/s.
    assertEquals("400.0 times (firefly, random walk)", verdicts.get(7).figure());
    assertEquals("0.63 times (5.0 GB/s; 8.0 GB/s)", verdicts.get(8).figure());
    assertEquals("1.30 times (0.00 GB)", verdicts.get(9).figure());
  }

  @Test
  void whatFallsShortDoesNot() {
    misses(0, Figures.row(Targets.TIGHT_AT_MODE, Figures.measured(9.9, 0.4, 100)));
    misses(1, Figures.row(Targets.FIREFLY, Figures.measured(15, 0.4, 100)));
    misses(2, Figures.row(Targets.MHSS, Figures.measured(9, 0.4, 100)));
    misses(3, Figures.row(Targets.FIREFLY, Figures.measured(10, 0.41, 100)));
    misses(4, Figures.row(Targets.AUTO, Figures.measured(8, 20.1, 1000)));
    misses(4, Figures.row(Targets.AUTO, Figures.measured(8, 20, 999)));
    misses(5, Figures.row(Targets.PAPER, Figures.measured(170, 0.1, 4)));
    misses(6, Figures.row(Targets.FULL_HMC, Figures.measured(1e5, 1, 51)));
    misses(7, Figures.row(Targets.FULL_HMC, Figures.measured(1e5, 1, 1.26)));
  }

  @Test
  void aSlowPassFallsShort() {
    Baselines slow = new Baselines(1000, 51, 1_000_000_000, 200, 8e9, 0.251, 3, 40, 7, 2);
    Targets five = new Targets(Set.of(5), true, null);
    SubjectResult result = new SubjectResult(five.subjects().get(0), slow, List.of());
    assertEquals(Optional.of(false), five.verdicts(List.of(result)).get(0).met());
  }

  @Test
  void rowsThatTakeTooMuchFallShort() {
    Baselines fewer = new Baselines(999, 21, 1_000_000_000, 200, 8e9, 0.2, 3, 40, 7, 2);
    Targets six = new Targets(Set.of(6), true, null);
    Row row = Figures.row(Targets.FIREFLY, Figures.measured(10, 0.4, 100));
    SubjectResult result = new SubjectResult(six.subjects().get(0), fewer, List.of(row));
    assertEquals(Optional.of(false), six.verdicts(List.of(result)).get(0).met());
  }

  @Test
  void whatIsMissingIsSaidToBe() {
    Row failed =
        new Row(
            Figures.row(Targets.AUTO, Figures.measured(8, 20, 1000)).entry(),
            Optional.empty(),
            "no such algorithm");
    assertEquals("not measured", verdicts(failed).get(4).figure());
    assertEquals(Optional.empty(), verdicts(failed).get(4).met());
    for (Verdict verdict : QUICK.verdicts(List.of())) {
      assertEquals(Optional.empty(), verdict.met());
    }
  }
}
