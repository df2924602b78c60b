package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException.Kind;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Columns.Dates;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.executors.table.TableSchema;

/** Tables with gaps, dates, numbers of rows and foreign bytes: said, and never guessed at. */
class HostileTablesIT extends PrepareContract {
  private static final String[] GAPS = {
    "y,a,c",
    "1,0.5,x",
    "0,1.5,z",
    "1,,x",
    "0,2.5,NA",
    "1,3.5,null",
    "0,NaN,",
    "1,7,x",
    "0,8,z",
    "1,9,z"
  };

  private Wish gaps(Missing missing, String... lines) throws IOException {
    Wish wish = wish(file("t.csv", lines));
    wish.rules = new Columns.Rules(missing, Dates.REFUSE);
    return wish;
  }

  private static Wish days(Wish wish) {
    wish.rules = new Columns.Rules(Missing.REFUSE, Dates.DAYS);
    return wish;
  }

  @Test
  void gapsAreRefusedInOneMessage() throws IOException {
    assertSays(
        refusedData(gaps(Missing.REFUSE, GAPS)),
        "column 'a' of ",
        "t.csv has no value in 2 rows (first: ",
        "t.csv, line 4), nor has 'c' in 3 rows; an empty cell, NA, NaN and null mean none",
        "data.missing: drop");
  }

  @Test
  void rowsWithGapsAreLeftOutAndCounted() throws IOException {
    Wish wish = gaps(Missing.DROP, GAPS);
    TableSchema schema = wish.prepare();
    assertEquals(5, schema.rows());
    assertEquals(4, schema.source().leftOut());
    List<String> left = wish.rows().stream().sorted().toList();
    Wish without =
        new Wish(
            file("u.csv", "y,a,c", "1,0.5,x", "0,1.5,z", "1,7,x", "0,8,z", "1,9,z"),
            folder.resolve("other"));
    assertEquals(schema.fingerprint(), without.prepare().fingerprint());
    assertEquals(without.rows().stream().sorted().toList(), left);
    Wish all = gaps(Missing.DROP, "y,a,c", "1,,x", "0,NA,z");
    all.overwrite = true;
    Files.delete(folder.resolve("prepared/schema.json"));
    all = new Wish(folder.resolve("t.csv"), folder.resolve("prepared-none"));
    all.rules = new Columns.Rules(Missing.DROP, Dates.REFUSE);
    String message =
        String.valueOf(
            org.junit.jupiter.api.Assertions.assertThrows(RuntimeException.class, all::prepare)
                .getMessage());
    assertSays(message, "no rows left", "column 'a'", "in 2 rows", "data.missing is drop");
  }

  @Test
  void missingTextIsALevelAndAMissingNumberIsNot() throws IOException {
    assertSays(
        refusedData(gaps(Missing.LEVEL, GAPS)),
        "column 'a' of",
        "has no value in 2 rows",
        "line 4",
        "is for text features",
        "drop");
    Wish wish =
        gaps(Missing.LEVEL, "y,a,c", "1,1,x", "0,2,z", "1,3,NA", "0,5,z", "1,7,", "0,4,x", "1,6,x");
    TableSchema schema = wish.prepare();
    assertEquals(List.of("x", "z", "(missing)"), schema.features().get(1).levels());
    assertEquals("x", schema.features().get(1).reference());
    assertEquals(7, schema.rows());
    assertEquals(0, schema.source().leftOut());
    assertEquals(2, wish.rows().stream().filter(row -> row.endsWith(" 0.0 1.0")).count());
    wish.categorical = Map.of("c", new Categorical(List.of(), null, 1, null));
    assertEquals(
        List.of("x", "(missing)", "(other)"), wish.prepareAgain().features().get(1).levels());
    wish.categorical = Map.of("c", new Categorical(List.of("z", "x"), "(missing)", null, null));
    assertEquals("(missing)", wish.prepareAgain().features().get(1).reference());
  }

