package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException.Kind;
import org.lampyris.dataprep.read.Columns.Categorical;

/** Every error that the user can mend names the file, the place and the remedy. */
class PrepareErrorsIT extends PrepareContract {
  private static final String[] GOOD = {
    "y,a,b,c", "1,0.5,2,x", "0,1.5,1,z", "1,-0.5,7,x", "0,2.5,3,z", "1,3.5,4,x", "0,0.25,5,z"
  };

  private static String[] with(String... more) {
    String[] all = java.util.Arrays.copyOf(GOOD, GOOD.length + more.length);
    System.arraycopy(more, 0, all, GOOD.length, more.length);
    return all;
  }

  private static Categorical levels(String... levels) {
    return new Categorical(List.of(levels), null, null, null);
  }

  @Test
  void missingInput() throws IOException {
    String path = folder.resolve("no/where.csv").toString();
    assertSays(refused(wish(path), Kind.USAGE), path, "does not exist", "data.input");
  }

  @Test
  void emptyInput() throws IOException {
    assertSays(refusedData(wish(Files.writeString(folder.resolve("e.csv"), ""))), "e.csv is empty");
    assertSays(refusedData(wish(file("h.csv", "y,a"))), "h.csv is empty: it has no rows");
    Wish query = wish(file("q.csv", GOOD));
    query.query = "SELECT y, a FROM input WHERE a > 100";
    assertSays(refusedData(query), "has no rows", "check data.query");
    assertSays(refusedData(wish(file("s.libsvm", "# nothing"))), "s.libsvm is empty");
  }

  @Test
  void formatThatCannotBeTold() throws IOException {
    assertSays(
        refused(wish(file("table.txt", GOOD)), Kind.USAGE),
        "table.txt",
        "Set data.format to parquet");
    Wish wish = wish(file("t.csv", GOOD));
    wish.format = "orc";
    assertSays(refused(wish, Kind.USAGE), "'orc' is unknown", "parquet, csv, libsvm");
  }

  @Test
  void notParquet() throws IOException {
    Wish wish = wish(file("t.parquet", GOOD));
    assertSays(refusedData(wish), "t.parquet");
  }

  @Test
  void queryThatDoesNotParseOrFit() throws IOException {
    Wish wish = wish(file("t.csv", GOOD));
    wish.query = "SELECT y, FROM WHERE";
    assertSays(refused(wish, Kind.USAGE), "data.query cannot be understood: Trailing comma");
    wish.query = "SELECT y, aa FROM input";
    assertSays(refused(wish, Kind.USAGE), "data.query cannot be understood", "aa", "y, a, b, c");
    wish.query = "DROP VIEW input";
    assertSays(refused(wish, Kind.USAGE), "not part of a SELECT");
    wish.query = "SELECT a, b FROM input";
    assertSays(refusedData(wish), "data.query", "no column 'y' for the label");
    wish.query = "SELECT y, b / (b - 7) AS r FROM input";
    assertSays(refusedData(wish), "data.query fails on a row", "t.csv");
    wish.query = "SELECT y, a AS x, b AS x FROM input";
    assertSays(refusedData(wish), "columns 2 and 3", "both named 'x'");
  }

  @Test
  void absentColumnNamesTheNearest() throws IOException {
    Wish wish = wish(file("t.csv", "clicked,price,country", "1,2,a", "0,3,b"));
    wish.label = "cliked";
    assertSays(refusedData(wish), "t.csv has no column 'cliked'", "did you mean 'clicked'?");
    wish.label = "clicked";
    wish.features = List.of("price", "land");
    assertSays(refusedData(wish), "no column 'land'", "clicked, price, country");
    wish.features = List.of("price", "clicked");
    assertSays(refused(wish, Kind.USAGE), "'clicked' is the label");
    wish.features = List.of("price");
    wish.categorical = Map.of("country", levels());
    assertSays(refused(wish, Kind.USAGE), "data.categorical names 'country'");
    Wish semicolons = wish(file("s.csv", "y;a", "1;2"));
    assertSays(refusedData(semicolons), "no column 'y'", "separate by commas");
  }

