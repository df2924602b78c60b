package org.lampyris.dataprep.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.formula.Block.FactorBlock;
import org.lampyris.dataprep.formula.Formula.RandomTerm;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * The columns of formulas, their names and their values, beside those of R's {@code model.matrix},
 * as {@code src/test/r/formula.R} has written them. Names differ in the brackets about levels, and
 * in the backquotes about names with spaces.
 */
class FormulaFixturesTest {
  private static final Pattern QUOTED =
      Pattern.compile("\"((?:[^\"]|\"\")*)\",\"((?:[^\"]|\"\")*)\",(.*)");

  private static List<String> lines(String file) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            FormulaFixturesTest.class.getClassLoader().getResourceAsStream("formula/" + file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** Returns the columns of each formula, by name. */
  private static Map<String, Map<String, double[]>> expected(String file) throws IOException {
    Map<String, Map<String, double[]>> all = new LinkedHashMap<>();
    for (String line : lines(file)) {
      Matcher found = QUOTED.matcher(line);
      assertTrue(found.matches(), line);
      double[] values =
          Arrays.stream(found.group(3).split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      all.computeIfAbsent(unquoted(found.group(1)), f -> new LinkedHashMap<>())
          .put(unquoted(found.group(2)), values);
    }
    return all;
  }

  private static String unquoted(String text) {
    return text.replace("\"\"", "\"");
  }

  private static List<Row> table() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : lines("table.csv").subList(1, 31)) {
      rows.add(
          RowFactory.create(
              Arrays.stream(line.split(",", -1))
                  .map(cell -> CellText.number(cell) == null ? cell : CellText.number(cell))
                  .toArray()));
    }
    return rows;
  }

  private static List<String> columns() throws IOException {
    return List.of(lines("table.csv").get(0).split(",", -1));
  }

  private static FeatureKind kind(String column) {
    return List.of("f", "g", "h").contains(column) ? FeatureKind.CATEGORICAL : FeatureKind.NUMERIC;
  }

  /** Returns the matrix of a formula: columns by name, in their order. */
  private static Map<String, double[]> matrix(String text) throws IOException {
    List<Row> rows = table();
    Formula formula = Formula.parse(text).over(columns());
    // Once more from what is stored.
    formula = Formula.parse(formula.stored());
    ModelFrame frame =
        new ModelFrame(
            formula, columns(), FormulaFixturesTest::kind, Missing.REFUSE, formula.computed());
    FormulaScan scan = scan(rows.subList(0, 7), frame);
    scan.merge(scan(rows.subList(7, 30), frame));
    Map<String, List<Double>> numbers = scan.numbers(frame);
    Map<String, Feature> levels = scan.levels(frame, Map.of(), numbers);
    Map<String, double[]> matrix = new LinkedHashMap<>();
    if (formula.intercept()) {
      double[] ones = new double[rows.size()];
      Arrays.fill(ones, 1);
      matrix.put("(Intercept)", ones);
    }
    for (ModelFrame.Output output : frame.outputs(levels, numbers, List.of(), true)) {
      Block block = output.block() == null ? encoded(output, rows) : sent(output.block());
      List<String> names = block.names();
      for (int k = 0; k < names.size(); k++) {
        matrix.put(names.get(k), new double[rows.size()]);
      }
      for (int n = 0; n < rows.size(); n++) {
        int[] index = new int[block.width()];
        double[] value = new double[block.width()];
        int count = block.write(rows.get(n), frame.cells(rows.get(n)), index, value);
        for (int k = 0; k < count; k++) {
          Objects.requireNonNull(matrix.get(names.get(index[k])))[n] = value[k];
        }
      }
    }
    return matrix;
  }

  /** Returns a block as an executor receives it. */
  private static Block sent(Block block) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(block);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (Block) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  private static FormulaScan scan(List<Row> rows, ModelFrame frame) {
    FormulaScan scan = new FormulaScan(frame);
    List<Factor> factors = List.copyOf(frame.factors().values());
    List<Scalar> numbers = List.copyOf(frame.bases().values());
    RowCounter counter = new RowCounter();
    for (Row row : rows) {
      counter.add();
      scan.add(row, counter, frame, factors, numbers);
    }
    return scan;
  }

