package org.lampyris.dataprep.formula;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Penalised smooths beside those of mgcv, as {@code src/test/r/smooths.R} has written them: the
 * B-splines, the columns without a penalty, and ZZᵀ of the columns that share a scale.
 */
class SmoothTest {
  private static final List<String> COLUMNS = List.of("x", "z", "f");
  private static final Map<String, Map<String, List<String[]>>> MGCV = mgcv();

  /** Returns the columns of each matrix, by smooth and by what it is. */
  private static Map<String, Map<String, List<String[]>>> mgcv() {
    Map<String, Map<String, List<String[]>>> all = new LinkedHashMap<>();
    try (InputStream in =
        Objects.requireNonNull(
            SmoothTest.class.getClassLoader().getResourceAsStream("formula/smooths.csv"))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        String[] cells = line.split(";", -1);
        all.computeIfAbsent(cells[0], smooth -> new LinkedHashMap<>())
            .computeIfAbsent(cells[1], what -> new ArrayList<>())
            .add(Arrays.copyOfRange(cells, 2, cells.length));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return all;
  }

  private static List<String[]> cells(String smooth, String what) {
    return Objects.requireNonNull(Objects.requireNonNull(MGCV.get(smooth)).get(what), what);
  }

  private static DMatrixRMaj matrix(String smooth, String what) {
    double[][] columns =
        cells(smooth, what).stream()
            .map(column -> Arrays.stream(column).mapToDouble(Double::parseDouble).toArray())
            .toArray(double[][]::new);
    return CommonOps_DDRM.transpose(new DMatrixRMaj(columns), null);
  }

  private static List<Row> rows(String which) {
    String[] x = cells(which, "x").get(0);
    String[] z = cells(which, "z").get(0);
    String[] f = cells(which, "f").get(0);
    return IntStream.range(0, x.length)
        .mapToObj(n -> RowFactory.create(Double.valueOf(x[n]), Double.valueOf(z[n]), f[n]))
        .toList();
  }

  private static FeatureKind kind(String column) {
    return column.equals("f") ? FeatureKind.CATEGORICAL : FeatureKind.NUMERIC;
  }

  /** A formula on a table: its first term's columns, and its smooths. */
  private record Made(ModelFrame frame, Block block, List<TableSchema.Smooth> smooths) {
    static Made of(String term, List<Row> rows) {
      Formula formula = Formula.parse(Formula.parse("y ~ " + term).stored());
      ModelFrame frame =
          new ModelFrame(formula, COLUMNS, SmoothTest::kind, Missing.REFUSE, Set.of());
      FormulaScan scan = new FormulaScan(frame);
      List<Factor> factors = List.copyOf(frame.factors().values());
      List<Scalar> numbers = List.copyOf(frame.bases().values());
      RowCounter counter = new RowCounter();
      rows.forEach(row -> scan.add(row, counter, frame, factors, numbers));
      Map<String, Feature> levels = scan.levels(frame, Map.of(), scan.numbers(frame));
      ModelFrame.Output output = frame.outputs(levels, scan.numbers(frame), List.of(), true).get(0);
      return new Made(frame, Objects.requireNonNull(output.block()), frame.smooths(levels));
    }

    /** Returns some columns of rows, n × J. */
    DMatrixRMaj columns(List<Row> rows, List<String> names) {
      DMatrixRMaj columns = new DMatrixRMaj(rows.size(), names.size());
      for (int n = 0; n < rows.size(); n++) {
        int[] index = new int[block.width()];
        double[] value = new double[block.width()];
        int count = block.write(rows.get(n), frame.cells(rows.get(n)), index, value);
        for (int k = 0; k < count; k++) {
          int at = names.indexOf(block.names().get(index[k]));
          if (at >= 0) {
            columns.set(n, at, value[k]);
          }
        }
      }
      return columns;
    }

    /** Returns the columns of a smooth that no scale is of. */
    static List<String> free(TableSchema.Smooth smooth) {
      List<String> free = new ArrayList<>(smooth.columns());
      smooth.scales().forEach(scale -> free.removeAll(scale.columns()));
      return free;
    }
  }

  private static void assertSame(DMatrixRMaj expected, DMatrixRMaj found, String what) {
    assertEquals(expected.numCols, found.numCols, what);
    assertArrayEquals(
        expected.data, found.data, 1e-8 * (1 + CommonOps_DDRM.elementMaxAbs(expected)), what);
  }

  /** Returns abᵀ. */
  private static DMatrixRMaj kernel(DMatrixRMaj a, DMatrixRMaj b) {
    DMatrixRMaj kernel = new DMatrixRMaj(a.numRows, b.numRows);
    CommonOps_DDRM.multTransB(a, b, kernel);
    return kernel;
  }

  /** Returns the projection on the columns of a matrix. */
  private static DMatrixRMaj projection(DMatrixRMaj of) {
    DMatrixRMaj inverse = new DMatrixRMaj(of.numCols, of.numRows);
    CommonOps_DDRM.pinv(of, inverse);
    DMatrixRMaj projection = new DMatrixRMaj(of.numRows, of.numRows);
    CommonOps_DDRM.mult(of, inverse, projection);
    return projection;
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 7})
  void splinesAreThoseOfMgcv(int k) {
    ValueSketch values = new ValueSketch();
    rows("rows").forEach(row -> values.add(row.getDouble(0)));
    PSpline spline = PSpline.on(k, values, "");
    for (String which : List.of("rows", "new")) {
      List<Row> rows = rows(which);
      DMatrixRMaj found = new DMatrixRMaj(rows.size(), k);
      for (int n = 0; n < rows.size(); n++) {
        double[] b = new double[k];
        spline.write(rows.get(n).getDouble(0), b);
        assertEquals(1, Arrays.stream(b).sum(), 1e-14);
        System.arraycopy(b, 0, found.data, n * k, k);
      }
      String what = which.equals("rows") ? "B" : "B new";
      assertSame(matrix("s(x, k = " + k + ")", what), found, what + " " + k);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s(x, k = 4)",
        "s(x, k = 7)",
        "s(x, k = 6, by = f)",
        "s(x, k = 6, by = z)",
        "t2(x, z, k = c(4, 6))"
      })
  void columnsThatShareAScaleAreThoseOfMgcv(String term) {
    List<Row> rows = rows("rows");
    Made made = Made.of(term, rows);
    int compared = 0;
    for (TableSchema.Smooth smooth : made.smooths()) {
      String level = smooth.level() == null ? "" : smooth.level();
      for (int g = 1; g <= smooth.scales().size(); g++) {
        List<String> names = smooth.scales().get(g - 1).columns();
        DMatrixRMaj z = made.columns(rows, names);
        DMatrixRMaj beyond = made.columns(rows("new"), names);
        assertSame(matrix(term, "kernel" + g + level), kernel(z, z), term + g + level);
        assertSame(matrix(term, "new kernel" + g + level), kernel(z, beyond), term + g + level);
        compared++;
      }
      DMatrixRMaj free = made.columns(rows, Made.free(smooth));
      if (term.equals("s(x, k = 4)") || term.equals("s(x, k = 7)")) {
        assertSame(matrix(term, "linear"), free, term);
      } else {
        boolean tensor = smooth.scales().size() > 1;
        DMatrixRMaj ones = new DMatrixRMaj(rows.size(), 1);
        CommonOps_DDRM.fill(ones, 1);
        DMatrixRMaj all = tensor ? CommonOps_DDRM.concatColumns(ones, free, null) : free;
        assertSame(matrix(term, "span" + level), projection(all), term + level);
      }
    }
    assertEquals(
        Objects.requireNonNull(MGCV.get(term)).keySet().stream()
            .filter(what -> what.startsWith("kernel"))
            .count(),
        compared);
  }

