package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The corpus of broken inputs, configurations, command lines and artefacts, {@code corpus.json}:
 * each is refused with its code, in one sentence with its words, without a stack trace, and leaves
 * nothing behind. Where an answer is right although the input is odd, the corpus says code 0 or 4.
 *
 * <p>With {@code -Dlampyris.hostile.record=<file>} what is said is written there, with the corpus;
 * {@code -Dlampyris.hostile.corpus=<file>} has other cases tried.
 */
class HostileIT {
  private static final String GOOD =
      "y,a,b,c\n1,0.5,2,x\n0,1.5,1,z\n1,-0.5,7,x\n0,2.5,3,z\n1,3.5,4,x\n0,0.25,5,z\n";

  /** Commands that take no job file. */
  private static final Set<String> WITHOUT_JOB =
      Set.of("compare", "effects", "export", "hypothesis", "loo", "report");

  /** Kinds of cases that config refuses as run does. */
  private static final Set<String> ABOUT_CONFIGURATION = Set.of("formula", "smooth", "key");

  /** Sections of the job files of earlier runs that cases build upon, by the run's name. */
  private static final Map<String, String> MODELS =
      Map.of("grouped", "model: {random: [{group: c, effects: [\"(Intercept)\"]}]}");

  private static final Map<String, String> DATA = Map.of("grouped", "features: [a, b]");

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ArrayNode SAID = MAPPER.createArrayNode();

  @TempDir static Path base;

  private static final Shell SHELL = new Shell("local[2]");
  private static SparkSession session;

  static List<Case> corpus() throws IOException {
    String other = System.getProperty("lampyris.hostile.corpus");
    try (InputStream in =
        other == null
            ? HostileIT.class.getResourceAsStream("/org/lampyris/driver/hostile/corpus.json")
            : Files.newInputStream(Path.of(other))) {
      List<Case> cases = new ArrayList<>();
      MAPPER.readTree(in).forEach(node -> cases.add(new Case((ObjectNode) node)));
      return cases;
    }
  }

  /** A case of the corpus. */
  record Case(ObjectNode node) {
    String text(String key, String byDefault) {
      return node.path(key).asText(byDefault);
    }

    List<String> texts(String key) {
      List<String> texts = new ArrayList<>();
      node.path(key).forEach(item -> texts.add(item.asText()));
      return texts;
    }

    @Override
    public String toString() {
      return text("kind", "") + ": " + text("name", "");
    }
  }

  @BeforeAll
  static void whole() throws IOException {
    // One session for all: commands leave it alone.
    System.setProperty("spark.kryo.registrationRequired", "true");
    session =
        SparkSession.builder()
            .config(org.lampyris.driver.cli.Session.configuration("hostile"))
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    org.lampyris.driver.cli.Session.open("hostile", false);
    run("whole", GOOD);
    run("other", GOOD.replace("3.5", "3.25"));
    run("grouped", GOOD);
  }

  private static void run(String name, String table) throws IOException {
    Path folder = Files.createDirectory(base.resolve(name));
    Files.writeString(folder.resolve("t.csv"), table);
    Path job =
        job(
            folder,
            folder.resolve("t.csv"),
            DATA.getOrDefault(name, ""),
            MODELS.getOrDefault(name, ""));
    SHELL.samples("run", "--config", job.toString());
  }

  @AfterAll
  static void end() throws IOException {
    session.stop();
    System.clearProperty("spark.kryo.registrationRequired");
    String record = System.getProperty("lampyris.hostile.record");
    if (record != null) {
      Files.writeString(
          Path.of(record), MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(SAID));
    }
  }

