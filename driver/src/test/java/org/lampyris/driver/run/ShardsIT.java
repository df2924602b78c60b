package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shards through the command line: sampled, kept, combined again. */
class ShardsIT {
  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() {
    Shell shell = new Shell("local[2]");
    shell.succeeds(
        ("generate --rows 2000 --features 2 --seed 3 --output " + folder.resolve("made"))
            .split(" "));
    shell.samples(command("run", "consensus"));
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static String[] command(String name, String output, String... settings) {
    List<String> command = new ArrayList<>(List.of(name));
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("made/table"),
                "data.label=y",
                "data.block_rows=128",
                "sampler.algorithm=shards",
                "sampler.shards.count=3",
                "sampler.shards.rounds=2",
                "sampler.chains=2",
                "sampler.warmup=50",
                "sampler.draws=100",
                "prepared=" + folder.resolve("prepared"),
                "bounds=" + folder.resolve("bounds"),
                "output=" + path(output)));
    all.addAll(List.of(settings));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  private static String[] and(String[] command, String... more) {
    return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
  }

  private static String[] combine(String output, String... settings) {
    return and(command("combine", output, settings), "--from", path("consensus"));
  }

  private static String draws(String name) throws IOException {
    return Files.readString(folder.resolve(name).resolve("draws.csv"));
  }

  private static JsonNode manifest(String name) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(name).resolve("manifest.json").toFile());
  }

  @Test
  void manyPartitionsDrawTheSame() throws IOException {
    for (String partitions : List.of("1", "8")) {
      String name = "partitions-" + partitions;
      shell.samples(command("sample", name, "data.partitions=" + partitions));
      assertEquals(draws("consensus"), draws(name), partitions);
    }
    JsonNode bias = manifest("consensus").path("bias");
    assertEquals(
        "sampler.shards.combine: consensus, sampler.shards.count: 3", bias.path("knob").asText());
    assertTrue(bias.path("figures").path("tail_monte_carlo_error").asDouble() > 0, bias::toString);
    assertEquals(3, manifest("consensus").path("subposteriors").path("count").asInt());
  }

  /** What goes back to the rows finds every one in the shard that it was in. */
  @ParameterizedTest
  @ValueSource(strings = {"consensus", "gaussian-product", "ep", "weierstrass-gibbs", "exact"})
  void keptDrawsAreCombinedAsIfSampledAnew(String combine) throws IOException {
    String setting = "sampler.shards.combine=" + combine;
    String own = combine.equals("weierstrass-gibbs") ? "sampler.shards.rounds=1" : "sampler.thin=1";
    shell.samples(command("sample", "at-once-" + combine, setting, own));
    shell.samples(combine("again-" + combine, setting, own));
    assertEquals(draws("at-once-" + combine), draws("again-" + combine));
    if (!combine.equals("consensus")) {
      assertNotEquals(draws("consensus"), draws("again-" + combine));
    }
    assertEquals(
        !combine.equals("exact"), manifest("again-" + combine).path("bias").isObject(), combine);
  }

  /** Without a table of its own, combining uses that of the run. */
  @Test
  void theTableIsThatOfTheRun() throws IOException {
    List<String> command = new ArrayList<>(List.of(combine("bare", "sampler.thin=1")));
    for (String folders : List.of("prepared=", "bounds=")) {
      int at =
          IntStream.range(0, command.size())
              .filter(i -> command.get(i).startsWith(folders))
              .findFirst()
              .orElseThrow();
      command.subList(at - 1, at + 1).clear();
    }
    shell.samples(command.toArray(String[]::new));
    assertEquals(draws("consensus"), draws("bare"));
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws IOException {
    refused(2, "Sample again with it", "sampler.shards.combine=wasp");
    refused(2, "Set sampler.shards.count: 3", "sampler.shards.count=4");
    refused(2, "Set sampler.seed: 1.", "sampler.seed=9");
    refused(2, "combine is for sampler.algorithm: shards", "sampler.algorithm=metropolis");
    String[] other = {"model.prior=normal(0, 1)", "bounds=" + folder.resolve("other")};
    shell.succeeds(command("precompute", "refused", other));
    assertEquals(2, shell.run(combine("refused", other)));
    assertTrue(shell.err().contains("from another table or model"), shell.err());
    String[] nowhere = and(command("combine", "refused"), "--from", path("nowhere"));
    assertEquals(3, shell.run(nowhere));
    assertTrue(shell.err().contains("keeps no subposteriors"), shell.err());
    assertFalse(Files.exists(folder.resolve("refused")));
  }

  private void refused(int exit, String message, String setting) {
    assertEquals(exit, shell.run(combine("refused", setting)), setting);
    assertTrue(shell.err().contains(message), shell.err());
  }

  /** A run without shards leaves none of an earlier run's subposteriors beside its draws. */
  @Test
  void anOverwrittenRunKeepsNothingOfTheOldOne() {
    shell.samples(command("sample", "replaced"));
    assertTrue(Files.exists(folder.resolve("replaced/subposteriors")));
    shell.samples(and(command("sample", "replaced", "sampler.algorithm=firefly"), "--overwrite"));
    assertFalse(Files.exists(folder.resolve("replaced/subposteriors")));
  }
}