  @Test
  void columnsAreCalledAsBrmsHasThem() {
    List<Row> rows = rows("rows");
    TableSchema.Smooth one = Made.of("s(x, 5)", rows).smooths().get(0);
    assertEquals("s(x)", one.label());
    assertEquals("s(x, 5)", one.term());
    assertEquals(List.of("x"), one.variables());
    assertEquals(List.of("sx_1", "s_sx_1[1]", "s_sx_1[2]", "s_sx_1[3]"), one.columns());
    assertEquals(
        List.of(new SharedScale("sds_sx_1", List.of("s_sx_1[1]", "s_sx_1[2]", "s_sx_1[3]"))),
        one.scales());
    List<TableSchema.Smooth> byLevel =
        Made.of("s(log(x), by = f, k = 4, bs = 'ps')", rows).smooths();
    assertEquals(3, byLevel.size());
    assertEquals("s(log(x)):fb c", byLevel.get(1).label());
    assertEquals("b c", byLevel.get(1).level());
    assertEquals("f", byLevel.get(1).by());
    assertEquals("slogx:fbc_1", byLevel.get(1).columns().get(0));
    assertEquals("s_slogxfbc_1[1]", byLevel.get(1).columns().get(1));
    assertEquals("sds_slogxfbc_1", byLevel.get(1).scales().get(0).sd());
    TableSchema.Smooth times = Made.of("s(x, k = 4, by = z)", rows).smooths().get(0);
    assertEquals(List.of("sx:z_1", "sx:z_2", "s_sxz_1[1]", "s_sxz_1[2]"), times.columns());
    TableSchema.Smooth tensor = Made.of("t2(x, z)", rows).smooths().get(0);
    assertEquals(List.of("t2xz_1", "t2xz_2", "t2xz_3"), tensor.columns().subList(0, 3));
    assertEquals(
        List.of("sds_t2xz_1", "sds_t2xz_2", "sds_t2xz_3"),
        tensor.scales().stream().map(SharedScale::sd).toList());
    assertEquals(
        List.of(9, 6, 6), tensor.scales().stream().map(scale -> scale.columns().size()).toList());
    assertEquals("t2(x, z)", tensor.label());
    assertEquals(10 - 1, Made.of("s(x)", rows).block().width());
  }

