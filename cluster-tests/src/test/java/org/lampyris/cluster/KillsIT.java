package org.lampyris.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run is ended twenty times from outside, by SIGKILL and SIGTERM in turns, at random moments of
 * any phase, and given again each time: its draws are those of the run that nothing ended. Prints
 * each kill with its moment.
 */
class KillsIT {
  private static final int KILLS = Integer.getInteger("lampyris.kills", 20);
  private static final long SEED = 16;

  /** One kill of three comes at any moment, the others some time after chains have begun. */
  private static final double ANY_MOMENT = 1 / 3.0;

  private static final int MOST_MILLIS_OF_ALL = 60_000;
  private static final int MOST_MILLIS_OF_CHAINS = 8_000;
  private static final String KEYS =
      "algorithm: firefly, plan: stepwise, kernel: mala, warmup: 60, draws: 140,"
          + " checkpoint_minutes: 0.02";

  @TempDir static Path folder;
  private static Night night;

  @BeforeAll
  static void begin() throws IOException {
    night = new Night(folder, 5_000);
  }

  @AfterAll
  static void end() {
    night.close();
  }

  @Test
  void givenAgainUntilItEndsTheDrawsAreTheSame() throws Exception {
    String expected = night.localDraws(KEYS);
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> lines = new ArrayList<>();
    int kills = 0;
    for (int round = 1; kills < KILLS; round++) {
      String name = "killed-" + round;
      String job = night.job(name, KEYS);
      boolean ended = false;
      while (!ended) {
        try (Submission run = night.submit("run", "--config", job, "--not-converged", "0")) {
          long begun = System.nanoTime();
          boolean any = random.nextDouble() < ANY_MOMENT;
          long moment = random.nextLong(any ? MOST_MILLIS_OF_ALL : MOST_MILLIS_OF_CHAINS);
          String signal = kills % 2 == 0 ? "KILL" : "TERM";
          if (!any && kills < KILLS) {
            run.awaits("warm-up …");
          }
          for (long from = any ? begun : System.nanoTime();
              run.isAlive() && kills < KILLS && (System.nanoTime() - from) / 1e6 < moment; ) {
            Waiting.briefly();
          }
          if (run.isAlive() && kills < KILLS) {
            kills++;
            String last = run.err().lines().reduce("", (before, line) -> line);
            double at = (System.nanoTime() - begun) / 1e9;
            Signals.send(signal, run.process());
            int code = run.exitCode();
            assertEquals(signal.equals("KILL") ? 137 : 143, code, run.err());
            lines.add(
                String.format(
                    Locale.ROOT,
                    "| %d | SIG%s | %.1f s | %.1f s | %s |",
                    kills,
                    signal,
                    at,
                    (System.nanoTime() - begun) / 1e9 - at,
                    last));
          } else {
            Night.succeeds(run);
            lines.add(
                String.format(
                    Locale.ROOT,
                    "| | none | %.1f s | | ended |",
                    (System.nanoTime() - begun) / 1e9));
            ended = true;
          }
        } finally {
          System.out.println(lines.isEmpty() ? "" : lines.get(lines.size() - 1));
        }
      }
      assertEquals(expected, night.draws(name), String.join("\n", lines));
      List<String> left =
          night.hdfs().names("/night/" + name).stream()
              .filter(one -> one.startsWith("_") || one.contains(".tmp"))
              .toList();
      assertTrue(left.isEmpty(), left.toString());
    }
  }
}
