package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;

/** The experiments that come with the library can be read, every row of them. */
class ExperimentTest {
  @Test
  void everyRowIsAConfiguration() throws IOException {
    for (String name : Experiment.NAMES) {
      for (boolean quick : new boolean[] {false, true}) {
        Experiment experiment = Experiment.read(name, quick);
        List<Path> folders = new ArrayList<>(List.of(Path.of("runs", name)));
        experiment.tables().keySet().forEach(table -> folders.add(Path.of("runs", name, table)));
        for (Path folder : folders) {
          List<String> over = quick ? experiment.quick() : List.of();
          int read = RowJobs.read(experiment, experiment.rows(), "in.csv", folder, over).size();
          assertEquals(experiment.rows().size(), read, name);
        }
      }
    }
  }

  @Test
  void everyFileIsListed() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(""))) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(
                  file ->
                      file.endsWith(".yaml") && !List.of("mrf.yaml", "bench.yaml").contains(file))
              .map(file -> file.replace(".yaml", ""))
              .sorted()
              .toList();
      assertEquals(Experiment.NAMES.stream().sorted().toList(), names);
    }
  }

  @Test
  void aRowCombinesWhatAnEarlierOneKept(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("x.yaml"),
            """
            title: t
            file: f
            configuration: {data: {label: y}}
            rows:
              - {name: "b", set: [], from: "a"}
              - {name: "a", set: []}
            """);
    UserException e =
        assertThrows(UserException.class, () -> Experiment.read(file.toString(), false));
    assertEquals(true, String.valueOf(e.getMessage()).contains("no row a before"), e.getMessage());
  }
}
