package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.run.Shell;

/**
 * Families of each kind with every part of a formula: the part changes the mode, or it is refused
 * with a remedy, by {@code config} as by {@code run}. No part is ignored.
 */
class FamilyPartsIT {
  private static final Families FAMILIES = Families.find();
  private static final Pattern REMEDY =
      Pattern.compile("\\b(remove|write|set|choose|leave)\\b", Pattern.CASE_INSENSITIVE);
  private static final Set<String> NO_PREDICTOR = Set.of("mixture", "ica");

  @TempDir private static Path folder;
  private static SparkSession session;
  private static int runs;
  private final Shell shell = new Shell("local[2]");

  /**
   * A part of a formula.
   *
   * @param left what the label is followed by
   * @param right what the terms are followed by
   * @param setting a key besides; empty for none
   * @param has whether a family honours it
   * @param byRows families whose refusal depends on the rows, so that config cannot know of it
   */
  private record Part(
      String left,
      String right,
      String setting,
      Predicate<ModelProvider> has,
      Set<String> byRows) {}

  private static Part part(String left, String right, Predicate<ModelProvider> has) {
    return new Part(left, right, "", has, Set.of());
  }

  private static List<Part> parts(ModelProvider family) {
    Predicate<ModelProvider> one =
        of -> !of.name().equals("softmax") && !NO_PREDICTOR.contains(of.name());
    String own = "model.formulas." + family.modelled().orElse("sigma") + "=~ x";
    boolean models = family.modelled().isPresent();
    return List.of(
        part("weights(w)", "", of -> true),
        part("", " + offset(o)", of -> of.keys().contains(ModelProvider.OFFSET)),
        part("", " + f", of -> !of.name().equals("mixture")),
        new Part("", " + s(o, k = 5)", "", one, Set.of("softmax")),
        new Part("", " + mo(m)", "", one, Set.of("softmax")),
        part("", " + (1 | g)", ModelProvider::takesEffects),
        part("", " - 1", of -> !Set.of("ordinal", "mixture", "ica").contains(of.name())),
        part("trials(n)", "", of -> false), // binomial has trials in all of its formulas
        part("cens(c)", "", of -> false),
        new Part("", "", "model.event=c", of -> of.label() == LabelKind.TIME, Set.of()),
        new Part("", "", own, of -> models, Set.of()),
        new Part("", " + (1 | g)", own, of -> false, Set.of()),
        new Part("", "", own + " + mo(m)", of -> false, Set.of()),
        new Part("", "", own + " + s(o, k = 5)", of -> false, Set.of()),
        new Part("", "", "model.prior=normal(0, 0.2)", of -> true, Set.of()));
  }

  static List<String> families() {
    return List.of(
        "logistic", "binomial", "softmax", "ordinal", "gaussian", "weibull", "mixture", "ica");
  }

  @BeforeAll
  static void table() throws IOException {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>();
    lines.add("binary,classes,real,positive,time,share,count,successes,x,f,g,w,n,o,m,c");
    for (int i = 0; i < 60; i++) {
      double x = random.nextGaussian();
      double eta = x + random.nextGaussian();
      lines.add(
          String.format(
              Locale.ROOT,
              "%d,%d,%.4f,%.4f,%.4f,%.4f,%d,%d,%.4f,%s,%s,%d,%d,%.4f,%d,%d",
              eta > 0 ? 1 : 0,
              1 + i % 3,
              eta,
              Math.exp(eta),
              Math.exp(eta),
              1 / (1 + Math.exp(-eta)),
              (int) Math.exp(eta / 2),
              i % 4,
              x,
              "abc".charAt(i % 3),
              "g" + i / 10,
              1 + i % 3,
              4 + i % 3,
              random.nextDouble(),
              1 + i % 4,
              i % 2));
    }
    Files.write(folder.resolve("t.csv"), lines);
    System.setProperty("spark.kryo.registrationRequired", "true");
    session =
        SparkSession.builder()
            .config(Session.configuration("parts").setMaster("local[2]"))
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    Session.open("parts", false); // one session for all: commands leave it alone
  }

  @AfterAll
  static void end() {
    session.stop();
    System.clearProperty("spark.kryo.registrationRequired");
  }

  private static List<String> command(ModelProvider family, Part part) {
    String label = family.label().name().toLowerCase(Locale.ROOT);
    String left = part.left;
    if (family.name().equals("binomial")) {
      left = left.isEmpty() || left.equals("trials(n)") ? "trials(n)" : "trials(n) + " + left;
    }
    String terms =
        family.name().equals("mixture") ? "1" : family.name().equals("ica") ? "0 + x" : "x";
    List<String> command =
        new ArrayList<>(
            List.of(
                "precompute",
                "--set=data.input=" + folder.resolve("t.csv"),
                "--set=output=" + folder.resolve("run" + runs++),
                "--set=sampler.algorithm=metropolis",
                "--set=model.family=" + family.name(),
                "--set=model.formula="
                    + (label + (left.isEmpty() ? "" : " | " + left) + " ~ " + terms + part.right)));
    if (family.name().equals("mixture")) {
      command.add("--set=model.sigma=1");
    }
    if (!part.setting.isEmpty()) {
      command.add("--set=" + part.setting);
    }
    return command;
  }

  /** Returns the mode and what belongs to it. */
  private String mode(List<String> command) throws IOException {
    for (String step : List.of("prepare", "precompute")) {
      command.set(0, step);
      shell.succeeds(command.toArray(String[]::new));
    }
    Path bounds = folder.resolve("run" + (runs - 1)).resolve("bounds/bounds.json");
    return new ObjectMapper().readTree(bounds.toFile()).at("/coefficients").toString();
  }

  @ParameterizedTest
  @MethodSource("families")
  void noPartIsIgnored(String name) throws IOException {
    ModelProvider family = FAMILIES.named(name);
    String plain = mode(command(family, part("", "", of -> true)));
    for (Part part : parts(family)) {
      if (name.equals("binomial") && part.left.equals("trials(n)")) {
        continue;
      }
      List<String> command = command(family, part);
      String what = String.join(" ", command);
      if (part.has.test(family)) {
        assertNotEquals(plain, mode(command), what);
        command.set(0, "config");
        assertEquals(0, shell.run(command.toArray(String[]::new)), what);
        continue;
      }
      if (NO_PREDICTOR.contains(name) && part.right.equals(" - 1")) {
        continue; // it has no coefficient of an intercept anyway
      }
      command.set(0, "run");
      int code = shell.run(command.toArray(String[]::new));
      assertEquals(2, code, () -> what + ": " + shell.err());
      String said = shell.err().strip();
      assertEquals(1, said.lines().count(), said);
      assertTrue(REMEDY.matcher(said).find(), said);
      command.set(0, "config");
      assertEquals(
          part.byRows.contains(name) ? 0 : 2,
          shell.run(command.toArray(String[]::new)),
          "config of " + what);
    }
  }
}