  /** Returns the columns that a feature gets when the table is prepared. */
  private static Block encoded(ModelFrame.Output output, List<Row> rows) throws IOException {
    int at = columns().indexOf(output.levelsOf() == null ? output.name() : output.levelsOf());
    if (output.kind() == FeatureKind.NUMERIC) {
      return new Block.Numeric(output.name(), cells -> cells[at]);
    }
    List<String> levels =
        rows.stream()
            .map(row -> CellText.level(row.get(at)))
            .distinct()
            .sorted(CellText::compareLevels)
            .toList();
    Feature feature =
        new Feature(output.name(), FeatureKind.CATEGORICAL, 1, levels, levels.get(0), null);
    return new FactorBlock(
        feature, (row, cells) -> CellText.level(row.get(at)), Contrast.TREATMENT, true);
  }

  private static String likeR(String name) {
    return name.replaceAll("\\[([^\\]]*)\\]", "$1").replace("my w", "`my w`").replace("``", "`");
  }

  @TestFactory
  List<DynamicTest> columnsAreThoseOfModelMatrix() throws IOException {
    Map<String, Map<String, double[]>> formulas = expected("columns.csv");
    assertEquals(135, formulas.size());
    return formulas.entrySet().stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.getKey(), () -> assertSame(one.getValue(), matrix(one.getKey()))))
        .toList();
  }

  private static void assertSame(Map<String, double[]> expected, Map<String, double[]> found) {
    assertEquals(
        List.copyOf(expected.keySet()),
        found.keySet().stream().map(FormulaFixturesTest::likeR).toList());
    List<double[]> values = List.copyOf(found.values());
    int k = 0;
    for (Map.Entry<String, double[]> one : expected.entrySet()) {
      double largest = Arrays.stream(one.getValue()).map(Math::abs).max().orElseThrow();
      for (int n = 0; n < one.getValue().length; n++) {
        assertEquals(
            one.getValue()[n], values.get(k)[n], 1e-12 * (largest + 1), one.getKey() + " " + n);
      }
      k++;
    }
  }

  @Test
  void functionsGoOnBeyondTheTable() throws IOException {
    double[] x = table().stream().mapToDouble(row -> (Double) row.get(1)).toArray();
    ValueSketch values = new ValueSketch();
    Arrays.stream(x).forEach(values::add);
    double[] at = {values.min() - 1, 0.1, values.max() + 0.5};
    for (Map.Entry<String, Map<String, double[]>> one : expected("new.csv").entrySet()) {
      Basis.Wish wish =
          Objects.requireNonNull(
              Basis.Wish.of((Expression.Call) FormulaParser.parse(one.getKey()), ""));
      Basis basis = wish.from(wish.learned(values));
      for (int n = 0; n < at.length; n++) {
        double[] out = new double[basis.size()];
        basis.write(at[n], out);
        int k = 0;
        for (double[] expected : one.getValue().values()) {
          assertEquals(expected[n], out[k++], 1e-11 * (1 + Math.abs(expected[n])), one.getKey());
        }
      }
    }
  }

  @Test
  void theSketchDoesNotDependOnTheOrder() {
    Random random = new Random(4);
    double[] x = random.doubles(20_000).map(u -> Math.floor(1e4 * u * u)).toArray();
    ValueSketch all = new ValueSketch(500);
    Arrays.stream(x).forEach(all::add);
    ValueSketch merged = new ValueSketch(500);
    for (int part = 6; part >= 0; part--) {
      ValueSketch some = new ValueSketch(500);
      for (int n = part; n < x.length; n += 7) {
        some.add(x[n]);
      }
      merged.merge(some);
    }
    assertEquals(500, all.size());
    assertTrue(Arrays.equals(all.values(), merged.values()));
    assertTrue(Arrays.equals(all.counts(), merged.counts()));
    assertEquals(20_000, merged.rows());
    for (int k = 0; k < 500; k++) {
      double value = all.values()[k];
      assertEquals(Arrays.stream(x).filter(one -> one == value).count(), all.counts()[k]);
    }
    // The median of 10⁴ u² is 2500; of 500 values drawn, 4.5 % of the rows is two deviations.
    assertEquals(0.5, Math.sqrt(all.quantile(0.5) / 1e4), 0.045);
  }

  @Test
  void meansAndDeviationsAreOfAllValuesAndOfNoOrder() {
    double[] x = new Random(5).doubles(5_000).map(u -> 1e6 + u).toArray();
    ValueSketch all = new ValueSketch(100);
    ValueSketch merged = new ValueSketch(100);
    Arrays.stream(x).forEach(all::add);
    for (int part = 2; part >= 0; part--) {
      ValueSketch some = new ValueSketch(100);
      for (int n = part; n < x.length; n += 3) {
        some.add(x[n]);
      }
      merged.merge(some);
    }
    double mean = Arrays.stream(x).map(one -> one - 1e6).average().orElseThrow();
    double squares = Arrays.stream(x).map(one -> Math.pow(one - 1e6 - mean, 2)).sum();
    assertEquals(1e6 + mean, all.mean(), 1e-9);
    assertEquals(Math.sqrt(squares / 4_999), all.sd(true), 1e-12);
    assertEquals(all.mean(), merged.mean(), 0);
    assertEquals(all.sd(true), merged.sd(true), 0);
  }

  @Test
  void whatIsNoFormulaIsRefusedWithItsPlace() {
    refused("y + x", "it needs a ~");
    refused("y ~ x +", "at character 8, the formula ends too early");
    refused("y ~ x @ z", "at character 7, '@' has no meaning there");
    refused(
        "d$y ~ x", "at character 2, '$' has no meaning there; name a column alone, without its");
    refused("y ~ I(f == \"a)", "close the quotation mark");
    refused("y ~ (x", "')' is missing at the end");
    refused("y ~ x z", "at character 7, 'z' is not allowed here");
    refused("y ~ x + 2", "the number 2 is not a term");
    refused("y ~ x^0.5", "the power of terms must be a whole number");
    refused("y ~ x + (x || g) + (1 | g)", "two terms let '(Intercept)' vary by 'g'; leave it out");
    refused("y ~ (1 | log(g))", "the group 'log(g)' in (1 | log(g)) is no column; compute it in");
    refused(
        "y ~ (1 | mm(a, b))", "there is no function mm, as in 'mm(a, b)'; write (1 | g) for each");
    refused("y ~ (1 | 1)", "the group in (1 | 1) is no column");
    refused("y ~ (0 | g)", "nothing varies in (0 | g)");
    refused("y ~ (s(x) | g)", "write s(x, by = g), a smooth for each level of g");
    refused("y ~ " + "(".repeat(20_000) + "x" + ")".repeat(20_000), "200 levels of nesting");
    refused("y ~ " + "-".repeat(20_000) + "x", "200 levels of nesting");
    refused("y ~ x" + "^2".repeat(20_000), "200 levels of nesting");
    assertEquals(
        List.of(new RandomTerm("g", List.of("(Intercept)"), true)),
        Formula.parse("y ~ x + (1 || g)").random());
    refused("y ~ 1 | g", "is not a term; it means (effects | group)");
    refused("bf(y ~ x, sigma ~ z)", "there is no function bf");
    refused("y ~ mo(x):mo(z)", "multiplies two monotonic effects; multiply one by ordered()");
    refused("y ~ mo(x) + (mo(x) | g)", "'mo(x)' cannot vary by a group");
    refused("y ~ mo(log(x))", "'mo(log(x))' is not mo(x), x a column of whole numbers");
    refused("y ~ mo(ordered(x))", "or mo(ordered(x, levels = c(\"low\", \"high\")))");
    refused("y ~ factor(mo(x))", "'mo(x)' stands within another function");
    refused("1 ~ x", "the label before ~ is a number");
  }

  @Test
  void aFunctionThatThereIsNotIsRefusedWithWhatToWriteInstead() {
    String all = "There are abs, as.integer, as.numeric, ceiling, ";
    Map<String, String> instead =
        Map.ofEntries(
            Map.entry("rcs(x, 3)", "write ns(x, df = k), natural cubic splines"),
            Map.entry("te(x, z)", "write t2(x, z)"),
            Map.entry("gp(x)", "write s(x)"),
            Map.entry("interaction(f, g)", "write a:b"),
            Map.entry("paste(f, g)", "write a:b"),
            Map.entry("as.character(x)", "write factor(x)"),
            Map.entry("case_when(x)", "write ifelse("),
            Map.entry("center(x)", "write scale(x, scale = FALSE)"),
            Map.entry("mean(x)", "write scale(x, scale = FALSE) for x about its mean"),
            Map.entry("max(x, z)", "write pmax(x, z)"),
            Map.entry("logit(x)", "write qlogis(p)"),
            Map.entry(
                "is.na(x)", "set data.missing, and compute (x IS NULL) AS x_missing in data."),
            Map.entry("quantile(x)", "NTILE(4) OVER (ORDER BY x)"),
            Map.entry("lag(x)", "LAG(x) OVER (PARTITION BY id ORDER BY t)"),
            Map.entry("month(x)", "MONTH(day) AS month in data.query"),
            Map.entry("strata(g)", "write (1 | g)"),
            Map.entry("trials(z)", "write k | trials(n) before ~"),
            Map.entry("weights(z)", "write y | weights(w) before ~"),
            Map.entry("cens(z)", "set model.event, with model.family: weibull"),
            Map.entry("ar(x)", "write s(time), or (1 | g)"),
            Map.entry("sqr(x)", "did you mean sqrt?"),
            Map.entry("frobnicate(x)", "compute it in data.query"));
    instead.forEach(
        (term, words) -> {
          String function = term.replaceFirst("\\(.*", "");
          for (String formula :
              List.of(
                  "y ~ " + term,
                  "y ~ " + term + " * z",
                  "y ~ I(" + term + ")",
                  "y ~ x + offset(" + term + ")",
                  "y ~ x + (" + term + " | g)",
                  term + " ~ x")) {
            refused(formula, "there is no function " + function);
            refused(formula, words);
            refused(formula, all);
          }
        });
    refused("y ~ cbind(x, z)", "write cbind(successes, failures) before ~");
    refused("y ~ log(x, 2, 3)", "there is no function log of 3 arguments");
    Formula.parse("log(y, 2) ~ as.factor(f):I(-x^2) + bs(abs(z), df = 4) + (I(x + 1) | g)");
  }

  @Test
  void anArgumentThatIsWrongIsRefusedWithWhatToWrite() {
    refused(
        "y ~ bs(x)", "is not bs(x, df = k), k cubic B-splines, k from 3 to 100, or bs(x, knots");
    refused("y ~ ns(x, df = 0)", "is not ns(x, df = k), k natural cubic splines, k from 1 to 100");
    refused("y ~ ns(x, knots = c(2, 1))", "with ascending inner knots");
    refused("y ~ poly(x, z)", "write poly(x, k) * poly(z, k) for two columns");
    refused("y ~ poly(x, 2, coefs = 3)", "is not poly(x, k)");
    refused("y ~ factor(x + z)", "is not factor(x), x a column of numbers or text");
    refused("y ~ factor(x, levels = c(1, 1))", "with levels = c(\"low\", \"high\")");
    refused("y ~ relevel(f)", "is not relevel(f, ref = \"b\")");
    refused("y ~ C(f, bogus)", "is not C(f, sum), C(f, helmert), C(f, poly) or C(f, treatment)");
    refused("y ~ cut(x)", "is not cut(x, c(0, 1, 5)) or cut(x, k)");
    refused("y ~ cut(x, c(1, 2), labels = c(\"a\", \"b\"))", "a label for each interval");
    refused("y ~ scale(x, 2)", "is not scale(x), with center = FALSE or scale = FALSE");
    refused("y ~ ifelse(x > 0, 1)", "is not ifelse(condition, yes, no)");
    refused("y ~ ifelse(x > 0, \"a\", 1)", "'1' is no text, and the other choice of ifelse is one");
    refused("y ~ I(poly(x, 2))", "stands within another function, where a number is due");
    refused("y ~ bs(I(scale(x)^2), df = 4)", "a function within that depends on all rows");
    refused("y ~ \"x\"", "\"x\" is a text, and a number is due");
    refused("cbind(a, b, c) ~ x", "is not cbind(successes, failures) of two columns");
    refused("y | cens(c) ~ x", "there is no function cens, as in 'cens(c)'; set model.event");
    refused("y | w ~ x", "'w' behind | is not trials(n) or weights(w), each once");
    refused("relevel(y, ref = \"b\") ~ x", "write y before ~ and set data.positive or model.order");
  }

  @Test
  void theLeftSideHasTrialsAndWeights() {
    Formula counts = Formula.parse("cbind(k, n - k) ~ x");
    assertEquals("k", counts.label());
    assertEquals("n", counts.trialsName().orElseThrow());
    assertEquals("k | trials(n) ~ x", counts.stored());
    assertEquals("won + lost", Formula.parse("cbind(won, lost) ~ x").trialsName().orElseThrow());
    Formula both = Formula.parse("log(y) | weights(w * 2) + trials(n) ~ x + offset(log(t))");
    assertEquals("w * 2", both.weightsName().orElseThrow());
    assertEquals(both.left(), Formula.parse(both.stored()).left());
    assertEquals(Set.of("log(y)", "w * 2", "log(t)"), both.computed());
    assertEquals(Set.of("x", "y", "w", "n", "t"), both.columns());
    assertEquals("y", Formula.parse("factor(y) ~ x").label());
    assertEquals("y == \"yes\"", Formula.parse("y == \"yes\" ~ x").label());
  }

  /** Returns what a formula of the fixtures lets vary: group, number of levels and effects. */
  private static List<List<String>> random(String text) throws IOException {
    List<List<String>> all = new ArrayList<>();
    Set<String> columns = matrix(text).keySet();
    for (RandomTerm term : Formula.parse(text).random()) {
      List<String> parts = List.of(term.group().split(":"));
      Set<String> levels = new HashSet<>();
      for (Row row : table()) {
        levels.add(
            parts.stream()
                .map(part -> CellText.level(row.get(columnIndex(part))))
                .collect(Collectors.joining(":")));
      }
      List<String> effects = new ArrayList<>();
      for (String effect : term.effects()) {
        columns.stream()
            .filter(name -> !name.contains(":") || effect.contains(":"))
            .filter(
                name ->
                    name.equals(effect)
                        || name.matches(Pattern.quote(effect) + "(\\[.*\\]|[0-9]+)")
                        || (effect.contains(":") && stripped(name).equals(effect)))
            .forEach(name -> effects.add(likeR(name)));
      }
      String group = parts.stream().sorted().collect(Collectors.joining(":"));
      List<List<String>> blocks =
          term.correlated() ? List.of(effects) : effects.stream().map(List::of).toList();
      for (List<String> block : blocks) {
        List<String> one = new ArrayList<>(List.of(group, String.valueOf(levels.size())));
        one.addAll(block);
        all.add(one);
      }
    }
    return all;
  }

  private static String stripped(String name) {
    return name.replaceAll("\\[[^\\]]*\\]", "");
  }

  private static int columnIndex(String name) {
    try {
      return columns().indexOf(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TestFactory
  List<DynamicTest> effectsAreThoseOfLme4() throws IOException {
    Map<String, Set<List<String>>> expected = new LinkedHashMap<>();
    for (String line : lines("random.csv")) {
      List<String> cells =
          Arrays.stream(line.split("(?<=\"|[0-9]),(?=\"|[0-9])"))
              .map(cell -> cell.replaceAll("^\"|\"$", ""))
              .collect(Collectors.toCollection(ArrayList::new));
      String formula = cells.remove(0);
      String[] parts = cells.get(0).replaceAll("[()]", "").split(":");
      Arrays.sort(parts);
      cells.set(0, String.join(":", parts));
      expected.computeIfAbsent(formula, f -> new HashSet<>()).add(cells);
    }
    assertEquals(23, expected.size());
    return expected.entrySet().stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.getKey(),
                    () -> assertEquals(one.getValue(), new HashSet<>(random(one.getKey())))))
        .toList();
  }

  /**
   * Returns a name as brms writes it: no blanks, brackets or quotes, and letters for operators. The
   * factors of a product are sorted, because brms orders terms before it makes their columns.
   */
  private static String likeBrms(String name) {
    return sorted(
        likeR(name)
            .replaceAll("[ ()\\[\\],\"'?`]", "")
            .replace("+", "P")
            .replace("-", "M")
            .replace("*", "MU")
            .replace("/", "D")
            .replace("^", "E")
            .replace("=", "EQ"));
  }

  private static String sorted(String product) {
    return Arrays.stream(product.split(":", -1)).sorted().collect(Collectors.joining(":"));
  }

  /** Returns the sum of n times the number of row n's level; levels are numbered as they appear. */
  private static String partition(String group) throws IOException {
    List<String> seen = new ArrayList<>();
    int sum = 0;
    int n = 0;
    for (Row row : table()) {
      String level =
          Arrays.stream(group.split(":"))
              .map(part -> CellText.level(row.get(columnIndex(part))))
              .collect(Collectors.joining(":"));
      if (!seen.contains(level)) {
        seen.add(level);
      }
      sum += ++n * (seen.indexOf(level) + 1);
    }
    return String.valueOf(sum);
  }

  /**
   * Columns and effects are those of brms's {@code make_standata}: names, order, and the sums of n
   * v and n² v over the rows n with values v, as {@code src/test/r/formula-brms.R} has written
   * them.
   */
  @TestFactory
  List<DynamicTest> columnsAndEffectsAreThoseOfBrms() throws IOException {
    Pattern line = Pattern.compile("\"((?:[^\"]|\"\")*)\",\"([^\"]*)\",\"((?:[^\"]|\"\")*)\",(.*)");
    Map<String, List<Matcher>> formulas = new LinkedHashMap<>();
    for (String text : lines("brms.csv")) {
      Matcher found = line.matcher(text);
      if (found.matches()) {
        formulas.computeIfAbsent(unquoted(found.group(1)), f -> new ArrayList<>()).add(found);
      }
    }
    assertEquals(155, formulas.size());
    return formulas.entrySet().stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.getKey(), () -> assertBrms(one.getKey(), one.getValue())))
        .toList();
  }

  private static void assertBrms(String formula, List<Matcher> lines) throws IOException {
    Map<String, double[]> columns = new LinkedHashMap<>();
    matrix(formula).forEach((name, values) -> columns.put(likeBrms(name), values));
    List<String> names = new ArrayList<>();
    Map<String, List<String>> blocks = new LinkedHashMap<>();
    for (Matcher line : lines) {
      String name = sorted(unquoted(line.group(3)));
      String[] cells = line.group(4).split(",", -1);
      if (line.group(2).equals("X")) {
        names.add(name);
      } else {
        String group = sorted(line.group(2).replaceFirst(".* ", ""));
        blocks
            .computeIfAbsent(
                line.group(2), b -> new ArrayList<>(List.of(group, cells[2], cells[3])))
            .add(name);
      }
      double[] values = Objects.requireNonNull(columns.get(name), name);
      double[] sums = new double[3];
      for (int n = 1; n <= values.length; n++) {
        sums[0] += n * values[n - 1];
        sums[1] += n * n * values[n - 1];
        sums[2] += n * n * Math.abs(values[n - 1]);
      }
      for (int k = 0; k < 2; k++) {
        assertEquals(Double.parseDouble(cells[k]), sums[k], 1e-11 * (1 + sums[2]), name);
      }
    }
    assertEquals(names, List.copyOf(columns.keySet()));
    Set<List<String>> found = new HashSet<>();
    for (List<String> block : random(formula)) {
      List<String> one = new ArrayList<>(List.of(block.get(0), block.get(1)));
      one.add(partition(block.get(0)));
      block.stream().skip(2).map(FormulaFixturesTest::likeBrms).forEach(one::add);
      found.add(one);
    }
    assertEquals(new HashSet<>(blocks.values()), found);
  }

  @Test
  void effectsAreTermsAsWell() {
    UserException refused =
        assertThrows(
            UserException.class, () -> Formula.parse("y ~ x + (1 + z | g)").requireEffects());
    assertTrue(String.valueOf(refused.getMessage()).contains("as in y ~ x + z"));
    Formula.parse("y ~ . + (1 + z | g)").requireEffects();
    Formula.parse("y ~ x * z + (x:z | g)").requireEffects();
    Formula.parse("y ~ s(x) + t2(w, z) + scale(u) + (x + w + z + u | g)").requireEffects();
  }

  @Test
  void whatCannotBeComputedIsRefusedWithItsName() throws IOException {
    refusedOnTable("y ~ lagg(x)", "there is no function lagg, as in 'lagg(x)'; did you mean log?");
    refusedOnTable("y ~ log(f)", "in 'log(f)', the column 'f' holds categories");
    refusedOnTable("y ~ I(x:z)", "there is no operator : for numbers");
    refusedOnTable("y ~ bs(x)", "is not bs(x, df = k), k cubic B-splines, k from 3 to 100");
    refusedOnTable("y ~ bs(x, df = 2)", "is not bs(x, df = k), k cubic B-splines, k from 3 to 100");
    refusedOnTable("y ~ poly(x, 2, coefs = 3)", "is not poly(x, k)");
    refusedOnTable("y ~ factor(x + z)", "is not factor(x)");
    refusedOnTable("y ~ poly(b1, 2)", "needs more than 2 different numbers, but b1 has 2");
    refusedOnTable(
        "y ~ bs(I(x > 0), df = 4)", "needs more than 4 different numbers, but I(x > 0) has");
    refusedOnTable(
        "y ~ I(f > 2)", "the column 'f' holds categories instead of numbers; compare it with");
    refusedOnTable("y ~ scale(b1 - b1)", "b1 - b1 is the same in every row");
    refusedOnTable("y ~ cut(x, c(7, 8, 9))", "has no level in any row");
    refusedOnTable("y ~ relevel(f, ref = \"z\")", "the reference 'z' is not a level of column");
    refusedOnTable("y ~ bs(x, knots = 50)", "knots must lie between the smallest and the largest");
  }

  private static void refused(String text, String words) {
    UserException refused = assertThrows(UserException.class, () -> Formula.parse(text), text);
    assertTrue(String.valueOf(refused.getMessage()).contains(words), refused.getMessage());
  }

  private static void refusedOnTable(String text, String words) {
    UserException refused = assertThrows(UserException.class, () -> matrix(text), text);
    assertTrue(String.valueOf(refused.getMessage()).contains(words), refused.getMessage());
  }

  @Test
  void groupsAndOffsetsAreNoTerms() {
    Formula formula =
        Formula.parse("d ~ x + (1 + x | carrier) + offset(log(t)) + f + (0 + f:x | `the day`)");
    assertEquals(List.of("x", "f"), formula.termLabels());
    assertEquals(
        List.of(
            new RandomTerm("carrier", List.of("(Intercept)", "x"), true),
            new RandomTerm("the day", List.of("f:x"), true)),
        formula.random());
    assertEquals("log(t)", formula.offsetName().orElseThrow());
    assertEquals("d ~ x + f + offset(log(t))", formula.stored());
    assertTrue(Formula.parse("d ~ (1 | g)").intercept());
    assertTrue(!Formula.parse("d ~ 0 + x + (1 | g)").intercept());
    assertEquals(
        List.of("x", "z"),
        Formula.parse("d ~ . + offset(t) + (1 | g)")
            .over(List.of("d", "x", "g", "t", "z"))
            .termLabels());
  }
}
