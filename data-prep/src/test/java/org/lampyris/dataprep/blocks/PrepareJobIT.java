package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;

class PrepareJobIT extends PrepareContract {
  private static final String[] PEOPLE = {
    "id,y,age,country,member,weight",
    "1,yes,20,FR,1,1.5",
    "2,no,30,DE,0,2.5",
    "3,no,25,\"GB, UK\",1,0.5",
    "4,yes,61,FR,1,1",
    "5,no,47,DE,0,3",
    "6,yes,33,\"GB, UK\",0,1",
    "7,yes,58,US,0,2",
    "8,no,-4.5,FR,1,0.25"
  };

  private Wish people() throws IOException {
    Wish wish = wish(file("people.csv", PEOPLE));
    wish.features = List.of("age", "country", "member");
    return wish;
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  private static String row(int y, double... x) {
    StringBuilder row = new StringBuilder().append(y);
    for (double v : x) {
      row.append(' ').append(v);
    }
    return row.toString();
  }

  @Test
  void encodesEveryRowOnceWithNames() throws IOException {
    Wish wish = people();
    wish.weight = "weight";
    TableSchema schema = wish.prepare();
    assertEquals(
        List.of("(Intercept)", "age", "country[FR]", "country[GB, UK]", "country[US]", "member"),
        schema.columnNames());
    assertEquals(
        new TableSchema.Label("y", LabelKind.BINARY, List.of("no", "yes")), schema.label());
    assertEquals(8, schema.rows());
    assertEquals("weight", schema.roles().weight());
    Column france = schema.columns().get(2);
    assertEquals("DE", france.reference());
    assertEquals("FR", france.level());
    assertEquals(-4.5, schema.columns().get(1).min());
    assertEquals(61, schema.columns().get(1).max());
    assertEquals(
        sorted(
            List.of(
                row(1, 1, 20, 1, 0, 0, 1) + " w1.5",
                row(-1, 1, 30, 0, 0, 0, 0) + " w2.5",
                row(-1, 1, 25, 0, 1, 0, 1) + " w0.5",
                row(1, 1, 61, 1, 0, 0, 1) + " w1.0",
                row(-1, 1, 47, 0, 0, 0, 0) + " w3.0",
                row(1, 1, 33, 0, 1, 0, 0) + " w1.0",
                row(1, 1, 58, 0, 0, 1, 0) + " w2.0",
                row(-1, 1, -4.5, 1, 0, 0, 1) + " w0.25")),
        sorted(wish.rows()));
    double[] theta = {1, 2, 3, 4, 5, 6};
    double[] input = schema.centers().toInput(theta);
    // (Intercept) is η at the columns' means: 33.6875 of age, 3/8, 1/4 and 1/8 of the levels, ½.
    theta[0] -= 2 * 33.6875 + 3 * 3.0 / 8 + 4 * 2.0 / 8 + 5 * 1.0 / 8 + 6 * 0.5;
    assertArrayEquals(theta, input, 1e-12);
  }

  @Test
  void sparseBlocksHoldTheSameRowsInTheSameOrder() throws IOException {
    Wish dense = people();
    dense.blockRows = 3;
    dense.prepare();
    List<String> expected = dense.rows();
    Wish sparse = new Wish(dense.input, folder.resolve("sparse"));
    sparse.features = dense.features;
    sparse.blockRows = 3;
    sparse.layout = Layout.SPARSE;
    assertEquals(TableSchema.Layout.SPARSE, sparse.prepare().packing().layout());
    assertEquals(expected, sparse.rows());
    List<DataBlock> blocks = sparse.blocks();
    assertEquals(3, blocks.size());
    assertInstanceOf(SparseBlock.class, blocks.get(0));
    assertEquals(2, blocks.get(2).rows());
  }

  @Test
  void floatsAreTheSameRowsRounded() throws IOException {
    for (Layout layout : List.of(Layout.DENSE, Layout.SPARSE)) {
      Wish doubles = new Wish(people().input, folder.resolve("doubles" + layout));
      doubles.layout = layout;
      doubles.standardize = Standardize.UNIT;
      TableSchema schema = doubles.prepare();
      Wish floats = new Wish(doubles.input, folder.resolve("floats" + layout));
      floats.layout = layout;
      floats.standardize = Standardize.UNIT;
      floats.storage = TableSchema.Storage.FLOAT;
      TableSchema rounded = floats.prepare();
      assertEquals(TableSchema.Storage.FLOAT, rounded.packing().storage());
      assertNotEquals(schema.fingerprint(), rounded.fingerprint());
      assertEquals(schema.columns(), rounded.columns());
      DataBlock expected = doubles.blocks().get(0);
      DataBlock actual = floats.blocks().get(0);
      assertTrue(actual.packedBytes() < expected.packedBytes());
      for (int n = 0; n < expected.rows(); n++) {
        assertEquals(expected.response(n), actual.response(n));
        for (int j = 0; j < expected.columns(); j++) {
          assertEquals((float) expected.feature(n, j), actual.feature(n, j));
        }
      }
    }
  }

  @Test
  void columnsThatFloatsCannotTellApartAreRefused() throws IOException {
    Wish wish =
        wish(file("times.csv", "y,t", "0,1600000001.5", "1,1600000002", "1,1600000003", "0,1.6e9"));
    wish.storage = TableSchema.Storage.FLOAT;
    wish.intercept = false;
    assertSays(
        refusedData(wish),
        "'t'",
        "ranges over 3 ",
        "1.60000e+09 from 0",
        "off by up to 95",
        "data.intercept: true");
    wish.intercept = true;
    wish.prepare();
    Wish large =
        new Wish(file("large.csv", "y,t", "0,1e39", "1,-1e39", "1,0"), folder.resolve("l"));
    large.storage = TableSchema.Storage.FLOAT;
    assertSays(
        String.valueOf(assertThrows(UserException.class, large::prepare).getMessage()),
        "'t'",
        "a float is infinite",
        "data.storage: double");
    for (double t : new double[] {1e-38, 1e-42, 1e-50}) {
      String cells = "0," + t + ",1 1," + -t + ",2 1,0,3";
      Wish small = new Wish(file("small.csv", ("y,t,x " + cells).split(" ")), folder.resolve("s"));
      small.storage = TableSchema.Storage.FLOAT;
      assertSays(
          String.valueOf(assertThrows(UserException.class, small::prepare).getMessage()),
          "'t'",
          "loses digits of numbers below 1.2e-38",
          "data.storage: double");
    }
  }

  @Test
  void layoutIsTheSmallerOne() throws IOException {
    List<String> few = new ArrayList<>(List.of("y,level"));
    for (int n = 0; n < 60; n++) {
      few.add(n % 2 + ",l" + n % 20);
    }
    Wish sparse = new Wish(file("few.csv", few.toArray(new String[0])), folder.resolve("few"));
    sparse.categorical = Map.of("level", new Categorical(List.of(), null, 5, null));
    sparse.layout = Layout.AUTO;
    // 7 columns of 8 bytes against 2 elements of 12 and 4: dense; with all 20 levels sparse.
    assertEquals(7 - 1, sparse.prepare().columns().size());
    sparse.categorical = Map.of();
    sparse.overwrite = true;
    assertEquals(TableSchema.Layout.SPARSE, sparse.prepare().packing().layout());
    Wish dense = people();
    dense.features = List.of("age", "weight");
    dense.layout = Layout.AUTO;
    assertEquals(TableSchema.Layout.DENSE, dense.prepare().packing().layout());
  }

  @Test
  void orderDependsOnSeedAndRowsAlone() throws IOException {
    Random random = new Random(8);
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < 5000; n++) {
      // Rows repeat: about 400 different ones.
      lines.add(random.nextInt(2) + "," + random.nextInt(20) + "," + random.nextInt(10));
    }
    TreeSet<String> prints = new TreeSet<>();
    for (int variant = 0; variant < 4; variant++) {
      Path input = Files.createDirectory(folder.resolve("in" + variant + ".csv"));
      int files = 1 + 2 * variant;
      for (int f = 0; f < files; f++) {
        List<String> part = new ArrayList<>(List.of("y,a,b"));
        part.addAll(lines.subList(f * lines.size() / files, (f + 1) * lines.size() / files));
        Files.write(input.resolve("part" + f + ".csv"), part);
      }
      Wish wish = new Wish(input, folder.resolve("out" + variant));
      wish.blockRows = 128;
      wish.order = Packing.Order.CONTENT;
      prints.add(wish.prepare().fingerprint());
      Collections.shuffle(lines, random);
    }
    assertEquals(1, prints.size(), prints.toString());
    Wish other = new Wish(folder.resolve("in0.csv"), folder.resolve("other"));
    other.blockRows = 128;
    other.order = Packing.Order.CONTENT;
    other.seed = 4;
    assertFalse(prints.contains(other.prepare().fingerprint()));
    assertEquals(40, other.blocks().size());
    // The order is random: no block holds the same rows next to each other more than chance does.
    List<String> rows = other.rows();
    int repeats = 0;
    for (int n = 1; n < rows.size(); n++) {
      repeats += rows.get(n).equals(rows.get(n - 1)) ? 1 : 0;
    }
    // Expected 5000/400 = 12.5 with standard deviation 3.5; six of them is a false alarm of 1e-8.
    assertTrue(repeats < 34, "equal neighbours: " + repeats);
    Map<String, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row, 1, Integer::sum));
    Map<String, Integer> expected = new HashMap<>();
    for (String line : lines) {
      String[] cells = line.split(",", -1);
      expected.merge(
          row(
              cells[0].equals("1") ? 1 : -1,
              1,
              Double.parseDouble(cells[1]),
              Double.parseDouble(cells[2])),
          1,
          Integer::sum);
    }
    assertEquals(expected, counts);
  }

  @Test
  void standardisesAndReportsOnTheInputsScale() throws IOException {
    double[] age = {20, 30, 25, 61, 47, 33, 58, -4.5};
    double mean = 0;
    for (double a : age) {
      mean += a / 8;
    }
    double squares = 0;
    for (double a : age) {
      squares += (a - mean) * (a - mean);
    }
    double sd = Math.sqrt(squares / 7);

    Wish unit = people();
    unit.standardize = Standardize.UNIT;
    TableSchema schema = unit.prepare();
    assertTrue(schema.scaling().centered());
    assertEquals(mean, schema.columns().get(1).center(), 1e-13);
    assertEquals(sd, schema.columns().get(1).scale(), 1e-13);
    assertEquals(3.0 / 8, schema.columns().get(2).center(), 1e-15);
    assertEquals(1, schema.columns().get(2).scale());
    assertEquals(0.5, schema.columns().get(5).center(), 1e-15);

    Wish gelman = new Wish(unit.input, folder.resolve("gelman"));
    gelman.features = unit.features;
    gelman.standardize = Standardize.GELMAN;
    schema = gelman.prepare();
    assertEquals(2 * sd, schema.columns().get(1).scale(), 1e-13);
    assertEquals(3.0 / 8, schema.columns().get(2).center(), 1e-15);
    assertEquals(1, schema.columns().get(2).scale());
    assertEquals(1, schema.columns().get(5).scale());
    double sum = 0;
    for (DataBlock block : gelman.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        sum += block.feature(n, 1);
        assertEquals(1, block.feature(n, 0));
        assertEquals(0.5, Math.abs(block.feature(n, 5)));
      }
    }
    assertEquals(0, sum, 1e-12);
  }

  @Test
  void scalesOnlyWithoutInterceptAndInSparseBlocks() throws IOException {
    Wish bare = people();
    bare.features = List.of("age", "member");
    bare.intercept = false;
    bare.standardize = Standardize.UNIT;
    TableSchema schema = bare.prepare();
    assertEquals(List.of("age", "member"), schema.columnNames());
    assertFalse(schema.scaling().centered());
    assertEquals(0, schema.columns().get(0).center());
    assertTrue(schema.columns().get(0).scale() > 20);

    Wish sparse = new Wish(bare.input, folder.resolve("sparse"));
    sparse.features = bare.features;
    sparse.standardize = Standardize.UNIT;
    sparse.layout = Layout.SPARSE;
    TableSchema sparseSchema = sparse.prepare();
    assertFalse(sparseSchema.scaling().centered());
    assertEquals(0, sparseSchema.columns().get(1).center());
    assertEquals(schema.columns().get(0).scale(), sparseSchema.columns().get(1).scale(), 1e-13);
  }

  @Test
  void numericColumnIsCategoricalOnDemandAndTopKeepsTheMostFrequent() throws IOException {
    Wish wish =
        wish(
            file(
                "t.csv",
                "y,dow,port",
                "1,10,A",
                "0,2,B",
                "1,2,B",
                "0,10,C",
                "1,3,C",
                "0,3,D",
                "0,3,C",
                "1,2,A",
                "0,10,A",
                "1,10,E"));
    wish.categorical =
        Map.of(
            "dow", new Categorical(List.of(), "3", null, null),
            "port", new Categorical(List.of(), null, 3, null));
    TableSchema schema = wish.prepare();
    // A and C have three rows, B two: D and E are the others. Numbers are ordered by value.
    assertEquals(
        List.of("(Intercept)", "dow[2]", "dow[10]", "port[B]", "port[C]", "port[(other)]"),
        schema.columnNames());
    assertEquals("(other)", schema.features().get(1).other());
    assertTrue(wish.rows().contains(row(1, 1, 0, 1, 0, 0, 1)), wish.rows().toString());
  }

  @Test
  void laterTableTakesOverLevelsClassesAndScale() throws IOException {
    Wish first = new Wish(file("people.csv", PEOPLE), folder.resolve("first"));
    first.features = List.of("age", "country");
    first.standardize = Standardize.GELMAN;
    first.categorical = Map.of("country", new Categorical(List.of(), "FR", 2, "rest"));
    TableSchema schema = first.prepare();
    Wish second = wish(file("new.csv", "country,age,y", "XX,100,yes", "FR,20,yes"));
    second.like = folder.resolve("first").toString();
    TableSchema like = second.prepare();
    assertEquals(schema.columnNames(), like.columnNames());
    assertEquals(schema.label(), like.label());
    assertEquals(schema.columns().get(1).center(), like.columns().get(1).center());
    assertEquals(2, like.rows());
    int rest = schema.columnNames().indexOf("country[rest]");
    Column column = schema.columns().get(rest);
    double marked = 0;
    for (DataBlock block : second.blocks()) {
      for (int n = 0; n < 2; n++) {
        marked += block.feature(n, rest) + column.center();
      }
    }
    assertEquals(1, marked, 1e-14);
  }

  @Test
  void queryShapesTheTable() throws IOException {
    Wish wish = wish(file("people.csv", PEOPLE));
    wish.query =
        "SELECT CASE WHEN age >= 30 THEN 1 ELSE 0 END AS old, weight * 2 AS w2, country"
            + " FROM input WHERE country <> 'US'";
    wish.label = "old";
    TableSchema schema = wish.prepare();
    assertEquals(
        List.of("(Intercept)", "w2", "country[FR]", "country[GB, UK]"), schema.columnNames());
    assertEquals(7, schema.rows());
    assertEquals(wish.query, schema.source().query());
    assertTrue(wish.rows().contains(row(1, 1, 5, 0, 0)));
  }

  @Test
  void labelsOfAllKinds() throws IOException {
    String path =
        parquet(
            8,
            2,
            "id % 2 = 1 AS truth",
            "IF(id % 2 = 1, 1, -1) AS sign",
            "IF(id % 2 = 1, 'b', 'a') AS text",
            "FLOAT(id * id) AS x",
            "CAST(id % 3 AS DECIMAL(10, 2)) AS d",
            "id < 3 AS flag");
    List<String> rows = null;
    for (String label : List.of("truth", "sign", "text")) {
      Wish wish = new Wish(path, folder.resolve(label));
      wish.label = label;
      wish.features = List.of("x", "d", "flag");
      TableSchema schema = wish.prepare();
      assertEquals(label, schema.label().column());
      if (rows != null) {
        assertEquals(rows, wish.rows());
      }
      rows = wish.rows();
    }
    assertTrue(rows != null && rows.contains(row(1, 1, 49, 1, 0)));
  }

  @Test
  void libSvmInputSparseAndByName() throws IOException {
    Wish wish =
        wish(
            file(
                "t.libsvm",
                "+1 1:0.5 3:2 # first",
                "-1 2:1",
                "",
                "-1 1:1 2:7 3:1",
                "1 3:4",
                "-1 1:2",
                "+1 1:9"));
    wish.layout = Layout.AUTO;
    TableSchema schema = wish.prepare();
    assertEquals(List.of("(Intercept)", "f1", "f2", "f3"), schema.columnNames());
    assertEquals(0, schema.columns().get(1).min());
    assertEquals(
        sorted(
            List.of(
                row(1, 1, 0.5, 0, 2),
                row(-1, 1, 0, 1, 0),
                row(-1, 1, 1, 7, 1),
                row(1, 1, 0, 0, 4),
                row(-1, 1, 2, 0, 0),
                row(1, 1, 9, 0, 0))),
        sorted(wish.rows()));
    Wish query = new Wish(wish.input, folder.resolve("query"));
    query.query = "SELECT label AS y, f1 + f3 AS s FROM input";
    assertEquals(List.of("(Intercept)", "s"), query.prepare().columnNames());
    Wish again = new Wish(wish.input, folder.resolve("again"));
    again.like = wish.output;
    assertEquals(schema.columnNames(), again.prepare().columnNames());
  }

  @Test
  void cellsWithLineBreaksCommasAndQuotesAreRead() throws IOException {
    Wish wish =
        wish(
            file(
                "t.csv",
                "\uFEFFy,\"the, x\",c",
                "1,1,\"a \"\"b\"\"",
                "c\"",
                "0,2,d",
                "1,3,d",
                "0,4,\"a \"\"b\"\"",
                "c\"",
                "1,-1,d"));
    TableSchema schema = wish.prepare();
    assertEquals("the, x", schema.columnNames().get(1));
    assertEquals(List.of("a \"b\"\nc", "d"), schema.features().get(1).levels());
    assertEquals(5, schema.rows());
  }

  @Test
  void wideTablesAreStandardisedWithoutCrossProducts() throws IOException {
    int d = MomentSums.CROSS_COLUMNS + 5;
    Random random = new Random(2);
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < d + 50; n++) {
      StringBuilder line = new StringBuilder().append(n % 2);
      for (int j = 1; j <= d; j++) {
        if (j <= 2 || random.nextInt(4) == 0) {
          double offset = j == 1 ? 1e7 : 0;
          line.append(' ').append(j).append(':').append(offset + random.nextInt(100));
        }
      }
      lines.add(line.toString());
    }
    Wish wish = wish(file("t.libsvm", lines.toArray(new String[0])));
    wish.standardize = Standardize.UNIT;
    wish.layout = Layout.DENSE;
    TableSchema schema = wish.prepare();
    double[] sum = new double[schema.columns().size()];
    double[] squares = new double[sum.length];
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        for (int j = 0; j < sum.length; j++) {
          sum[j] += block.feature(n, j);
          squares[j] += block.feature(n, j) * block.feature(n, j);
        }
      }
    }
    for (int j = 1; j < sum.length; j++) {
      double scale = schema.columns().get(j).scale();
      double centred = squares[j] - sum[j] * sum[j] / schema.rows();
      assertEquals(schema.rows() - 1.0, centred / (scale * scale), 1e-6, "column " + j);
    }
    assertEquals(64, chosen(8192));
    assertEquals(4096, chosen(128));
    assertEquals(2048, chosen(129));
  }

  @Test
  void namesHavePlainCharactersOrNot() throws IOException {
    String path = folder.resolve("t.parquet").toString();
    SPARK
        .range(6)
        .selectExpr("id % 2 AS `the label`", "id * id AS `a.b`", "id % 4 AS `c``d`")
        .write()
        .parquet(path);
    Wish wish = wish(path);
    wish.label = "the label";
    assertEquals(List.of("(Intercept)", "a.b", "c`d"), wish.prepare().columnNames());
    assertNull(wish.prepareAgain().source().query());
    assertNotEquals("", wish.prepareAgain().fingerprint());
  }

  private static int chosen(int columns) {
    return new Packing(
            Layout.AUTO, TableSchema.Storage.DOUBLE, 0, Packing.Order.AUTO, Packing.Aggregate.AUTO)
        .blockRows(columns);
  }
}
