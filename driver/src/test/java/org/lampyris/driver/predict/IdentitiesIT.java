package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.run.Shell;

/** Groups and categories of new rows are those of the run, however the new table types them. */
class IdentitiesIT {
  private static final String[] CODES = {"007", "1.10", "A12", "B9", "12"};

  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static String[] command(String name, String... more) {
    return Stream.concat(
            Stream.of(
                name,
                "--set",
                "data.input=" + path("t.csv"),
                "--set",
                "data.categorical.g={}",
                "--set",
                "model.family=gaussian",
                "--set",
                "model.sigma=0.5",
                "--set",
                "model.formula=y ~ x + g + factor(k) + (1 | c) + (1 | n)",
                "--set",
                "sampler.chains=2",
                "--set",
                "sampler.warmup=50",
                "--set",
                "sampler.draws=40",
                "--set",
                "output=" + path("run")),
            Arrays.stream(more))
        .toArray(String[]::new);
  }

  private List<Row> predict(String input, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("--input", path(input), "--to", path(input + "-to")));
    command.addAll(List.of(more));
    shell.succeeds(command("predict", command.toArray(String[]::new)));
    try (SparkSession spark = spark()) {
      return spark.read().parquet(path(input + "-to/predictions")).orderBy("x").collectAsList();
    }
  }

  private static SparkSession spark() {
    return SparkSession.builder()
        .config(Session.configuration("test").setMaster("local[1]"))
        .getOrCreate();
  }

  private static void assertSame(List<Row> expected, List<Row> rows) {
    assertEquals(expected.size(), rows.size());
    for (int n = 0; n < rows.size(); n++) {
      for (String figure : List.of(".mean", ".sd")) {
        assertEquals(expected.get(n).<Double>getAs(figure), rows.get(n).<Double>getAs(figure));
      }
    }
  }

  @Test
  void retypedKeysAreTheSame() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,x,g,k,c,n"));
    for (int n = 0; n < 200; n++) {
      int code = n * 7 % CODES.length;
      double y = 3 * code + n % 3 - 2 * (n / 3 % 3) + n % 4;
      lines.add(
          "%s,%s,%s,0%s,%s,%s".formatted(y, n % 13, n % 3 + 1, n / 3 % 3, CODES[code], n % 4));
    }
    Files.write(folder.resolve("t.csv"), lines);
    shell.samples(command("run"));

    // As in training, beside letters; then digits alone, with other numbers for numbers.
    Files.writeString(
        folder.resolve("as.csv"),
        "x,g,k,c,n\n1,1,00,007,0\n2,2,01,1.10,1\n3,3,02,12,2\n4,3,02,A12,3\n");
    List<Row> as = predict("as.csv");
    assertFalse(shell.out().contains("that the run has not seen"), shell.out());
    Files.writeString(
        folder.resolve("digits.csv"),
        "x,g,k,c,n\n1,1.0,00,007,0.0\n2,2.0,01,1.10,1.0\n3,3.0,02,12,2e0\n");
    assertSame(as.subList(0, 3), predict("digits.csv"));
    assertFalse(shell.out().contains("that the run has not seen"), shell.out());
    assertSame(
        as.subList(0, 3), predict("digits.csv", "--query", "SELECT * FROM input", "--overwrite"));
    try (SparkSession spark = spark()) {
      spark
          .sql(
              "SELECT * FROM VALUES (1D, 1D, '00', '007', 0), (2D, 2D, '01', '1.10', 1),"
                  + " (3D, 3D, '02', '12', 2) AS t(x, g, k, c, n)")
          .write()
          .parquet(path("p.parquet"));
    }
    assertSame(as.subList(0, 3), predict("p.parquet"));

    // What is not known is counted and named.
    Files.writeString(
        folder.resolve("new.csv"),
        "x,g,k,c,n\n1,1,00,7,0\n2,2,01,7,1\n3,3,02,07,2\n4,4.5,02,12,3\n");
    List<Row> rows = predict("new.csv", "--new-groups", "refuse");
    assertEquals(4, rows.stream().filter(row -> row.isNullAt(row.fieldIndex(".mean"))).count());
    for (String part :
        List.of(
            "3 rows belong to 2 groups of 'c' that the run has not seen, such as '07'",
            "As set by --new-groups, they have no prediction",
            "Column 'g' has a level unknown to the model in 1 row, such as '4.5'")) {
      assertTrue(shell.out().contains(part), shell.out());
    }
    String told = Files.readString(folder.resolve("new.csv-to/prediction.json"));
    assertTrue(told.replaceAll("\\s", "").contains("{\"c\":{\"groups\":2,\"rows\":3}}"), told);
  }
}