  @Test
  void gapsOfParquetAreThoseOfText() throws IOException {
    String path =
        parquet(
            12,
            2,
            "CAST(id % 2 AS INT) AS y",
            "IF(id = 6, DOUBLE('NaN'), DOUBLE(id * id)) AS a",
            "CASE WHEN id = 4 THEN NULL WHEN id = 5 THEN ' na' WHEN id = 8 THEN 'NaN'"
                + " WHEN id < 7 THEN 'p' ELSE 'q' END AS c");
    Wish wish = wish(path);
    assertSays(refusedData(wish), "column 'a'", "1 row (first: ", "nor has 'c' in 2 rows");
    wish.features = List.of("c");
    assertSays(refusedData(wish), "column 'c'", "2 rows (first: ", ", row 5)");
    wish.features = List.of();
    wish.rules = new Columns.Rules(Missing.DROP, Dates.REFUSE);
    TableSchema schema = wish.prepare();
    assertEquals(9, schema.rows());
    assertEquals(3, schema.source().leftOut());
    assertEquals(List.of(" na", "p", "q"), schema.features().get(1).levels());
  }

  @Test
  void theChosenClassIsClassOne() throws IOException {
    Wish wish = wish(file("t.csv", "y,a", "no,1", "yes,2", "no,4", "yes,3"));
    assertEquals(List.of("no", "yes"), wish.prepare().label().classes());
    List<String> rows = wish.rows();
    wish.positive = "no";
    assertEquals(List.of("yes", "no"), wish.prepareAgain().label().classes());
    List<String> turned =
        wish.rows().stream()
            .map(row -> row.startsWith("-") ? row.substring(1) : "-" + row)
            .toList();
    assertEquals(rows.stream().sorted().toList(), turned.stream().sorted().toList());
    Wish like = new Wish(folder.resolve("t.csv"), folder.resolve("like"));
    like.like = wish.output;
    assertEquals(List.of("yes", "no"), like.prepare().label().classes());
  }

  @Test
  void aClassThatCannotBeChosen() throws IOException {
    Wish wish = wish(file("t.csv", "y,a", "no,1", "yes,2", "no,4", "yes,3"));
    wish.positive = "yess";
    assertSays(refusedData(wish), "data.positive is 'yess'", "did you mean 'yes'?");
    Wish number = wish(file("n.csv", "y,a", "1,1", "2,2", "3,4"));
    number.labelKind = LabelKind.REAL;
    number.positive = "2";
    assertSays(refused(number, Kind.USAGE), "data.positive", "Remove it");
  }

  @Test
  void datesAreRefusedOrDays() throws IOException {
    String[] lines = {
      "y,day,a", "1,2024-01-05,1", "0,1970-01-02,3", "1,1969-12-31,2", "0,2024-02-29T12:00,9"
    };
    assertSays(
        refusedData(wish(file("t.csv", lines))),
        "column 'day' of",
        "dates as text, such as 1969-12-31",
        "data.dates: days");
    Wish wish = days(wish(file("u.csv", lines)));
    assertEquals(List.of("(Intercept)", "day", "a"), wish.prepare().columnNames());
    assertEquals(
        List.of("-1 1.0 1.0 3.0", "-1 1.0 19782.5 9.0", "1 1.0 -1.0 2.0", "1 1.0 19727.0 1.0"),
        wish.rows().stream().sorted().toList());
    Wish level =
        new Wish(
            file("v.csv", String.join("\n", lines), "1,1970-01-02,4", "0,1969-12-31,5"),
            folder.resolve("level"));
    level.categorical = Map.of("day", Categorical.DEFAULT);
    assertEquals(4, level.prepare().features().get(0).levels().size());
  }

  @Test
  void aCellThatIsNoDateAndDatesOfAnUnknownOrder() throws IOException {
    Wish wish =
        days(
            wish(
                file(
                    "t.csv",
                    "y,day",
                    "1,2024-01-05",
                    "0,1970-01-02",
                    "1,2024-13-01",
                    "0,1971-01-02")));
    assertSays(refusedData(wish), "t.csv, line 4: column 'day' holds '2024-13-01'", "not a date");
    assertSays(
        refusedData(
            days(wish(file("u.csv", "y,day", "1,05/01/2024", "0,06/01/2024", "1,07/02/2023")))),
        "column 'day'",
        "05/01/2024",
        "TO_DATE(day, 'dd/MM/yyyy')");
  }