  @Test
  void theLinearColumnRisesAndTheOthersHaveMeanZero() {
    List<Row> rows = rows("rows");
    Made made = Made.of("s(x, k = 7)", rows);
    DMatrixRMaj all = made.columns(rows, made.block().names());
    double scale = (all.get(1, 0) - all.get(0, 0)) / (x(rows, 1) - x(rows, 0));
    assertTrue(scale > 0);
    for (int n = 0; n < rows.size(); n++) {
      assertEquals(
          all.get(0, 0) + scale * (x(rows, n) - x(rows, 0)), all.get(n, 0), 1e-12 * scale * 40);
    }
    for (int j = 0; j < all.numCols; j++) {
      DMatrixRMaj column = CommonOps_DDRM.extractColumn(all, j, null);
      assertEquals(
          0, CommonOps_DDRM.elementSum(column), 1e-10 * CommonOps_DDRM.elementMaxAbs(column));
    }
  }

  private static double x(List<Row> rows, int n) {
    return rows.get(n).getDouble(0);
  }

  @Test
  void theTableDecidesTheSameBitsWhateverTheOrder() {
    Random random = new Random(3);
    double[] x = random.doubles(5_000, -3, 40).toArray();
    ValueSketch forwards = new ValueSketch();
    Arrays.stream(x).forEach(forwards::add);
    ValueSketch backwards = new ValueSketch();
    IntStream.range(0, x.length).forEach(n -> backwards.add(x[x.length - 1 - n]));
    for (int k : new int[] {4, 10, 33, 100}) {
      PSpline one = PSpline.on(k, forwards, "");
      assertEquals(one.numbers(), PSpline.on(k, backwards, "").numbers());
      for (PSpline.Form form : PSpline.Form.values()) {
        DMatrixRMaj map = one.columns(form).map();
        assertArrayEquals(map.data, new PSpline(k, one.numbers(), "").columns(form).map().data);
        assertTrue(Arrays.stream(map.data).allMatch(Double::isFinite));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 40, 100})
  void thePenaltyOfAPenalizedColumnIsOne(int k) {
    ValueSketch values = new ValueSketch();
    IntStream.range(0, 1_000).forEach(n -> values.add(1e9 + n * n));
    DMatrixRMaj map = PSpline.on(k, values, "").columns(PSpline.Form.CENTERED).map();
    // ‖DᵀD‖₁ = 1 + 4 + 6 + 4 + 1.
    for (int i = 0; i < map.numCols; i++) {
      for (int j = 0; j < map.numCols; j++) {
        double product = 0;
        for (int row = 0; row < k - 2; row++) {
          product += difference(map, row, i) * difference(map, row, j) / 16;
        }
        assertEquals(i == j && i > 0 ? 1 : 0, product, 1e-7, i + " " + j);
      }
    }
  }

  private static double difference(DMatrixRMaj map, int row, int column) {
    return map.get(row, column) - 2 * map.get(row + 1, column) + map.get(row + 2, column);
  }

  @Test
  void anotherTableOfAnUnpenalizedSplineIsRefused() {
    UserException refused =
        assertThrows(UserException.class, () -> new PSpline(5, List.of(0.0, 1.0, 2.0), "s(x, 5)"));
    assertNotNull(refused.getMessage());
    assertTrue(refused.getMessage().contains("s(x, 5)"), refused.getMessage());
    assertTrue(refused.getMessage().contains("bs(x, df = k)"), refused.getMessage());
  }

  @Test
  void whatIsNoSmoothIsRefusedWithWhatToWrite() {
    refused("s()", "is not s(x), s(x, k = 10) or s(x, by = f), k from 4 to 100");
    refused("s(x, 3)", "is not s(x)");
    refused("s(x, k = 101)", "k from 4 to 100");
    refused("s(x, k = 7.5)", "k from 4 to 100");
    refused("s(x, k = -1)", "k from 4 to 100");
    refused("s(x, k = c(5, 5))", "is not s(x)");
    refused("s(x, df = 5)", "is not s(x)");
    refused("s(x, k = 5, k = 6)", "is not s(x)");
    refused("s(x, m = c(2, 1))", "is not s(x)");
    refused("s(5)", "is not s(x)");
    refused("s(x, k = n)", "is not s(x)");
    refused("s(x, z)", "write t2(x, z)");
    refused("s(x, bs = \"tp\")", "write bs = \"ps\", a P-spline, or leave bs out");
    refused("s(x, bs = ps)", "write bs = \"ps\"");
    refused("s(g, bs = \"re\")", "write (1 | g)");
    refused("s(x, bs = \"ps)", "has no meaning there");
    refused("s(x, by = 2)", "write by = f or by = factor(f)");
    refused("s(x, by = log(z))", "write by = f or by = factor(f)");
    refused("s(lag(x))", "there is no function lag");
    refused("s(x, k = 5) * f", "write s(x, by = f)");
    refused("s(x):s(z)", "t2(x, z)");
    refused("s(x) + s(x, k = 5)", "two terms are the smooth s(x)");
    refused("log(s(x))", "'s(x)' stands within another function, where a number is due");
    refused("x + (s(x) | g)", "write s(x, by = g)");
    refused("te(x, z)", "write t2(x, z)");
    refused("ti(x, z)", "write t2(x, z)");
    refused("t2(x)", "is not t2(x, z)");
    refused("t2(x, z, w)", "is not t2(x, z)");
    refused("t2(x, x)", "write s(x)");
    refused("t2(x, z, by = f)", "is not t2(x, z)");
    refused("t2(x, z, k = c(5, 5, 5))", "is not t2(x, z)");
    refused("t2(x, z, k = 3)", "k from 4 to 100");
    refused("0 + t2(x, z)", "needs an intercept");
    refused("log(x, base = \"e\")", "there is no function log of 2 arguments");
    Formula.parse("y ~ s(x) + s(z, k = 4, by = f) - s(x) + 0 + (1 | g)");
    Formula.parse("y ~ s(x, by = factor(g)) + s(x, by = z) + t2(x, log(z), k = 6, bs = \"ps\")");
  }

  private static void refused(String term, String words) {
    UserException refused =
        assertThrows(UserException.class, () -> Formula.parse("y ~ " + term), term);
    assertTrue(String.valueOf(refused.getMessage()).contains(words), refused.getMessage());
  }

  @Test
  void aTableWithTooFewNumbersIsRefused() {
    List<Row> few =
        IntStream.range(0, 50)
            .mapToObj(n -> RowFactory.create((double) (n % 7), 1.0 * (n % 3), "a" + n % 2))
            .toList();
    refusedOn(
        "s(x)",
        few,
        "x has 7 different numbers, and its smooth in model.formula needs k = 10 or more of them; write k = 7, or factor(x).");
    refusedOn("t2(x, z)", few, "z has 3 different numbers");
    refusedOn("t2(x, z)", few, "of them; write factor(z).");
    refusedOn("s(f)", few, "the column 'f' holds categories");
    Made.of("s(x, k = 7)", few);
    List<Row> infinite = new ArrayList<>(rows("rows"));
    infinite.add(RowFactory.create(Double.POSITIVE_INFINITY, 1.0, "a"));
    refusedOn("s(x, k = 5)", infinite, "Drop its infinite values in data.query");
  }

  private static void refusedOn(String term, List<Row> rows, String words) {
    UserException refused = assertThrows(UserException.class, () -> Made.of(term, rows), term);
    assertTrue(String.valueOf(refused.getMessage()).contains(words), refused.getMessage());
  }

  @Test
  void tooManyLevelsAreRefused() {
    Smooth smooth =
        Objects.requireNonNull(Smooth.of(FormulaParser.parse("s(x, k = 10, by = factor(g))"), ""));
    List<String> levels = IntStream.range(0, 10_001).mapToObj(Integer::toString).toList();
    UserException refused =
        assertThrows(UserException.class, () -> smooth.listed("s(x, by = factor(g))", levels));
    assertTrue(String.valueOf(refused.getMessage()).contains("(1 + x | g)"), refused.getMessage());
  }

  @Test
  void aRowWithoutANumberHasNoColumns() {
    List<Row> rows = rows("rows");
    for (String term :
        List.of("s(x, k = 5)", "s(x, k = 5, by = f)", "s(x, k = 5, by = z)", "t2(x, z)")) {
      Made made = Made.of(term, rows);
      Row missing = RowFactory.create(null, 1.0, "a");
      int[] index = new int[made.block().width()];
      double[] value = new double[made.block().width()];
      assertEquals(
          Block.NONE, made.block().write(missing, made.frame().cells(missing), index, value), term);
    }
    Made made = Made.of("s(x, k = 5, by = f)", rows);
    Row unknown = RowFactory.create(1.0, 1.0, "e");
    UserException refused =
        assertThrows(
            UserException.class,
            () ->
                made.block()
                    .write(
                        unknown,
                        made.frame().cells(unknown),
                        new int[made.block().width()],
                        new double[made.block().width()]));
    assertTrue(String.valueOf(refused.getMessage()).contains("the level 'e'"));
  }
}
