package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.RowSample;
import org.lampyris.driver.run.Shell;
import org.lampyris.executors.table.BlockTable;

/** Reports of real runs, by the command line. */
class ReportIT {
  private static final int ROWS = 3000;

  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() throws IOException {
    Random random = new Random(4);
    List<String> lines = new ArrayList<>(List.of("a<b>,town,bought"));
    for (int i = 0; i < ROWS; i++) {
      double x = random.nextGaussian();
      String town = List.of("Bern", "Lima", "<i>Oslo</i>").get(random.nextInt(3));
      double eta = -1 + x * x + (town.equals("Lima") ? 0.7 : 0);
      boolean bought = random.nextDouble() < 1 / (1 + Math.exp(-eta));
      lines.add(x + "," + town + "," + (bought ? "yes" : "no"));
    }
    Files.write(folder.resolve("table.csv"), lines);
    new Shell("local[2]").succeeds(command("run", "good"));
    new Shell("local[2]")
        .samples(
            command(
                "sample",
                "early",
                "sampler.draws=20",
                "prepared=" + folder.resolve("good/prepared"),
                "bounds=" + folder.resolve("good/bounds")));
  }

  private static String[] command(String name, String output, String... settings) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("table.csv"),
                "data.label=bought",
                "data.block_rows=128",
                "sampler.algorithm=firefly",
                "sampler.draws=1000",
                "output=" + folder.resolve(output)));
    all.addAll(List.of(settings));
    List<String> command = new ArrayList<>(List.of(name));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  private static String report(String name) throws IOException {
    return Files.readString(folder.resolve(name).resolve(ReportJob.FILE));
  }

  /** The chains are as they should be, and the model lacks the square that the table has. */
  @Test
  void aRunWritesItsReport() throws IOException {
    String page = report("good");
    assertTrue(page.contains("<h2>Believe the draws; doubt the model.</h2>"), verdict(page));
    assertTrue(page.contains("over rows with a&lt;b&gt; about"), verdict(page));
    assertTrue(
        page.contains("Posterior predictive checks of bought on 3,000 of the 3,000 stored rows"));
    assertTrue(page.contains("<h3>By town</h3>"));
    assertTrue(page.contains("&lt;i&gt;Oslo&lt;/i&gt;"));
    assertFalse(page.contains("<i>Oslo"));
    assertTrue(page.contains("Calibration: the probability of yes"));
    assertTrue(page.contains("Bright rows"));
  }

  @Test
  void oneThatWasStoppedTooEarlySaysSo() throws IOException {
    String page = report("early");
    assertTrue(page.contains("<h2>Do not believe these draws yet.</h2>"), verdict(page));
    assertTrue(page.contains("Raise sampler.draws from 20"), verdict(page));
  }

  private static String verdict(String page) {
    int from = page.indexOf("<section class=\"verdict");
    return page.substring(from, page.indexOf("</section>", from));
  }

  @Test
  void theCommandWritesTheSame() throws IOException {
    String before = report("good");
    shell.succeeds("report", folder.resolve("good").toString());
    assertEquals(before, report("good"));
    assertTrue(shell.out().endsWith("report.html.\n"), shell.out());
  }

  @Test
  void withoutTheTableThereAreNoChecks() throws IOException {
    Path moved = folder.resolve("moved");
    copy(folder.resolve("early"), moved);
    Path manifest = moved.resolve("manifest.json");
    Files.writeString(
        manifest, Files.readString(manifest).replace("/good/prepared", "/gone/prepared"));
    Files.deleteIfExists(moved.resolve(".manifest.json.crc"));
    shell.succeeds("report", moved.toString());
    assertTrue(report("moved").contains("the prepared table is no longer in "));
    assertTrue(report("moved").contains("/gone/prepared."));
    assertFalse(report("moved").contains("Calibration"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  void whatIsNoRunIsRefused() throws IOException {
    assertEquals(3, shell.run("report", folder.toString()));
    assertTrue(shell.err().contains("holds no manifest.json"), shell.err());
  }

  @Test
  void rowsAreTheSameOnAnyNumberOfPartitions() throws IOException {
    List<List<Double>> drawn = new ArrayList<>();
    try (SparkSession spark = session()) {
      for (int partitions : new int[] {1, 2, 5}) {
        try (BlockTable table =
            BlockTable.load(spark, folder.resolve("good/prepared").toString(), partitions)) {
          RowSample sample = RowSample.draw(table, 500);
          assertEquals(ROWS, sample.of());
          drawn.add(features(sample));
          List<Double> spread = features(RowSample.drawSpread(table, 500));
          assertEquals(500, spread.size(), 5 * Math.sqrt(500 * (1 - 500.0 / ROWS)));
          assertEquals(
              spread,
              features(
                  RowSample.drawHere(
                      spark.sparkContext().hadoopConfiguration(),
                      folder.resolve("good/prepared").toString(),
                      table.schema(),
                      500)));
          table.keep();
          assertEquals(spread, features(RowSample.drawSpread(table, 500)));
        }
      }
    }
    assertEquals(drawn.get(0), drawn.get(1));
    assertEquals(drawn.get(0), drawn.get(2));
    // 500 rows, give or take five standard deviations.
    assertEquals(500, drawn.get(0).size(), 5 * Math.sqrt(500 * (1 - 500.0 / ROWS)));
  }

  private static List<Double> features(RowSample sample) {
    List<Double> features = new ArrayList<>();
    for (DataBlock block : sample.blocks()) {
      for (int row = 0; row < block.rows(); row++) {
        features.add(block.feature(row, 1));
      }
    }
    return features;
  }

  private static RunOutput output(SparkSession spark) throws IOException {
    return RunOutput.open(
        spark.sparkContext().hadoopConfiguration(), folder.resolve("good").toString());
  }

  @Test
  void thinnedDrawsAreEverySoManyIterations() throws IOException {
    try (SparkSession spark = session()) {
      Draws all = output(spark).draws();
      Draws some = output(spark).draws(7);
      assertEquals(1000 / 7, some.perChain());
      for (int j = 0; j < all.variables().size(); j++) {
        for (int c = 0; c < all.chains(); c++) {
          for (int i = 0; i < some.perChain(); i++) {
            assertEquals(all.values()[j][c][7 * i + 6], some.values()[j][c][i]);
          }
        }
      }
    }
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .config(Session.configuration("test").setMaster("local[2]"))
        .getOrCreate();
  }
}
