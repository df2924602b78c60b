package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The draws stay as they are, to the bit: the SHA-256 of {@code draws.csv} of short runs through
 * the command line, against those that {@code GuardIT.txt} in the test's resources holds. There is
 * a run for every algorithm and plan, and for most families; z-kernels, θ-kernels, storage and
 * layouts are tested where they are.
 *
 * <p>Whoever means to change draws says so in the commit, and writes the file anew with {@code
 * -Dlampyris.guard=record}. {@code -Dlampyris.guard.groups=softmax.*|robust} makes some of the runs
 * only, and {@code -Dlampyris.guard.master=local[1]} makes them under another master, which changes
 * nothing. The hashes are those of a JDK 17 on x86-64: {@link Math#exp} and its like may end in
 * another bit on another processor.
 */
class GuardIT {
  private static final Path FIXTURE =
      Path.of("src/test/resources/org/lampyris/driver/run/GuardIT.txt");
  private static final int ROWS = 240;

  @TempDir private static Path folder;

  /**
   * Runs on one table: prepared and precomputed by the first.
   *
   * @param name of the group, which the names of its runs begin with
   * @param data the section {@code data}, without the input
   * @param model the section {@code model}
   * @param runs a run a line: its name, a colon, and settings below {@code sampler}
   */
  private record Group(String name, String data, String model, String runs) {}

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "logistic",
              "label: binary, features: [x1, x2]",
              "family: logistic, prior: \"normal(0, 2.5)\"",
              """
              per-row-segment: plan=segment firefly.z_kernel=per-row
              per-row-stepwise: plan=stepwise firefly.bound=local checkpoint_interval=7 thin=2
              implicit: plan=segment firefly.z_kernel=implicit firefly.q=0.05 kernel=barker
              with-stepwise: plan=stepwise firefly.z_kernel=explicit firefly.fraction=0.2
              metropolis: algorithm=metropolis kernel=hmc
              mhss: algorithm=mhss plan=segment
              mhss-stepwise: algorithm=mhss plan=stepwise kernel=random-walk
              smh: algorithm=smh plan=segment target_acceptance=0.5
              austerity: algorithm=austerity plan=segment austerity.batch=40
              confidence: algorithm=confidence plan=segment
              sgld: algorithm=sgld plan=segment sgld.batch=60 sgld.decay=0.33
              delayed: algorithm=delayed-acceptance plan=segment kernel=pcn
              penalty: algorithm=penalty plan=segment baseline.batch=200
              noise-exchange: algorithm=noise-exchange plan=segment baseline.batch=60
              naive-subsampling: algorithm=naive-subsampling plan=segment
              rhee-glynn: algorithm=rhee-glynn plan=segment baseline.batch=20
              difference: algorithm=difference-estimator plan=segment baseline.variance=0.1
              energy-conserving: algorithm=difference-estimator kernel=hmc plan=segment baseline.variance=0.1
              shards: algorithm=shards shards.count=3 shards.combine=kernel-product
              selection: algorithm=variable-selection plan=segment
              """),
          new Group(
              "weighted",
              "label: binary, features: [x1, group], weight: w, standardize: gelman, storage: float",
              "family: logistic, prior: \"student_t(4, 0, 2.5)\"",
              """
              firefly: plan=segment
              """),
          new Group(
              "sparse-float",
              "label: binary, features: [s1, s2, s3], layout: sparse, storage: float",
              "family: logistic, prior: \"laplace(0, 1)\", priors: {s1: \"cauchy(0, 2)\"}",
              """
              firefly: plan=segment kernel=slice
              """),
          new Group(
              "softmax",
              "label: class, features: [x1, x2], weight: w",
              "family: softmax, reference_class: none, prior: \"normal(0, 2)\"",
              """
              firefly: algorithm=firefly plan=segment
              """),
          new Group(
              "robust",
              "label: real, features: [x1, x2], storage: float",
              "family: robust, df: 4, scale: 0.7, prior: \"laplace(0, 1)\"",
              """
              firefly: plan=segment kernel=slice
              pseudo-marginal: algorithm=pseudo-marginal-firefly plan=segment
              """),
          new Group(
              "gaussian-sigma",
              "label: real, features: [x1, x2], standardize: unit, storage: float",
              "family: gaussian, sigma: \"half_normal(0, 10)\", prior: flat",
              """
              firefly: plan=segment
              """),
          new Group(
              "poisson",
              "label: count, features: [x1, x2]",
              "family: poisson, offset: exposure, prior: \"normal(0, 10)\"",
              """
              auto: algorithm=auto subsampling.radius=6
              firefly: algorithm=firefly plan=stepwise
              """));

  @Test
  void theDrawsAreThoseThatWereRecorded() throws IOException {
    table();
    boolean record = System.getProperty("lampyris.guard", "").equals("record");
    String groups = record ? ".*" : System.getProperty("lampyris.guard.groups", ".*");
    Map<String, String> hashes = new LinkedHashMap<>();
    for (Group group : GROUPS) {
      if (group.name.matches(groups)) {
        hashes.putAll(hashes(group));
      }
    }
    if (record) {
      Files.createDirectories(FIXTURE.getParent());
      Files.write(
          FIXTURE, hashes.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
    }
    Map<String, String> recorded = new LinkedHashMap<>();
    for (String line : Files.readAllLines(FIXTURE)) {
      String[] words = line.split("[. ]", -1);
      if (words[0].matches(groups)) {
        recorded.put(words[0] + "." + words[1], words[2]);
      }
    }
    assertEquals("", differences(recorded, hashes));
  }

  /** Returns a line for every run whose draws differ, or that only one of the two has. */
  private static String differences(Map<String, String> recorded, Map<String, String> found) {
    Map<String, String> all = new TreeMap<>(recorded);
    all.putAll(found);
    StringBuilder lines = new StringBuilder();
    for (String run : all.keySet()) {
      String before = recorded.getOrDefault(run, "none");
      String now = found.getOrDefault(run, "none");
      if (!before.equals(now)) {
        lines.append(String.format("%n%s: recorded %s, now %s", run, before, now));
      }
    }
    return lines.toString();
  }

  /** Returns the hash of every run of a group, or how it failed, by the run's name. */
  private static Map<String, String> hashes(Group group) throws IOException {
    Shell shell = new Shell(System.getProperty("lampyris.guard.master", "local[2]"));
    Path first = folder.resolve(group.name);
    String job =
        Files.writeString(
                folder.resolve(group.name + ".yaml"),
                String.format(
                    """
                    data: {input: "%s", block_rows: 16, %s}
                    model: {%s}
                    sampler: {chains: 2, warmup: 20, draws: 15, seed: 4, hmc: {leapfrog_steps: 2}}
                    """,
                    folder.resolve("table.csv"), group.data, group.model))
            .toString();
    Map<String, String> hashes = new LinkedHashMap<>();
    for (String line : group.runs.lines().toList()) {
      String name = group.name + "." + line.substring(0, line.indexOf(':'));
      Path output = hashes.isEmpty() ? first : folder.resolve(name);
      List<String> settings = new ArrayList<>(List.of("output=" + output));
      if (!hashes.isEmpty()) {
        Collections.addAll(
            settings, "prepared=" + first.resolve("prepared"), "bounds=" + first.resolve("bounds"));
      }
      // Unless a run asks for another, or for auto, which may choose any.
      settings.add("sampler.algorithm=firefly");
      for (String setting : line.substring(line.indexOf(':') + 2).split(" ", -1)) {
        settings.add("sampler." + setting);
      }
      List<String> command =
          new ArrayList<>(List.of(hashes.isEmpty() ? "run" : "sample", "--config", job));
      settings.forEach(setting -> Collections.addAll(command, "--set", setting));
      int exit = shell.run(command.toArray(String[]::new));
      boolean sampled = exit == 0 || exit == 4;
      hashes.put(name, sampled ? sha256(output.resolve("draws.csv")) : exit + ", " + shell.err());
    }
    return hashes;
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes a table with a label for every family. */
  private static void table() throws IOException {
    SplittableRandom random = new SplittableRandom(17);
    StringBuilder rows =
        new StringBuilder("binary,class,real,positive,count,x1,x2,s1,s2,s3,group,w,exposure\n");
    for (int n = 0; n < ROWS; n++) {
      rows.append(row(random));
    }
    Files.writeString(folder.resolve("table.csv"), rows, StandardCharsets.US_ASCII);
  }

  private static String row(SplittableRandom random) {
    double x1 = random.nextGaussian();
    double x2 = 3 + 2 * random.nextGaussian();
    double eta = 0.8 * x1 - 0.3 * (x2 - 3);
    double exposure = random.nextDouble();
    int count = 0;
    for (double t = random.nextExponential(); t < Math.exp(eta + exposure); count++) {
      t += random.nextExponential();
    }
    return String.format(
        Locale.ROOT,
        "%s,%s,%.6f,%.6f,%d,%.6f,%.6f,%d,%.3f,%d,%s,%d,%.6f%n",
        random.nextDouble() * 4 < 2 + eta ? "yes" : "no",
        "abc"
            .charAt(
                (int) Math.floor(Math.max(0, Math.min(2.9, 1.5 + eta + random.nextGaussian())))),
        eta + 0.6 * random.nextGaussian(),
        0.01 + Math.exp(eta) * (random.nextExponential() + random.nextExponential()) / 2,
        count,
        x1,
        x2,
        random.nextInt(4) / 3,
        random.nextInt(3) == 0 ? eta : 0,
        random.nextInt(5) / 4,
        List.of("red", "green", "blue").get(random.nextInt(3)),
        1 + random.nextInt(3),
        exposure);
  }
}
