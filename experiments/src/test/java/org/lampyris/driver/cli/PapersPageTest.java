package org.lampyris.driver.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;
import org.lampyris.experiments.pictures.Illustration;
import org.lampyris.experiments.reproduce.Experiment;
import picocli.CommandLine;

/**
 * The page docs/papers.md: its commands parse, its experiments and job files exist, its classes,
 * tests and links lead somewhere, and each of its rows has a status. With {@code
 * -Dlampyris.validation=all} the commands that need no data run as well, shortened.
 */
class PapersPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/papers.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(#[^)\\s]+)?\\)");
  private static final Pattern STATUS = Pattern.compile("whole(:.*)?|partly: .*|not: .*");
  private static final Pattern CLASS =
      Pattern.compile("(bounds|samplers|executors|driver|experiments)(\\.[a-z]+)+(\\.[A-Z]\\w*)+");
  private static final Pattern TEST = Pattern.compile("[A-Z]\\w*(Test|IT|Contract)");

  /** Names of {@code reproduce} and {@code programs} beyond the experiments of this module. */
  private static final Set<String> OTHERS =
      Set.of("mrf", "risk", "scaling", "mixture", "volatility", "sp500", "scaffolds", "compare");

  private static final StringWriter ERRORS = new StringWriter();
  private static final CommandLineInterface LAMPYRIS =
      new CommandLineInterface(
          new Steps(),
          new PrintWriter(new StringWriter()),
          new PrintWriter(ERRORS),
          Progress::onStandardError);

  private static List<List<String>> rows() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    boolean table = false;
    for (String line : Files.readAllLines(PAGE)) {
      table = line.startsWith("| place |") || (table && line.startsWith("|"));
      if (table && !line.startsWith("| place |") && !line.startsWith("|---")) {
        String inner = line.substring(1, line.lastIndexOf('|'));
        rows.add(Arrays.stream(inner.split("(?<!\\\\)\\|", -1)).map(String::strip).toList());
      }
    }
    return rows;
  }

  private static Set<String> codes() throws IOException {
    Set<String> codes = new TreeSet<>();
    Matcher code = CODE.matcher(Files.readString(PAGE));
    while (code.find()) {
      codes.add(code.group(1));
    }
    return codes;
  }

  private static List<String[]> commands() throws IOException {
    return codes().stream()
        .filter(code -> code.startsWith("lampyris "))
        .map(code -> code.substring("lampyris ".length()).split(" ", -1))
        .toList();
  }

  @Test
  void everyRowHasAStatusAndAPlace() throws IOException {
    List<List<String>> rows = rows();
    assertTrue(rows.size() >= 85, rows.size() + " rows");
    List<String> wrong =
        rows.stream()
            .filter(
                row ->
                    row.size() != 4
                        || !STATUS.matcher(row.get(2)).matches()
                        || row.get(3).isEmpty())
            .map(Object::toString)
            .toList();
    assertEquals(List.of(), wrong);
  }

  @Test
  void commandsParse() throws IOException {
    List<String[]> commands = commands();
    assertTrue(commands.size() > 10, commands.size() + " commands");
    List<String> wrong = new ArrayList<>();
    for (String[] command : commands) {
      try {
        LAMPYRIS.commands().parseArgs(command);
      } catch (CommandLine.ParameterException e) {
        wrong.add(String.join(" ", command) + ": " + e.getMessage());
      }
      if (command[0].equals("reproduce") || command[0].equals("programs")) {
        boolean known =
            Experiment.NAMES.contains(command[1])
                || Illustration.NAMES.contains(command[1])
                || OTHERS.contains(command[1]);
        if (!known) {
          wrong.add("no " + command[1]);
        }
      }
      for (String argument : command) {
        if (argument.endsWith(".yaml") && !Files.exists(ROOT.resolve(argument))) {
          wrong.add("no " + argument);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void anUnknownOptionWouldBeFound() {
    int exit = LAMPYRIS.execute("reproduce", "mnist", "--quickly");
    assertEquals(ExitCode.USAGE, exit, ERRORS::toString);
  }

  @Test
  void classesAndTestsAreThere() throws IOException {
    Set<String> tests;
    try (Stream<Path> files = Files.walk(ROOT, 14)) {
      tests =
          files
              .map(file -> file.toString().replace('\\', '/'))
              .filter(file -> file.contains("/src/test/java/") && file.endsWith(".java"))
              .map(file -> file.replaceAll(".*/|\\.java$", ""))
              .collect(Collectors.toSet());
    }
    List<String> lost = new ArrayList<>();
    int found = 0;
    for (String code : codes()) {
      if (CLASS.matcher(code).matches()) {
        found++;
        try {
          String nested = code.replaceAll("(?<=[A-Z]\\w{0,60})\\.", "\\$");
          Class.forName("org.lampyris." + nested, false, PapersPageTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
          lost.add(code);
        }
      } else if (TEST.matcher(code).matches() && !tests.contains(code)) {
        lost.add(code);
      }
    }
    assertTrue(found > 40, found + " classes");
    assertEquals(List.of(), lost);
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> lost = new ArrayList<>();
    Matcher link = LINK.matcher(Files.readString(PAGE));
    while (link.find()) {
      Path target = link.group(1).isEmpty() ? PAGE : PAGE.resolveSibling(link.group(1)).normalize();
      if (!Files.exists(target)
          || (link.group(2) != null && !anchors(target).contains(link.group(2)))) {
        lost.add(link.group());
      }
    }
    assertEquals(List.of(), lost);
  }

  private static Set<String> anchors(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceAll("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> "#" + line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void commandsWithoutDataRun(@TempDir Path folder) throws IOException {
    Assumptions.assumeTrue(
        "all".equals(System.getProperty("lampyris.validation")),
        "minutes long: run with -Dlampyris.validation=all");
    System.setProperty("spark.master", "local[2]");
    System.setProperty("spark.ui.enabled", "false");
    List<String> failed = new ArrayList<>();
    for (String[] command : commands()) {
      if (command[0].equals("reproduce") && !List.of(command).contains("--data")) {
        List<String> quick = new ArrayList<>(List.of(command));
        quick.addAll(List.of("--quick", "--output", folder.resolve(command[1]).toString()));
        if (LAMPYRIS.execute(quick.toArray(new String[0])) != 0) {
          failed.add(command[1] + ": " + ERRORS);
        }
      }
    }
    assertEquals(List.of(), failed);
  }
}
