package org.lampyris.driver.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineProgressTest {
  private final List<String> lines = new ArrayList<>();
  private long now = 5_000_000_000L;
  private final LineProgress progress = new LineProgress(lines::add, () -> now);

  private void after(double seconds) {
    now += (long) (seconds * 1e9);
  }

  @Test
  void aFastPhaseGivesAFewLines() {
    progress.start("sampling", 1000);
    for (int i = 1; i <= 1000; i++) {
      after(0.02);
      progress.step(i, Reading.NONE);
    }
    progress.end();
    assertEquals("sampling …", lines.get(0));
    assertEquals("sampling: 100/1000 (10 %), about 18 s left", lines.get(1));
    assertEquals("sampling: done in 20 s", lines.get(lines.size() - 1));
    assertEquals(1 + 9 + 1, lines.size());
  }

  @Test
  void aWarningIsALineInNoPhase() {
    progress.warn("it will take long");
    assertEquals(List.of("warning: it will take long"), lines);
  }

  @Test
  void aSlowPhaseGivesALineEveryTenSeconds() {
    progress.start("warm-up", 100_000);
    for (int i = 1; i <= 100; i++) {
      after(1);
      progress.step(i, new Reading(0.2345, Map.of("bright", 28.06), 12345.6));
    }
    assertEquals(1 + 10, lines.size());
    assertEquals(
        "warm-up: 10/100000 (0 %), about 27:46:30 left, accept 0.23, bright 28.1, evals/iter"
            + " 12,346",
        lines.get(1));
  }

  @Test
  void aPhaseOfUnknownLengthGivesItsNotes() {
    progress.start("prepare", 0);
    progress.note("reading t.csv");
    after(20);
    progress.step(7, Reading.NONE);
    after(1.25);
    progress.end();
    assertEquals(
        List.of("prepare …", "prepare: reading t.csv", "prepare: 7", "prepare: done in 21 s"),
        lines);
  }

  @Test
  void spansOfTime() {
    assertEquals("0.4 s", Span.of(0.4));
    assertEquals("9.9 s", Span.of(9.94));
    assertEquals("10 s", Span.of(9.96));
    assertEquals("119 s", Span.of(119.2));
    assertEquals("2:00", Span.of(119.6));
    assertEquals("1:02:03", Span.of(3723));
  }
}
