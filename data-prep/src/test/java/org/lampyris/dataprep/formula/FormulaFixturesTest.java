package org.lampyris.dataprep.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * The columns of formulas, their names and their values, beside those of R's {@code model.matrix},
 * as {@code src/test/r/formula.R} has written them. Names differ in the brackets about levels, and
 * in the backquotes about names with spaces.
 */
class FormulaFixturesTest {
  private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"]|\"\")*)\",\"([^\"]*)\",(.*)");

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
      all.computeIfAbsent(found.group(1), f -> new LinkedHashMap<>()).put(found.group(2), values);
    }
    return all;
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
        new ModelFrame(formula, columns(), FormulaFixturesTest::kind, Missing.REFUSE, true);
    FormulaScan scan = scan(rows.subList(0, 7), frame);
    scan.merge(scan(rows.subList(7, 30), frame));
    Map<String, Feature> levels = scan.levels(frame, Map.of(), columns());
    Map<String, double[]> matrix = new LinkedHashMap<>();
    if (formula.intercept()) {
      double[] ones = new double[rows.size()];
      Arrays.fill(ones, 1);
      matrix.put("(Intercept)", ones);
    }
    for (ModelFrame.Output output : frame.outputs(levels, scan.numbers(frame), List.of(), true)) {
      Block block = output.block() == null ? encoded(output, rows) : output.block();
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

  private static FormulaScan scan(List<Row> rows, ModelFrame frame) {
    FormulaScan scan = new FormulaScan(frame);
    rows.forEach(
        row ->
            scan.add(
                row,
                frame,
                List.copyOf(frame.factors().values()),
                List.copyOf(frame.bases().values())));
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
    return new FactorBlock(feature, at, true, Missing.REFUSE, true);
  }

  private static String likeR(String name) {
    return name.replaceAll("\\[([^\\]]*)\\]", "$1").replace("my w", "`my w`").replace("``", "`");
  }

  @TestFactory
  List<DynamicTest> columnsAreThoseOfModelMatrix() throws IOException {
    Map<String, Map<String, double[]>> formulas = expected("columns.csv");
    assertEquals(62, formulas.size());
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
      Basis basis = wish.from(wish.on(values, "").numbers());
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
  void whatIsNoFormulaIsRefusedWithItsPlace() {
    refused("y + x", "it needs a ~");
    refused("y ~ x +", "at character 8, the formula ends too early");
    refused("y ~ x & z", "at character 7, '&' has no meaning there");
    refused("y ~ (x", "')' is missing at the end");
    refused("y ~ x z", "at character 7, 'z' is not allowed here");
    refused("y ~ x + 2", "the number 2 is not a term");
    refused("y ~ x^0.5", "the power of terms must be a whole number");
    refused(
        "y ~ x + (x || g)",
        "(x || g) requests effects without correlations; that is not available");
    refused("y ~ x + (x || g)", "The model (1 + x | g) also");
    refused("y ~ (1 | g) + (0 + x | g)", "two terms have the group 'g', so their effects");
    refused(
        "y ~ (x | g/sub)",
        "data.query: \"SELECT *, concat(g, ':', sub) AS g_sub FROM input\", and write (x | g) + (x"
            + " | g_sub)");
    refused(
        "y ~ (1 | a:`b c`)",
        "concat(a, ':', `b c`) AS `a_b c` FROM input\", and write (1 | `a_b c`)");
    refused("y ~ (1 | a/b/c)", "AS a_b, concat(a, ':', b, ':', c) AS a_b_c FROM");
    refused("y ~ (1 | a/b/c)", "write (1 | a) + (1 | a_b) + (1 | a_b_c) instead");
    refused("y ~ (1 + poly(x, 3) | g)", "write x + I(x^2) + I(x^3) instead, inside");
    refused("y ~ (poly(log(x), 2) | g)", "write I(log(x)) + I((log(x))^2) instead");
    refused("y ~ (bs(x, df = 4) | g)", "becomes 4 columns");
    refused("y ~ " + "(".repeat(20_000) + "x" + ")".repeat(20_000), "200 levels of nesting");
    refused("y ~ " + "-".repeat(20_000) + "x", "200 levels of nesting");
    refused("y ~ x" + "^2".repeat(20_000), "200 levels of nesting");
    assertEquals(
        List.of("(Intercept)"), Formula.parse("y ~ x + (1 || g)").random().get(0).effects());
    refused("y ~ 1 | g", "is not a term; it means (effects | group)");
    refused("1 ~ x", "the label before ~ is a number");
  }

  @Test
  void aFunctionThatThereIsNotIsRefusedWithWhatToWriteInstead() {
    String all =
        "There are abs, ceiling, cos, exp, expm1, floor, log, log10, log1p, log2, sin, sqrt of"
            + " numbers, and I, factor, as.factor, poly, s, t2, bs, offset.";
    Map<String, String> instead =
        Map.ofEntries(
            Map.entry("scale(x)", "AVG(x) OVER ()"),
            Map.entry("ns(x, 3)", "write bs(x, df = k)"),
            Map.entry("cut(x, 3)", "CASE WHEN x < 1"),
            Map.entry("C(f)", "write factor(x)"),
            Map.entry("relevel(f, \"q\")", "data.categorical.x.reference"),
            Map.entry("mo(z)", "write factor(x)"),
            Map.entry("te(x, z)", "write t2(x, z)"),
            Map.entry("pmin(z, 5)", "LEAST(x, 5)"),
            Map.entry("ifelse(x > 0, 1, 0)", "CASE WHEN x > 0"),
            Map.entry("I(ifelse(x > 0, 1, 0))", "CASE WHEN x > 0"),
            Map.entry("sqr(x)", "did you mean sqrt?"),
            Map.entry("frobnicate(x)", "compute it in data.query"));
    instead.forEach(
        (term, words) -> {
          String function = term.replace("I(", "").replaceFirst("\\(.*", "");
          for (String formula :
              List.of(
                  "y ~ " + term,
                  "y ~ " + term + " * z",
                  "y ~ x + offset(" + term + ")",
                  "y ~ x + (" + term + " | g)",
                  term + " ~ x")) {
            refused(formula, "there is no function " + function);
            refused(formula, words);
            refused(formula, all);
          }
        });
    refused("cbind(y, z) ~ x", "model.family: binomial");
    refused("y ~ log(x, 2, 3)", "there is no function log of 3 arguments");
    refused("y ~ bs(x)", "is not bs(x, df = k)");
    refused("y ~ factor(x + z)", "is not factor(x)");
    Formula.parse("log(y, 2) ~ as.factor(f):I(-x^2) + bs(abs(z), df = 4) + (I(x + 1) | g)");
  }

  @Test
  void effectsAreTermsAsWell() {
    UserException refused =
        assertThrows(
            UserException.class, () -> Formula.parse("y ~ x + (1 + z | g)").requireEffects());
    assertTrue(String.valueOf(refused.getMessage()).contains("as in y ~ x + z"));
    Formula.parse("y ~ . + (1 + z | g)").requireEffects();
    Formula.parse("y ~ x * z + (x:z | g)").requireEffects();
  }

  @Test
  void whatCannotBeComputedIsRefusedWithItsName() throws IOException {
    refusedOnTable("y ~ lag(x)", "there is no function lag, as in 'lag(x)'; did you mean log?");
    refusedOnTable("y ~ log(f)", "in 'log(f)', the column 'f' holds categories");
    refusedOnTable("y ~ I(x:z)", "there is no operator : for numbers");
    refusedOnTable("y ~ bs(x)", "is not bs(x, df = k), k cubic B-splines, k from 3 to 100");
    refusedOnTable("y ~ bs(x, df = 2)", "is not bs(x, df = k), k cubic B-splines, k from 3 to 100");
    refusedOnTable("y ~ poly(x, 2, coefs = 3)", "is not poly(x, k)");
    refusedOnTable("y ~ factor(x + z)", "is not factor(x)");
    refusedOnTable("y ~ poly(b1, 2)", "needs more than 2 different numbers, but b1 has 2");
    refusedOnTable("y ~ bs(I(x > 0), df = 4)", "'>' has no meaning there");
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
            new RandomTerm("carrier", List.of("(Intercept)", "x")),
            new RandomTerm("the day", List.of("f:x"))),
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