  @Test
  void timesOfParquetAreDays() throws IOException {
    String path = folder.resolve("t.parquet").toString();
    SPARK
        .range(4)
        .selectExpr(
            "id % 2 AS y",
            "DATE_ADD(DATE'1970-01-01', CAST(id AS INT)) AS d",
            "TIMESTAMP_MICROS(id * id * 43200000000) AS t",
            "TIMESTAMP_NTZ'1970-01-02 06:00:00' + MAKE_DT_INTERVAL(CAST(id * id * id AS INT)) AS n")
        .write()
        .parquet(path);
    assertSays(refusedData(wish(path)), "column 'd'", "type date", "data.dates: days");
    Wish wish = days(wish(path));
    wish.prepare();
    assertEquals(
        List.of(
            "-1 1.0 0.0 0.0 1.25",
            "-1 1.0 2.0 2.0 9.25",
            "1 1.0 1.0 0.5 2.25",
            "1 1.0 3.0 4.5 28.25"),
        wish.rows().stream().sorted().toList());
  }

  @Test
  void numbersAndNamesOfRowsAreDoubted() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,id,name,a"));
    for (int n = 0; n < 40; n++) {
      lines.add(n % 2 + "," + (n * 7 % 40 + 1) + ",p" + n % 35 + "," + n * n);
    }
    List<String> doubts =
        wish(file("t.csv", lines.toArray(new String[0]))).prepare().source().doubts();
    assertEquals(2, doubts.size(), doubts.toString());
    assertSays(doubts.get(0), "column 'id' counts the rows from 1 to 40", "data.features");
    assertSays(doubts.get(1), "column 'name' has 35 levels in 40 rows");
  }

  private Path bytes(String name, Charset charset, boolean zipped) throws IOException {
    byte[] bytes = "y,place\n1,café\n0,cafè\n1,café\n0,cafè\n1,bar\n".getBytes(charset);
    Path path = folder.resolve(name);
    if (!zipped) {
      return Files.write(path, bytes);
    }
    try (var out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write(bytes);
    }
    return path;
  }

  @Test
  void bytesThatAreNotUtf8() throws IOException {
    Charset western = Charset.forName("windows-1252");
    for (boolean zipped : new boolean[] {false, true}) {
      Wish wish = wish(bytes(zipped ? "t.csv.gz" : "t.csv", western, zipped));
      wish.format = "csv";
      assertSays(
          refusedData(wish),
          ", line 2, byte 6 of the line is 0xE9, which is not UTF-8 there",
          "data.encoding: windows-1252");
      wish.encoding = "windows-1252";
      assertEquals(List.of("bar", "cafè", "café"), wish.prepareAgain().features().get(0).levels());
      wish.overwrite = false;
      deletePrepared();
    }
    Wish wide = wish(bytes("w.csv", StandardCharsets.UTF_16, false));
    wide.encoding = "UTF-16";
    assertEquals(List.of("bar", "cafè", "café"), wide.prepare().features().get(0).levels());
    Wish good = new Wish(bytes("g.csv", StandardCharsets.UTF_8, false), folder.resolve("good"));
    assertEquals(List.of("bar", "cafè", "café"), good.prepare().features().get(0).levels());
  }

  /** A few small files are looked through on the driver, many by a job. */
  @Test
  void linesAreLookedThroughAlikeInOneFileAndInMany() throws IOException {
    for (int files : new int[] {1, 20}) {
      Path quoted = Files.createDirectory(folder.resolve("quoted" + files));
      Path foreign = Files.createDirectory(folder.resolve("foreign" + files));
      for (int k = 0; k < files; k++) {
        Files.writeString(
            quoted.resolve(k + ".csv"),
            "y,place\n1,\"old\ntown\"\n0,port\n1,port\n0,\"old\ntown\"\n");
        bytes("foreign" + files + "/" + k + ".csv", Charset.forName("windows-1252"), false);
      }
      Wish wish = new Wish(quoted, folder.resolve("of" + files));
      wish.format = "csv";
      TableSchema schema = wish.prepare();
      assertEquals(List.of("old\ntown", "port"), schema.features().get(0).levels());
      assertEquals(4L * files, schema.rows());
      Wish other = new Wish(foreign, folder.resolve("other" + files));
      other.format = "csv";
      assertSays(
          refusedData(other), "0.csv, line 2, byte 6 of the line is 0xE9, which is not UTF-8");
    }
  }

  private void deletePrepared() throws IOException {
    try (var files = Files.walk(folder.resolve("prepared"))) {
      for (Path path : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void anEncodingIsForCsv() throws IOException {
    Wish wish = wish(file("s.libsvm", "0 1:1", "1 1:2"));
    wish.encoding = "UTF-16";
    assertSays(refused(wish, Kind.USAGE), "data.encoding is for CSV");
  }

  @Test
  void anExposureIsNoOffset() throws IOException {
    Wish wish = wish(file("t.csv", "y,x,e", "1,1,1000", "0,2,50", "2,3,20", "1,7,3"));
    wish.labelKind = LabelKind.COUNT;
    wish.offset = "e";
    assertSays(
        refusedData(wish),
        "column 'e'",
        "the offset and ranges from 3 to 1000",
        "LN(e)",
        "exposure");
    Wish large =
        new Wish(
            file("u.csv", "y,x,e", "1,1,80", "0,2,50", "2,3,20", "1,7,3"), folder.resolve("p"));
    large.labelKind = LabelKind.COUNT;
    large.offset = "e";
    List<String> doubts = large.prepare().source().doubts();
    assertTrue(doubts.get(0).contains("offset 'e' goes up to 80"), doubts.toString());
  }

  @Test
  void collinearColumnsAreNotedWithTheirCombination() throws IOException {
    Wish wish =
        wish(
            file(
                "t.csv",
                "y,a,b,total",
                "1,1,2,1",
                "0,2,7,7",
                "1,3,1,2",
                "0,5,4,7",
                "1,7,6,11",
                "0,1,1,0"));
    assertNoted(wish, "exactly collinear", "total = 1·a + 1·b − 2·(Intercept)");
    // A level may coincide with a number, too.
    Wish level = wish(file("u.csv", "y,c,n", "1,p,0", "0,q,1", "1,q,1", "0,p,0", "0,q,1", "1,p,0"));
    assertNoted(level, "exactly collinear", "n = 1·c[q]");
    // The same columns scaled beyond recognition, in the sparse layout.
    Wish sparse =
        wish(
            file(
                "v.csv",
                "y,a,b,total",
                "1,1,20001,1",
                "0,2,20006,7",
                "1,3,20000,2",
                "0,5,20003,7",
                "1,7,20005,11",
                "0,1,20000,0"));
    sparse.layout = Layout.SPARSE;
    assertNoted(sparse, "exactly collinear", "(Intercept)");
  }

  @Test
  void moreColumnsThanRowsAreNoted() throws IOException {
    Wish wish = wish(file("t.csv", "y,a,b,c", "1,1,4,2", "0,2,5,9"));
    assertNoted(
        wish, "more columns than rows: 4 columns (3 numeric", "2 rows", "fewer data.features");
    // Of a combination that is not exact, nothing is said.
    Wish noisy = wish(file("n.csv", "y,a,b", "1,1,2", "0,2,4", "1,3,6.001", "0,5,10"));
    noisy.overwrite = true;
    assertEquals(List.of(), noisy.prepare().source().doubts());
  }

  private static void assertNoted(Wish wish, String... parts) {
    wish.overwrite = true;
    List<String> doubts = wish.prepare().source().doubts();
    assertEquals(1, doubts.size(), doubts.toString());
    assertSays(doubts.get(0), parts);
  }
}
