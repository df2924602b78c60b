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
 * the command line, against those that {@code GuardIT.txt} in the test's resources holds. Every
 * algorithm, plan, bound, z-kernel, θ-kernel, family, storage and layout is in one of them.
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
   * @param input the table: a file in the folder
   * @param data the section {@code data}, without the input
   * @param model the section {@code model}
   * @param runs a run a line: its name, a colon, and settings below {@code sampler}
   */
  private record Group(String name, String input, String data, String model, String runs) {}

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "logistic",
              "table.csv",
              "label: binary, features: [x1, x2]",
              "family: logistic, prior: \"normal(0, 2.5)\"",
              """
              per-row-segment: plan=segment firefly.z_kernel=per-row
              per-row-stepwise: plan=stepwise firefly.bound=local checkpoint_interval=7 thin=2
              map-tuned-mala: plan=segment firefly.bound=map-tuned kernel=mala step_size=0.8
              implicit: plan=segment firefly.z_kernel=implicit firefly.q=0.05 kernel=barker
              implicit-stepwise: plan=stepwise firefly.z_kernel=implicit kernel=random-walk
              untuned: plan=segment firefly.bound=untuned firefly.z_kernel=implicit
              with-stepwise: plan=stepwise firefly.z_kernel=explicit firefly.fraction=0.2
              without: plan=segment firefly.z_kernel=explicit firefly.scheme=without-replacement
              scheduled: plan=segment firefly.z_kernel=explicit firefly.scheme=scheduled
              theta-steps: plan=segment firefly.theta_steps=3 kernel=pcn
              slice: plan=segment kernel=slice slice.directions=random slice.updates=2
              metropolis: algorithm=metropolis kernel=hmc
              metropolis-mala: algorithm=metropolis kernel=mala preconditioner=none init=prior
              metropolis-slice: algorithm=metropolis kernel=slice slice.bracket_limit=4 draws=5
              mhss: algorithm=mhss plan=segment
              mhss-stepwise: algorithm=mhss plan=stepwise kernel=random-walk
              mhss-order-1: algorithm=mhss plan=segment subsampling.order=1 subsampling.radius=6
              smh: algorithm=smh plan=segment target_acceptance=0.5
              smh-stepwise: algorithm=smh plan=stepwise kernel=random-walk preconditioner=none
              smh-order-1: algorithm=smh plan=segment subsampling.order=1
              auto: algorithm=auto
              austerity: algorithm=austerity plan=segment austerity.batch=40
              austerity-mala: algorithm=austerity plan=stepwise kernel=mala austerity.gradient_rows=30 draws=5
              confidence: algorithm=confidence plan=segment
              confidence-dropped: algorithm=confidence plan=stepwise confidence.proxy=dropped draws=5
              sgld: algorithm=sgld plan=segment sgld.batch=60 sgld.decay=0.33
              delayed: algorithm=delayed-acceptance plan=segment kernel=pcn
              penalty: algorithm=penalty plan=segment baseline.batch=200
              noise-exchange: algorithm=noise-exchange plan=segment baseline.batch=60
              noise-exchange-replacing: algorithm=noise-exchange plan=segment baseline.batch=60 baseline.replacement=true
              naive-subsampling: algorithm=naive-subsampling plan=segment
              rhee-glynn: algorithm=rhee-glynn plan=segment baseline.batch=20
              sgld-corrected: algorithm=sgld plan=segment sgld.batch=60 sgld.corrector=austerity
              shards: algorithm=shards shards.count=3 shards.combine=kernel-product
              shards-raised: algorithm=shards shards.count=3 shards.combine=wasp-marginal kernel=mala
              shards-firefly: algorithm=shards shards.count=2 shards.algorithm=firefly shards.from=input shards.combine=ep shards.rounds=2
              selection: algorithm=variable-selection plan=segment
              selection-sequential: algorithm=variable-selection plan=stepwise variable_selection.test=sequential variable_selection.batch=40
              """),
          new Group(
              "weighted",
              "table.csv",
              "label: binary, features: [x1, group], weight: w, standardize: gelman, storage: float",
              "family: logistic, prior: \"student_t(4, 0, 2.5)\"",
              """
              firefly: plan=segment
              firefly-stepwise: plan=stepwise kernel=slice slice.directions=random-coordinate
              mhss: algorithm=mhss plan=stepwise
              metropolis: algorithm=metropolis kernel=barker
              """),
          new Group(
              "sparse-float",
              "table.csv",
              "label: binary, features: [s1, s2, s3], layout: sparse, storage: float",
              "family: logistic, prior: \"laplace(0, 1)\", priors: {s1: \"cauchy(0, 2)\"}",
              """
              firefly: plan=segment kernel=slice
              untuned: plan=stepwise firefly.bound=untuned firefly.z_kernel=implicit
              smh: algorithm=smh plan=segment kernel=random-walk
              """),
          new Group(
              "libsvm",
              "svm/table",
              "format: libsvm, label: label, intercept: false, layout: sparse",
              "family: logistic, prior: \"normal(0, 2.5)\"",
              """
              firefly: plan=segment firefly.kappa=1.5 firefly.floor=0.5 kernel=slice
              """),
          new Group(
              "parquet",
              "parquet/table",
              "label: y, standardize: unit, layout: dense",
              "family: logistic, prior_scale: input, prior: \"normal(0, 2)\"",
              """
              firefly: plan=segment init=prior
              auto: algorithm=auto
              """),
          new Group(
              "softmax",
              "table.csv",
              "label: class, features: [x1, x2], weight: w",
              "family: softmax, reference_class: none, prior: \"normal(0, 2)\"",
              """
              firefly: algorithm=firefly plan=segment
              map-tuned: algorithm=firefly plan=segment firefly.bound=map-tuned
              untuned: algorithm=firefly plan=stepwise firefly.bound=untuned firefly.z_kernel=implicit kernel=mala
              mhss: algorithm=mhss plan=segment
              metropolis: algorithm=metropolis kernel=hmc
              selection: algorithm=variable-selection plan=segment variable_selection.start=none
              """),
          new Group(
              "softmax-reference",
              "table.csv",
              "label: class, features: [s1, x1], layout: sparse",
              "family: softmax, reference_class: b, prior: \"normal(0, 2.5)\"",
              """
              firefly: algorithm=firefly plan=stepwise firefly.z_kernel=explicit
              untuned: algorithm=firefly plan=segment firefly.bound=untuned firefly.z_kernel=implicit
              smh: algorithm=smh plan=segment
              """),
          new Group(
              "robust",
              "table.csv",
              "label: real, features: [x1, x2], storage: float",
              "family: robust, df: 4, scale: 0.7, prior: \"laplace(0, 1)\"",
              """
              firefly: plan=segment kernel=slice
              map-tuned: plan=segment firefly.bound=map-tuned kernel=slice
              untuned: plan=segment firefly.bound=untuned firefly.z_kernel=explicit
              smh: algorithm=smh plan=segment
              pseudo-marginal: algorithm=pseudo-marginal-firefly plan=segment
              """),
          new Group(
              "gaussian",
              "table.csv",
              "label: real, features: [s1, x2], layout: sparse",
              "family: gaussian, sigma: 0.6, prior: flat",
              """
              firefly: plan=segment
              mhss: algorithm=mhss plan=stepwise
              metropolis: algorithm=metropolis kernel=pcn
              """),
          new Group(
              "gaussian-sigma",
              "table.csv",
              "label: real, features: [x1, x2], standardize: unit, storage: float",
              "family: gaussian, sigma: \"half_normal(0, 10)\", prior: flat",
              """
              firefly: plan=segment
              implicit: plan=stepwise firefly.z_kernel=implicit kernel=mala
              metropolis: algorithm=metropolis kernel=random-walk
              """),
          new Group(
              "gaussian-jeffreys",
              "table.csv",
              "label: real, features: [x1, group]",
              "family: gaussian, sigma: jeffreys, prior: \"normal(0, 2.5)\"",
              """
              firefly: plan=segment init=overdispersed
              selection: algorithm=variable-selection plan=segment kernel=pcn variable_selection.max_size=2
              """),
          new Group(
              "gamma",
              "table.csv",
              "label: positive, features: [x1, x2], weight: w",
              "family: gamma, shape: 2, prior: \"normal(0, 2.5)\"",
              """
              metropolis: algorithm=metropolis kernel=hmc
              mhss: algorithm=mhss plan=segment subsampling.radius=6
              firefly: algorithm=firefly plan=segment
              """),
          new Group(
              "poisson",
              "table.csv",
              "label: count, features: [x1, x2]",
              "family: poisson, offset: exposure, prior: \"normal(0, 10)\"",
              """
              metropolis: algorithm=metropolis kernel=mala
              smh: algorithm=smh plan=segment subsampling.radius=6
              auto: algorithm=auto subsampling.radius=6
              firefly: algorithm=firefly plan=stepwise
              """),
          new Group(
              "mixture",
              "table.csv",
              "label: real, features: [x1]",
              "family: mixture, sigma: 1, prior: \"normal(0, 3)\"",
              """
              firefly: plan=segment
              firefly-stepwise: plan=stepwise kernel=barker
              metropolis: algorithm=metropolis kernel=slice draws=5
              """));

  @Test
  void theDrawsAreThoseThatWereRecorded() throws IOException {
    tables();
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
                    folder.resolve(group.input), group.data, group.model))
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

  /** Writes the tables: one with a label for every family, and two generated ones. */
  private static void tables() throws IOException {
    SplittableRandom random = new SplittableRandom(17);
    StringBuilder rows =
        new StringBuilder("binary,class,real,positive,count,x1,x2,s1,s2,s3,group,w,exposure\n");
    for (int n = 0; n < ROWS; n++) {
      rows.append(row(random));
    }
    Files.writeString(folder.resolve("table.csv"), rows, StandardCharsets.US_ASCII);
    String table = "generate --rows 240 --features 3 --seed 5 --correlation 0.3 --output " + folder;
    Shell shell = new Shell("local[2]");
    shell.succeeds((table + "/parquet").split(" "));
    shell.succeeds((table + "/svm --format libsvm").split(" "));
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