  @Test
  void nonNumericCellNamesItsLine() throws IOException {
    assertSays(
        refusedData(wish(file("t.csv", with("1,oops,3,x")))),
        "t.csv, line 8: column 'a' holds 'oops'",
        "data.categorical");
    // The line is that of the file even where cells hold line breaks.
    assertSays(
        refusedData(wish(file("u.csv", with("1,2,3,\"two", "lines\"", "0,1,x7,z")))),
        "u.csv, line 10: column 'b' holds 'x7'");
    Path gz = folder.resolve("t.csv.gz");
    try (var out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(gz)), StandardCharsets.UTF_8)) {
      out.write(String.join("\n", with("0,1e3x,3,x")));
    }
    assertSays(refusedData(wish(gz)), "t.csv.gz, line 8: column 'a' holds '1e3x'");
    Wish query = wish(file("v.csv", with("1,oops,3,x")));
    query.query = "SELECT y, a * 2 AS twice FROM input";
    assertSays(refusedData(query), "v.csv, line 8: column 'a' holds 'oops'");
  }

  @Test
  void missingNaNAndInfiniteValuesAreCountedAndPlaced() throws IOException {
    assertSays(
        refusedData(wish(file("m.csv", with("1,,3,x", "0,NA,4,z")))),
        "column 'a' of",
        "m.csv has no value in 2 rows",
        "(first: ",
        "m.csv, line 8)",
        "data.missing: drop");
    assertSays(
        refusedData(wish(file("n.csv", with("1,nan,3,x")))),
        "column 'a'",
        "has no value in 1 row",
        "line 8",
        "NaN");
    assertSays(
        refusedData(wish(file("i.csv", with("1,2,-inf,x")))),
        "column 'b'",
        "is infinite in 1 row",
        "line 8");
    assertSays(
        refusedData(wish(file("c.csv", with("1,2,3,")))),
        "column 'c'",
        "no value in 1 row",
        "line 8");
    assertSays(
        refusedData(wish(file("l.csv", with(",2,3,x")))),
        "column 'y'",
        "no value in 1 row",
        "line 8");
    Wish query = wish(file("q.csv", with("1,,3,x")));
    query.query = "SELECT y, a + 1 AS a1 FROM input";
    assertSays(refusedData(query), "column 'a1' of the result of data.query", "in 1 row;");
  }

  @Test
  void parquetProblemsNameTheRow() throws IOException {
    String path =
        parquet(
            10,
            1,
            "CAST(id % 2 AS INT) AS y",
            "IF(id = 6, NULL, id * id) AS a",
            "IF(id = 4, DOUBLE('NaN'), DOUBLE(id)) AS b");
    Wish wish = wish(path);
    assertSays(refusedData(wish), "column 'a'", "no value in 1 row", ", row 7)");
    wish.features = List.of("b");
    assertSays(refusedData(wish), "column 'b'", "has no value in 1 row", ", row 5)");
  }

  @Test
  void labelsOfOtherThanTwoClasses() throws IOException {
    assertSays(
        refusedData(wish(file("three.csv", with("2,1,1,x")))),
        "label 'y'",
        "3 different values (0, 1, 2)",
        "'2' (first: ",
        "three.csv, line 8)",
        "CASE WHEN");
    assertSays(
        refusedData(wish(file("one.csv", "y,a", "1,2", "1,3"))),
        "label 'y'",
        "is 1 in every row",
        "both classes");
  }

  @Test
  void constantColumns() throws IOException {
    assertSays(
        refusedData(wish(file("k.csv", "y,a,k", "1,2,5", "0,3,5.0"))),
        "column 'k' of",
        "is constant: 5 in every row",
        "data.features");
    assertSays(
        refusedData(wish(file("t.csv", "y,a,k", "1,2,FR", "0,3,FR"))),
        "column 'k'",
        "is constant: 'FR'");
  }

  @Test
  void squaresThatNoDoubleHoldsNameTheCauseAndAnotherUnit() throws IOException {
    assertSays(
        refusedData(wish(file("t.csv", "y,a,b", "1,1e200,2", "0,2e200,7", "1,3e200,1"))),
        "column 'a'",
        "reaches 3.00000e+200",
        "squares of such numbers are larger than a double can hold",
        "SELECT `a` / 1e199 AS `a`");
    assertSays(
        refusedData(wish(file("u.csv", "y,a,b", "1,1e-200,2", "0,2e-200,7", "1,3e-200,1"))),
        "column 'a'",
        "smaller than a double can hold",
        "SELECT `a` * 1e1");
  }

  @Test
  void duplicateColumnNames() throws IOException {
    assertSays(
        refusedData(wish(file("t.csv", "y,a,a", "1,2,3", "0,3,5"))),
        "columns 2 and 3 of",
        "both named 'a'",
        "Rename one");
    assertSays(refusedData(wish(file("u.csv", "y,Age,age", "1,2,3", "0,3,5"))), "'Age' and 'age'");
  }

  @Test
  void raggedRecordNamesItsLine() throws IOException {
    assertSays(
        refusedData(wish(file("t.csv", with("1,2,3")))), "t.csv, line 8 has 3 cells", "names 4");
    assertSays(
        refusedData(wish(file("u.csv", with("1,2,3,4,x")))),
        "u.csv, line 8 has 5 cells",
        "names 4");
  }

  @Test
  void libSvmProblemsNameTheLine() throws IOException {
    for (String bad : List.of("1 3:1 2:5", "1 0:4", "1 2", "x 1:1", "1 1:nan", "0 a:1")) {
      assertSays(refusedData(wish(file("t.libsvm", "0 1:1", "", bad))), "t.libsvm, line 3: ");
    }
  }

  @Test
  void categoryUnseenBefore() throws IOException {
    Wish first = new Wish(file("old.csv", GOOD), folder.resolve("old"));
    first.prepare();
    Wish wish = wish(file("new.csv", with("1,1,1,w")));
    wish.like = folder.resolve("old").toString();
    assertSays(
        refusedData(wish),
        "column 'c' of",
        "has the category 'w' (first: ",
        "new.csv, line 8)",
        "earlier table",
        "top");
    Wish listed = wish(file("t.csv", GOOD));
    listed.categorical = Map.of("c", levels("x", "w"));
    assertSays(refusedData(listed), "category 'z'", "t.csv, line 3", "data.categorical.c.other");
    listed.categorical = Map.of("c", levels("x", "z", "w"));
    assertSays(refusedData(listed), "is never 'w'");
    listed.categorical = Map.of("c", new Categorical(List.of(), "zz", null, null));
    assertSays(refusedData(listed), "reference 'zz' is not a level", "'z'");
  }

  @Test
  void earlierTableMustExistAndFit() throws IOException {
    Wish wish = wish(file("t.csv", GOOD));
    wish.like = folder.resolve("nothing").toString();
    assertSays(refusedData(wish), "holds no prepared table");
    Wish first = new Wish(file("old.csv", GOOD), folder.resolve("old"));
    first.prepare();
    Wish label = wish(file("u.csv", with("7,1,1,x")));
    label.like = folder.resolve("old").toString();
    assertSays(refusedData(label), "label 'y'", "is '7' (first: ", "line 8)", "only 0 and 1");
  }

  @Test
  void weightsMustBeNumbersFromZero() throws IOException {
    Wish wish = wish(file("t.csv", "y,a,w", "1,2,1", "0,3,-1", "1,5,2", "0,9,1"));
    wish.weight = "w";
    assertSays(refusedData(wish), "column 'w'", "is a weight below 0", "t.csv, line 3");
    wish.weight = "v";
    assertSays(refusedData(wish), "no column 'v' for the weights");
    Wish zero = wish(file("zero.csv", "y,a,w", "1,2,1", "0,3,0", "1,5,2", "0,9,1"));
    zero.weight = "w";
    assertEquals(3, zero.prepare().rows());
  }

  @Test
  void tooManyLevels() throws IOException {
    String path = folder.resolve("t.parquet").toString();
    SPARK.range(10_010).selectExpr("id % 2 AS y", "CONCAT('user', id) AS id").write().parquet(path);
    assertSays(refusedData(wish(path)), "column 'id'", "10010 levels", "data.categorical.id.top");
  }

  @Test
  void unusableType() throws IOException {
    String path = folder.resolve("t.parquet").toString();
    SPARK.range(10).selectExpr("id % 2 AS y", "DATE'2020-01-01' AS day").write().parquet(path);
    assertSays(refusedData(wish(path)), "column 'day'", "type date", "data.query");
  }

  @Test
  void outputThatExistsOrHoldsTheInput() throws IOException {
    Path input = file("t.csv", GOOD);
    Wish wish = new Wish(input, folder.resolve("out"));
    wish.prepare();
    assertSays(
        refused(new Wish(input, folder.resolve("out")), Kind.USAGE), "exists", "--overwrite");
    wish.overwrite = true;
    wish.prepare();
    assertSays(refused(new Wish(input, folder), Kind.USAGE), "exists");
    Wish inside = new Wish(folder.resolve("out/table"), folder.resolve("out"));
    inside.overwrite = true;
    assertSays(refused(inside, Kind.USAGE), "lies in the output folder");
  }

  @Test
  void outputThatCannotBeWritten() throws IOException {
    file("plain", "a file");
    Wish wish = new Wish(file("t.csv", GOOD), folder.resolve("plain/prepared"));
    assertSays(refused(wish, Kind.USAGE), "plain/prepared");
  }
}
