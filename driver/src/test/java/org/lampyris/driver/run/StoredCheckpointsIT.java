package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.Stored;
import org.lampyris.samplers.rows.StoredForm;

/**
 * States of chains and rows that an earlier version has stored are read, and are the same when they
 * are stored again. Whoever has to change the form raises {@link StoredForm#FORMAT}, and makes the
 * files anew with {@code -Dlampyris.guard=record}.
 */
class StoredCheckpointsIT {
  private static final Path FIXTURES =
      Path.of("src/test/resources/org/lampyris/driver/run/checkpoints");

  /** Settings below {@code sampler} of runs that have states of every kind. */
  private static final Map<String, String> RUNS =
      new TreeMap<>(
          Map.of(
              "firefly-stepwise", "algorithm=firefly plan=stepwise",
              "firefly-segment", "algorithm=firefly plan=segment",
              "confidence", "algorithm=confidence plan=segment confidence.proxy=dropped",
              "hamiltonian", "algorithm=sgld plan=segment sgld.batch=6 sgld.dynamics=hamiltonian",
              "fisher",
                  "algorithm=sgld plan=segment sgld.batch=6 sgld.dynamics=fisher sgld.control_variates=false",
              "perfect", "algorithm=perfect",
              "multilevel-memory", "algorithm=multilevel",
              "multilevel-stepwise", "algorithm=multilevel plan=stepwise"));

  @Test
  void statesOfAnEarlierVersionAreRead(@TempDir Path temp) throws IOException {
    if ("record".equals(System.getProperty("lampyris.guard"))) {
      record(temp);
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(FIXTURES)) {
      files = all.sorted().toList();
    }
    assertTrue(files.size() > RUNS.size(), files.toString());
    for (Path file : files) {
      String name = file.getFileName().toString();
      byte[] bytes = Files.readAllBytes(file);
      boolean rows = name.endsWith("-rows.bin");
      // Before its bytes, a file of rows has their number and a check.
      byte[] form = rows ? Arrays.copyOfRange(bytes, 2 * Long.BYTES, bytes.length) : bytes;
      Stored stored =
          rows
              ? StoredForm.read(RowStates.OfPlace.class, form)
              : StoredForm.read(Checkpoint.class, form);
      assertArrayEquals(form, StoredForm.bytes(stored), name);
      if (stored instanceof Checkpoint checkpoint) {
        assertEquals(2, checkpoint.chains().size(), name);
        assertTrue(checkpoint.iteration() > 0, name);
      }
    }
  }

  private static void record(Path temp) throws IOException {
    List<String> table = new ArrayList<>(List.of("y,a,g"));
    for (int i = 0; i < 24; i++) {
      table.add((i * 7 % 5 > 2 ? 1 : 0) + "," + Math.sin(i) + ",g" + i % 3);
    }
    Files.write(temp.resolve("table.csv"), table);
    Shell shell = new Shell("local[2]");
    Files.createDirectories(FIXTURES);
    for (Map.Entry<String, String> run : RUNS.entrySet()) {
      boolean random = run.getKey().startsWith("multilevel");
      List<String> sampler = new ArrayList<>(List.of("seed=3", "chains=2"));
      if (!run.getKey().equals("perfect")) {
        sampler.add("warmup=110");
      }
      sampler.add("draws=12");
      sampler.addAll(List.of(run.getValue().split(" ", -1)));
      Path job =
          Files.writeString(
              temp.resolve(run.getKey() + ".yaml"),
              """
              data: {input: "%1$s/table.csv", label: y, features: [a], block_rows: 8, partitions: 1}
              model: {family: logistic, prior: "normal(0, 1)"%2$s}
              output: "%1$s/%3$s"
              """
                  .formatted(
                      temp,
                      random ? ", random: [{group: g, effects: [\"(Intercept)\"]}]" : "",
                      run.getKey()));
      List<String> command = new ArrayList<>(List.of("run", "--config", job.toString()));
      sampler.forEach(setting -> command.addAll(List.of("--set", "sampler." + setting)));
      shell.samples(command.toArray(String[]::new));
      Path checkpoint = temp.resolve(run.getKey()).resolve("checkpoint");
      try (Stream<Path> files = Files.walk(checkpoint)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".bin")).toList()) {
          String kind = file.endsWith("chains.bin") ? "-chains.bin" : "-rows.bin";
          if (Objects.requireNonNull(file.getParent()).toString().endsWith(last(checkpoint))) {
            Files.copy(
                file, FIXTURES.resolve(run.getKey() + kind), StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }
  }

  /** Returns the name of the last folder of states. */
  private static String last(Path checkpoint) throws IOException {
    try (Stream<Path> files = Files.list(checkpoint)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("state-"))
          .max(String::compareTo)
          .orElseThrow();
    }
  }
}