  private static Path job(Path folder, Path input, String data, String more) throws IOException {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        data: {input: "%s"%s%s}
        prepared: "%s/p"
        bounds: "%s/b"
        output: "%s/out"
        %s
        %s
        """
            .formatted(
                input,
                more.contains("formula: ") ? "" : ", label: y",
                data.isEmpty() ? "" : ", " + data,
                folder,
                folder,
                folder,
                more,
                more.contains("sampler:") ? "" : "sampler: {chains: 1, warmup: 5, draws: 5}"));
  }

  @Test
  void thereAreManyOfEachKind() throws IOException {
    List<Case> all = corpus();
    assertTrue(all.size() >= 700, all.size() + " cases");
    assertEquals(
        all.size(), all.stream().map(Case::toString).distinct().count(), "a case is twice there");
  }

  @ParameterizedTest
  @MethodSource("corpus")
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void isRefusedInASentence(Case one) throws IOException {
    Path folder = Files.createTempDirectory(base, "case");
    String[] command = command(one, folder);
    Set<String> before = files(folder);
    long begun = System.nanoTime();
    int code = SHELL.run(command);
    String err = SHELL.err().strip();
    String said = err.replace(folder.toString(), "${folder}");
    Set<String> after = files(folder);
    SAID.add(
        one.node
            .deepCopy()
            .put("was", code)
            .put("err", said)
            .put("left", left(before, after))
            .put("millis", (System.nanoTime() - begun) / 1_000_000));
    if (System.getProperty("lampyris.hostile.record") != null) {
      return;
    }
    assertEquals(one.node.path("code").asInt(-1), code, said);
    one.texts("says").forEach(word -> assertTrue(said.contains(word), () -> word + " in: " + said));
    assertFalse(said.contains("Internal error"), said);
    assertFalse(said.contains("\tat "), said);
    if (one.text("command", "run").equals("run")
        && ABOUT_CONFIGURATION.contains(one.text("kind", ""))) {
      command[0] = "config";
      // A fault that only the rows show is for run.
      boolean accepted = code == 0 || code == 4 || one.node.path("rows").asBoolean(false);
      assertEquals(accepted, SHELL.run(command) == 0, SHELL.err());
    }
    if (code == 2 || code == 3) {
      assertTrue(said.startsWith("lampyris: "), said);
      assertEquals(one.text("lines", "1"), String.valueOf(said.lines().count()), said);
      // What a step before has made, whole, may stay for the next attempt.
      if (!one.node.path("leaves").asBoolean(false)) {
        assertEquals("", left(before, after), "nothing half-written");
      }
    }
  }

  private static String left(Set<String> before, Set<String> after) {
    return after.stream().filter(name -> !before.contains(name)).collect(Collectors.joining(" "));
  }

  private static Set<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.map(path -> folder.relativize(path).toString())
          .filter(name -> !name.contains(".crc"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String[] command(Case one, Path folder) throws IOException {
    String name = one.text("command", "run");
    String of = one.text("of", "whole");
    if (one.node.has("before")) {
      copy(base.resolve(of), folder);
      // A run knows where its table and bounds are.
      for (String document : List.of("manifest.json", "steps.json")) {
        Path file = folder.resolve("out").resolve(document);
        String text =
            Files.readString(file).replace(base.resolve(of).toString(), folder.toString());
        Files.deleteIfExists(file.resolveSibling("." + document + ".crc"));
        Files.writeString(file, text);
      }
    }
    Files.createDirectory(folder.resolve("empty"));
    Files.createDirectory(folder.resolve("full"));
    Files.writeString(folder.resolve("full/mine.txt"), "mine");
    Path input = folder.resolve(one.text("input", "t.csv"));
    if (!Files.exists(input)) {
      Files.write(input, bytes(one));
    }
    Path job =
        job(
            folder,
            input,
            one.text("data", DATA.getOrDefault(of, "")),
            one.text("more", MODELS.getOrDefault(of, "")));
    if (one.node.has("job")) {
      Files.write(
          job,
          one.text("job", "")
              .getBytes(
                  one.text("encoding", "").equals("JOB16")
                      ? StandardCharsets.UTF_16
                      : StandardCharsets.UTF_8));
    }
    for (String deed :
        one.text("before", "").isEmpty() ? List.<String>of() : List.of(one.text("before", ""))) {
      spoil(folder, deed);
    }
    List<String> command = new ArrayList<>();
    String verb = name.equals("resume") ? "sample" : name;
    if (!verb.isEmpty()) {
      command.add(verb);
    }
    boolean own = one.texts("args").contains("--config");
    if (verb.equals("summarize")) {
      command.add(one.texts("args").isEmpty() ? folder.resolve("out").toString() : "");
    } else if (!own && !verb.isEmpty() && !WITHOUT_JOB.contains(verb)) {
      command.addAll(List.of("--config", job.toString()));
    }
    if (name.equals("resume")) {
      command.add("--resume");
    } else if (name.equals("sample") && one.node.has("before")) {
      command.addAll(List.of("--set", "output=" + folder.resolve("anew")));
    } else if (name.equals("precompute") && one.node.has("before")) {
      command.addAll(List.of("--set", "bounds=" + folder.resolve("anew")));
    }
    one.texts("set").forEach(set -> command.addAll(List.of("--set", set)));
    one.texts("args").forEach(command::add);
    command.remove("");
    return command.stream()
        .map(word -> word.replace("${folder}", folder.toString()))
        .toArray(String[]::new);
  }

  /** Makes something of the files that match a pattern. */
  private static void spoil(Path folder, String deed) throws IOException {
    String[] words = deed.split(" ", 3);
    String rest = words.length > 2 ? words[2] : "";
    String verb = words[0].replace("glob", "");
    PathMatcher matcher =
        FileSystems.getDefault().getPathMatcher("glob:" + folder + "/" + words[1]);
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(matcher::matches).sorted().toList();
    }
    if (verb.equals("foreign")) {
      Path foreign = folder.resolve(words[1]);
      Files.write(foreign, parquet());
      Files.deleteIfExists(foreign.resolveSibling("." + foreign.getFileName() + ".crc"));
      return;
    }
    if (verb.equals("file") || verb.equals("folder")) { // in place of what is there
      Path place = folder.resolve(words[1]);
      if (Files.exists(place)) {
        remove(place);
      }
      Files.createDirectories(verb.equals("file") ? place.getParent() : place);
      if (verb.equals("file")) {
        Files.writeString(place, rest);
      }
      return;
    }
    if (verb.equals("other")) { // what a run on another table has made there
      if (!files.isEmpty()) {
        remove(folder.resolve(words[1]));
      }
      copy(
          base.resolve("other").resolve(rest.isEmpty() ? words[1] : rest),
          folder.resolve(words[1]));
      return;
    }
    assertFalse(files.isEmpty(), deed + " has nothing to do");
    for (Path file : files) {
      Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
      switch (verb) {
        case "rm" -> remove(file);
        case "put" -> Files.writeString(file, rest);
        case "cut" ->
            Files.write(
                file,
                Arrays.copyOf(
                    Files.readAllBytes(file), Integer.parseInt(rest.isEmpty() ? "10" : rest)));
        case "dup" -> Files.copy(file, file.resolveSibling("part-more-" + file.getFileName()));
        case "flip" -> {
          byte[] bytes = Files.readAllBytes(file);
          bytes[bytes.length / 4] ^= 0x55;
          Files.write(file, bytes);
        }
        case "sub" -> {
          String[] parts = rest.split(" => ", 2);
          String text = Files.readString(file);
          String other = text.replaceFirst(parts[0], parts[1]);
          assertFalse(text.equals(other), deed + " changes nothing in " + text);
          Files.writeString(file, other);
        }
        default -> throw new IllegalArgumentException(deed);
      }
    }
  }

  private static void remove(Path file) throws IOException {
    try (Stream<Path> all = Files.walk(file)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path there = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(there);
        } else {
          Files.copy(path, there, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  private static byte[] bytes(Case one) throws IOException {
    String text = one.text("table", GOOD);
    switch (one.text("encoding", "")) {
      case "", "JOB16" -> {
        return text.getBytes(StandardCharsets.UTF_8);
      }
      case "PNG" -> {
        byte[] bytes = new byte[3000];
        new Random(1).nextBytes(bytes);
        System.arraycopy(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10}, 0, bytes, 0, 8);
        return bytes;
      }
      case "CUTGZIP" -> {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
          out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return Arrays.copyOf(bytes.toByteArray(), bytes.size() - 20);
      }
      case "CUTPARQUET" -> {
        byte[] bytes = parquet();
        return Arrays.copyOf(bytes, bytes.length - 30);
      }
      case "WIDE" -> {
        StringBuilder wide = new StringBuilder("y");
        for (int j = 0; j < 20_000; j++) {
          wide.append(",x").append(j);
        }
        for (int i = 0; i < 4; i++) {
          wide.append('\n').append(i % 2);
          for (int j = 0; j < 20_000; j++) {
            wide.append(',').append((i * 31 + j * 17) % 101);
          }
        }
        return wide.append('\n').toString().getBytes(StandardCharsets.UTF_8);
      }
      default -> {
        return text.getBytes(Charset.forName(one.text("encoding", "")));
      }
    }
  }

  /** Returns a Parquet file of something else. */
  private static byte[] parquet() throws IOException {
    Path made = Files.createTempDirectory(base, "foreign").resolve("made");
    session.range(5).write().parquet(made.toString());
    try (Stream<Path> files = Files.list(made)) {
      return Files.readAllBytes(
          files.filter(file -> file.toString().endsWith(".parquet")).findFirst().orElseThrow());
    }
  }
}
