package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException.Kind;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.executors.table.TableSchema;

/** Labels of every kind, and the offset: what is stored, and what is refused. */
class LabelKindsIT extends PrepareContract {

  private Wish wish(LabelKind kind, String... lines) throws IOException {
    Wish wish = wish(file("t.csv", lines));
    wish.labelKind = kind;
    return wish;
  }

  /** Returns the response of each row, found by its first feature. */
  private static Map<Double, Double> responses(Wish wish) {
    Map<Double, Double> responses = new TreeMap<>();
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        responses.put(wish.input(block, n, 1), block.response(n));
      }
    }
    return responses;
  }

  @Test
  void classesOfTextAreStoredAsIndicesInTheOrderOfTheirNames() throws IOException {
    Wish wish = wish(LabelKind.CLASSES, "y,x", "dog,1", "cat,2", "emu,3", "cat,4", "dog,5");
    TableSchema.Label label = wish.prepare().label();
    assertEquals(
        new TableSchema.Label("y", LabelKind.CLASSES, List.of("cat", "dog", "emu")), label);
    assertEquals(Map.of(1.0, 1.0, 2.0, 0.0, 3.0, 2.0, 4.0, 0.0, 5.0, 1.0), responses(wish));
  }

  @Test
  void classesOfNumbersAreOrderedByValueAndMayHaveGaps() throws IOException {
    Wish wish = wish(LabelKind.CLASSES, "y,x", "10,1", "9,2", "-3,3", "10,4", "9,5");
    assertEquals(List.of("-3", "9", "10"), wish.prepare().label().classes());
    assertEquals(Map.of(1.0, 2.0, 2.0, 1.0, 3.0, 0.0, 4.0, 2.0, 5.0, 1.0), responses(wish));
  }

  @Test
  void numbersAreStoredAsTheyAre() throws IOException {
    Wish real = wish(LabelKind.REAL, "y,x", "-1.5,1", "0,2", "1e3,3", "0.25,4");
    assertEquals(new TableSchema.Label("y", LabelKind.REAL, List.of()), real.prepare().label());
    assertEquals(Map.of(1.0, -1.5, 2.0, 0.0, 3.0, 1000.0, 4.0, 0.25), responses(real));
  }

  @Test
  void labelsAndTrialsMayBeMoreThanAnIntHolds() throws IOException {
    Wish real = wish(LabelKind.REAL, "y,x", "2147483648,1", "-3e9,2", "1e15,3", "5e9,4");
    real.prepare();
    assertEquals(Map.of(1.0, 0x1p31, 2.0, -3e9, 3.0, 1e15, 4.0, 5e9), responses(real));
    for (LabelKind kind : List.of(LabelKind.COUNT, LabelKind.POSITIVE)) {
      Wish count = wish(kind, "y,x", "2147483649,1", "4294967297,2", "5e9,3", "1,4");
      TableSchema schema = count.prepareAgain();
      assertEquals(kind, schema.label().kind());
      assertEquals(Map.of(1.0, 0x1p31 + 1, 2.0, 0x1p32 + 1, 3.0, 5e9, 4.0, 1.0), responses(count));
    }
    Wish share = wish(LabelKind.SUCCESSES, "y,x,n", "2e9,1,8e9", "3e9,2,4e9", "0,3,5e9");
    share.trials = "n";
    share.prepareAgain();
    assertEquals(Map.of(1.0, 0.25, 2.0, 0.75, 3.0, 0.0), responses(share));
    Wish classes = wish(LabelKind.CLASSES, "y,x", "3000000000,1", "5,2", "4294967296,3", "5,4");
    assertEquals(
        List.of("5", "3000000000", "4294967296"), classes.prepareAgain().label().classes());
    assertEquals(Map.of(1.0, 1.0, 2.0, 0.0, 3.0, 2.0, 4.0, 0.0), responses(classes));
  }

  @Test
  void aLabelWhoseSquaresNoDoubleHoldsIsRefused() throws IOException {
    assertSays(
        refusedData(wish(LabelKind.REAL, "y,x", "1e200,1", "-3e9,2", "0,3")),
        "the label 'y'",
        "reaches 1.0E200",
        "unit in data.query");
  }

  @Test
  void theOffsetIsStoredAndIsNoFeature() throws IOException {
    for (Layout layout : List.of(Layout.DENSE, Layout.SPARSE)) {
      Wish wish =
          wish(LabelKind.COUNT, "y,x,e,w", "3,1,0.5,1", "0,2,-0.5,2", "7,3,0,3", "1,4,1.5,4");
      wish.layout = layout;
      wish.weight = "w";
      wish.offset = "e";
      wish.blockRows = 3;
      TableSchema schema = wish.prepareAgain();
      assertEquals("e", schema.roles().offset());
      assertEquals(List.of("(Intercept)", "x"), schema.columnNames());
      List<String> rows = new ArrayList<>();
      for (DataBlock block : wish.blocks()) {
        for (int n = 0; n < block.rows(); n++) {
          rows.add(
              wish.input(block, n, 1)
                  + " "
                  + block.response(n)
                  + " "
                  + block.weight(n)
                  + " "
                  + block.offset(n));
        }
      }
      assertEquals(
          List.of("1.0 3.0 1.0 0.5", "2.0 0.0 2.0 -0.5", "3.0 7.0 3.0 0.0", "4.0 1.0 4.0 1.5"),
          rows.stream().sorted().toList());
    }
  }

  @Test
  void successesAreStoredAsSharesWithTheTrialsInTheWeights() throws IOException {
    for (String weight : new String[] {null, "w"}) {
      Wish wish =
          wish(LabelKind.SUCCESSES, "k,x,e,n,w", "3,1,0.5,4,1", "0,2,-0.5,2,2", "7,3,0,7,3");
      wish.label = "k";
      wish.features = List.of("x");
      wish.trials = "n";
      wish.weight = weight;
      TableSchema schema = wish.prepareAgain();
      assertEquals("n", schema.roles().trials());
      assertEquals(LabelKind.SUCCESSES, schema.label().kind());
      List<String> rows = new ArrayList<>();
      for (DataBlock block : wish.blocks()) {
        for (int n = 0; n < block.rows(); n++) {
          rows.add(wish.input(block, n, 1) + " " + block.response(n) + " " + block.weight(n));
        }
      }
      assertEquals(
          weight == null
              ? List.of("1.0 0.75 4.0", "2.0 0.0 2.0", "3.0 1.0 7.0")
              : List.of("1.0 0.75 4.0", "2.0 0.0 4.0", "3.0 1.0 21.0"),
          rows.stream().sorted().toList());
    }
  }

  @Test
  void trialsThatCannotBe() throws IOException {
    assertTrials("exceeds the trials 'n' in 1 row (first", "line 3", "2,1,3", "4,2,3", "1,3,3");
    assertTrials("below 1", "line 4", "2,1,3", "3,2,3", "0,3,0");
    assertTrials("not a whole number", "line 2", "2,1,3.5", "3,2,3", "0,3,1");
    assertTrials("negative", "line 2", "-2,1,3", "3,2,3", "0,3,1");
    assertTrials("has no value", "line 2", "2,1,", "3,2,3", "0,3,1");
    assertTrials("is 0 in every row", "differ", "0,1,3", "0,2,3", "0,3,1");
  }

  @Test
  void timesAreStoredWithWhatIsKnownOfTheirEvents() throws IOException {
    String[] lines = {"y,x,e,u", "2,1,0,NA", "3,2,1,", "5,3,2,1", "4,4,3,8"};
    Wish wish = wish(LabelKind.INTERVAL, lines);
    wish.features = List.of("x");
    wish.trials = "e";
    wish.offset = "u";
    TableSchema schema = wish.prepareAgain();
    assertEquals("u", schema.roles().offset());
    assertEquals(
        Map.of(1.0, -2.0, 2.0, 3.0, 3.0, 0x1p700 * 5, 4.0, 0x1p1000 * Math.log1p(1)),
        responses(wish));
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        double offset = wish.input(block, n, 1) == 4 ? -Math.log(8) : 0;
        assertEquals(offset, block.offset(n));
      }
    }
  }

  @Test
  void timesThatCannotBe() throws IOException {
    String width = "is not below a finite 'u' in 1 row where 'e' is 3 (first: ";
    String[] ok = {"1,1,1,", "3,3,1,1"};
    assertTimes(LabelKind.INTERVAL, width + "8 beside 4 in ", "line 3", ok[0], "8,2,3,4", ok[1]);
    assertTimes(LabelKind.INTERVAL, width + "3 beside 3 in ", "line 4", ok[0], ok[1], "3,3,3,3");
    assertTimes(LabelKind.INTERVAL, width + "1 beside no", "line 2", "1,1,3,", "8,2,3,9", ok[1]);
    assertTimes(LabelKind.INTERVAL, width + "8 beside Inf", "line 3", ok[0], "8,2,3,Inf", ok[1]);
    assertTimes(
        LabelKind.INTERVAL, "0, 1, 2 and 3 (first: 4 in", "line 3", ok[0], "8,2,4,9", ok[1]);
    assertTimes(LabelKind.TIME, "0, 1, 2 (first: 3 in ", "line 3", ok[0], "8,2,3,9", ok[1]);
    assertTimes(LabelKind.TIME, "(first: 0.5 in ", "in model.time2", "1,1,0.5,", "8,2,1,9", ok[1]);
    assertTimes(LabelKind.TIME, "(first: 0 in ", "code 2", ok[0], "8,2,1,9", "0,3,2,1");
    assertTimes(LabelKind.TIME, "(first: -2.5 in ", "line 4", ok[0], "8,2,1,9", "-2.5,3,2,1");
    assertTimes(LabelKind.TIME, "is '1.0E70' (first: ", "line 3", ok[0], "1e70,2,1,9", ok[1]);
  }

  /** The same from Parquet, whose cells are numbers. */
  @Test
  void rowsOfParquetThatCannotBeHaveTheirNumbers() throws IOException {
    assertSays(refusedData(parquet("8, 2, 3, 4")), "(first: 8.0 beside 4.0 in ", "row 2)");
    assertSays(refusedData(parquet("-8, 2, 1, 4")), "(first: -8.0 in ", "row 2)");
  }

  private Wish parquet(String row) {
    String path = folder.resolve("times" + row.charAt(0)).toString();
    SPARK
        .sql(
            "SELECT DOUBLE(y), DOUBLE(x), e, DOUBLE(u) FROM VALUES (1, 1, 1, 2), (%s), (3, 3, 1, 1) AS t(y, x, e, u)"
                .formatted(row))
        .coalesce(1)
        .write()
        .parquet(path);
    Wish wish = wish(path);
    wish.labelKind = LabelKind.INTERVAL;
    wish.features = List.of("x");
    wish.trials = "e";
    wish.offset = "u";
    return wish;
  }

  private void assertTimes(LabelKind kind, String what, String where, String... lines)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("y,x,e,u"));
    all.addAll(List.of(lines));
    Wish wish = wish(kind, all.toArray(new String[0]));
    wish.features = List.of("x");
    wish.trials = "e";
    wish.offset = kind == LabelKind.INTERVAL ? "u" : null;
    assertSays(refusedData(wish), what, where);
  }

  private void assertTrials(String what, String where, String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of("y,x,n"));
    all.addAll(List.of(lines));
    Wish wish = wish(LabelKind.SUCCESSES, all.toArray(new String[0]));
    wish.trials = "n";
    assertSays(refusedData(wish), what, where);
  }

  @Test
  void anotherOffsetIsAnotherTable() throws IOException {
    Wish wish = wish(LabelKind.COUNT, "y,x,e,f", "3,1,0.5,1", "0,2,-0.5,2", "7,3,0,3", "1,4,1,4");
    wish.features = List.of("x");
    wish.offset = "e";
    String print = wish.prepare().fingerprint();
    assertEquals(print, wish.prepareAgain().fingerprint());
    wish.offset = "f";
    assertNotEquals(print, wish.prepareAgain().fingerprint());
    wish.offset = null;
    TableSchema none = wish.prepareAgain();
    assertNotEquals(print, none.fingerprint());
    assertFalse(wish.blocks().get(0).hasOffset());
  }

  @Test
  void classesThatCannotBe() throws IOException {
    assertSays(
        refusedData(wish(LabelKind.CLASSES, "y,x", "a,1", "a,2", "a,3")),
        "the label 'y' of",
        "is a in every row",
        "at least two classes");
    assertSays(
        refusedData(wish(LabelKind.CLASSES, "y,x", "1,1", "2.5,2", "3,3")),
        "is '2.5'",
        "t.csv, line 3",
        "no class",
        "robust");
    assertSays(
        refusedData(wish(LabelKind.CLASSES, "y,x", "a,1", ",2", "b,3")), "has no value", "line 3");
    List<String> many = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < 1_001; n++) {
      many.add(n + "," + n % 7);
    }
    assertSays(
        refusedData(wish(LabelKind.CLASSES, many.toArray(new String[0]))),
        "more than 1000 different values");
  }

  @Test
  void numbersThatCannotBe() throws IOException {
    String[] text = {"y,x", "a,1", "b,2", "c,3"};
    assertSays(
        refusedData(wish(LabelKind.REAL, text)), "label 'y'", "type string", "needs a number.");
    assertSays(
        refusedData(wish(LabelKind.REAL, "y,x", "1,1", "nan,2", "2,3")), "has no value", "line 3");
    assertSays(
        refusedData(wish(LabelKind.REAL, "y,x", "2.5,1", "2.5,2", "2.5,3")), "is 2.5 in every row");
    assertSays(
        refusedData(wish(LabelKind.POSITIVE, "y,x", "1,1", "0,2", "2,3")),
        "not positive",
        "line 3",
        "a number above 0",
        "another family");
    assertSays(
        refusedData(wish(LabelKind.COUNT, "y,x", "1,1", "0,2", "-2,3")),
        "negative",
        "line 4",
        "a count");
    assertSays(
        refusedData(wish(LabelKind.COUNT, "y,x", "1,1", "0.5,2", "2,3")),
        "not a whole number in 1 row",
        "line 3");
    for (String odd : new String[] {"0", "1", "35", "-0.2"}) {
      assertSays(
          refusedData(wish(LabelKind.SHARE, "y,x", "0.1,1", odd + ",2", "0.7,3")),
          "not between 0 and 1 (first",
          "line 3",
          "binomial",
          "percentages",
          "data.query");
    }
    assertSays(refusedData(wish(LabelKind.COUNT, "y,x", "0,1", "0,2", "0,3")), "is 0 in every row");
  }

  @Test
  void offsetsThatCannotBe() throws IOException {
    Wish wish = wish(LabelKind.COUNT, "y,x,e", "1,1,0", "0,2,", "2,3,1");
    wish.offset = "e";
    assertSays(refusedData(wish), "column 'e'", "has no value", "line 3");
    wish.offset = "exposure";
    assertSays(refusedData(wish), "no column 'exposure' for the offsets");
    wish.offset = null;
    wish.features = List.of("x", "y");
    assertSays(refused(wish, Kind.USAGE), "column 'y' is the label, so it cannot be a feature");
  }

  @Test
  void aTableLikeAnotherHasItsClasses() throws IOException {
    Wish wish = wish(LabelKind.CLASSES, "y,x", "dog,1", "cat,2", "emu,3", "cat,4", "dog,5");
    wish.prepare();
    Wish next = new Wish(file("n.csv", "y,x", "emu,1", "emu,2"), folder.resolve("next"));
    next.labelKind = LabelKind.CLASSES;
    next.like = wish.output;
    assertEquals(List.of("cat", "dog", "emu"), next.prepare().label().classes());
    assertEquals(Map.of(1.0, 2.0, 2.0, 2.0), responses(next));
    Wish other = new Wish(file("o.csv", "y,x", "emu,1", "fox,2"), folder.resolve("prepared-o"));
    other.labelKind = LabelKind.CLASSES;
    other.like = wish.output;
    String message =
        String.valueOf(assertThrows(RuntimeException.class, other::prepare).getMessage());
    assertSays(message, "'fox'", "o.csv, line 3", "only cat, dog and emu");
    other.labelKind = LabelKind.REAL;
    message = String.valueOf(assertThrows(RuntimeException.class, other::prepare).getMessage());
    assertSays(message, "label 'y'", "a number");
  }
}
